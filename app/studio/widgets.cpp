#include "app/studio/widgets.h"

#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/studio/command_sink.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"

namespace plica {

void tooltip(const char* text) {
    if (!text || !*text) return;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_AllowWhenDisabled)) {
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(ImGui::GetFontSize() * 22);
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
}

void muted_text(const char* text) { ImGui::TextDisabled("%s", text); }

void clipped_text(const std::string& text, float width, ImU32 color) {
    std::string shown = text;
    bool cut = false;
    while (!shown.empty() && ImGui::CalcTextSize((cut ? shown + "…" : shown).c_str()).x > width) {
        cut = true;
        shown.pop_back();
        while (!shown.empty() && (shown.back() & 0xC0) == 0x80) shown.pop_back();  // the rest of a UTF-8 letter
        if (!shown.empty() && (shown.back() & 0xC0) == 0xC0) shown.pop_back();
    }
    if (cut) shown += "…";
    if (color) ImGui::PushStyleColor(ImGuiCol_Text, color);
    ImGui::TextUnformatted(shown.c_str());
    if (color) ImGui::PopStyleColor();
    if (cut) tooltip(text.c_str());
}

void draw_icon(ImDrawList* list, Icon icon, ImVec2 c, float r, ImU32 color) {
    const auto at = [&](float x, float y) { return ImVec2(c.x + x * r, c.y + y * r); };
    const auto triangle = [&](float x, float w, float h, bool right) {
        if (right)
            list->AddTriangleFilled(at(x - w, -h), at(x + w, 0), at(x - w, h), color);
        else
            list->AddTriangleFilled(at(x + w, -h), at(x + w, h), at(x - w, 0), color);
    };
    const auto bar = [&](float x, float w, float h) { list->AddRectFilled(at(x - w, -h), at(x + w, h), color, r * 0.1f); };
    const float line = std::max(1.2f, r * 0.22f);
    switch (icon) {
        case Icon::Run: triangle(0.12f, 0.75f, 0.85f, true); break;
        case Icon::Play: list->AddTriangle(at(-0.6f, -0.8f), at(0.8f, 0), at(-0.6f, 0.8f), color, line); break;
        case Icon::Pause:
            bar(-0.42f, 0.22f, 0.8f);
            bar(0.42f, 0.22f, 0.8f);
            break;
        case Icon::Step:
            triangle(-0.15f, 0.55f, 0.75f, true);
            bar(0.65f, 0.14f, 0.75f);
            break;
        case Icon::Next: triangle(0.05f, 0.5f, 0.65f, true); break;
        case Icon::Previous: triangle(-0.05f, 0.5f, 0.65f, false); break;
        case Icon::Last:
            triangle(-0.1f, 0.5f, 0.7f, true);
            bar(0.6f, 0.13f, 0.7f);
            break;
        case Icon::First:
            triangle(0.1f, 0.5f, 0.7f, false);
            bar(-0.6f, 0.13f, 0.7f);
            break;
        case Icon::Reset:
            list->PathArcTo(c, r * 0.72f, -2.2f, 2.6f, 20);
            list->PathStroke(color, 0, line);
            list->AddTriangleFilled(at(-0.95f, -0.55f), at(-0.05f, -0.75f), at(-0.5f, 0.05f), color);
            break;
        case Icon::Live:
            list->AddCircleFilled(c, r * 0.36f, color, 16);
            list->AddCircle(c, r * 0.78f, color, 20, line);
            break;
        case Icon::Eye:
            list->AddEllipse(c, {r, r * 0.6f}, color, 0, 20, line);
            list->AddCircleFilled(c, r * 0.3f, color, 12);
            break;
        case Icon::Pin:
            list->AddCircleFilled(at(0, -0.35f), r * 0.45f, color, 16);
            list->AddLine(at(0, 0), at(0, 0.95f), color, line);
            break;
        case Icon::Grab:
            list->AddCircle(at(-0.4f, 0.4f), r * 0.4f, color, 16, line);
            list->AddLine(at(-0.1f, 0.1f), at(0.8f, -0.8f), color, line);
            list->AddTriangleFilled(at(0.95f, -0.95f), at(0.2f, -0.8f), at(0.8f, -0.2f), color);
            break;
        case Icon::Cross:
            list->AddLine(at(-0.6f, -0.6f), at(0.6f, 0.6f), color, line);
            list->AddLine(at(-0.6f, 0.6f), at(0.6f, -0.6f), color, line);
            break;
        case Icon::Warning:
            list->AddTriangle(at(0, -0.85f), at(0.95f, 0.8f), at(-0.95f, 0.8f), color, line);
            list->AddLine(at(0, -0.25f), at(0, 0.3f), color, line);
            list->AddCircleFilled(at(0, 0.55f), line * 0.6f, color, 8);
            break;
        case Icon::Info:
            list->AddCircle(c, r * 0.9f, color, 20, line);
            list->AddLine(at(0, -0.05f), at(0, 0.5f), color, line);
            list->AddCircleFilled(at(0, -0.42f), line * 0.65f, color, 8);
            break;
    }
}

