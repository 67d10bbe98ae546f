#include "engine/recording/verdict.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/scene/scene_file.h"

namespace plica {

Verdict::Verdict(std::vector<GaugeSpec> gauges, int gate_count) : gate_count_(gate_count) {
    for (std::size_t g = 0; g < gauges.size(); ++g)
        if (gauges[g].name == "spheres_through") spheres_through_ = int(g);
}

Verdict::Verdict(const Simulation& simulation) : Verdict(simulation.gauges(), int(simulation.scene().gates.size())) {
    validate_checks(simulation.scene());
    if (!simulation.scene().checks.empty()) scene_checks_.emplace(simulation.scene(), simulation.model(), simulation.gauges());
}

double Verdict::positions_from() const {
    return scene_checks_ ? scene_checks_->positions_from() : std::numeric_limits<double>::infinity();
}

void Verdict::add(const Frame& frame) {
    ++frames_;
    if (scene_checks_) scene_checks_->add(frame);
    if (frame.report.intersecting_pairs > 0) {
        if (intersecting_frames_++ == 0) first_intersecting_ = frame.step;
    }
    for (const double gap : frame.report.min_gap) {
        if (gap >= minimum_gap_) continue;
        minimum_gap_ = gap;
        gap_step_ = frame.step;
    }
    if (spheres_through_ >= 0) {
        const double outside = frame.gauges.at(std::size_t(spheres_through_));
        if (outside > most_outside_) most_outside_ = outside, outside_step_ = frame.step;
    }
}

void Verdict::gate(const std::string& failure) { gate_failures_.push_back(failure); }

void Verdict::failure(int step, const std::string& why) { failure_ = "step " + std::to_string(step) + ": " + why; }

std::vector<Check> Verdict::checks() const {
    std::vector<Check> list;
    list.push_back({"intersecting frames", double(intersecting_frames_), "= 0", "", intersecting_frames_ == 0,
                    intersecting_frames_
                        ? "of " + std::to_string(frames_) + "; the first is step " + std::to_string(first_intersecting_)
                        : ""});
    const bool measured = std::isfinite(minimum_gap_);
    list.push_back({"minimum gap", measured ? minimum_gap_ : std::nan(""), "> 0", "m", !measured || minimum_gap_ > 0,
                    measured ? "at step " + std::to_string(gap_step_) : "nothing came within reach of contact"});
    if (spheres_through_ >= 0)
        list.push_back({"spheres outside the bag", most_outside_, "= 0", "", most_outside_ == 0,
                        most_outside_ > 0 ? "most of them at step " + std::to_string(outside_step_) : ""});
    if (gate_count_ > 0 || !gate_failures_.empty())
        list.push_back({"failed gates", double(gate_failures_.size()), "= 0", "", gate_failures_.empty(),
                        gate_failures_.empty() ? "" : gate_failures_.front()});
    list.push_back({"failed steps", failure_.empty() ? 0.0 : 1.0, "= 0", "", failure_.empty(), failure_});
    if (scene_checks_)
        for (Check& check : scene_checks_->checks()) list.push_back(std::move(check));
    return list;
}

bool Verdict::passed() const {
    const std::vector<Check> list = checks();
    return std::all_of(list.begin(), list.end(), [](const Check& c) { return c.pass; });
}

std::string to_json(const std::vector<Check>& checks) {
    nlohmann::json list = nlohmann::json::array();
    for (const Check& c : checks) {
        nlohmann::json item{{"check", c.check}, {"limit", c.limit}, {"unit", c.unit}, {"pass", c.pass}, {"detail", c.detail}};
        item["value"] = std::isfinite(c.value) ? nlohmann::json(c.value) : nlohmann::json(nullptr);
        list.push_back(std::move(item));
    }
    return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::vector<Check> checks_from_json(const std::string& text) {
    std::vector<Check> checks;
    try {
        for (const auto& item : nlohmann::json::parse(text)) {
            Check c;
            c.check = item.at("check").get<std::string>();
            c.value = item.at("value").is_null() ? std::nan("") : item.at("value").get<double>();
            c.limit = item.at("limit").get<std::string>();
            c.unit = item.value("unit", "");
            c.pass = item.at("pass").get<bool>();
            c.detail = item.value("detail", "");
            checks.push_back(std::move(c));
        }
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    return checks;
}

void add_frames(Verdict& verdict, const RecordingReader& recording, int last) {
    for (int i = 0; i <= last; ++i)
        verdict.add(recording.time(i) >= verdict.positions_from() ? *recording.frame(i) : *recording.scalars(i));
}

std::vector<Check> verdict_of(const RecordingReader& recording) {
    std::vector<Check> stored = checks_from_json(recording.verdict().empty() ? "[]" : recording.verdict());
    if (!stored.empty()) return stored;
    const RecordingInfo& info = recording.info();
    std::optional<Simulation> simulation;
    try {
        const std::string folder = std::filesystem::path(info.scene_path).parent_path().string();
        simulation.emplace(parse_scene(info.scene_text, recording.path() + " (scene)", folder));
    } catch (const InputError&) {
        // A mesh that is gone, or a key of a later version: judged by what holds for every run.
    }
    const bool same_gauges = simulation && simulation->gauges().size() == info.gauges.size();
    Verdict verdict = same_gauges ? Verdict(*simulation) : Verdict(info.gauges);
    add_frames(verdict, recording, recording.frame_count() - 1);
    return verdict.checks();
}

}  // namespace plica
