#include "engine/simulation/command.h"

#include <gtest/gtest.h>

#include "engine/core/error.h"

namespace plica {
namespace {

TEST(Command, comes_back_from_json_bit_for_bit) {
    Command grip;
    grip.kind = Command::Kind::Grip;
    grip.value = 1.0 / 3;
    grip.limit = 0.1;
    grip.vertices = {12};
    grip.target = {1e-17, -0.1, 1.0 / 7};
    const Command back = Command::from_json(grip.to_json());
    EXPECT_EQ(back.kind, grip.kind);
    EXPECT_EQ(back.value, grip.value);
    EXPECT_EQ(back.limit, grip.limit);
    EXPECT_EQ(back.vertices, grip.vertices);
    EXPECT_EQ(back.target, grip.target);
    EXPECT_EQ(grip.to_json().find('\n'), std::string::npos);
}

TEST(Command, every_kind_keeps_its_kind_and_key) {
    using K = Command::Kind;
    for (const K kind : {K::SetSetting, K::SetSwitch, K::Pin, K::Release, K::Grip, K::Note}) {
        Command c;
        c.kind = kind;
        c.key = "body:\"Tüte\"\n";
        EXPECT_EQ(Command::from_json(c.to_json()).kind, kind);
        EXPECT_EQ(Command::from_json(c.to_json()).key, c.key);
    }
}

TEST(Command, a_note_of_broken_utf8_is_kept_readable) {
    Command note;
    note.key = "caf\xe9";
    EXPECT_NO_THROW(Command::from_json(note.to_json()));
}

TEST(Command, nonsense_is_an_input_error) {
    for (const char* text : {"", "{", "[]", "{}", "{\"kind\":\"fly\"}", "{\"kind\":\"pin\",\"vertices\":\"all\"}",
                             "{\"kind\":\"grip\",\"target\":[1]}"})
        EXPECT_THROW(Command::from_json(text), InputError) << text;
}

TEST(Command, describes_itself_for_the_undo_menu) {
    Command c;
    c.kind = Command::Kind::SetSetting;
    c.key = "friction_mu";
    c.value = 0.2;
    EXPECT_EQ(c.describe(), "friction_mu → 0.2");
    c.kind = Command::Kind::SetSwitch;
    c.key = "body:bin";
    c.value = 0;
    EXPECT_EQ(c.describe(), "contact with bin off");
    c.key = "contact";
    c.value = 1;
    EXPECT_EQ(c.describe(), "contact mode guarded");
}

}  // namespace
}  // namespace plica
