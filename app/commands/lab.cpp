// `plica lab wall`: the 1-D wall of spec/wall.md as the table that its source prints, for any setting.
#include <cmath>
#include <cstdio>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/wall_table.h"
#include "engine/core/error.h"
#include "engine/core/format.h"
#include "engine/core/number_text.h"
#include "engine/lab/wall.h"

namespace plica {

namespace {

void require_positive(const char* option, double value, const char* unit) {
    if (!(value > 0) || !std::isfinite(value))
        throw InputError(format("%s is %g; give a number above 0%s", option, value, unit));
}

std::vector<double> positive_numbers(const char* option, const std::vector<std::string>& words, const char* unit,
                                     std::vector<double> otherwise) {
    if (words.empty()) return otherwise;
    std::vector<double> numbers;
    for (const std::string& word : words) {
        const std::optional<double> value = parse_number(word);
        if (!value)
            throw InputError(std::string(option) + ": \"" + word +
                             "\" is not a number (the decimal sign is a point), for example 1.5 or 1e4");
        require_positive(option, *value, unit);
        numbers.push_back(*value);
    }
    return numbers;
}

nlohmann::json to_json(const WallLab::Run& run, double wall) {
    return {{"through", run.through},
            {"depth", run.largest_x - wall},
            {"newton_iterations", run.largest_iterations},
            {"steps", run.x.size()}};
}

}  // namespace

int command_lab_wall(const LabWallOptions& options) {
    const std::vector<double> speeds = positive_numbers("--v0", options.v0, " m/s", {source_speeds, std::end(source_speeds)});
    const std::vector<double> stiffnesses =
        positive_numbers("--k", options.k, " N/m", {source_stiffnesses, std::end(source_stiffnesses)});
    WallLab ipc;
    if (options.h) ipc.h = *options.h;
    if (options.dhat) ipc.dhat = *options.dhat;
    if (options.kappa) ipc.kappa = *options.kappa;
    require_positive("--h", ipc.h, " s");
    require_positive("--dhat", ipc.dhat, " m");
    require_positive("--kappa", ipc.kappa, "");

    const WallTable table = wall_table(ipc, speeds, stiffnesses);
    if (options.json) {
        nlohmann::json out{{"wall", ipc.wall}, {"thickness", ipc.thickness}, {"h", ipc.h},
                           {"dhat", ipc.dhat}, {"kappa", ipc.kappa},         {"runs", nlohmann::json::array()}};
        for (const WallTable::Row& of_speed : table.rows) {
            const double v = of_speed.v0;
            nlohmann::json row;
            row["v0"] = v;
            row["ipc"] = to_json(of_speed.ipc, ipc.wall);
            row["ipc"]["gap"] = ipc.wall - of_speed.ipc.largest_x;
            row["penalty"] = nlohmann::json::array();
            for (std::size_t i = 0; i < stiffnesses.size(); ++i) {
                nlohmann::json one = to_json(of_speed.penalty[i], ipc.wall);
                one["k"] = stiffnesses[i];
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
    std::printf("%s", table_text(table).c_str());
    return status_done;
}

}  // namespace plica
