// The program: options to commands, errors to messages and exit status.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"
#include "app/scene_picture.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/recording/recording.h"
#include "engine/scene/scene_file.h"
#include "engine/scene/setting_table.h"
#include "render/render_error.h"

namespace plica {
namespace {

// A finite number with a point in every locale; CLI11 itself would read it as the locale does.
CLI::Option* number_option(CLI::App* command, const std::string& name, std::function<void(double)> set,
                           const std::string& help) {
    return command
        ->add_option_function<std::string>(
            name,
            [name, set](const std::string& text) {
                const auto value = parse_number(text);
                if (!value || !(std::abs(*value) < 1e30))
                    throw CLI::ValidationError(
                        name.substr(name.rfind("--")),
                        "\"" + text + "\" is not a number" +
                            (text.find(',') != std::string::npos ? " (the decimal sign is a point)" : "") +
                            ", for example 1.5 or 1e-3");
                set(*value);
            },
            help)
        ->type_name("NUMBER");
}

void scene_options(CLI::App* command, SceneChoice& choice, const std::string& what) {
    command->add_option("SCENE", choice.source, what)->required();
    command
        ->add_option("--set", choice.settings,
                     "change a value of the scene, for example solver.friction_mu=0.2; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--threads", choice.threads, "solver threads (default: as many as pay); results do not depend on it")
        ->type_name("N");
    command->add_option("--contact", choice.contact, "ipc (default), guarded or basic: how contact is kept")
        ->check(CLI::IsMember({"ipc", "guarded", "basic"}))
        ->type_name("MODE");
    command->add_option("--backend", choice.backend, "auto, cpu or cuda")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
        ->type_name("NAME");
    number_option(
        command, "--thickness", [&choice](double v) { choice.thickness = v; }, "of a mesh, m (default 30e-6)");
    command->add_option("--unit", choice.unit, "of a mesh's coordinates: m, cm, mm, ... (default: what the file says)")
        ->type_name("UNIT");
    command->add_option("--pin", choice.pins, "hold vertex I of a mesh (from 0) where it is; may be repeated")
        ->type_name("I")
        ->take_all()
        ->allow_extra_args(false);
}

CLI::Option* optional_number(CLI::App* command, const std::string& name, std::optional<double>& place,
                             const std::string& help) {
    return number_option(
        command, name, [&place](double v) { place = v; }, help);
}

// "1280x720" and "1280×720".
void parse_size(const std::string& text, int& width, int& height) {
    std::string plain = text;
    if (const auto times = plain.find("×"); times != std::string::npos) plain.replace(times, std::string("×").size(), "x");
    const auto x = plain.find('x');
    const auto w = parse_number(plain.substr(0, x)),
               h = x == std::string::npos ? std::nullopt : parse_number(plain.substr(x + 1));
    if (!w || !h || *w != std::floor(*w) || *h != std::floor(*h) || std::abs(*w) > 1e6 || std::abs(*h) > 1e6)
        throw CLI::ValidationError("--size", "\"" + text + "\" is not a size, for example 1280x720");
    width = int(*w);
    height = int(*h);
}

struct Options {
    RunOptions run;
    ResumeOptions resume;
    InfoOptions info;
    CheckOptions check;
    ExportOptions exporting;
    CompareOptions compare;
    BenchOptions bench;
    LabWallOptions lab_wall;
    ViewOptions view, window;
};

void view_options(CLI::App* command, ViewOptions& view) {
    command->add_option("--set", view.settings, "change a value of the scene; may be repeated")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--threads", view.threads, "solver threads")->type_name("N")->check(CLI::Range(1, 256));
    command
        ->add_option_function<std::string>(
            "--size", [&view](const std::string& text) { parse_size(text, view.width, view.height); },
            "of the window, for example 1280x720")
        ->type_name("WxH");
    command->add_flag("--run", view.run, "start running at once");
    command->add_option("--record", view.record_to, "record to this file")->type_name("FILE");
    // For tests of the window.
    command->add_option("--ui-log", view.ui_log)->group("");
    command->add_option("--settings", view.settings_file)->group("");
}

void define_commands(CLI::App& app, Options& o) {
    app.set_version_flag("--version", std::string("plica ") + PLICA_VERSION);
    app.require_subcommand(0, 1);
    view_options(&app, o.window);

    CLI::App* run = app.add_subcommand("run", "simulate a scene or mesh and record it");
    scene_options(run, o.run.scene, "scene file, name of a shipped scene, or mesh (OBJ, PLY)");
    run->add_option("-o,--output", o.run.output, "recording to write (default: <scene>.h5, or the next free name)")
        ->type_name("FILE");
    optional_number(run, "--until", o.run.until, "end, s of simulated time (default: the scene's duration)");
    run->get_option("SCENE")->required(false);  // that of the commands
    run->add_option("--commands", o.run.commands,
                    "make the edits of this recording again at their steps; without SCENE: that recording's scene, bit for bit")
        ->type_name("FILE");
    run->add_flag("-q,--quiet", o.run.quiet, "say nothing unless it fails");

    CLI::App* resume =
        app.add_subcommand("resume", "go on with a recording; the frames are those of an undisturbed run, bit for bit");
    resume->add_option("FILE", o.resume.file, "recording")->required();
    optional_number(resume, "--from", o.resume.from,
                    "start at this time instead of the last frame, s; what follows is computed anew");
    optional_number(resume, "--until", o.resume.until, "end, s (default: the scene's duration)");
    resume->add_option("--threads", o.resume.threads, "solver threads")->type_name("N");
    resume->add_option("--backend", o.resume.backend, "auto, cpu or cuda")
        ->check(CLI::IsMember({"auto", "cpu", "cuda"}))
        ->type_name("NAME");
    resume->add_flag("-q,--quiet", o.resume.quiet, "say nothing unless it fails");

    CLI::App* view = app.add_subcommand("view", "open a scene, mesh or recording in the window");
    view->add_option("FILE", o.view.source, "scene, mesh or recording; lab: the 1-D lab of ball and wall")->required();
    view_options(view, o.view);

    CLI::App* info = app.add_subcommand("info", "tell what a recording holds; --system: what this machine and build can do");
    info->add_option("FILE", o.info.file, "recording");
    info->add_flag("--system", o.info.system, "about this machine and build");
    info->add_flag("--json", o.info.json, "for scripts");

    CLI::App* check = app.add_subcommand("check", "is a scene fit to start; are a recording's frames free of intersections");
    scene_options(check, o.check.scene, "scene, mesh or recording");
    check->add_flag("--json", o.check.json, "for scripts");

    CLI::App* exporting = app.add_subcommand("export", "write a recording as video, pictures, meshes, table or arrays");
    ExportOptions& e = o.exporting;
    exporting->add_option("FILE", e.file, "recording")->required();
    exporting->add_option("--video", e.video, "H.264 video")->type_name("FILE.mp4");
    exporting->add_option("--frames", e.frames, "folder of PNG pictures")->type_name("FOLDER");
    exporting->add_option("--mesh", e.mesh, "meshes: obj or ply (a folder, one mesh a frame), pc2 (Blender point cache)")
        ->check(CLI::IsMember({"obj", "ply", "pc2"}))
        ->type_name("FORMAT");
    exporting->add_option("-o,--output", e.output, "where --mesh goes (default: beside you, named after the recording)")
        ->type_name("PATH");
    exporting->add_option("--csv", e.csv, "table of gauges, one row a frame")->type_name("FILE");
    exporting->add_option("--npz", e.npz, "NumPy arrays: film, spheres, faces, time, gauges")->type_name("FILE");
    optional_number(exporting, "--from", e.from, "first time, s");
    optional_number(exporting, "--to", e.to, "last time, s");
    exporting->add_option("--every", e.every, "only every n-th frame (pictures, meshes, tables)")->type_name("N");
    exporting
        ->add_option_function<std::string>(
            "--size", [&e](const std::string& text) { parse_size(text, e.width, e.height); },
            "of pictures and video (default 1280x720)")
        ->type_name("WxH");
    exporting->add_option("--fps", e.fps, "of the video: 24, 25, 30, 50 or 60 (default 60)")->type_name("N");
    number_option(
        exporting, "--speed", [&e](double v) { e.speed = v; }, "simulated seconds per second of video (default 0.5)");
    exporting->add_option("--gauge", e.gauges, "write this gauge into the pictures; may be repeated")
        ->type_name("NAME")
        ->take_all()
        ->allow_extra_args(false);
    exporting->add_option("--color", e.color, "of the film: plain (default), gap, strain, bending, speed, height or memory")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(color_mode_names), std::end(color_mode_names))))
        ->type_name("NAME");
    exporting->add_flag("--no-clock", e.no_clock, "no time in the pictures");
    exporting->add_flag("--white", e.white, "white background");
    exporting->add_flag("--transparent", e.transparent, "clear background (pictures)");
    exporting->add_flag("-q,--quiet", e.quiet, "say nothing unless it fails");

    CLI::App* compare = app.add_subcommand("compare", "are two recordings the same, bit for bit (status 0), or not (1)");
    compare->add_option("A", o.compare.a, "recording")->required();
    compare->add_option("B", o.compare.b, "recording")->required();
    compare->add_flag("--json", o.compare.json, "for scripts");

    CLI::App* bench = app.add_subcommand("bench", "what steps and Newton iterations cost, by stage");
    scene_options(bench, o.bench.scene, "scene or mesh");
    bench
        ->add_option("--steps", o.bench.steps,
                     "steps to measure (default: the whole scene by its phases; 240 where it has none)")
        ->type_name("N");
    bench->add_option("--from", o.bench.from, "steps to do before (default 0)")->type_name("STEP");
    bench->add_flag("--json", o.bench.json, "for scripts");

    CLI::App* lab = app.add_subcommand("lab", "small experiments that show why it works");
    lab->require_subcommand(1);
    CLI::App* wall = lab->add_subcommand("wall", "a ball thrown at a wall, held by a penalty and by the barrier");
    const auto words = [wall](const std::string& name, std::vector<std::string>& list, const std::string& help) {
        wall->add_option(name, list, help)->type_name("NUMBER")->take_all()->allow_extra_args(false);
    };
    words("--v0", o.lab_wall.v0, "speed, m/s; may be repeated (default: the six of the source)");
    words("--k", o.lab_wall.k, "stiffness of the penalty, N/m; may be repeated (default: 1e4 and 1e6)");
    optional_number(wall, "--h", o.lab_wall.h, "time step, s (default 0.01)");
    optional_number(wall, "--dhat", o.lab_wall.dhat, "gap where the barrier begins, m (default 1e-3)");
    optional_number(wall, "--kappa", o.lab_wall.kappa, "stiffness of the barrier (default 1e4)");
    wall->add_flag("--json", o.lab_wall.json, "for scripts");

    std::string scenes;
    for (const std::string& name : shipped_scenes()) scenes += (scenes.empty() ? "" : ", ") + name;
    app.footer("Without a command: the window with the bag.\nShipped scenes: " + scenes +
               "\nExit status: 0 done, 1 the simulation or a check failed (what was computed is kept), 2 bad usage or input.\n"
               "`plica COMMAND --help` tells about a command.\n");
}

