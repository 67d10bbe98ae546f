// The energy of one time step over x, for penalty and barrier. The dashed x̃ is dragged: behind the wall the penalty's lowest
// minimum jumps behind it, that of the barrier stays in front.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/number_text.h"
#include "app/panels/lab_panels.h"
#include "app/studio/widgets.h"
#include "implot.h"

namespace plica {

namespace {

struct Curve {
    const WallThrow* ball;
    double x_tilde;  // m
    ImU32 color;
    const char* name;
};

int axis_label(double value, char* text, int size, void*) {
    return std::snprintf(text, std::size_t(size), "%s mm", format_number(value * 1e3).c_str());
}

// Positions to draw: one per pixel, and closer and closer to the wall's front, where the barrier rises.
std::vector<double> sample_positions(const WallLab& lab, double low, double high, int pixels) {
    std::vector<double> x;
    for (int i = 0; i <= pixels; ++i) x.push_back(low + (high - low) * i / pixels);
    if (lab.barrier)
        for (double gap = lab.dhat; lab.wall - gap < lab.wall; gap *= 0.8)
            if (lab.wall - gap > low && lab.wall - gap < high) x.push_back(lab.wall - gap);
    std::sort(x.begin(), x.end());
    return x;
}

void draw_curve(const Curve& curve, const std::vector<double>& x, double top) {
    const WallLab& lab = curve.ball->lab();
    ImDrawList* list = ImPlot::GetPlotDrawList();
    std::vector<ImVec2> line;
    for (const double at : x) {
        const double e = lab.energy(at, curve.x_tilde);
        if (!std::isfinite(e)) break;
        line.push_back(ImPlot::PlotToPixels(at, e));
    }
    // From the wall on the barrier is +infinity: straight up.
    if (lab.barrier && !line.empty() && x.back() >= lab.wall) line.push_back(ImPlot::PlotToPixels(lab.wall, top));
    list->AddPolyline(line.data(), int(line.size()), curve.color, 0, 2.2f);
}

void draw_marker(ImVec2 at, bool square, bool filled, ImU32 color, ImU32 ground, float r) {
    ImDrawList* list = ImPlot::GetPlotDrawList();
    if (square) {
        list->AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, filled ? color : ground);
        list->AddRect({at.x - r, at.y - r}, {at.x + r, at.y + r}, color, 0.0f, 0, 2.0f);
    } else {
        list->AddCircleFilled(at, r, filled ? color : ground, 20);
        list->AddCircle(at, r, color, 20, 2);
    }
}

void dashed_line(ImVec2 from, ImVec2 to, ImU32 color, float dash) {
    ImDrawList* list = ImPlot::GetPlotDrawList();
    for (float y = from.y; y < to.y; y += 2 * dash) list->AddLine({from.x, y}, {from.x, std::min(y + dash, to.y)}, color, 2);
}

// Around the wall, with room for a step on both sides.
void choose_range(LabState& lab, const WallLab& wall) {
    const double margin = 1.3 * std::max(wall.thickness, lab.experiment.values().v0 * wall.h);
    lab.range.low = wall.wall - margin;
    lab.range.high = wall.wall + wall.thickness + margin;
}

// The highest energy shown: that of inertia in sight, and of the penalty's hill as long as it does not dwarf it.
double top_energy(const WallLab& penalty, const LandscapeRange& range, double bottom) {
    double inertia = 0;
    for (const double x_tilde : {range.penalty_x_tilde, range.ipc_x_tilde})
        for (const double x : {range.low, range.high})
            inertia = std::max(inertia, 0.5 * penalty.mass * (x - x_tilde) * (x - x_tilde));
    const double middle = penalty.wall + 0.5 * penalty.thickness;
    const bool in_sight = middle > range.low && middle < range.high;
    const double hill = in_sight ? penalty.energy(middle, range.penalty_x_tilde) : 0;
    return bottom + 1.15 * std::max(std::max(inertia, std::min(hill, 2 * inertia)) - bottom, 1e-30);
}

// x̃ of the time step in sight, or of the one to come.
double x_tilde_of(const WallThrow& ball) { return ball.iterates().empty() ? ball.next_x_tilde() : ball.x_tilde(); }

void heading(UiState& ui, const Curve& penalty, const Curve& ipc) {
    LabValues& values = ui.settings.lab;
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Energy of a step over x");
    tooltip(
        "½ m (x − x̃)² + h² · contact. Drag the dashed x̃. The wheel zooms x, dragging beside the line moves it, a double click "
        "shows all again.");
    ImGui::SameLine(0, 14 * ui.scale);
    ImGui::TextUnformatted("x̃");
    ImGui::SameLine();
    const LabParameter& p = lab_parameter(&LabValues::x_tilde);
    if (const auto v = number_field(ui, "lab.x_tilde", penalty.x_tilde * p.scale, p.unit, 96 * ui.scale)) {
        if (const std::string why = lab_refusal(values, p, *v / p.scale); why.empty()) {
            values.x_tilde = *v / p.scale;
            values.follow = false;
        } else {
            refuse_field(ui, "lab.x_tilde", why);
        }
    }
    ImGui::SameLine(0, 14 * ui.scale);
    if (toggle(ui, "lab.follow", "follow the throw", values.follow)) values.follow = !values.follow;
    tooltip("F: x̃ and the Newton iterates of the time step in sight. After the impact each ball has an x̃ of its own.");

    const LabColors colors = lab_colors(ui.settings.theme);
    const auto lowest = [&](const Curve& curve) {
        const double x = curve.ball->lab().minimum(curve.x_tilde);
        ui.log.value((std::string("lab.minimum.") + curve.name).c_str(), x);
        return std::string(curve.name) + " minimum " + place_text(x, curve.ball->lab());
    };
    // In one line where it fits, below each other where not even a line of its own is wide enough.
    const std::string a = "■ " + lowest(penalty), b = "● " + lowest(ipc);
    const float room = ImGui::GetContentRegionMax().x, wide = ImGui::CalcTextSize((a + b).c_str()).x + 16 * ui.scale;
    ImGui::SameLine(0, 20 * ui.scale);
    if (ImGui::GetCursorPosX() + wide > room) ImGui::NewLine();
    colored_text(colors.penalty, a);
    if (wide < room) ImGui::SameLine(0, 16 * ui.scale);
    colored_text(colors.ipc, b);
}

}  // namespace