bool icon_button(UiState& ui, const char* id, Icon icon, const char* tip, bool on, bool enabled, float size) {
    if (size <= 0) size = ImGui::GetFrameHeight();
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(id);
    const bool pressed = ImGui::InvisibleButton("##icon", {size, size});
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    const Palette& p = palette(ui.settings.theme);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImU32 back = held      ? ImGui::GetColorU32(ImGuiCol_ButtonActive)
                       : hovered ? ImGui::GetColorU32(ImGuiCol_ButtonHovered)
                       : on      ? p.accent_soft
                                 : ImGui::GetColorU32(ImGuiCol_Button);
    list->AddRectFilled(a, b, back, ImGui::GetStyle().FrameRounding);
    const ImU32 ink = !enabled ? ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.5f)
                      : on     ? p.accent
                               : ImGui::GetColorU32(ImGuiCol_Text);
    draw_icon(list, icon, {(a.x + b.x) / 2, (a.y + b.y) / 2}, size * 0.26f, ink);
    ui.log.item(id);
    ImGui::PopID();
    ImGui::EndDisabled();
    tooltip(tip);
    return pressed;
}

void action_icon(UiState& ui, CommandSink& sink, Action action, Icon icon, bool on, bool enabled, float size) {
    const Shortcut& s = shortcut(action);
    std::string tip = s.label;
    if (*s.keys) tip += std::string("  [") + s.keys + "]";
    tip += std::string("\n") + s.hint;
    if (icon_button(ui, s.id, icon, tip.c_str(), on, enabled, size)) sink.act(action);
}

bool text_button(UiState& ui, const char* id, const char* label, bool enabled, bool primary) {
    ImGui::BeginDisabled(!enabled);
    if (primary) {
        ImGui::PushStyleColor(ImGuiCol_Button, palette(ui.settings.theme).accent);
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, palette(ui.settings.theme).accent);
        ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32(255, 255, 255, 255));
    }
    ImGui::PushID(id);
    const bool pressed = ImGui::Button(label);
    ImGui::PopID();
    if (primary) ImGui::PopStyleColor(3);
    ui.log.item(id);
    ImGui::EndDisabled();
    return pressed;
}

