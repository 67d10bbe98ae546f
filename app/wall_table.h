// The table of the wall's source: speeds by row, penalties of several stiffnesses and the barrier by column; for the command
// and the window.
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "engine/lab/wall.h"

namespace plica {

inline constexpr double source_speeds[] = {1, 2, 5, 10, 20, 50};  // m/s
inline constexpr double source_stiffnesses[] = {1e4, 1e6};        // N/m

struct WallTable {
    WallLab lab;                      // of the barrier; the penalties differ in mode and stiffness only
    std::vector<double> stiffnesses;  // N/m
    struct Row {
        double v0 = 0;                      // m/s
        std::vector<WallLab::Run> penalty;  // per stiffness
        WallLab::Run ipc;
    };
    std::vector<Row> rows;
};

WallTable wall_table(const WallLab& lab, std::span<const double> speeds, std::span<const double> stiffnesses);

// As the source prints it.
std::string table_text(const WallTable& table);
// 1e4 rather than 10000, as the source writes stiffnesses.
std::string stiffness_text(double k);
// "through" or "stop  5.00 mm".
std::string penalty_text(const WallLab::Run& run, double wall);

}  // namespace plica
