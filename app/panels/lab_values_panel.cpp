#include <algorithm>
#include <cmath>
#include <optional>

#include "app/number_text.h"
#include "app/panels/lab_panels.h"
#include "app/studio/widgets.h"

namespace plica {

namespace {

void set_value(UiState& ui, const LabParameter& p, double stored, const char* field) {
    LabValues& values = ui.settings.lab;
    if (const std::string why = lab_refusal(values, p, stored); why.empty())
        values.*p.member = stored;
    else
        refuse_field(ui, field, why);
}

// Label and field in one line, the slider below.
void parameter(UiState& ui, const LabParameter& p) {
    const std::string field = std::string("lab.") + p.id;
    const float wide = 116 * ui.scale;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(p.label);
    tooltip(p.about);
    ImGui::SameLine(ImGui::GetContentRegionMax().x - wide);
    if (const auto v = number_field(ui, field.c_str(), ui.settings.lab.*p.member * p.scale, p.unit, wide))
        set_value(ui, p, *v / p.scale, field.c_str());

    ImGui::PushID(p.id);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, 0});
    ImGui::SetNextItemWidth(-1);
    double shown = ui.settings.lab.*p.member * p.scale;
    const double low = p.slider_low * p.scale, high = p.slider_high * p.scale;
    const bool moved = ImGui::SliderScalar("##slider", ImGuiDataType_Double, &shown, &low, &high, "",
                                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput);
    ui.log.item((field + ".slider").c_str());
    ImGui::PopStyleVar();
    ImGui::PopID();
    if (!moved) return;
    // Three digits are what a hand can aim at; the field takes more.
    if (const auto rounded = typed_number(format_number(shown, 3)))
        set_value(ui, p, std::clamp(*rounded, low, high) / p.scale, field.c_str());
}

void number(UiState& ui, const char* id, ImU32 color, const std::string& value, const std::string& meaning) {
    colored_text(color, value);
    ui.log.value(id, value + " | " + meaning);
    ImGui::PushTextWrapPos(ImGui::GetContentRegionMax().x);
    muted_text(meaning.c_str());
    ImGui::PopTextWrapPos();
}

// What the source tells to look at before a barrier goes into contact code.
void three_numbers(UiState& ui) {
    const WallExperiment& e = ui.lab.experiment;
    const LabValues& v = e.values();
    const WallLab& lab = e.ipc().lab();
    const Palette& colors = palette(ui.settings.theme);

    const double way = v.v0 * v.h, half = 0.5 * lab.thickness;
    const bool passes = way > half;
    const bool soft = !passes && e.penalty_run().through;
    number(ui, "lab.number.way",
           passes ? colors.bad
           : soft ? colors.warning
                  : colors.good,
           "v h = " + lab_length(way) + (passes ? " > " : " ≤ ") + "half the wall, " + lab_length(half),
           passes ? "A penalty can be passed here, however stiff."
           : soft ? "The penalty meets the ball in the wall, but k is too soft for its speed."
                  : "The penalty meets the ball in the wall's front half and stops it.");

    // The size of a 1-D scene: from the ball's start to the wall's back.
    const double size = lab.wall + lab.thickness;
    number(ui, "lab.number.dhat", v.dhat > half ? colors.warning : colors.good,
           "dhat = " + lab_length(v.dhat) + " = " + format_number(v.dhat / size, 2) + " of the scene",
           v.dhat > half
               ? "What is further off than half the wall is thick already touches: choose dhat well below the parts."
               : "Nearer than this is touching: match it to the shape's tolerance (IPC's default: 0.001 of the diagonal).");

    const int most = e.ipc_run().largest_iterations;
    const bool limit = most >= lab.newton_limit;
    number(ui, "lab.number.iterations",
           limit       ? colors.bad
           : most > 25 ? colors.warning
                       : colors.good,
           "CCD factor " + format_number(WallLab::ccd_safety, 2) + ", " + std::to_string(most) + " Newton iterations in a step",
           limit ? "The limit of " + std::to_string(lab.newton_limit) + " was reached: κ or dhat do not fit this impact."
                 : "Of the worst step. Where this count jumps, κ or dhat do not fit (the limit is " +
                       std::to_string(lab.newton_limit) + ").");
}

// The source's speeds; a click throws at that speed.
void speeds(UiState& ui) {
    const WallTable& table = ui.lab.experiment.table();
    const LabColors colors = lab_colors(ui.settings.theme);
    if (!ImGui::BeginTable("speeds", 5, ImGuiTableFlags_SizingStretchProp | ImGuiTableFlags_NoPadOuterX)) return;
    ImGui::TableSetupColumn("v0");
    for (const double k : table.stiffnesses) ImGui::TableSetupColumn(("k = " + stiffness_text(k)).c_str());
    ImGui::TableSetupColumn("IPC gap");
    ImGui::TableSetupColumn("it.");
    ImGui::TableHeadersRow();
    std::optional<double> chosen;
    for (const WallTable::Row& row : table.rows) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        const std::string speed = format_number(row.v0, 3);
        if (ImGui::Selectable(speed.c_str(), row.v0 == ui.settings.lab.v0, ImGuiSelectableFlags_SpanAllColumns))
            chosen = row.v0;
        ui.log.item(("lab.speed." + speed).c_str());
        std::string cells;
        const auto cell = [&](ImU32 color, const std::string& text) {
            ImGui::TableNextColumn();
            colored_text(color, text);
            cells += (cells.empty() ? "" : " | ") + text;
        };
        for (const WallLab::Run& run : row.penalty)
            cell(run.through ? colors.penalty : ImGui::GetColorU32(ImGuiCol_Text), penalty_text(run, table.lab.wall));
        const double gap = table.lab.wall - row.ipc.largest_x;
        cell(colors.ipc, gap < 1e-3 ? fixed_reading(gap * 1e6, 1) + " µm" : lab_length(gap));
        cell(ImGui::GetColorU32(ImGuiCol_Text), std::to_string(row.ipc.largest_iterations));
        ui.log.value(("lab.speeds." + speed).c_str(), cells);
    }
    ImGui::EndTable();
    if (chosen) set_value(ui, lab_parameter(&LabValues::v0), *chosen, "lab.v0");
}

}  // namespace

void lab_values_panel(UiState& ui, CommandSink& sink) {
    if (text_button(ui, "lab.close", "To the scene")) sink.act(Action::Lab);
    tooltip((std::string(shortcut(Action::Lab).keys) + ": the lab or the scene").c_str());
    ImGui::SameLine();
    if (text_button(ui, "lab.export", "Export…")) sink.act(Action::LabExport);
    ImGui::SameLine();
    if (text_button(ui, "lab.source", "Source values")) {
        const LabValues now = ui.settings.lab;
        ui.settings.lab = LabValues();
        ui.settings.lab.rate = now.rate;
    }
    tooltip("5 m/s, 10 ms, κ = 1e4 and dhat = 1 mm: the table below is then that of the source.");
    for (const LabParameter& p : lab_parameters())
        if (p.slider_high > 0) parameter(ui, p);
    ImGui::SeparatorText("Before you use a barrier");
    three_numbers(ui);
    ImGui::SeparatorText("Six speeds, with h, dhat and κ from above");
    speeds(ui);
}

}  // namespace plica
