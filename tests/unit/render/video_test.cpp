// Videos are whole, of the right size and length, or absent. Needs ffmpeg and ffprobe, as the program does.
#include "render/video.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "render/export.h"
#include "render/render_error.h"
#include "render/run_program.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

class Video : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path(testing::TempDir()) /
                  ("plica video тест " + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    int files() const {
        int count = 0;
        for (const auto& entry : fs::directory_iterator(folder_)) count += entry.is_regular_file();
        return count;
    }
    // A program that stands in for ffmpeg.
    std::string script(const std::string& text) const {
        const std::string file = path("fake");
        std::ofstream(file) << "#!/bin/sh\n" << text;
        ::chmod(file.c_str(), 0755);
        return file;
    }
    fs::path folder_;
};

std::string output_of(const std::vector<std::string>& command) {
    ChildProcess child = start_program(command);
    std::string said;
    EXPECT_EQ(wait_for(child, said), 0) << said;
    return said;
}

Image flat(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    Image image;
    image.width = width;
    image.height = height;
    for (int i = 0; i < width * height; ++i) image.pixels.insert(image.pixels.end(), {r, g, b, 255});
    return image;
}

void write(const std::string& path, const VideoOptions& options, int frames) {
    VideoWriter writer(path, options);
    for (int k = 0; k < frames; ++k) writer.add(flat(options.width, options.height, std::uint8_t(8 * k), 90, 200));
    writer.finish();
    EXPECT_EQ(writer.frames(), frames);
}

TEST_F(Video, odd_sizes_are_padded_to_even_and_length_and_tags_are_right) {
    for (const auto& [w, h] : {std::pair(320, 180), std::pair(319, 179), std::pair(321, 180), std::pair(16, 16)}) {
        VideoOptions options;
        options.width = w;
        options.height = h;
        options.fps = 30;
        write(path("a.mp4"), options, 15);
        const std::string info =
            output_of({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                       "stream=codec_name,width,height,pix_fmt,nb_read_frames,duration,color_space,r_frame_rate", "-of",
                       "default=noprint_wrappers=1", path("a.mp4")});
        const auto has = [&](const std::string& line) {
            EXPECT_NE(info.find(line + "\n"), std::string::npos) << line << " in\n" << info;
        };
        has("codec_name=h264");
        has("width=" + std::to_string(w + w % 2));
        has("height=" + std::to_string(h + h % 2));
        has("pix_fmt=yuv420p");
        has("nb_read_frames=15");
        has("duration=0.500000");
        has("r_frame_rate=30/1");
        has("color_space=bt709");
    }
    EXPECT_EQ(files(), 1);
}

TEST_F(Video, padding_neither_scales_nor_shears) {
    // Left half red, right half blue: the border stays in its column in every row.
    VideoOptions options;
    options.width = 101;
    options.height = 63;
    options.fps = 24;
    options.crf = 1;
    Image image = flat(101, 63, 200, 30, 30);
    for (int y = 0; y < 63; ++y)
        for (int x = 50; x < 101; ++x) image.at(x, y)[0] = 30, image.at(x, y)[2] = 200;
    {
        VideoWriter writer(path("a.mp4"), options);
        for (int k = 0; k < 3; ++k) writer.add(image);
        writer.finish();
    }
    output_of(
        {"ffmpeg", "-v", "error", "-i", path("a.mp4"), "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", path("raw")});
    std::ifstream in(path("raw"), std::ios::binary);
    std::vector<unsigned char> raw((std::istreambuf_iterator<char>(in)), {});
    ASSERT_EQ(raw.size(), 3u * 102 * 64);
    const auto pixel = [&](int x, int y) { return &raw[3 * (std::size_t(y) * 102 + std::size_t(x))]; };
    for (int y = 1; y < 62; y += 6) {
        EXPECT_GT(pixel(45, y)[0], 150) << y;
        EXPECT_GT(pixel(56, y)[2], 150) << y;
    }
    EXPECT_NEAR(pixel(20, 20)[0], 200, 8);  // the colours survive the way to yuv and back
    EXPECT_NEAR(pixel(20, 20)[1], 30, 8);
    EXPECT_NE(video_size_note(101, 63).find("102 x 64"), std::string::npos);
    EXPECT_EQ(video_size_note(102, 64), "");
}

TEST_F(Video, impossible_sizes_and_rates_are_refused_before_anything_is_written) {
    for (const auto& [w, h] :
         {std::pair(1, 1), std::pair(15, 100), std::pair(7682, 100), std::pair(100, 4322), std::pair(-5, 100)}) {
        VideoOptions options;
        options.width = w;
        options.height = h;
        EXPECT_THROW(VideoWriter(path("a.mp4"), options), RenderError) << w << " x " << h;
    }
    VideoOptions options;
    options.fps = 0;
    EXPECT_THROW(VideoWriter(path("a.mp4"), options), RenderError);
    EXPECT_EQ(files(), 0);
}

