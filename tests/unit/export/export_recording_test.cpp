#include "app/export_pictures.h"

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/core/error.h"
#include "render/run_program.h"
#include "tests/unit/simulation/small_scene.h"

namespace plica {
namespace {

namespace fs = std::filesystem;

// 48 steps of 1/240 s: 0.2 s, 49 frames.
class ExportRecording : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = fs::path(testing::TempDir()) / ("plica export тест " + std::to_string(::getpid()));
        fs::create_directories(folder_);
        Simulation simulation(parse_scene(small_scene_text(), "small"));
        RecordingWriter writer(path("run.h5"), simulation, 1);
        for (int i = 0; i < 48; ++i) {
            const StepOutcome outcome = simulation.step();
            ASSERT_TRUE(outcome.frame);
            writer.append(*outcome.frame);
        }
        writer.close();
        recording_.emplace(path("run.h5"));
    }
    static void TearDownTestSuite() {
        recording_.reset();
        fs::remove_all(folder_);
    }
    static std::string path(const std::string& name) { return (folder_ / name).string(); }
    static ExportPictureOptions video() {
        ExportPictureOptions options;
        options.video_path = path("out.mp4");
        options.width = 160;
        options.height = 90;
        options.style.samples = 0;
        return options;
    }
    static std::string message(const ExportPictureOptions& options) {
        try {
            export_recording(*recording_, options);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
    static inline fs::path folder_;
    static inline std::optional<RecordingReader> recording_;
};

TEST_F(ExportRecording, simulated_time_is_video_time_and_the_nearest_frames_are_shown) {
    const ExportPictureOptions options = video();
    std::vector<int> frames = output_frames(*recording_, options);
    ASSERT_EQ(frames.size(), 12u);  // 0.2 s at 60 fps
    for (std::size_t k = 0; k < frames.size(); ++k) EXPECT_EQ(frames[k], int(4 * k));

    ExportPictureOptions other = options;
    other.fps = 25;
    EXPECT_EQ(output_frames(*recording_, other).size(), 5u);
    other.speed = 0.1;  // ten times slower: frames are shown repeatedly
    frames = output_frames(*recording_, other);
    EXPECT_EQ(frames.size(), 50u);
    EXPECT_EQ(frames[3], 3);  // 0.012 s, frames are 0.00417 s apart
    other.from = 0.1;
    other.to = 0.16;
    frames = output_frames(*recording_, other);
    EXPECT_EQ(frames.size(), 15u);
    EXPECT_EQ(frames.front(), 24);
    EXPECT_LE(frames.back(), 38);
}

TEST_F(ExportRecording, a_video_has_the_right_length) {
    ExportPictureOptions options = video();
    options.fps = 30;
    options.gauges = {recording_->info().gauges.front().name};
    ASSERT_TRUE(export_recording(*recording_, options));
    ChildProcess probe =
        start_program({"ffprobe", "-v", "error", "-count_frames", "-show_entries",
                       "stream=width,height,nb_read_frames,duration", "-of", "default=noprint_wrappers=1", options.video_path});
    std::string said;
    ASSERT_EQ(wait_for(probe, said), 0);
    EXPECT_EQ(said, "width=160\nheight=90\nduration=0.200000\nnb_read_frames=6\n");
    EXPECT_EQ(export_note(options), "");
    options.width = 161;
    EXPECT_NE(export_note(options).find("162 x 90"), std::string::npos);
}

TEST_F(ExportRecording, pictures_are_every_nth_frame_of_the_range_in_every_colour) {
    for (int mode = 0; mode < color_mode_count; ++mode) {
        ExportPictureOptions options = video();
        options.video_path.clear();
        options.frames_folder = path(std::string("frames ") + color_mode_names[mode]);
        options.every = 16;
        options.color = ColorMode(mode);
        ASSERT_TRUE(export_recording(*recording_, options));
        int files = 0;
        for (const auto& entry : fs::directory_iterator(options.frames_folder)) files += entry.path().extension() == ".png";
        EXPECT_EQ(files, 4) << options.frames_folder;
    }
}

TEST_F(ExportRecording, bad_options_are_told_with_what_is_allowed_and_leave_nothing) {
    ExportPictureOptions options = video();
    options.width = 1;
    options.height = 1;
    EXPECT_NE(message(options).find("16 x 16 to 7680 x 4320"), std::string::npos) << message(options);
    options = video();
    options.from = 5;
    EXPECT_NE(message(options).find("0.2 s"), std::string::npos) << message(options);
    options = video();
    options.from = 0.1;
    options.to = 0.05;
    EXPECT_NE(message(options).find("empty"), std::string::npos) << message(options);
    options = video();
    options.speed = 0;
    EXPECT_NE(message(options).find("--speed is 0"), std::string::npos) << message(options);
    options = video();
    options.fps = -3;
    EXPECT_NE(message(options).find("--fps is -3"), std::string::npos) << message(options);
    options = video();
    options.gauges = {"waist"};
    EXPECT_NE(message(options).find("\"waist\""), std::string::npos) << message(options);
    options = video();
    options.frames_folder = path("both");
    EXPECT_NE(message(options), "no error");
    options.video_path.clear();
    options.every = 0;
    EXPECT_NE(message(options).find("--every is 0"), std::string::npos) << message(options);
    EXPECT_FALSE(fs::exists(path("both")));
}

TEST_F(ExportRecording, cancelling_leaves_no_video) {
    ExportPictureOptions options = video();
    options.video_path = path("cancelled.mp4");
    EXPECT_FALSE(export_recording(*recording_, options, [](const ExportProgress& p) { return p.done < 3; }));
    EXPECT_FALSE(fs::exists(options.video_path));
}

}  // namespace
}  // namespace plica