std::optional<double> number_field(UiState& ui, const char* id, double shown, const char* unit, float width, bool enabled,
                                   bool pending) {
    std::optional<double> answer;
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(id);
    const ImGuiID field = ImGui::GetID("##number");
    const bool mine = ui.edit_id == field;
    std::string buffer = mine ? ui.edit_text : format_number(shown);
    const bool refused = ui.error_id == field && ui.time < ui.error_until;
    if (refused) {
        ImGui::PushStyleColor(ImGuiCol_Border, palette(ui.settings.theme).bad);
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.5f);
    }
    if (pending) ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).accent);
    ImGui::SetNextItemWidth(width);
    ImGui::InputText("##number", &buffer, ImGuiInputTextFlags_AutoSelectAll);
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    if (pending) ImGui::PopStyleColor();
    if (refused) {
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    ui.log.item(id);
    if (ImGui::IsItemActivated()) {
        ui.edit_id = field;
        ui.edit_text = buffer;
    } else if (mine) {
        ui.edit_text = buffer;
    }
    if (ImGui::IsItemDeactivated() && ui.edit_id == field) {
        ui.edit_id = 0;
        const bool escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
        if (!escaped && buffer != format_number(shown)) {
            answer = typed_number(buffer, unit);
            if (!answer) {
                ui.error_id = field;
                ui.error_text = "\"" + buffer + "\" is not a number; write for example 0.35 or 1.5e-3.";
                ui.error_until = ui.time + 4;
            }
        }
    }
    // The unit stands inside the field's right end as long as nobody types there.
    if (*unit && ui.edit_id != field) {
        const ImVec2 size = ImGui::CalcTextSize(unit);
        ImGui::GetWindowDrawList()->AddText({high.x - size.x - 6 * ui.scale, low.y + (high.y - low.y - size.y) / 2},
                                            ImGui::GetColorU32(ImGuiCol_TextDisabled), unit);
    }
    if (refused) {
        const float wrap = 250 * ui.scale;
        ImGui::SetNextWindowPos({high.x - wrap - 20 * ui.scale, high.y + 2 * ui.scale});
        ImGui::BeginTooltip();
        ImGui::PushTextWrapPos(wrap);
        ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).bad);
        ImGui::TextUnformatted(ui.error_text.c_str());
        ImGui::PopStyleColor();
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
        ui.log.value("field_error", ui.error_text);
    }
    ImGui::PopID();
    ImGui::EndDisabled();
    return answer;
}

void refuse_field(UiState& ui, const char* id, const std::string& why) {
    ImGui::PushID(id);
    ui.error_id = ImGui::GetID("##number");
    ImGui::PopID();
    ui.error_text = why;
    ui.error_until = ui.time + 4;
}

bool text_field(UiState& ui, const char* id, std::string& text, float width, const char* hint) {
    ImGui::PushID(id);
    ImGui::SetNextItemWidth(width);
    const bool changed = ImGui::InputTextWithHint("##text", hint, &text);
    ui.log.item(id);
    ImGui::PopID();
    return changed;
}

bool toggle(UiState& ui, const char* id, const char* label, bool on, bool enabled) {
    ImGui::BeginDisabled(!enabled);
    ImGui::PushID(id);
    bool value = on;
    const bool changed = ImGui::Checkbox(label, &value);
    ui.log.item(id);
    ImGui::PopID();
    ImGui::EndDisabled();
    return changed;
}

bool choice(UiState& ui, const char* id, int& value, const char* const* labels, int count, float width) {
    ImGui::PushID(id);
    ImGui::SetNextItemWidth(width);
    bool changed = false;
    if (ImGui::BeginCombo("##choice", labels[std::clamp(value, 0, count - 1)])) {
        for (int i = 0; i < count; ++i) {
            if (ImGui::Selectable(labels[i], i == value)) {
                changed = i != value;
                value = i;
            }
            ui.log.item((std::string(id) + "." + std::to_string(i)).c_str());
        }
        ImGui::EndCombo();
    } else {
        ui.log.item(id);
    }
    ImGui::PopID();
    return changed;
}

bool section(UiState& ui, const char* id, const char* label, bool open) {
    ImGui::PushStyleColor(ImGuiCol_Header, IM_COL32(0, 0, 0, 0));
    ImGui::PushID(id);
    const bool is_open = ImGui::CollapsingHeader(label, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    ui.log.item(id);
    ImGui::PopID();
    ImGui::PopStyleColor();
    return is_open;
}

}  // namespace plica
