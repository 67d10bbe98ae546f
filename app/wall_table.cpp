#include "app/wall_table.h"

#include <cmath>

#include "engine/core/format.h"

namespace plica {

WallTable wall_table(const WallLab& lab, std::span<const double> speeds, std::span<const double> stiffnesses) {
    WallTable table{lab, {stiffnesses.begin(), stiffnesses.end()}, {}};
    table.lab.barrier = true;
    for (const double v : speeds) {
        WallTable::Row row;
        row.v0 = v;
        row.ipc = table.lab.run(v);
        for (const double k : stiffnesses) {
            WallLab penalty = lab;
            penalty.barrier = false;
            penalty.penalty_stiffness = k;
            row.penalty.push_back(penalty.run(v));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string stiffness_text(double k) {
    const double exponent = std::floor(std::log10(k));
    const double mantissa = k / std::pow(10.0, exponent);
    return mantissa == 1 ? format("1e%.0f", exponent) : format("%g", k);
}

std::string penalty_text(const WallLab::Run& run, double wall) {
    return run.through ? "through" : format("stop %5.2f mm", (run.largest_x - wall) * 1000);
}

std::string table_text(const WallTable& table) {
    const WallLab& lab = table.lab;
    std::string text =
        format("wall at %g m, thickness %.0f mm, h = %g ms\n v0[m/s] |", lab.wall, lab.thickness * 1000, lab.h * 1000);
    for (const double k : table.stiffnesses) text += format(" pen k=%-7s |", stiffness_text(k).c_str());
    text += format(" IPC d^=%gmm\n", lab.dhat * 1000);
    for (const WallTable::Row& row : table.rows) {
        text += format(row.v0 == std::floor(row.v0) ? " %7.0f |" : " %7g |", row.v0);
        for (const WallLab::Run& run : row.penalty) text += format(" %-13s |", penalty_text(run, lab.wall).c_str());
        text += format(" gap %6.1f um, newton %2d\n", (lab.wall - row.ipc.largest_x) * 1e6, row.ipc.largest_iterations);
    }
    return text;
}

}  // namespace plica
