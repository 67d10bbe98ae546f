#include "app/studio/theme.h"

#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <string>

#include "implot.h"

namespace plica {

namespace {

constexpr float base_font_size = 15;

ImVec4 rgb(unsigned hex, float alpha = 1) {
    return {float((hex >> 16) & 255) / 255, float((hex >> 8) & 255) / 255, float(hex & 255) / 255, alpha};
}
constexpr ImU32 u32(unsigned hex, unsigned alpha = 255) {
    return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, alpha);
}

constexpr Palette dark_palette{u32(0x4C9DFF), u32(0x4C9DFF, 70), u32(0xE4E7EB), u32(0x8E96A3), u32(0x5CC48A), u32(0xF0B44C),
                               u32(0xF26D6D), u32(0xFF9F45),     u32(0x1F2227), u32(0x15171A), u32(0x33383F), u32(0x2A2E35)};
constexpr Palette light_palette{u32(0x1F6FD6), u32(0x1F6FD6, 60), u32(0x1D2126), u32(0x667080), u32(0x1E8A52), u32(0xB87400),
                                u32(0xC93636), u32(0xD9730D),     u32(0xF4F5F7), u32(0xE3E6EA), u32(0xCBD0D7), u32(0xDDE1E6)};

std::string first_file(std::initializer_list<const char*> paths) {
    std::error_code ec;
    for (const char* path : paths)
        if (std::filesystem::exists(path, ec)) return path;
    return {};
}

// The places of Debian's packages first, then whatever fontconfig knows under the name.
std::string find_font(std::initializer_list<const char*> paths, const char* pattern, const char* wanted) {
    if (std::string path = first_file(paths); !path.empty()) return path;
    const std::string command = std::string("fc-match -f '%{file}' '") + pattern + "' 2>/dev/null";
    std::string out;
    if (FILE* pipe = popen(command.c_str(), "r")) {
        char buffer[512];
        while (fgets(buffer, sizeof buffer, pipe)) out += buffer;
        pclose(pipe);
    }
    std::error_code ec;
    return out.find(wanted) != std::string::npos && std::filesystem::exists(out, ec) ? out : std::string();
}

}  // namespace

const Palette& palette(ThemeKind theme) { return theme == ThemeKind::Dark ? dark_palette : light_palette; }

