// plica resume: goes on with a recording from its last or an earlier frame, with the same bits as an undisturbed run.
#include <cmath>
#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "app/commands/run_loop.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/scene/setting_table.h"

namespace plica {

int command_resume(const ResumeOptions& options) {
    check_backend(options.backend);
    RecordingReader old(options.file);
    if (old.being_written()) throw InputError(options.file, 0, "is being written by another run; wait for its end or stop it");
    if (!old.note().empty()) std::fprintf(stderr, "note: %s %s\n", options.file.c_str(), old.note().c_str());
    Scene scene = scene_of(old, thread_count(options.threads));

    int from = old.frame_count() - 1;
    if (options.from) {
        if (!(*options.from >= old.time(0) - 1e-9 && *options.from <= old.time(from) + 1e-9))
            throw InputError("--from is " + number_text(*options.from) + " s; the recording goes from " +
                             number_text(old.time(0)) + " to " + number_text(old.time(from)) + " s");
        from = nearest_frame(old, *options.from);
    }
    const double until = options.until.value_or(scene.duration);
    if (!std::isfinite(until)) throw InputError("--until is " + number_text(until) + "; give seconds");
    if (old.time(from) + 1e-9 >= until) {
        std::fprintf(stderr,
                     "%s is complete up to t = %s s; nothing to do (--until T goes on to a later time, --from T starts at an "
                     "earlier one)\n",
                     options.file.c_str(), fixed_text(old.time(from), 4).c_str());
        return status_done;
    }

    Simulation simulation(std::move(scene));
    const auto commands = old.commands();
    const FramePtr start = old.frame(from);
    simulation.restore(*start, start->controller, commands);
    RunPlan plan{until, {}, options.quiet};
    for (const auto& logged : commands)
        if (logged.step > start->step) plan.commands.push_back(logged);
    Verdict verdict(simulation);
    add_frames(verdict, old, from);
    RecordingWriter recording = RecordingWriter::reopen(options.file, from);
    if (!options.quiet)
        std::fprintf(stderr, "%s: goes on from step %d, t = %s s, to %s s, %d threads\n", options.file.c_str(), start->step,
                     fixed_text(start->time, 4).c_str(), fixed_text(until, 4).c_str(), simulation.settings().threads);
    return run_and_record(simulation, recording, verdict, plan);
}

}  // namespace plica
