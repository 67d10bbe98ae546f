#include "tests/golden/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace plica::golden {

namespace {

double number(const Json& value) {
    if (value.is_string() && value.get<std::string>() == "inf") return std::numeric_limits<double>::infinity();
    return value.get<double>();
}

void flatten(const Json& value, std::vector<double>& out) {
    if (value.is_array()) {
        for (const Json& item : value) flatten(item, out);
    } else {
        out.push_back(number(value));
    }
}

std::string text(double value) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(17);
    out << value;
    return out.str();
}

}  // namespace

Case::Case(const Json& data, const Json& file_tolerance)
    : name_(data.value("name", "")), inputs_(data.at("inputs")), expected_(data.at("expected")), tolerance_(file_tolerance) {
    if (data.contains("tol")) tolerance_.update(data.at("tol"));
}

double Case::tolerance(const std::string& key, double fallback) const {
    const auto found = tolerance_.find(key);
    return found != tolerance_.end() && found->is_number() ? found->get<double>() : fallback;
}

void Case::value(const char* key, const std::vector<double>& got, const char* quantity) {
    const std::string q = quantity;
    const double rtol = tolerance(q + "_rtol", tolerance("rtol", 0));
    const double atol = tolerance(q + "_atol", tolerance("atol_" + q, tolerance("atol", 0)));
    value(key, got, rtol, atol);
}

void Case::value(const char* key, const std::vector<double>& got, double rtol, double atol) {
    if (!expects(key) || expected_.at(key).is_null()) return;
    compare(key, got, expected_.at(key), rtol, atol);
}

void Case::compare(const std::string& label, const std::vector<double>& got, const Json& expected, double rtol, double atol) {
    ++checks_;
    const std::vector<double> want = numbers(expected);
    if (got.size() != want.size()) {
        failures_.push_back(label + " has " + std::to_string(got.size()) + " numbers, expected " + std::to_string(want.size()));
        return;
    }
    double scale = 0;
    for (const double w : want) {
        if (std::isfinite(w)) scale = std::max(scale, std::fabs(w));
    }
    const double allowed = rtol * scale + atol;
    double worst = -1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
        double off = std::fabs(got[i] - want[i]);
        if (std::isinf(want[i])) off = got[i] == want[i] ? 0 : std::numeric_limits<double>::infinity();
        if (std::isnan(off)) off = std::numeric_limits<double>::infinity();
        if (off > worst) worst = off, at = i;
    }
    if (worst <= allowed) return;
    std::string where = label;
    if (want.size() > 1) where.append("[").append(std::to_string(at)).append("]");
    failures_.push_back(where + " is " + text(got[at]) + ", expected " + text(want[at]) + " (off by " + text(worst) +
                        ", allowed " + text(allowed) + ")");
}

void Case::word(const char* key, const std::string& got) {
    if (!expects(key) || expected_.at(key).is_null()) return;
    const auto want = expected_.at(key).get<std::string>();
    require(got == want, std::string(key) + " is " + got + ", expected " + want);
}

void Case::require(bool holds, const std::string& what) {
    ++checks_;
    if (!holds) failures_.push_back(what);
}

Vec3 point(const Json& xyz) {
    if (!xyz.is_array() || xyz.size() != 3) throw std::out_of_range("a point is not a list of three numbers");
    return {xyz[0].get<double>(), xyz[1].get<double>(), xyz[2].get<double>()};
}

std::vector<Vec3> points(const Json& list) {
    std::vector<Vec3> out;
    for (const Json& xyz : list) out.push_back(point(xyz));
    return out;
}

std::vector<double> numbers(const Json& nested) {
    std::vector<double> out;
    flatten(nested, out);
    return out;
}

std::vector<double> flat(const Vec3& v) { return {v.x, v.y, v.z}; }
std::vector<double> flat(const Mat3& m) { return {std::begin(m.m), std::end(m.m)}; }

}  // namespace plica::golden
