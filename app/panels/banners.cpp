// Messages over the view: what went wrong, where, and what can be done; long steps; exports under way.
#include <algorithm>
#include <cmath>

#include "app/number_text.h"
#include "app/panels/panels.h"
#include "app/studio/action_state.h"
#include "app/studio/widgets.h"
#include "engine/solver/solver.h"
#include "imgui.h"

namespace plica {

namespace {

bool begin_note(const char* id, ImVec2 at, float width, const UiState& ui, ImVec2 pivot = {0, 0}) {
    ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 420 * ui.scale});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool open = ImGui::Begin(id, nullptr,
                                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                       ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    return open;
}

std::vector<int> particles_of(const ContactPair& pair) {
    std::vector<int> out;
    for (int p : pair.particles)
        if (p >= 0) out.push_back(p);
    return out;
}

void pairs_list(const Document& doc, const Banner& banner, std::size_t index, UiState& ui, CommandSink& sink) {
    const std::size_t count = banner.pairs.size() + banner.triangle_pairs.size();
    if (count == 0 && banner.particle < 0) return;
    ImGui::BeginChild("pairs", {0, std::min(float(count + 1), 4.f) * ImGui::GetFrameHeightWithSpacing()});
    const auto go_to = [&](std::size_t k, const std::vector<int>& particles, const std::string& text) {
        ImGui::PushID(int(k));
        if (text_button(ui, ("banner" + std::to_string(index) + ".goto" + std::to_string(k)).c_str(), "Go to"))
            sink.go_to(particles);
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        clipped_text(text, ImGui::GetContentRegionAvail().x);
        ImGui::PopID();
    };
    std::size_t k = 0;
    for (const ContactPair& pair : banner.pairs)
        go_to(k++, particles_of(pair),
              doc.model() ? describe(pair, *doc.model()) : "gap " + format_reading(pair.gap * 1e3) + " mm");
    for (const Int2& pair : banner.triangle_pairs) {
        std::vector<int> corners;
        for (int t : {pair.a, pair.b}) {
            if (t < 0 || std::size_t(t) >= doc.triangles().size()) continue;
            const Int3& tri = doc.triangles()[std::size_t(t)];
            for (int corner : {tri.a, tri.b, tri.c}) corners.push_back(corner);
        }
        go_to(k++, corners, "triangles " + std::to_string(pair.a) + " and " + std::to_string(pair.b) + " cut each other");
    }
    if (banner.particle >= 0)
        go_to(k++, {banner.particle}, "particle " + std::to_string(banner.particle) + " of " + doc.body_name(banner.particle));
    ImGui::EndChild();
}

}  // namespace