TEST_F(Video, a_missing_folder_is_named_with_the_systems_reason) {
    try {
        VideoWriter writer(path("missing/a.mp4"), {});
        ADD_FAILURE() << "started";
    } catch (const RenderError& error) {
        EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos) << error.what();
    }
}

TEST_F(Video, a_missing_ffmpeg_is_told_with_the_package_and_the_way_out) {
    VideoOptions options;
    options.program = "plica-no-such-program";
    try {
        VideoWriter writer(path("a.mp4"), options);
        ADD_FAILURE() << "started";
    } catch (const RenderError& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("package ffmpeg"), std::string::npos) << text;
        EXPECT_NE(text.find("PNG"), std::string::npos) << text;
    }
    EXPECT_EQ(files(), 0);
    EXPECT_EQ(video_problem(), "");
}

TEST_F(Video, an_ffmpeg_that_fails_at_the_start_in_the_middle_or_at_the_end_leaves_nothing_and_its_words_are_told) {
    struct Case {
        std::string name, text;
    };
    const std::string probe = "case \"$*\" in *encoder=libx264*) echo libx264; exit 0;; esac\n";
    for (const Case& c : {Case{"start", "echo no space left here >&2; exit 3\n"},                              //
                          Case{"middle", "head -c 200000 >/dev/null; echo no space left here >&2; exit 3\n"},  //
                          Case{"end", "cat >/dev/null; echo no space left here >&2; exit 3\n"},                //
                          Case{"empty file", "cat >/dev/null; echo no space left here >&2; exit 0\n"}}) {
        VideoOptions options;
        options.width = 320;
        options.height = 240;
        options.program = script(probe + c.text);
        try {
            write(path("a.mp4"), options, 30);
            ADD_FAILURE() << c.name << ": no error";
        } catch (const RenderError& error) {
            EXPECT_NE(std::string(error.what()).find("no space left here"), std::string::npos)
                << c.name << ": " << error.what();
        }
        EXPECT_EQ(files(), 1) << c.name;  // the script
    }
}

TEST_F(Video, an_older_file_of_the_name_stays_until_the_new_one_is_whole) {
    std::ofstream(path("a.mp4")) << "old";
    VideoOptions options;
    options.width = options.height = 64;
    {
        VideoWriter writer(path("a.mp4"), options);
        writer.add(flat(64, 64, 1, 2, 3));
    }  // given up
    EXPECT_EQ(fs::file_size(path("a.mp4")), 3u);
    EXPECT_EQ(files(), 1);
    write(path("a.mp4"), options, 2);
    EXPECT_GT(fs::file_size(path("a.mp4")), 100u);
    EXPECT_EQ(files(), 1);
}

TEST_F(Video, a_film_is_exported_and_a_cancelled_one_leaves_nothing) {
    const std::vector<float> p{-0.1f, 0, 0, 0.1f, 0, 0, 0, 0, 0.1f};
    const std::vector<int> t{0, 1, 2};
    ViewFrame frame;
    frame.surfaces.push_back({SurfaceKind::Film, p, t});
    OutputFrame output;
    output.frame = &frame;
    VideoOptions options;
    options.width = 161;
    options.height = 91;
    options.fps = 25;
    ExportProgress last;
    const auto end = export_video(
        path("a.mp4"), options, 10, [&](int) { return output; },
        [&](const ExportProgress& progress) {
            last = progress;
            return true;
        });
    EXPECT_EQ(end, ExportEnd::Done);
    EXPECT_EQ(last.done, 10);
    EXPECT_EQ(last.total, 10);
    const std::string info =
        output_of({"ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,nb_read_frames,duration", "-of",
                   "default=noprint_wrappers=1", path("a.mp4")});
    EXPECT_NE(info.find("width=162\n"), std::string::npos) << info;
    EXPECT_NE(info.find("nb_read_frames=10\n"), std::string::npos) << info;
    EXPECT_NE(info.find("duration=0.400000\n"), std::string::npos) << info;
    fs::remove(path("a.mp4"));

    EXPECT_EQ(export_video(
                  path("a.mp4"), options, 10, [&](int) { return output; }, [](const ExportProgress& x) { return x.done < 4; }),
              ExportEnd::Cancelled);
    EXPECT_EQ(files(), 0);
}

}  // namespace
}  // namespace plica
