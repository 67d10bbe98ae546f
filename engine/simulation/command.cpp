#include "engine/simulation/command.h"

#include <array>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/number_text.h"
#include "engine/solver/settings.h"

namespace plica {
namespace {

using Kind = Command::Kind;
constexpr std::array<std::pair<Kind, const char*>, 6> kind_names{{{Kind::SetSetting, "set"},
                                                                  {Kind::SetSwitch, "switch"},
                                                                  {Kind::Pin, "pin"},
                                                                  {Kind::Release, "release"},
                                                                  {Kind::Grip, "grip"},
                                                                  {Kind::Note, "note"}}};

std::string vertex_list(const std::vector<int>& vertices) {
    if (vertices.size() == 1) return "vertex " + std::to_string(vertices[0]);
    return std::to_string(vertices.size()) + " vertices";
}

}  // namespace

std::string Command::to_json() const {
    nlohmann::json json;
    for (const auto& [k, name] : kind_names)
        if (k == kind) json["kind"] = name;
    if (!key.empty()) json["key"] = key;
    if (kind == Kind::SetSetting || kind == Kind::SetSwitch || kind == Kind::Pin || kind == Kind::Grip) json["value"] = value;
    if (kind == Kind::Grip) json["limit"] = limit;
    if (!vertices.empty()) json["vertices"] = vertices;
    if (kind == Kind::Grip) json["target"] = {target.x, target.y, target.z};
    // A note may hold any bytes; those that are not UTF-8 are replaced rather than refused.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Command Command::from_json(const std::string& text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Command command;
        const std::string name = json.at("kind").get<std::string>();
        bool known = false;
        for (const auto& [k, n] : kind_names)
            if (n == name) command.kind = k, known = true;
        if (!known) throw InputError("unknown kind of command \"" + name + "\"");
        if (json.contains("key")) command.key = json["key"].get<std::string>();
        if (json.contains("value")) command.value = json["value"].get<double>();
        if (json.contains("limit")) command.limit = json["limit"].get<double>();
        if (json.contains("vertices")) command.vertices = json["vertices"].get<std::vector<int>>();
        if (json.contains("target")) {
            const auto& t = json["target"];
            command.target = {t.at(0).get<double>(), t.at(1).get<double>(), t.at(2).get<double>()};
        }
        return command;
    } catch (const nlohmann::json::exception& e) {
        throw InputError("\"" + text.substr(0, 80) + "\" is not a command: " + e.what());
    }
}

std::string Command::describe() const {
    switch (kind) {
        case Kind::SetSetting: return key + " → " + shortest_text(value);
        case Kind::SetSwitch:
            if (key == "contact" && value >= 0 && value < double(contact_mode_names.size()))
                return std::string("contact mode ") + contact_mode_names[std::size_t(value)];
            return (key.rfind("body:", 0) == 0 ? "contact with " + key.substr(5) : key) + (value != 0 ? " on" : " off");
        case Kind::Pin: return "pin " + vertex_list(vertices);
        case Kind::Release: return "release " + vertex_list(vertices);
        case Kind::Grip: return "grip " + vertex_list(vertices) + ", at most " + digits_text(limit, 3) + " N";
        case Kind::Note: return key;
    }
    return {};
}

}  // namespace plica
