// What the 1-D lab writes: a picture of itself, and tables.
#pragma once

#include <string>

#include "app/lab_values.h"

namespace plica {

enum class LabExportKind { Picture, Throw, Landscape, Speeds };
inline constexpr const char* lab_export_names[] = {"Picture (PNG)", "Newton iterates (CSV)", "Energy landscape (CSV)",
                                                   "Table of speeds (CSV)"};

struct LabExportDialog {
    bool open = false;
    int kind = 0;
    std::string path;
};

// "" or what is wrong with the wish, before anything is written.
std::string check_lab_export(const LabExportDialog& what);

// The landscape's range and what x̃ each curve has, m.
struct LandscapeRange {
    double low = 0, high = 1;
    double penalty_x_tilde = 0, ipc_x_tilde = 0;
};

// Writes a table, whole or not at all. Throws InputError.
//   Throw      one row per Newton iterate of the whole throw, both balls
//   Landscape  both energies at 2001 positions of the range
//   Speeds     the source's speeds: outcome, gap or depth and iterations of both penalties and the barrier
void write_lab_table(const LabValues& values, const LandscapeRange& range, LabExportKind kind, const std::string& path);

}  // namespace plica
