#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"
#include "implot.h"

namespace plica {

namespace {

// What a pressed fold is judged by: shown first.
bool of_press(const std::string& name) {
    for (const char* whole :
         {"fold_angle", "bulge", "section_height", "layer_gap", "tool_force", "tool_travel", "grip_weight", "segments_pressed"})
        if (name == whole) return true;
    return false;
}

bool shown_by_default(const std::string& name) {
    if (name.rfind("min_gap_sphere", 0) == 0) return false;
    for (const char* start : {"min_gap", "gap", "intersecting", "neck_width", "skirt", "iterations", "step_"})
        if (name.rfind(start, 0) == 0) return true;
    return of_press(name);
}

bool is_shown(const UiState& ui, const GaugeSpec& spec) {
    const auto& plots = ui.settings.plots;
    return plots.empty() ? shown_by_default(spec.name) : std::find(plots.begin(), plots.end(), spec.name) != plots.end();
}

void set_shown(UiState& ui, const std::vector<GaugeSpec>& specs, const std::string& name, bool on) {
    auto& plots = ui.settings.plots;
    if (plots.empty())
        for (const GaugeSpec& spec : specs)
            if (shown_by_default(spec.name)) plots.push_back(spec.name);
    std::erase(plots, name);
    if (on) plots.push_back(name);
    if (plots.empty()) plots.push_back("none");
}

bool within_limits(const GaugeSpec& spec, double value) { return !(value < spec.lower_limit) && !(value > spec.upper_limit); }

std::string limit_text(const GaugeSpec& spec) {
    std::string text;
    if (std::isfinite(spec.lower_limit))
        text += "at least " + format_reading(spec.lower_limit * spec.show_scale) + " " + spec.show_unit;
    if (std::isfinite(spec.upper_limit))
        text += (text.empty() ? "at most " : ", at most ") + format_reading(spec.upper_limit * spec.show_scale) + " " +
                spec.show_unit;
    return text;
}

// The range of values of what is drawn, with room for limits that are near.
struct ValueRange {
    double low, high;
    bool log;
};
ValueRange value_range(const GaugeSpec& spec, const std::vector<PlotColumn>& columns) {
    const double scale = spec.show_scale;
    double low = INFINITY, high = -INFINITY, low_positive = INFINITY;
    for (const PlotColumn& c : columns)
        for (double v : {c.low * scale, c.high * scale}) {
            if (!std::isfinite(v)) continue;
            low = std::min(low, v);
            high = std::max(high, v);
            if (v > 0) low_positive = std::min(low_positive, v);
        }
    if (!(low <= high)) return {0, 1, false};
    if (spec.log_plot && low_positive < INFINITY) {
        // Values of 0 and below are drawn on the lower border.
        double a = low_positive, b = std::max(high, low_positive);
        if (b / a < 4) {
            a /= 2;
            b *= 2;
        }
        return {a / 1.25, b * 1.25, true};
    }
    for (double limit : {spec.lower_limit * scale, spec.upper_limit * scale})
        if (std::isfinite(limit) && limit > low - 2 * (high - low) && limit < high + 2 * (high - low)) {
            low = std::min(low, limit);
            high = std::max(high, limit);
        }
    if (low == 0 && high == 0) return {-1, 1, false};
    const double room = std::max((high - low) * 0.1, std::max(std::fabs(high), 1e-12) * 0.02);
    return {low - room, high + room, false};
}

void draw_columns(const GaugeSpec& spec, const std::vector<PlotColumn>& columns, const ValueRange& range, ImU32 color,
                  ImU32 bad) {
    ImDrawList* list = ImPlot::GetPlotDrawList();
    const double floor_value = range.log ? range.low : -INFINITY;
    const auto pixel = [&](double t, double v) { return ImPlot::PlotToPixels(t, std::max(v * spec.show_scale, floor_value)); };
    ImPlot::PushPlotClipRect();
    bool open = false;
    ImVec2 last{};
    for (const PlotColumn& c : columns) {
        if (!std::isfinite(c.low)) {
            open = false;  // undefined: a gap
            continue;
        }
        const ImVec2 low = pixel(c.time, c.low), high = pixel(c.time, c.high);
        const ImU32 ink = within_limits(spec, c.low) && within_limits(spec, c.high) ? color : bad;
        if (open) list->AddLine(last, {low.x, std::clamp(last.y, high.y, low.y)}, ink, 1.4f);
        if (low.y - high.y > 1) list->AddLine(low, high, ink, 1.4f);
        if (!open && low.y - high.y <= 1) list->AddRectFilled({low.x - 0.7f, low.y - 0.7f}, {low.x + 0.7f, low.y + 0.7f}, ink);
        last = {low.x, std::clamp((low.y + high.y) / 2, high.y, low.y)};
        if (low.y - high.y <= 1) last = low;
        open = true;
    }
    ImPlot::PopPlotClipRect();
}

// A card: name and value on the left, the plot beside them.
void card(const Document& doc, UiState& ui, const Fonts& fonts, CommandSink& sink, int gauge, float height) {
    const Timeline& line = doc.timeline;
    const GaugeSpec& spec = line.specs()[std::size_t(gauge)];
    const Series& series = line.series(gauge);
    const Palette& colors = palette(ui.settings.theme);
    const int shown = std::clamp(doc.playback.shown, 0, line.size() - 1);
    const double value = series[std::size_t(shown)];
    const bool good = within_limits(spec, value);
    const float left = std::min(116 * ui.scale, ImGui::GetContentRegionAvail().x * 0.45f);
    const float wide = ImGui::GetContentRegionAvail().x - left;

    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (!ImGui::IsRectVisible(at, {at.x + left + wide, at.y + height})) {
        ImGui::Dummy({left + wide, height});
        return;
    }
    ImGui::PushID(gauge);
    const std::string reading =
        std::isnan(value) ? "undefined" : format_reading(value * spec.show_scale) + " " + spec.show_unit;
    ImGui::BeginGroup();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    clipped_text(spec.label, left - 6 * ui.scale, colors.muted);
    ImGui::PushFont(fonts.mono, 0);
    clipped_text(reading, left - 6 * ui.scale, std::isnan(value) ? colors.muted : good ? colors.text : colors.bad);
    ImGui::PopFont();
    ImGui::PopStyleVar();
    ImGui::EndGroup();
    const std::string limits = limit_text(spec);
    if (!limits.empty()) tooltip(("Limits: " + limits).c_str());
    ui.log.value(("gauge." + spec.name).c_str(), reading);

    const double t0 = ui.plot_begin, t1 = std::max(ui.plot_end, ui.plot_begin + 1e-6);
    const std::size_t first = std::size_t(std::max(0, line.index_at_time(t0)));
    const std::size_t last = std::size_t(std::min(line.size(), line.index_at_time(t1) + 2));
    const std::vector<PlotColumn> columns = reduce(line.times(), series, first, last, int(wide));
    const ValueRange range = value_range(spec, columns);

    const ImPlotFlags flags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                              ImPlotFlags_NoMouseText | ImPlotFlags_NoFrame;
    ImGui::SetCursorScreenPos({at.x + left, at.y});
    ImPlot::PushStyleVar(ImPlotStyleVar_PlotPadding, {0, 1});
    if (ImPlot::BeginPlot("##plot", {wide, height}, flags)) {
        ImPlot::SetupAxis(ImAxis_X1, nullptr,
                          ImPlotAxisFlags_NoTickLabels | ImPlotAxisFlags_NoHighlight | ImPlotAxisFlags_NoSideSwitch);
        ImPlot::SetupAxis(ImAxis_Y1, nullptr,
                          ImPlotAxisFlags_Lock | ImPlotAxisFlags_NoDecorations | ImPlotAxisFlags_NoHighlight);
        ImPlot::SetupAxisLinks(ImAxis_X1, &ui.plot_begin, &ui.plot_end);
        ImPlot::SetupAxisLimitsConstraints(ImAxis_X1, 0, INFINITY);
        if (range.log) ImPlot::SetupAxisScale(ImAxis_Y1, ImPlotScale_Log10);
        ImPlot::SetupAxisLimits(ImAxis_Y1, range.low, range.high, ImPlotCond_Always);
        ImPlot::SetupFinish();
        ImDrawList* list = ImPlot::GetPlotDrawList();
        const ImVec2 box = ImPlot::GetPlotPos(), size = ImPlot::GetPlotSize();
        ImPlot::PushPlotClipRect();
        for (const double limit : {spec.lower_limit * spec.show_scale, spec.upper_limit * spec.show_scale}) {
            if (!std::isfinite(limit) || (range.log && limit <= 0)) continue;
            const float y = ImPlot::PlotToPixels(t0, limit).y;
            list->AddLine({box.x, y}, {box.x + size.x, y}, (colors.bad & 0x00FFFFFF) | 0x70000000, 1);
        }
        ImPlot::PopPlotClipRect();
        draw_columns(spec, columns, range, colors.accent, colors.bad);
        ImPlot::PushPlotClipRect();
        const float x = ImPlot::PlotToPixels(line.time(shown), range.low).x;
        list->AddLine({x, box.y}, {x, box.y + size.y}, (colors.text & 0x00FFFFFF) | 0x90000000, 1);
        // The ends of the scale, small, inside the plot.
        const float small = ImGui::GetFontSize() * 0.72f;
        const std::string top = format_reading(range.high), bottom = format_reading(range.low);
        list->AddText(nullptr, small, {box.x + 3 * ui.scale, box.y + 1}, colors.muted, top.c_str());
        list->AddText(nullptr, small, {box.x + 3 * ui.scale, box.y + size.y - small - 1}, colors.muted, bottom.c_str());
        if (columns.empty() ||
            std::all_of(columns.begin(), columns.end(), [](const PlotColumn& c) { return !std::isfinite(c.low); })) {
            const char* word = "undefined";
            const ImVec2 extent = ImGui::CalcTextSize(word);
            list->AddText({box.x + (size.x - extent.x) / 2, box.y + (size.y - extent.y) / 2}, colors.muted, word);
        }
        ImPlot::PopPlotClipRect();
        if (ImPlot::IsPlotHovered()) {
            const double t = ImPlot::GetPlotMousePos().x;
            const int under = std::clamp(line.index_at_time(t), 0, line.size() - 1);
            const double v = series[std::size_t(under)] * spec.show_scale;
            ImGui::BeginTooltip();
            ImGui::Text("t = %s s, frame %d", format_number(line.time(under), 5).c_str(), under);
            ImGui::Text("%s: %s %s", spec.label.c_str(), std::isnan(v) ? "undefined" : format_reading(v).c_str(),
                        std::isnan(v) ? "" : spec.show_unit.c_str());
            ImGui::EndTooltip();
            const ImVec2 drag = ImGui::GetMouseDragDelta(ImGuiMouseButton_Left, 0);
            if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && std::fabs(drag.x) < 4 && std::fabs(drag.y) < 4)
                sink.show_frame(under);
            if (ImGui::GetIO().MouseWheel != 0 || std::fabs(drag.x) >= 4) ui.plot_follow = false;
            if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) ui.plot_follow = true;
        }
        ui.log.rect("plot." + spec.name, box.x, box.y, box.x + size.x, box.y + size.y);
        ImPlot::EndPlot();
    }
    ImPlot::PopStyleVar();
    ImGui::PopID();
}

}  // namespace

