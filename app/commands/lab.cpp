// `plica lab wall`: the 1-D wall of spec/wall.md as the table that its source prints, for any setting.
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "engine/core/error.h"
#include "engine/core/format.h"
#include "engine/core/number_text.h"
#include "engine/lab/wall.h"

namespace plica {

namespace {

// 1e4 rather than 10000, as the source writes stiffnesses.
std::string stiffness_text(double k) {
    const double exponent = std::floor(std::log10(k));
    const double mantissa = k / std::pow(10.0, exponent);
    return mantissa == 1 ? format("1e%.0f", exponent) : format("%g", k);
}

void require_positive(const char* option, double value, const char* unit) {
    if (!(value > 0) || !std::isfinite(value)) throw InputError(format("%s is %g; give a number above 0%s", option, value, unit));
}

std::vector<double> positive_numbers(const char* option, const std::vector<std::string>& words, const char* unit, std::vector<double> otherwise) {
    if (words.empty()) return otherwise;
    std::vector<double> numbers;
    for (const std::string& word : words) {
        const std::optional<double> value = parse_number(word);
        if (!value) throw InputError(std::string(option) + ": \"" + word + "\" is not a number (the decimal sign is a point), for example 1.5 or 1e4");
        require_positive(option, *value, unit);
        numbers.push_back(*value);
    }
    return numbers;
}

std::string penalty_text(const WallLab::Run& run, double wall) {
    return run.through ? "through" : format("stop %5.2f mm", (run.largest_x - wall) * 1000);
}

nlohmann::json to_json(const WallLab::Run& run, double wall) {
    return {{"through", run.through}, {"depth", run.largest_x - wall}, {"newton_iterations", run.largest_iterations}, {"steps", run.x.size()}};
}

}  // namespace

int command_lab_wall(const LabWallOptions& options) {
    const std::vector<double> speeds = positive_numbers("--v0", options.v0, " m/s", {1, 2, 5, 10, 20, 50});
    const std::vector<double> stiffnesses = positive_numbers("--k", options.k, " N/m", {1e4, 1e6});
    WallLab ipc;
    if (options.h) ipc.h = *options.h;
    if (options.dhat) ipc.dhat = *options.dhat;
    if (options.kappa) ipc.kappa = *options.kappa;
    require_positive("--h", ipc.h, " s");
    require_positive("--dhat", ipc.dhat, " m");
    require_positive("--kappa", ipc.kappa, "");

    const auto penalty_run = [&](double v, double k) {
        WallLab lab = ipc;
        lab.barrier = false;
        lab.penalty_stiffness = k;
        return lab.run(v);
    };
    if (options.json) {
        nlohmann::json out{{"wall", ipc.wall}, {"thickness", ipc.thickness}, {"h", ipc.h}, {"dhat", ipc.dhat}, {"kappa", ipc.kappa}, {"runs", nlohmann::json::array()}};
        for (const double v : speeds) {
            nlohmann::json row;
            row["v0"] = v;
            const WallLab::Run run = ipc.run(v);
            row["ipc"] = to_json(run, ipc.wall);
            row["ipc"]["gap"] = ipc.wall - run.largest_x;
            row["penalty"] = nlohmann::json::array();
            for (const double k : stiffnesses) {
                nlohmann::json one = to_json(penalty_run(v, k), ipc.wall);
                one["k"] = k;
                row["penalty"].push_back(one);
            }
            // What to look at before using a barrier: the way of one step against half the thinnest part, dhat, iterations.
            row["step_length"] = v * ipc.h;
            row["penalty_can_pass"] = v * ipc.h > 0.5 * ipc.thickness;
            out["runs"].push_back(row);
        }
        std::printf("%s\n", out.dump(2).c_str());
        return status_done;
    }
    std::printf("wall at %g m, thickness %.0f mm, h = %g ms\n v0[m/s] |", ipc.wall, ipc.thickness * 1000, ipc.h * 1000);
    for (const double k : stiffnesses) std::printf(" pen k=%-7s |", stiffness_text(k).c_str());
    std::printf(" IPC d^=%gmm\n", ipc.dhat * 1000);
    for (const double v : speeds) {
        std::printf(v == std::floor(v) ? " %7.0f |" : " %7g |", v);
        for (const double k : stiffnesses) std::printf(" %-13s |", penalty_text(penalty_run(v, k), ipc.wall).c_str());
        const WallLab::Run run = ipc.run(v);
        std::printf(" gap %6.1f um, newton %2d\n", (ipc.wall - run.largest_x) * 1e6, run.largest_iterations);
    }
    return status_done;
}

}  // namespace plica