void banners_overlay(const Document* doc, UiState& ui, ImVec2 at, float width, CommandSink& sink) {
    if (!doc) return;
    const Palette& colors = palette(ui.settings.theme);
    width = std::min(width, 560 * ui.scale);
    float y = at.y;
    ui.log.value("banners", int(doc->banners.size()));
    for (std::size_t i = 0; i < doc->banners.size() && i < 3; ++i) {
        const Banner banner = doc->banners[doc->banners.size() - 1 - i];  // a copy: its buttons may take it away
        const std::size_t index = doc->banners.size() - 1 - i;
        if (begin_note(("##banner" + std::to_string(index)).c_str(), {at.x, y}, width, ui)) {
            const ImU32 color = banner.kind == Banner::Kind::Error     ? colors.bad
                                : banner.kind == Banner::Kind::Warning ? colors.warning
                                                                       : colors.accent;
            const ImVec2 p = ImGui::GetCursorScreenPos();
            const float r = ImGui::GetFontSize() * 0.5f;
            draw_icon(ImGui::GetWindowDrawList(), banner.kind == Banner::Kind::Info ? Icon::Info : Icon::Warning,
                      {p.x + r, p.y + ImGui::GetFontSize() * 0.55f}, r * 0.9f, color);
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 2 * r + 8 * ui.scale);
            const float close = ImGui::GetFontSize() * 1.2f;
            ImGui::PushTextWrapPos(width - close - 18 * ui.scale);
            ImGui::PushStyleColor(ImGuiCol_Text, color);
            ImGui::TextUnformatted(banner.title.c_str());
            ImGui::PopStyleColor();
            ImGui::PopTextWrapPos();
            ImGui::SameLine(width - close - 10 * ui.scale);
            if (icon_button(ui, ("banner" + std::to_string(index) + ".close").c_str(), Icon::Cross, "Close", false, true,
                            close))
                sink.dismiss_banner(index);
            ImGui::PushTextWrapPos(width - 12 * ui.scale);
            ImGui::TextUnformatted(banner.text.c_str());
            ImGui::PopTextWrapPos();
            pairs_list(*doc, banner, index, ui, sink);
            if (banner.pair_count > int(banner.pairs.size() + banner.triangle_pairs.size()))
                muted_text(("the worst of " + std::to_string(banner.pair_count)).c_str());
            if (banner.offer_continue && banner.frame >= 0 && doc->has_simulation()) {
                const std::string id = "banner" + std::to_string(index);
                if (text_button(ui, (id + ".show").c_str(), ("Show frame " + std::to_string(banner.frame)).c_str()))
                    sink.show_frame(banner.frame);
                ImGui::SameLine();
                if (banner.frame < doc->timeline.size() - 1) {
                    if (text_button(ui, (id + ".continue").c_str(),
                                    ("Continue from frame " + std::to_string(banner.frame)).c_str(), true, true))
                        sink.ask_continue_from(banner.frame, false);
                } else {
                    if (text_button(ui, (id + ".retry").c_str(), "Try this step again", true, true))
                        sink.act(Action::StepSolver);
                    const int earlier = std::max(0, banner.frame - 24);
                    if (earlier < banner.frame) {
                        ImGui::SameLine();
                        if (text_button(ui, (id + ".earlier").c_str(),
                                        ("Continue from frame " + std::to_string(earlier)).c_str()))
                            sink.ask_continue_from(earlier, false);
                    }
                }
            }
        }
        y += ImGui::GetWindowHeight() + 6 * ui.scale;
        ImGui::End();
        ui.log.value(("banner" + std::to_string(index)).c_str(), banner.title + " | " + banner.text);
    }
    const LiveProgress live = doc->progress();
    if (live.in_step && live.seconds_in_step > 3) {
        if (begin_note("##slow", {at.x, y}, width, ui)) {
            ImGui::PushStyleColor(ImGuiCol_Text, colors.warning);
            ImGui::Text("Step %d: iteration %d, no accepted step for %s s", live.step, live.iteration,
                        format_number(std::floor(live.seconds_in_step), 4).c_str());
            ImGui::PopStyleColor();
            ImGui::PushTextWrapPos(width - 12 * ui.scale);
            std::string why = "max|Δx| " + format_reading(live.max_dx * 1e3) + " mm, tolerance " +
                              format_reading(doc->settings().tolerance * 1e3) + " mm, step length " +
                              format_reading(live.alpha);
            if (live.halving > 0)
                why += "; halved " + std::to_string(live.halving) + " of " + std::to_string(doc->settings().max_halvings) +
                       " times because the whole step did not converge";
            ImGui::TextUnformatted(why.c_str());
            ImGui::PopTextWrapPos();
            if (text_button(ui, "give_up_step", "Give up this step")) sink.act(Action::GiveUpStep);
            tooltip("Pauses at the last accepted step; change dt or the tolerance, or go on from an earlier frame.");
        }
        ImGui::End();
    }
}

void export_progress_overlay(UiState& ui, ImVec2 bottom_right, const std::vector<JobProgress>& exports, CommandSink& sink) {
    if (exports.empty()) return;
    if (begin_note("##exports", bottom_right, 330 * ui.scale, ui, {1, 1})) {
        for (const JobProgress& job : exports) {
            ImGui::PushID(job.job);
            clipped_text(job.title, ImGui::GetContentRegionAvail().x - 70 * ui.scale);
            ImGui::SameLine(std::max(ImGui::GetCursorPosX(), 330 * ui.scale - 68 * ui.scale));
            const std::string id = "export" + std::to_string(job.job) + (job.done ? ".close" : ".cancel");
            if (text_button(ui, id.c_str(), job.done ? "Close" : "Cancel")) sink.cancel_export(job.job);
            if (!job.done) {
                ImGui::ProgressBar(float(job.fraction), {-1, 6 * ui.scale}, "");
            }
            if (!job.message.empty()) {
                ImGui::PushTextWrapPos(318 * ui.scale);
                ImGui::PushStyleColor(ImGuiCol_Text,
                                      job.failed ? palette(ui.settings.theme).bad : palette(ui.settings.theme).muted);
                ImGui::TextUnformatted(job.message.c_str());
                ImGui::PopStyleColor();
                ImGui::PopTextWrapPos();
            }
            ui.log.value(("export" + std::to_string(job.job)).c_str(),
                         job.done ? (job.failed ? "failed: " : "done: ") + job.message : std::string("running"));
            ImGui::PopID();
        }
    }
    ImGui::End();
}

}  // namespace plica
