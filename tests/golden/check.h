// Comparing computed values with the expected ones of a golden file, by the rules that the files state themselves:
//   vector or matrix: max|got − expected| <= rtol max|expected| + atol;  scalar likewise;  "inf" is +infinity;
//   a case's own "tol" overrides the file's "tolerance".
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/core/types.h"

namespace plica::golden {

using Json = nlohmann::json;

// One case of a file: its inputs, its expected values, and what did not hold.
class Case {
public:
    Case(const Json& data, const Json& file_tolerance);

    const std::string& name() const { return name_; }
    const Json& in(const char* key) const { return inputs_.at(key); }
    bool has_in(const char* key) const { return inputs_.contains(key); }
    const Json& expected() const { return expected_; }
    bool expects(const char* key) const { return expected_.contains(key); }

    // Tolerance `key` of the case, else of the file, else `fallback`.
    double tolerance(const std::string& key, double fallback) const;

    // Compares `got` with the expected value `key`, if the case expects one that is not null. Tolerances of `quantity`:
    // relative <quantity>_rtol, else rtol; absolute <quantity>_atol or atol_<quantity>, else atol; else 0.
    void value(const char* key, const std::vector<double>& got, const char* quantity);
    void value(const char* key, double got, const char* quantity) { value(key, std::vector<double>{got}, quantity); }
    void value(const char* key, double got) { value(key, got, key); }
    // The same with tolerances given.
    void value(const char* key, const std::vector<double>& got, double rtol, double atol);
    // The same with the expected value given.
    void compare(const std::string& label, const std::vector<double>& got, const Json& expected, double rtol, double atol);
    // A word: "active".
    void word(const char* key, const std::string& got);
    void require(bool holds, const std::string& what);

    const std::vector<std::string>& failures() const { return failures_; }
    int checks() const { return checks_; }

private:
    std::string name_;
    const Json& inputs_;
    const Json& expected_;
    Json tolerance_;
    std::vector<std::string> failures_;
    int checks_ = 0;
};

// Numbers from JSON. Throw nlohmann's exceptions where the shape is wrong.
Vec3 point(const Json& xyz);
std::vector<Vec3> points(const Json& list);
std::vector<double> numbers(const Json& nested);  // flattened; "inf" allowed

std::vector<double> flat(const Vec3& v);
std::vector<double> flat(const Mat3& m);
template <int N>
std::vector<double> flat(const Gradient<N>& g) {
    std::vector<double> out;
    for (const Vec3& v : g.v) out.insert(out.end(), {v.x, v.y, v.z});
    return out;
}
// Row-major 3N x 3N.
template <int N>
std::vector<double> flat(const Hessian<N>& h) {
    std::vector<double> out;
    for (int row = 0; row < 3 * N; ++row)
        for (int col = 0; col < 3 * N; ++col) out.push_back(h.block[row / 3][col / 3](row % 3, col % 3));
    return out;
}

// One kind of file by the start of its name.
struct Kind {
    const char* prefix;
    void (*run)(Case&);
};
std::vector<Kind> constant_kinds();  // constants.cpp
std::vector<Kind> scenario_kinds();  // scenarios.cpp
std::vector<Kind> element_kinds();   // elements.cpp
std::vector<Kind> contact_kinds();   // contacts.cpp
std::vector<Kind> scene_kinds();     // scenes.cpp
std::vector<Kind> gauge_kinds();     // gauges.cpp

}  // namespace plica::golden
