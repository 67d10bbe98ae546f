#include "app/studio/lab_export.h"

#include <algorithm>
#include <cmath>

#include "app/studio/wall_experiment.h"
#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/core/output_file.h"

namespace plica {

namespace {

// The values stand in every row, so that tables of several throws can be put together.
std::string value_columns(const LabValues& v) {
    std::string text;
    for (const double value : {v.v0, v.h, v.k, v.dhat, v.kappa}) text += "," + shortest_text(value);
    return text;
}
constexpr const char* value_names = ",v0_m_per_s,h_s,k_N_per_m,dhat_m,kappa";

void write_throw(const LabValues& values, std::ostream& out) {
    out << "contact,step,time_s,x_tilde_m,iterate,x_m,gap_m,energy_kg_m2,dx_m,max_step,alpha,halvings,converged" << value_names
        << '\n';
    const std::string constant = value_columns(values);
    for (const bool barrier : {false, true}) {
        WallThrow ball(wall_lab(values, barrier), values.v0);
        for (int step = 1; !ball.done(); ++step) {
            ball.finish_step();
            const std::string begin = std::string(barrier ? "barrier," : "penalty,") + std::to_string(step) + "," +
                                      shortest_text(step * values.h) + "," + shortest_text(ball.x_tilde()) + ",";
            int iterate = 0;
            for (const WallLab::Iterate& n : ball.iterates()) {
                out << begin << ++iterate;
                for (const double value : {n.x, ball.lab().wall - n.x, n.energy, n.dx, n.max_step, n.alpha})
                    out << ',' << shortest_text(value);
                out << ',' << n.halvings << ',' << int(n.converged) << constant << '\n';
            }
        }
    }
}

void write_landscape(const LabValues& values, const LandscapeRange& range, std::ostream& out) {
    constexpr int count = 2001;
    const WallLab penalty = wall_lab(values, false), ipc = wall_lab(values, true);
    out << "x_m,penalty_kg_m2,barrier_kg_m2,penalty_x_tilde_m,barrier_x_tilde_m,v0_m_per_s,h_s,k_N_per_m,dhat_m,kappa\n";
    const std::string constant =
        "," + shortest_text(range.penalty_x_tilde) + "," + shortest_text(range.ipc_x_tilde) + value_columns(values);
    for (int i = 0; i < count; ++i) {
        const double x = range.low + (range.high - range.low) * i / (count - 1);
        out << shortest_text(x) << ',' << shortest_text(penalty.energy(x, range.penalty_x_tilde)) << ','
            << shortest_text(ipc.energy(x, range.ipc_x_tilde)) << constant << '\n';
    }
}

void write_speeds(const LabValues& values, std::ostream& out) {
    out << "speed_m_per_s,contact,stiffness,outcome,largest_x_minus_wall_m,largest_iterations,h_s,dhat_m\n";
    const WallTable table = WallExperiment(values).table();
    for (const WallTable::Row& row : table.rows) {
        const auto line = [&](const char* contact, double stiffness, const WallLab::Run& run) {
            out << shortest_text(row.v0) << ',' << contact << ',' << shortest_text(stiffness) << ','
                << (run.through ? "through" : "stopped") << ',' << shortest_text(run.largest_x - table.lab.wall) << ','
                << run.largest_iterations << ',' << shortest_text(values.h) << ',' << shortest_text(values.dhat) << '\n';
        };
        for (std::size_t k = 0; k < row.penalty.size(); ++k) line("penalty", table.stiffnesses[k], row.penalty[k]);
        line("barrier", values.kappa, row.ipc);
    }
}

}  // namespace

std::string check_lab_export(const LabExportDialog& what) {
    try {
        check_output_path(what.path, what.kind == int(LabExportKind::Picture) ? "the picture" : "the table");
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

void write_lab_table(const LabValues& values, const LandscapeRange& range, LabExportKind kind, const std::string& path) {
    write_file(path, "the table", [&](std::ostream& out) {
        switch (kind) {
            case LabExportKind::Throw: write_throw(values, out); break;
            case LabExportKind::Landscape: write_landscape(values, range, out); break;
            case LabExportKind::Speeds: write_speeds(values, out); break;
            case LabExportKind::Picture: break;  // not a table; see Studio
        }
    });
}

}  // namespace plica
