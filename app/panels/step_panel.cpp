// The report of the shown step: iterations, contacts, where the time went, how Newton converged.
#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"
#include "implot.h"

namespace plica {

namespace {

void pair_row(const char* label, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    muted_text(label);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
}

void stage_bars(const StageSeconds& s, const UiState& ui) {
    const struct {
        const char* name;
        double seconds;
        ImU32 color;
    } stages[] = {{"start check", s.start_check, IM_COL32(120, 130, 145, 255)},
                  {"candidates", s.candidates, IM_COL32(92, 196, 138, 255)},
                  {"assembly", s.assembly, IM_COL32(76, 157, 255, 255)},
                  {"factorization", s.factorization, IM_COL32(240, 180, 76, 255)},
                  {"cap", s.cap, IM_COL32(190, 120, 220, 255)},
                  {"line search", s.line_search, IM_COL32(242, 109, 109, 255)}};
    const float wide = ImGui::GetContentRegionAvail().x, high = 10 * ui.scale;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    float x = at.x;
    const double total = std::max(s.total, 1e-12);
    for (const auto& stage : stages) {
        const float w = float(stage.seconds / total) * wide;
        list->AddRectFilled({x, at.y}, {x + w, at.y + high}, stage.color);
        x += w;
    }
    list->AddRect(at, {at.x + wide, at.y + high}, palette(ui.settings.theme).line);
    ImGui::Dummy({wide, high + 3 * ui.scale});
    for (const auto& stage : stages) {
        const ImVec2 dot = ImGui::GetCursorScreenPos();
        list->AddRectFilled({dot.x, dot.y + 4 * ui.scale}, {dot.x + 8 * ui.scale, dot.y + 12 * ui.scale}, stage.color, 2);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 13 * ui.scale);
        ImGui::TextUnformatted(stage.name);
        const std::string ms = format_reading(stage.seconds * 1e3) + " ms";
        ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(ms.c_str()).x);
        muted_text(ms.c_str());
    }
}

}  // namespace

void step_panel(const Document* document, UiState& ui, CommandSink&) {
    if (!ImGui::Begin("Step")) {
        ImGui::End();
        return;
    }
    if (!document || document->timeline.empty()) {
        muted_text("No frames yet.");
        ImGui::End();
        return;
    }
    const Timeline& line = document->timeline;
    const FramePtr frame = line.frame(std::clamp(document->playback.shown, 0, line.size() - 1));
    const StepReport& r = frame->report;
    if (frame->step == 0) {
        muted_text("The start: no step led here.");
        ImGui::End();
        return;
    }
    if (ImGui::BeginTable("report", 2, ImGuiTableFlags_SizingStretchProp)) {
        pair_row("step", std::to_string(frame->step) + ", t = " + format_number(frame->time, 6) + " s");
        pair_row("iterations",
                 std::to_string(r.iterations) + " in " + std::to_string(r.solves) + (r.solves == 1 ? " solve" : " solves"));
        if (r.halvings > 0) pair_row("halvings", std::to_string(r.halvings));
        pair_row("last max|Δx|", format_reading(r.achieved * 1e6) + " µm");
        pair_row("contacts", std::to_string(r.active_contacts) + " (" + std::to_string(r.friction_contacts) + " rub)");
        pair_row("candidates", std::to_string(r.candidates_vt) + " VT, " + std::to_string(r.candidates_ee) + " EE");
        pair_row("intersecting pairs", std::to_string(r.intersecting_pairs));
        if (r.projections > 0) pair_row("projections", std::to_string(r.projections));
        pair_row("wall time", format_reading(r.seconds.total * 1e3) + " ms");
        ImGui::EndTable();
    }
    if (r.seconds.total > 0) {
        ImGui::SeparatorText("Where the time went");
        stage_bars(r.seconds, ui);
    }
    if (r.history.size() > 1) {
        ImGui::SeparatorText("Newton: max|Δx| and step length");
        std::vector<double> dx, alpha;
        for (const IterationRecord& record : r.history) {
            dx.push_back(std::max(record.max_dx, 1e-15) * 1e3);
            alpha.push_back(record.alpha);
        }
        if (ImPlot::BeginPlot("##newton", {-1, 130 * ui.scale},
                              ImPlotFlags_NoTitle | ImPlotFlags_NoMenus | ImPlotFlags_NoFrame)) {
            ImPlot::SetupAxes(nullptr, "mm", ImPlotAxisFlags_AutoFit, ImPlotAxisFlags_AutoFit);
            ImPlot::SetupAxis(ImAxis_Y2, nullptr, ImPlotAxisFlags_Opposite | ImPlotAxisFlags_Lock);
            ImPlot::SetupAxisLimits(ImAxis_Y2, 0, 1.05, ImPlotCond_Always);
            ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
            ImPlot::SetupLegend(ImPlotLocation_NorthEast);
            ImPlot::PlotLine("max|Δx|", dx.data(), int(dx.size()));
            ImPlot::SetAxes(ImAxis_X1, ImAxis_Y2);
            ImPlot::PlotLine("α", alpha.data(), int(alpha.size()));
            ImPlot::EndPlot();
        }
    }
    ImGui::End();
}

}  // namespace plica