void gauges_panel(const Document* document, UiState& ui, const Fonts& fonts, CommandSink& sink) {
    if (!ImGui::Begin("Gauges", nullptr, ImGuiWindowFlags_NoScrollWithMouse)) {
        ImGui::End();
        return;
    }
    if (!document || document->timeline.empty()) {
        muted_text("No frames yet.");
        ImGui::End();
        return;
    }
    const Document& doc = *document;
    const Timeline& line = doc.timeline;
    if (ui.plot_follow) {
        ui.plot_begin = 0;
        const double newest = line.time(line.size() - 1);
        ui.plot_end = std::max(newest, 0.05);
    }
    if (text_button(ui, "gauges.choose", "Choose…")) ImGui::OpenPopup("choose_gauges");
    ImGui::SameLine();
    if (toggle(ui, "gauges.follow", "whole run", ui.plot_follow)) ui.plot_follow = !ui.plot_follow;
    tooltip(
        "On: the plots show the run from its start. Wheel and drag in a plot zoom and move, a double click comes back, a click "
        "shows that frame.");
    ImGui::SameLine();
    const std::string range = format_number(ui.plot_begin, 3) + "–" + format_number(ui.plot_end, 3) + " s";
    ImGui::SameLine(
        std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(range.c_str()).x));
    muted_text(range.c_str());
    if (ImGui::BeginPopup("choose_gauges")) {
        for (const GaugeSpec& spec : line.specs()) {
            const bool on = is_shown(ui, spec);
            if (toggle(ui, ("choose." + spec.name).c_str(), spec.label.c_str(), on))
                set_shown(ui, line.specs(), spec.name, !on);
        }
        ImGui::EndPopup();
    }
    ImGui::BeginChild("cards");
    // While the cursor is over a plot the wheel zooms it; beside and between the plots it scrolls.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {6 * ui.scale, 3 * ui.scale});
    const auto count =
        std::count_if(line.specs().begin(), line.specs().end(), [&](const GaugeSpec& spec) { return is_shown(ui, spec); });
    // The cards share the height, but stay readable.
    const float gap = 3 * ui.scale, room = ImGui::GetContentRegionAvail().y / float(std::max<long>(1, long(count))) - gap;
    const float height = std::clamp(room, 2 * ImGui::GetTextLineHeight() + 2 * ui.scale, 72 * ui.scale);
    for (const bool first : {true, false})
        for (int g = 0; g < int(line.specs().size()); ++g) {
            const GaugeSpec& spec = line.specs()[std::size_t(g)];
            if (is_shown(ui, spec) && of_press(spec.name) == first) card(doc, ui, fonts, sink, g, height);
        }
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::End();
}

}  // namespace plica
