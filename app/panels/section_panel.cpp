// A cut across the fold of the shown frame, to scale: both panels of the sheet, the table and the tool.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "engine/scenario/fold_section.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "implot.h"

namespace plica {

namespace {

constexpr double mm = 1e3;
constexpr double fold_view = 15;  // mm, how far from the crease "fold" shows

void draw_segments(const std::vector<FoldSection::Segment>& segments, ImU32 color, float width) {
    ImDrawList* list = ImPlot::GetPlotDrawList();
    for (const FoldSection::Segment& s : segments)
        list->AddLine(ImPlot::PlotToPixels(s[0].across * mm, s[0].height * mm),
                      ImPlot::PlotToPixels(s[1].across * mm, s[1].height * mm), color, width);
}

// Everything that is cut.
void whole_range(const FoldSection& section, ImPlotRect& range) {
    double low = -1, high = 1, top = 1;
    for (const auto* part : {&section.base, &section.flap})
        for (const FoldSection::Segment& s : *part)
            for (const FoldSection::Point& p : s) {
                low = std::min(low, p.across * mm);
                high = std::max(high, p.across * mm);
                top = std::max(top, p.height * mm);
            }
    if (section.tool) top = std::max(top, (section.tool_centre.height + section.tool_radius) * mm);
    range = {low, high, 0, top};
}

// The same with a margin, to scale in a plot of that size in pixels.
ImPlotRect to_scale(const ImPlotRect& range, float width, float height) {
    const double pixel = 1.1 * std::max(range.X.Size() / double(width), range.Y.Size() / double(height));
    const double middle = 0.5 * (range.X.Min + range.X.Max), half = 0.5 * pixel * double(width);
    const double low = range.Y.Min - 0.08 * pixel * double(height);
    return {middle - half, middle + half, low, low + pixel * double(height)};
}

}  // namespace

void section_panel(const Document* document, UiState& ui) {
    if (!document || !document->press()) return;
    // A layout kept from before there was this panel has no place for it.
    if (const ImGuiWindow* gauges = ImGui::FindWindowByName("Gauges"))
        ImGui::SetNextWindowDockID(gauges->DockId, ImGuiCond_FirstUseEver);
    const bool open = ImGui::Begin("Section");
    if (const ImRect tab = ImGui::GetCurrentWindow()->DC.DockTabItemRect; tab.GetWidth() > 0)
        ui.log.rect("tab.section", tab.Min.x, tab.Min.y, tab.Max.x, tab.Max.y);
    if (!open || document->timeline.empty()) {
        ImGui::End();
        return;
    }
    const Document& doc = *document;
    const int shown = std::clamp(doc.playback.shown, 0, doc.timeline.size() - 1);
    const FoldSection section = fold_section(*doc.press(), *doc.model(), doc.timeline.frame(shown)->state, ui.section.at);

    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Cut at");
    tooltip(
        "Part of the crease's length from where its pressing starts. The plane is upright and across the line of its ends.");
    ImGui::SameLine();
    if (const auto at = number_field(ui, "section.at", ui.section.at * 100, "%", 74 * ui.scale)) {
        if (*at >= 0 && *at <= 100)
            ui.section.at = *at / 100;
        else
            refuse_field(ui, "section.at", "Cut at: allowed is 0 to 100 %.");
    }
    bool fit = false;
    for (const auto& [id, label, whole] :
         {std::tuple{"section.whole", "whole", true}, std::tuple{"section.fold", "fold", false}}) {
        ImGui::SameLine();
        if (!text_button(ui, id, label)) continue;
        ui.section.whole = whole;
        fit = true;
    }
    fit = fit || ui.section.fitted != document;
    ui.section.fitted = document;

    ImPlotRect range{-0.3 * fold_view, fold_view, 0, 0.6 * fold_view};
    if (ui.section.whole) whole_range(section, range);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    range = to_scale(range, std::max(20.0f, room.x - 56 * ui.scale), std::max(20.0f, room.y - 50 * ui.scale));
    if (fit) ImPlot::SetNextAxesLimits(range.X.Min, range.X.Max, range.Y.Min, range.Y.Max, ImPlotCond_Always);
    const ImPlotFlags flags = ImPlotFlags_NoTitle | ImPlotFlags_NoLegend | ImPlotFlags_NoMenus | ImPlotFlags_NoBoxSelect |
                              ImPlotFlags_NoFrame | ImPlotFlags_Equal;
    if (ImPlot::BeginPlot("##section", room, flags)) {
        ImPlot::SetupAxes("across [mm]", "height [mm]");
        const Palette& colors = palette(ui.settings.theme);
        ImPlot::PushPlotClipRect();
        ImDrawList* list = ImPlot::GetPlotDrawList();
        const ImPlotRect seen = ImPlot::GetPlotLimits();
        list->AddRectFilled(ImPlot::PlotToPixels(seen.X.Min, 0), ImPlot::PlotToPixels(seen.X.Max, seen.Y.Min), colors.line);
        if (section.tool) {
            const ImVec2 centre = ImPlot::PlotToPixels(section.tool_centre.across * mm, section.tool_centre.height * mm);
            const ImVec2 rim =
                ImPlot::PlotToPixels((section.tool_centre.across + section.tool_radius) * mm, section.tool_centre.height * mm);
            list->AddCircle(centre, rim.x - centre.x, colors.muted, 48, 1.5f);
        }
        draw_segments(section.base, colors.text, 1.8f);
        draw_segments(section.flap, colors.accent, 1.8f);
        ImPlot::PopPlotClipRect();
        ImPlot::EndPlot();
    }
    ui.log.item("section");
    ui.log.value("section.cuts", int(section.base.size() + section.flap.size()));
    ui.log.value("section.tool", section.tool);
    ui.log.value("section.at", format_number(ui.section.at * 100));
    double top = 0;
    for (const FoldSection::Segment& s : section.flap) top = std::max({top, s[0].height, s[1].height});
    ui.log.value("section.top_mm", top * mm);
    ImGui::End();
}

}  // namespace plica
