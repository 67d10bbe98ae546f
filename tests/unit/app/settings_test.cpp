#include "app/settings.h"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <gtest/gtest.h>

namespace plica {

namespace fs = std::filesystem;

class SettingsFile : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("plica settings ü " + std::to_string(getpid()));
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path() const { return (folder_ / "settings.json").string(); }
    fs::path folder_;
};

TEST_F(SettingsFile, WhatIsSavedComesBack) {
    Settings s;
    s.ui_scale = 1.5;
    s.theme = ThemeKind::Light;
    s.window_x = -200;
    s.window_width = 1111;
    s.recent = {"/a/б.toml", "/b"};
    s.lab.v0 = 7.5;
    s.lab.follow = true;
    ASSERT_EQ(save_settings(path(), s), "");
    std::string note;
    const Settings back = load_settings(path(), note);
    EXPECT_EQ(note, "");
    EXPECT_EQ(back.ui_scale, 1.5);
    EXPECT_EQ(back.theme, ThemeKind::Light);
    EXPECT_EQ(back.window_x, -200);
    EXPECT_EQ(back.window_width, 1111);
    EXPECT_EQ(back.recent, s.recent);
    EXPECT_EQ(back.lab, s.lab);
}

TEST_F(SettingsFile, ABrokenFileIsSetAside) {
    for (const char* text : {"{ broken", "", "[1,2]", "{\"window_x\": \"left\"}"}) {
        std::ofstream(path()) << text;
        std::string note;
        const Settings s = load_settings(path(), note);
        EXPECT_NE(note, "") << text;
        EXPECT_EQ(s.window_width, 0);
        EXPECT_TRUE(fs::exists(path() + ".broken"));
        fs::remove(path() + ".broken");
    }
}

TEST_F(SettingsFile, ValuesOutOfRangeComeBackIntoIt) {
    std::ofstream(path()) << R"({"ui_scale": 50, "grip_limit": -1, "color_mode": 99, "lab": {"v0": -3, "kappa": 2e4}})";
    std::string note;
    const Settings s = load_settings(path(), note);
    EXPECT_EQ(s.ui_scale, 3);
    EXPECT_GT(s.grip_limit, 0);
    EXPECT_LE(s.color_mode, 16);
    EXPECT_EQ(s.lab.v0, LabValues().v0);
    EXPECT_EQ(s.lab.kappa, 2e4);
}

TEST(WindowPlace, IsUsedOnlyWhereItCanBeSeen) {
    const std::vector<ScreenRect> one{{0, 0, 1920, 1080}}, two{{0, 0, 1920, 1080}, {1920, 0, 2560, 1440}};
    Settings s;
    s.window_x = 2400;
    s.window_y = 100;
    s.window_width = 1200;
    s.window_height = 800;
    EXPECT_TRUE(place_is_visible(s, two));
    EXPECT_FALSE(place_is_visible(s, one));  // that screen is gone
    s.window_x = 1900;
    EXPECT_FALSE(place_is_visible(s, one));  // only a strip could be seen
    s.window_x = 100;
    s.window_y = 1079;
    EXPECT_FALSE(place_is_visible(s, one));  // no title to grasp
    s.window_y = 50;
    EXPECT_TRUE(place_is_visible(s, one));
}

}  // namespace plica