void apply_theme(ThemeKind theme, float scale) {
    ImGuiStyle style;
    style.WindowPadding = {10, 8};
    style.FramePadding = {7, 4};
    style.ItemSpacing = {7, 5};
    style.ItemInnerSpacing = {6, 4};
    style.CellPadding = {5, 3};
    style.IndentSpacing = 16;
    style.ScrollbarSize = 11;
    style.GrabMinSize = 11;
    style.WindowRounding = 6;
    style.ChildRounding = 5;
    style.FrameRounding = 4;
    style.PopupRounding = 6;
    style.ScrollbarRounding = 6;
    style.GrabRounding = 4;
    style.TabRounding = 4;
    style.WindowBorderSize = 0;
    style.ChildBorderSize = 0;
    style.PopupBorderSize = 1;
    style.FrameBorderSize = 0;
    style.TabBorderSize = 0;
    style.TabBarBorderSize = 0;
    style.DockingSeparatorSize = 2;
    style.WindowMenuButtonPosition = ImGuiDir_None;
    style.SeparatorTextBorderSize = 1;
    style.SeparatorTextPadding = {0, 4};
    style.HoverStationaryDelay = 0.25f;

    const bool dark = theme == ThemeKind::Dark;
    if (dark)
        ImGui::StyleColorsDark(&style);
    else
        ImGui::StyleColorsLight(&style);
    const unsigned panel = dark ? 0x1F2227 : 0xF4F5F7, canvas = dark ? 0x15171A : 0xE3E6EA, frame = dark ? 0x2C3139 : 0xFFFFFF,
                   frame_hot = dark ? 0x373D47 : 0xEEF2F8, frame_active = dark ? 0x414956 : 0xDFE8F5,
                   text = dark ? 0xE4E7EB : 0x1D2126, muted = dark ? 0x8E96A3 : 0x667080, accent = dark ? 0x4C9DFF : 0x1F6FD6,
                   line = dark ? 0x33383F : 0xCBD0D7, popup = dark ? 0x262A31 : 0xFFFFFF, button = dark ? 0x323843 : 0xE2E6EC;
    ImVec4* c = style.Colors;
    c[ImGuiCol_Text] = rgb(text);
    c[ImGuiCol_TextDisabled] = rgb(muted);
    c[ImGuiCol_WindowBg] = rgb(panel);
    c[ImGuiCol_ChildBg] = rgb(panel, 0);
    c[ImGuiCol_PopupBg] = rgb(popup, 0.99f);
    c[ImGuiCol_Border] = rgb(line);
    c[ImGuiCol_FrameBg] = rgb(frame);
    c[ImGuiCol_FrameBgHovered] = rgb(frame_hot);
    c[ImGuiCol_FrameBgActive] = rgb(frame_active);
    c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = rgb(canvas);
    c[ImGuiCol_MenuBarBg] = rgb(canvas);
    c[ImGuiCol_ScrollbarBg] = rgb(panel, 0);
    c[ImGuiCol_ScrollbarGrab] = rgb(dark ? 0x3D434D : 0xC4CAD2);
    c[ImGuiCol_ScrollbarGrabHovered] = rgb(dark ? 0x4B525E : 0xAFB7C1);
    c[ImGuiCol_ScrollbarGrabActive] = rgb(accent);
    c[ImGuiCol_CheckMark] = rgb(accent);
    c[ImGuiCol_SliderGrab] = rgb(accent);
    c[ImGuiCol_SliderGrabActive] = rgb(accent);
    c[ImGuiCol_Button] = rgb(button);
    c[ImGuiCol_ButtonHovered] = rgb(dark ? 0x3E4653 : 0xD3D9E2);
    c[ImGuiCol_ButtonActive] = rgb(accent, 0.75f);
    c[ImGuiCol_Header] = rgb(accent, dark ? 0.22f : 0.18f);
    c[ImGuiCol_HeaderHovered] = rgb(accent, dark ? 0.32f : 0.26f);
    c[ImGuiCol_HeaderActive] = rgb(accent, 0.42f);
    c[ImGuiCol_Separator] = rgb(dark ? 0x121417 : 0xCBD0D7);
    c[ImGuiCol_SeparatorHovered] = rgb(accent, 0.6f);
    c[ImGuiCol_SeparatorActive] = rgb(accent);
    c[ImGuiCol_ResizeGrip] = rgb(line);
    c[ImGuiCol_ResizeGripHovered] = rgb(accent, 0.6f);
    c[ImGuiCol_ResizeGripActive] = rgb(accent);
    c[ImGuiCol_Tab] = rgb(canvas);
    c[ImGuiCol_TabHovered] = rgb(accent, 0.35f);
    c[ImGuiCol_TabSelected] = rgb(panel);
    c[ImGuiCol_TabDimmed] = rgb(canvas);
    c[ImGuiCol_TabDimmedSelected] = rgb(panel);
    c[ImGuiCol_TabSelectedOverline] = rgb(accent);
    c[ImGuiCol_TabDimmedSelectedOverline] = rgb(line);
    c[ImGuiCol_DockingPreview] = rgb(accent, 0.5f);
    c[ImGuiCol_DockingEmptyBg] = rgb(canvas);
    c[ImGuiCol_TextSelectedBg] = rgb(accent, 0.35f);
    c[ImGuiCol_TableHeaderBg] = rgb(canvas);
    c[ImGuiCol_TableBorderLight] = c[ImGuiCol_TableBorderStrong] = rgb(line);
    c[ImGuiCol_NavCursor] = rgb(accent);
    c[ImGuiCol_DragDropTarget] = rgb(accent);
    c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, 0.45f);

    style.ScaleAllSizes(scale);
    style.FontSizeBase = base_font_size;
    style.FontScaleMain = scale;
    ImGui::GetStyle() = style;

    if (!ImPlot::GetCurrentContext()) return;
    ImPlotStyle& plot = ImPlot::GetStyle();
    plot = ImPlotStyle();
    plot.PlotPadding = {4 * scale, 3 * scale};
    plot.LabelPadding = {3 * scale, 2 * scale};
    plot.PlotBorderSize = 0;
    plot.PlotMinSize = {40, 24};
    plot.MajorTickLen = {0, 0};
    plot.MinorTickLen = {0, 0};
    plot.Colors[ImPlotCol_FrameBg] = rgb(panel, 0);
    plot.Colors[ImPlotCol_PlotBg] = rgb(canvas);
    plot.Colors[ImPlotCol_PlotBorder] = rgb(line);
    plot.Colors[ImPlotCol_AxisText] = rgb(muted);
    plot.Colors[ImPlotCol_AxisGrid] = rgb(dark ? 0x262A30 : 0xD5DAE0);
}

Fonts load_fonts() {
    ImGuiIO& io = ImGui::GetIO();
    Fonts fonts;
    ImFontConfig config;
    config.OversampleH = 2;
    const auto load = [&](const std::string& path) -> ImFont* {
        return path.empty() ? nullptr : io.Fonts->AddFontFromFileTTF(path.c_str(), base_font_size, &config);
    };
    const std::string dejavu = find_font(
        {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/dejavu/DejaVuSans.ttf"}, "DejaVu Sans", "DejaVu");
    // Signs that a text font lacks (arrows, Cyrillic file names) come from the next one.
    const auto add_fallback = [&](const std::string& path) {
        if (path.empty()) return;
        ImFontConfig merge = config;
        merge.MergeMode = true;
        io.Fonts->AddFontFromFileTTF(path.c_str(), base_font_size, &merge);
    };
    fonts.text = load(
        find_font({"/usr/share/fonts/opentype/inter/Inter-Medium.otf", "/usr/share/fonts/opentype/inter/Inter-Regular.otf"},
                  "Inter:weight=100", "Inter"));
    if (fonts.text)
        add_fallback(dejavu);
    else
        fonts.text = load(dejavu);
    if (fonts.text) {
        const std::string cjk = first_file({"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                                            "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                                            "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"});
        add_fallback(cjk);
    }
    fonts.strong = load(first_file({"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf"}));
    if (fonts.strong) add_fallback(dejavu);
    fonts.mono = load(find_font({"/usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf",
                                 "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"},
                                "monospace", "Mono"));
    if (!fonts.text) fonts.text = io.Fonts->AddFontDefault();
    if (!fonts.strong) fonts.strong = fonts.text;
    if (!fonts.mono) fonts.mono = fonts.text;
    io.FontDefault = fonts.text;
    return fonts;
}

}  // namespace plica