void lab_landscape(UiState& ui, float height) {
    LabState& lab = ui.lab;
    LabValues& values = ui.settings.lab;
    const WallExperiment& e = lab.experiment;
    const LabColors colors = lab_colors(ui.settings.theme);
    const Palette& theme = palette(ui.settings.theme);
    const WallLab& wall = e.ipc().lab();

    const Curve penalty{&e.penalty(), values.follow ? x_tilde_of(e.penalty()) : values.x_tilde, colors.penalty, "penalty"};
    const Curve ipc{&e.ipc(), values.follow ? x_tilde_of(e.ipc()) : values.x_tilde, colors.ipc, "IPC"};
    lab.range.penalty_x_tilde = penalty.x_tilde;
    lab.range.ipc_x_tilde = ipc.x_tilde;
    const float top_of_plot = ImGui::GetCursorPosY();
    heading(ui, penalty, ipc);
    height -= ImGui::GetCursorPosY() - top_of_plot + ImGui::GetStyle().ItemSpacing.y;

    if (!lab.zoomed) choose_range(lab, wall);
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {32 * ui.scale, 3 * ui.scale});
    const bool drawn = ImPlot::BeginPlot("##landscape", {-1, height},
                                         ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus |
                                             ImPlotFlags_NoBoxSelect | ImPlotFlags_NoMouseText | ImPlotFlags_NoFrame);
    if (!drawn) {
        ImPlot::PopStyleVar();
        return;
    }
    ImPlot::SetupAxis(ImAxis_X1, nullptr, ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch);
    ImPlot::SetupAxisFormat(ImAxis_X1, axis_label);
    ImPlot::SetupAxis(ImAxis_Y1, nullptr, ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoHighlight);
    ImPlot::SetupAxisLinks(ImAxis_X1, &lab.range.low, &lab.range.high);
    ImPlot::SetupAxisLimitsConstraints(ImAxis_X1, -1, 100);
    ImPlot::SetupAxisZoomConstraints(ImAxis_X1, 1e-9, 200);

    // All that can be seen, with a little room below the lowest.
    const double low_energy = [&] {
        double least = INFINITY;
        for (const Curve* curve : {&penalty, &ipc})
            for (int i = 0; i <= 100; ++i)
                least = std::min(least, curve->ball->lab().energy(lab.range.low + (lab.range.high - lab.range.low) * i / 100,
                                                                  curve->x_tilde));
        return std::isfinite(least) ? least : 0.0;
    }();
    const double top = top_energy(penalty.ball->lab(), lab.range, low_energy);
    ImPlot::SetupAxisLimits(ImAxis_Y1, low_energy - 0.07 * (top - low_energy), top, ImPlotCond_Always);
    ImPlot::SetupFinish();
    ImPlot::PopStyleVar();

    ImDrawList* list = ImPlot::GetPlotDrawList();
    const ImVec2 box = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
    lab.plot_left = box.x;
    lab.plot_right = box.x + size.x;
    ui.log.rect("lab.landscape", box.x, box.y, box.x + size.x, box.y + size.y);
    const auto pixel_x = [&](double x) { return ImPlot::PlotToPixels(x, 0.0).x; };
    ImPlot::PushPlotClipRect();
    list->AddRectFilled({pixel_x(wall.wall), box.y}, {pixel_x(wall.wall + wall.thickness), box.y + size.y}, colors.wall);
    list->AddText({pixel_x(wall.wall) + 5 * ui.scale, box.y + 3 * ui.scale}, theme.muted, "wall");
    const int pixels = std::max(2, int(size.x));
    for (const Curve* curve : {&penalty, &ipc})
        draw_curve(*curve, sample_positions(curve->ball->lab(), lab.range.low, lab.range.high, pixels), top);
    ImPlot::PopPlotClipRect();

    // x̃: one line to drag; while it follows the throw, that of the barrier's ball is drawn too.
    double dragged = penalty.x_tilde;
    bool held = false;
    if (ImPlot::DragLineX(0, &dragged, ImVec4(0, 0, 0, 0), 6 * ui.scale, ImPlotDragToolFlags_NoFit, nullptr, nullptr, &held)) {
        const LabParameter& p = lab_parameter(&LabValues::x_tilde);
        values.x_tilde = std::clamp(dragged, p.low, p.high);
        values.follow = false;
    }
    ImPlot::PushPlotClipRect();
    for (const Curve* curve : {&penalty, &ipc}) {
        const float x = pixel_x(curve->x_tilde);
        dashed_line({x, box.y}, {x, box.y + size.y}, colors.x_tilde, 5 * ui.scale);
        if (curve == &ipc && curve->x_tilde == penalty.x_tilde) continue;
        list->AddText({x + 5 * ui.scale, box.y + ImGui::GetTextLineHeight() + 3 * ui.scale}, colors.x_tilde,
                      ipc.x_tilde == penalty.x_tilde ? "x̃"
                      : curve == &ipc                ? "x̃ IPC"
                                                     : "x̃ penalty");
    }
    const float grip = pixel_x(penalty.x_tilde);
    ui.log.rect("lab.x_tilde.line", grip - 3, box.y, grip + 3, box.y + size.y);

    for (const Curve* curve : {&penalty, &ipc}) {
        const WallLab& of = curve->ball->lab();
        const bool square = curve == &penalty;
        const auto at = [&](double x) { return ImPlot::PlotToPixels(x, of.energy(x, curve->x_tilde)); };
        if (values.follow) {
            // Where Newton has been in this time step.
            const auto& iterates = curve->ball->iterates();
            for (std::size_t i = 0; i < iterates.size(); ++i) {
                const ImVec2 here = at(iterates[i].x), next = at(iterates[i].next());
                list->AddLine(here, next, (curve->color & 0x00FFFFFF) | 0x90000000, 1.2f);
                draw_marker(here, square, true, curve->color, theme.canvas, 2.6f * ui.scale);
            }
        }
        const double lowest = of.minimum(curve->x_tilde);
        for (const double x : of.minima(curve->x_tilde))
            draw_marker(at(x), square, x == lowest, curve->color, theme.canvas, 5 * ui.scale);
    }
    ImPlot::PopPlotClipRect();

    if (ImPlot::IsPlotHovered()) {
        if (ImGui::GetIO().MouseWheel != 0 || (ImGui::IsMouseDragging(ImGuiMouseButton_Left) && !held)) lab.zoomed = true;
        const double x = ImPlot::GetPlotMousePos().x;
        if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
            ImGui::BeginTooltip();
            ImGui::TextUnformatted(("x = " + fixed_reading(x * 1e3, 3) + " mm, " + place_text(x, wall)).c_str());
            for (const Curve* curve : {&penalty, &ipc})
                colored_text(curve->color, std::string(curve->name) + " E = " +
                                               format_reading(curve->ball->lab().energy(x, curve->x_tilde)) + " kg m²");
            ImGui::EndTooltip();
        }
    }
    if (ImPlot::IsPlotHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) lab.zoomed = false;
    ui.log.value("lab.zoomed", lab.zoomed);
    ImPlot::EndPlot();
}

}  // namespace plica