int run_command(const CLI::App& app, const Options& o) {
    if (app.got_subcommand("run")) return command_run(o.run);
    if (app.got_subcommand("resume")) return command_resume(o.resume);
    if (app.got_subcommand("view")) return command_view(o.view);
    if (app.got_subcommand("info")) {
        if (!o.info.system && o.info.file.empty()) throw InputError("info needs a recording, or --system");
        return command_info(o.info);
    }
    if (app.got_subcommand("check")) return command_check(o.check);
    if (app.got_subcommand("export")) return command_export(o.exporting);
    if (app.got_subcommand("compare")) return command_compare(o.compare);
    if (app.got_subcommand("bench")) return command_bench(o.bench);
    if (app.got_subcommand("lab")) return command_lab_wall(o.lab_wall);
    return command_default(o.window);
}

// What CLI11 says of a usage error, and for a misspelt word what was probably meant.
std::string usage_text(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    std::string text = error.what();
    std::vector<std::string> commands, options;
    const CLI::App* command = &app;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(sub->get_name());
        if (!app.got_subcommand(sub->get_name())) continue;
        command = sub;
        for (const CLI::App* inner : sub->get_subcommands([](const CLI::App*) { return true; }))
            if (sub->got_subcommand(inner->get_name())) command = inner;
    }
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    if (command == &app && !arguments.empty() && !arguments[0].empty() && arguments[0][0] != '-' &&
        std::find(commands.begin(), commands.end(), arguments[0]) == commands.end()) {
        std::string list;
        for (const std::string& name : commands) list += (list.empty() ? "" : ", ") + name;
        const bool file = arguments[0].find_first_of("./") != std::string::npos;
        return "there is no command \"" + arguments[0] + "\"" + suggestion(arguments[0], commands) +
               (file ? " (to open a file: plica view " + arguments[0] + ")" : "") + "; commands: " + list;
    }
    for (const std::string& argument : arguments)
        if (argument.rfind("--", 0) == 0) {
            const std::string name = argument.substr(0, argument.find('='));
            if (std::find(options.begin(), options.end(), name) == options.end())
                return "there is no option " + name + " here" + suggestion(name, options);
        }
    return text;
}

}  // namespace
}  // namespace plica

int main(int argc, char** argv) {
    // A reader of our output that goes away, and a limit on file sizes, are errors to report, not reasons to die.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);

    plica::Options options;
    CLI::App app{"Plica: simulate thin sheets in contact, and look at what happens", "plica"};
    try {
        plica::define_commands(app, options);
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& error) {
        std::fprintf(stderr, "plica: %s\n`plica --help` tells how it is used\n",
                     plica::usage_text(app, error, {argv + 1, argv + argc}).c_str());
        return plica::status_bad_input;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plica: %s\n", error.what());
        return plica::status_bad_input;
    }
    try {
        return plica::run_command(app, options);
    } catch (const plica::InputError& error) {
        std::fprintf(stderr, "plica: %s\n", error.what());
        return plica::status_bad_input;
    } catch (const plica::RenderError& error) {
        std::fprintf(stderr, "plica: %s\n", error.what());
        return plica::status_bad_input;
    } catch (const plica::DiskFull& error) {
        std::fprintf(stderr, "plica: %s\n", error.what());
        return plica::status_failed;
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "plica: not enough memory for this scene or file\n");
        return plica::status_failed;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "plica: unexpected error: %s\n", error.what());
        return plica::status_failed;
    }
}
