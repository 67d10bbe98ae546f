// The throw: both balls side by side, what the newest Newton iterate wanted and got, and the iterates of the time step.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/number_text.h"
#include "app/panels/lab_panels.h"
#include "app/studio/widgets.h"
#include "implot.h"

namespace plica {

namespace {

// From position to pixel of a lane.
struct LaneAxis {
    double low, high;  // m
    float left, right;
    float x(double at) const { return left + float((at - low) / (high - low)) * (right - left); }
};

void dashed(ImDrawList* list, float x0, float x1, float y, ImU32 color, float dash) {
    const float step = x1 > x0 ? 2 * dash : -2 * dash;
    for (float x = x0; step > 0 ? x < x1 : x > x1; x += step)
        list->AddLine({x, y}, {step > 0 ? std::min(x + dash, x1) : std::max(x - dash, x1), y}, color, 1.5f);
}

std::string outcome_text(const WallLab::Run& run, const WallLab& lab) {
    const std::string iterations = ", at most " + std::to_string(run.largest_iterations) + " iterations";
    if (run.through) return "goes through in step " + std::to_string(run.x.size());
    return (lab.barrier ? "stays in front, gap " + lab_length(lab.wall - run.largest_x)
                        : "stops " + place_text(run.largest_x, lab)) +
           iterations;
}

// What the newest iterate did, in words.
std::string iterate_text(const WallThrow& ball) {
    if (ball.iterates().empty()) return "at the start";
    const WallLab::Iterate& n = ball.iterates().back();
    std::string text = "iterate " + std::to_string(ball.iterates().size()) + ": ";
    if (n.converged) return text + "|Δx| < " + lab_length(ball.lab().newton_tolerance) + ", done";
    text += "Δx = " + lab_length(n.dx);
    if (n.max_step < 1) text += ", CCD cuts it to " + format_number(100 * WallLab::ccd_safety, 2) + " % of the way to the wall";
    if (n.halvings > 0) text += ", halved " + std::to_string(n.halvings) + " ×";
    return text + (n.alpha == 1 ? ", taken whole" : ", α = " + format_number(n.alpha, 3));
}

// The past, x̃, the step wanted and taken, the ball. A ball touches with its right side, so that is where its x is drawn.
void lane(UiState& ui, const WallThrow& ball, const WallLab::Run& whole, const char* name, ImU32 color, const LaneAxis& axis,
          float height) {
    const LabColors colors = lab_colors(ui.settings.theme);
    const Palette& theme = palette(ui.settings.theme);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text = ImGui::GetTextLineHeight(), top = at.y + text + 2 * ui.scale, bottom = at.y + height,
                middle = 0.5f * (top + bottom);
    const WallLab& lab = ball.lab();

    list->AddText({at.x, at.y}, color, (std::string(name) + " " + outcome_text(whole, lab)).c_str());
    const std::string now = iterate_text(ball);
    const float wide = ImGui::CalcTextSize(now.c_str()).x, room = axis.right - at.x;
    if (ImGui::CalcTextSize((name + outcome_text(whole, lab)).c_str()).x + wide + 30 * ui.scale < room)
        list->AddText({axis.right - wide, at.y}, theme.muted, now.c_str());
    ui.log.value(lab.barrier ? "lab.ipc_iterate" : "lab.penalty_iterate", now);
    ui.log.value(lab.barrier ? "lab.ipc_outcome" : "lab.penalty_outcome", outcome_text(whole, lab));

    list->PushClipRect({axis.left, top}, {axis.right, bottom}, true);
    list->AddRectFilled({axis.left, top}, {axis.right, bottom}, theme.canvas);
    list->AddRectFilled({axis.x(lab.wall), top}, {axis.x(lab.wall + lab.thickness), bottom}, colors.wall);
    list->AddLine({axis.left, middle}, {axis.right, middle}, theme.line);

    // Accepted positions, those that can be told apart.
    float drawn = -1e9f;
    for (const double x : ball.run().x) {
        const float px = axis.x(x);
        if (std::fabs(px - drawn) < 3) continue;
        drawn = px;
        list->AddCircleFilled({px, middle}, 1.8f * ui.scale, (color & 0x00FFFFFF) | 0x80000000, 8);
    }
    const float r = 0.26f * (bottom - top);
    if (!ball.iterates().empty()) {
        const WallLab::Iterate& n = ball.iterates().back();
        for (float y = top; y < bottom; y += 7 * ui.scale)
            list->AddLine({axis.x(ball.x_tilde()), y}, {axis.x(ball.x_tilde()), std::min(y + 4 * ui.scale, bottom)},
                          colors.x_tilde, 2);
        if (!n.converged) {
            const float from = axis.x(n.x), wanted = axis.x(n.x + n.dx), cut = axis.x(n.next());
            list->AddCircle({from - r, middle}, r, (color & 0x00FFFFFF) | 0x70000000, 24, 1.5f);
            dashed(list, from, std::clamp(wanted, axis.left, axis.right), middle, color, 3 * ui.scale);
            if (n.alpha < 1) {
                list->AddCircle({wanted - r, middle}, r, (colors.cut & 0x00FFFFFF) | 0xA0000000, 24, 1.5f);
                list->AddLine({cut, top + 1}, {cut, bottom - 1}, colors.cut, 2);
            }
        }
    }
    const float x = axis.x(ball.x());
    list->AddCircleFilled({x - r, middle}, r, color, 32);
    if (x - 2 * r > axis.right || x < axis.left) {
        // Out of sight: where it is.
        const std::string far = place_text(ball.x(), lab) + (x < axis.left ? "" : " >");
        const float w = ImGui::CalcTextSize(far.c_str()).x;
        list->AddText({x < axis.left ? axis.left + 4 : axis.right - w - 4, middle - text / 2}, color, far.c_str());
    }
    list->PopClipRect();
    ImGui::Dummy({axis.right - at.x, height});
    ui.log.item(lab.barrier ? "lab.lane.ipc" : "lab.lane.penalty");
}

void buttons(UiState& ui, CommandSink& sink) {
    const WallExperiment& e = ui.lab.experiment;
    const float near = 3 * ui.scale;
    action_icon(ui, sink, Action::LabReset, Icon::Reset, false, e.advanced() > 0);
    ImGui::SameLine(0, near);
    action_icon(ui, sink, Action::LabRunPause, e.playing ? Icon::Pause : Icon::Run, e.playing);
    ImGui::SameLine(0, near);
    action_icon(ui, sink, Action::LabBack, Icon::Previous, false, e.advanced() > 0);
    ImGui::SameLine(0, near);
    action_icon(ui, sink, Action::LabIterate, Icon::Next, false, !e.done());
    ImGui::SameLine(0, near);
    action_icon(ui, sink, Action::LabStep, Icon::Step, false, !e.done());
    ImGui::SameLine(0, near);
    if (text_button(ui, "lab_impact", "To the impact", !e.done())) sink.act(Action::LabImpact);
    tooltip((std::string(shortcut(Action::LabImpact).keys) + ": " + shortcut(Action::LabImpact).hint).c_str());
    ImGui::SameLine(0, 12 * ui.scale);
    const LabParameter& rate = lab_parameter(&LabValues::rate);
    if (const auto v = number_field(ui, "lab.rate", ui.settings.lab.rate, rate.unit, 62 * ui.scale)) {
        if (const std::string why = lab_refusal(ui.settings.lab, rate, *v); why.empty())
            ui.settings.lab.rate = *v;
        else
            refuse_field(ui, "lab.rate", why);
    }
    tooltip(rate.about);
    ImGui::SameLine(0, 12 * ui.scale);
    if (toggle(ui, "lab_near_wall", "near the wall", ui.lab.near_wall)) ui.lab.near_wall = !ui.lab.near_wall;
    tooltip("N: the lanes show the range of the landscape instead of the whole way.");
    const int all = std::max(e.penalty().lab().steps, 1);
    const std::string when = "step " + std::to_string(e.steps()) + " of " + std::to_string(all) +
                             ", t = " + format_number(e.steps() * e.values().h, 5) + " s";
    ImGui::SameLine(0, 12 * ui.scale);
    if (ImGui::GetCursorPosX() + ImGui::CalcTextSize(when.c_str()).x > ImGui::GetContentRegionMax().x) ImGui::NewLine();
    ImGui::AlignTextToFramePadding();
    muted_text(when.c_str());
}

}  // namespace

void lab_lanes(UiState& ui, CommandSink& sink) {
    const WallExperiment& e = ui.lab.experiment;
    const LabColors colors = lab_colors(ui.settings.theme);
    buttons(ui, sink);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    LaneAxis axis{-0.03, 0.63, at.x, at.x + ImGui::GetContentRegionAvail().x};
    if (const LabState& lab = ui.lab; lab.near_wall) {
        // The same x stands below the same x of the landscape.
        const double pixel = (lab.range.high - lab.range.low) / double(std::max(1.f, lab.plot_right - lab.plot_left));
        axis.low = lab.range.low - pixel * double(lab.plot_left - axis.left);
        axis.high = lab.range.high + pixel * double(axis.right - lab.plot_right);
    }
    lane(ui, e.penalty(), e.penalty_run(), "Penalty", colors.penalty, axis, 60 * ui.scale);
    lane(ui, e.ipc(), e.ipc_run(), "IPC", colors.ipc, axis, 60 * ui.scale);
}

void lab_iterates(UiState& ui, const Fonts& fonts, float height) {
    const WallExperiment& e = ui.lab.experiment;
    const LabColors colors = lab_colors(ui.settings.theme);
    const Palette& theme = palette(ui.settings.theme);
    const auto& ipc = e.ipc().iterates();
    const auto& penalty = e.penalty().iterates();
    const WallLab& lab = e.ipc().lab();
    height = std::max(height - 8 * ui.scale, 60 * ui.scale);
    const float plot_width = std::clamp(0.34f * ImGui::GetContentRegionAvail().x, 150 * ui.scale, 330 * ui.scale);

    // How the barrier's ball comes near: a straight line down for every cut to 90 %.
    if (ImPlot::BeginPlot("##gaps", {plot_width, height},
                          ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                              ImPlotFlags_NoMouseText | ImPlotFlags_NoFrame | ImPlotFlags_NoInputs)) {
        std::vector<double> gap;
        for (const WallLab::Iterate& n : ipc) gap.push_back(lab.wall - n.x);
        if (!ipc.empty()) gap.push_back(lab.wall - ipc.back().next());
        double low = lab.dhat, high = lab.dhat;
        for (const double g : gap) low = std::min(low, g), high = std::max(high, g);
        ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoTickLabels);
        ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_NoHighlight);
        ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
        ImPlot::SetupAxisFormat(ImAxis_Y1, [](double value, char* text, int size, void*) {
            return std::snprintf(text, std::size_t(size), "%s", lab_length(value).c_str());
        });
        ImPlot::SetupAxisLimits(ImAxis_X1, -0.5, std::max(8.0, double(gap.size())) + 0.5, ImPlotCond_Always);
        ImPlot::SetupAxisLimits(ImAxis_Y1, low / 3, high * 3, ImPlotCond_Always);
        ImPlot::SetupFinish();
        ImDrawList* list = ImPlot::GetPlotDrawList();
        const ImVec2 box = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
        ImPlot::PushPlotClipRect();
        const float dhat = ImPlot::PlotToPixels(0, lab.dhat).y;
        list->AddLine({box.x, dhat}, {box.x + size.x, dhat}, (theme.muted & 0x00FFFFFF) | 0x90000000);
        list->AddText({box.x + size.x - ImGui::CalcTextSize("dhat").x - 4, dhat - ImGui::GetTextLineHeight()}, theme.muted,
                      "dhat");
        for (std::size_t i = 0; i < gap.size(); ++i) {
            const ImVec2 here = ImPlot::PlotToPixels(double(i), gap[i]);
            if (i > 0)
                list->AddLine(ImPlot::PlotToPixels(double(i - 1), gap[i - 1]), here,
                              ipc[i - 1].alpha < 1 ? colors.cut : colors.ipc, 2);
            list->AddCircleFilled(here, 3 * ui.scale, colors.ipc, 12);
        }
        list->AddText({box.x + 4, box.y + 2}, theme.muted,
                      gap.empty() ? "IPC: gap over iterates (no step yet)" : "IPC: gap over iterates");
        ImPlot::PopPlotClipRect();
        ImPlot::EndPlot();
    }
    ImGui::SameLine(0, 8 * ui.scale);

    const ImGuiTableFlags flags =
        ImGuiTableFlags_ScrollY | ImGuiTableFlags_ScrollX | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("iterates", 9, flags, {0, height})) return;
    ImGui::TableSetupScrollFreeze(1, 1);
    for (const char* head : {"it.", "penalty x", "Δx", "E [kg m²]", "IPC gap", "Δx", "CCD limit", "α", "E [kg m²]"})
        ImGui::TableSetupColumn(head);
    ImGui::TableHeadersRow();
    ImGui::PushFont(fonts.mono, 0);
    const auto cell = [&](ImU32 color, const std::string& text) {
        ImGui::TableNextColumn();
        colored_text(color, text);
    };
    const int rows = int(std::max(penalty.size(), ipc.size()));
    for (int i = 0; i < rows; ++i) {
        ImGui::TableNextRow();
        cell(theme.muted, std::to_string(i + 1));
        if (i < int(penalty.size())) {
            const WallLab::Iterate& n = penalty[std::size_t(i)];
            cell(colors.penalty, fixed_reading(n.x * 1e3, 3) + " mm");
            cell(theme.text, lab_length(n.dx));
            cell(theme.muted, format_number(n.energy, 4));
        } else {
            for (int k = 0; k < 3; ++k) ImGui::TableNextColumn();
        }
        if (i < int(ipc.size())) {
            const WallLab::Iterate& n = ipc[std::size_t(i)];
            cell(colors.ipc, lab_length(lab.wall - n.x));
            cell(theme.text, lab_length(n.dx));
            cell(n.max_step < 1 ? colors.cut : theme.muted, n.converged      ? ""
                                                            : n.max_step < 1 ? "90 %: " + format_reading(n.max_step)
                                                                             : "free");
            cell(n.alpha < 1 && !n.converged ? colors.cut : theme.text,
                 n.converged
                     ? "done"
                     : format_reading(n.alpha) + (n.halvings > 0 ? ", halved " + std::to_string(n.halvings) + " ×" : ""));
            cell(theme.muted, format_number(n.energy, 4));
        }
    }
    ImGui::PopFont();
    if (ui.lab.listed != rows) {
        ui.lab.listed = rows;
        ImGui::SetScrollHereY(1);
    }
    ui.log.value("lab.iterates_listed", rows);
    ImGui::EndTable();
}

}  // namespace plica
