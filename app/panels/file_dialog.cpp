// A plain file dialog inside the window: works the same over a remote desktop and without a desktop's own services.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/widgets.h"
#include "imgui.h"

namespace plica {

namespace fs = std::filesystem;

namespace {

bool can_open(const std::string& name) {
    const std::string ext = fs::path(name).extension().string();
    return ext == ".toml" || ext == ".h5" || ext == ".hdf5" || ext == ".obj";
}

std::string size_text(double bytes) {
    if (bytes < 1024) return format_number(bytes) + " B";
    if (bytes < 1024.0 * 1024) return format_number(bytes / 1024, 3) + " kB";
    if (bytes < 1024.0 * 1024 * 1024) return format_number(bytes / 1024 / 1024, 3) + " MB";
    return format_number(bytes / 1024 / 1024 / 1024, 3) + " GB";
}

const char* kind_text(const std::string& name) {
    const std::string ext = fs::path(name).extension().string();
    return ext == ".toml" ? "scene" : ext == ".obj" ? "mesh" : ext == ".h5" || ext == ".hdf5" ? "recording" : "";
}

void enter_folder(FileDialog& d, const fs::path& folder) {
    d.folder = folder.lexically_normal().string();
    list_folder(d);
}

}  // namespace

void list_folder(FileDialog& d) {
    d.entries.clear();
    d.message.clear();
    std::error_code ec;
    fs::directory_iterator it(d.folder, fs::directory_options::skip_permission_denied, ec);
    if (ec) {
        d.message = "This folder cannot be read: " + ec.message();
        return;
    }
    for (const fs::directory_iterator end; it != end; it.increment(ec)) {
        if (ec) break;
        FileDialog::Entry e;
        e.name = it->path().filename().string();
        if (e.name.empty() || e.name[0] == '.') continue;
        std::error_code ignored;
        e.folder = it->is_directory(ignored);
        if (!e.folder && d.use == FileDialog::Use::Open && !can_open(e.name)) continue;
        if (!e.folder) e.size = double(it->file_size(ignored));
        d.entries.push_back(std::move(e));
    }
    std::sort(d.entries.begin(), d.entries.end(),
              [](const auto& a, const auto& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
}

void file_dialog(UiState& ui, CommandSink& sink) {
    FileDialog& d = ui.file_dialog;
    if (d.use == FileDialog::Use::None) return;
    const bool opening = d.use == FileDialog::Use::Open;
    const char* title =
        opening ? "Open a scene, recording or mesh###file" : "Save recording (.h5), or the scene alone (.toml)###file";
    if (d.just_opened) ImGui::OpenPopup(title);
    const ImGuiViewport* screen = ImGui::GetMainViewport();
    ImGui::SetNextWindowPos(screen->GetCenter(), ImGuiCond_Appearing, {0.5f, 0.5f});
    ImGui::SetNextWindowSize(
        {std::min(660 * ui.scale, screen->WorkSize.x - 20), std::min(460 * ui.scale, screen->WorkSize.y - 20)},
        ImGuiCond_Appearing);
    bool open = true;
    if (ImGui::BeginPopupModal(title, &open, ImGuiWindowFlags_NoSavedSettings)) {
        const auto finish = [&] {
            d.use = FileDialog::Use::None;
            ImGui::CloseCurrentPopup();
        };
        const auto accept = [&](const std::string& name) {
            std::error_code ec;
            const fs::path typed(name);
            fs::path path = typed.is_absolute() ? typed : fs::path(d.folder) / typed;
            if (fs::is_directory(path, ec)) {
                enter_folder(d, path);
                d.name.clear();
                return;
            }
            if (opening) {
                if (!fs::exists(path, ec)) {
                    d.message = "There is no file \"" + path.string() + "\".";
                    return;
                }
                sink.open(path.string());
            } else {
                if (path.extension().empty()) path += ".h5";
                if (fs::exists(path, ec) && d.message.rfind("Replace", 0) != 0) {
                    d.message = "Replace the existing \"" + path.filename().string() + "\"? Press Save again.";
                    return;
                }
                sink.save(path.string());
            }
            finish();
        };
        if (text_button(ui, "file.up", "Up")) enter_folder(d, fs::path(d.folder).parent_path());
        ImGui::SameLine();
        if (text_button(ui, "file.home", "Home"))
            if (const char* home = std::getenv("HOME")) enter_folder(d, home);
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        clipped_text(d.folder, ImGui::GetContentRegionAvail().x);
        const float below = ImGui::GetFrameHeightWithSpacing() * 2.4f;
        if (ImGui::BeginTable("files", 3, ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp,
                              {0, -below})) {
            ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch, 4);
            ImGui::TableSetupColumn("kind", ImGuiTableColumnFlags_WidthStretch, 1);
            ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthStretch, 1);
            std::string into;
            for (const auto& e : d.entries) {
                ImGui::TableNextRow();
                ImGui::TableNextColumn();
                const std::string label = e.folder ? e.name + "/" : e.name;
                if (ImGui::Selectable(label.c_str(), e.name == d.name,
                                      ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick)) {
                    if (e.folder)
                        into = e.name;
                    else {
                        d.name = e.name;
                        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) into = e.name;
                    }
                }
                ui.log.item(("file." + e.name).c_str());
                ImGui::TableNextColumn();
                muted_text(e.folder ? "folder" : kind_text(e.name));
                ImGui::TableNextColumn();
                if (!e.folder) muted_text(size_text(e.size).c_str());
            }
            ImGui::EndTable();
            if (!into.empty()) accept(into);
        }
        if (!d.message.empty()) {
            ImGui::PushStyleColor(ImGuiCol_Text, palette(ui.settings.theme).warning);
            clipped_text(d.message, ImGui::GetContentRegionAvail().x);
            ImGui::PopStyleColor();
        } else if (opening) {
            muted_text(".toml scenes, .h5 recordings, .obj meshes");
        } else {
            muted_text("Frames, gauges, edits and the scene itself go into one .h5 file");
        }
        if (d.just_opened) ImGui::SetKeyboardFocusHere();
        text_field(ui, "file.name", d.name, ImGui::GetContentRegionAvail().x - 170 * ui.scale, "file name or path");
        const bool enter =
            ImGui::IsItemDeactivated() && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
        ImGui::SameLine();
        if (text_button(ui, "file.accept", opening ? "Open" : "Save", !d.name.empty(), true) || (enter && !d.name.empty()))
            accept(d.name);
        ImGui::SameLine();
        const bool escape = ImGui::IsKeyPressed(ImGuiKey_Escape) && !ImGui::IsAnyItemActive();
        if (d.use != FileDialog::Use::None && (text_button(ui, "file.cancel", "Cancel") || escape)) finish();
        d.just_opened = false;
        ui.log.value("file_dialog", opening ? "open" : "save");
        ImGui::EndPopup();
    }
    if (!open) d.use = FileDialog::Use::None;
}

}  // namespace plica
