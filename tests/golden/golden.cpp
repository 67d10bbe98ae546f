// plica_golden [DIR]: runs every *.json of DIR (default: the copies beside this source) through the engine. One line per file,
//   NAME  passed P failed F [skipped]
// the first failures below it. Exit status: 0 all passed, 1 some failed, 2 no such folder, or a file that is not understood.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/golden/check.h"

namespace fs = std::filesystem;
using namespace plica::golden;

namespace {

constexpr int shown_failures = 5;  // per file

struct Count {
    int passed = 0, failed = 0;
};

Json read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot be read");
    return Json::parse(in);
}

Count run_file(const Kind& kind, const Json& data) {
    const Json none = Json::object();
    const Json& tolerance = data.contains("tolerance") ? data.at("tolerance") : none;
    const Json& cases = data.at("cases");
    if (!cases.is_array() || cases.empty()) throw std::runtime_error("\"cases\" is not a list of cases");
    if (data.contains("n_cases") && data.at("n_cases") != cases.size())
        throw std::runtime_error("n_cases is " + data.at("n_cases").dump() + " but there are " + std::to_string(cases.size()) +
                                 " cases");
    Count count;
    std::vector<std::string> details;
    for (const Json& item : cases) {
        Case c(item, tolerance);
        kind.run(c);
        c.require(c.checks() > 0, "nothing in this case is known: nothing was compared");
        ++(c.failures().empty() ? count.passed : count.failed);
        for (const std::string& failure : c.failures()) details.push_back(c.name() + ": " + failure);
    }
    std::printf("passed %d failed %d\n", count.passed, count.failed);
    for (int i = 0; i < std::min(int(details.size()), shown_failures); ++i)
        std::printf("    %s\n", details[std::size_t(i)].c_str());
    if (int(details.size()) > shown_failures) std::printf("    … and %zu more\n", details.size() - shown_failures);
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
        std::fprintf(stderr, "usage: plica_golden [DIR]\n");
        return 2;
    }
    const fs::path folder = argc == 2 ? argv[1] : PLICA_GOLDEN_DIR;
    std::vector<fs::path> files;
    try {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == ".json") files.push_back(entry.path());
        }
    } catch (const fs::filesystem_error& error) {
        std::fprintf(stderr, "%s: %s\n", folder.c_str(), error.code().message().c_str());
        return 2;
    }
    if (files.empty()) {
        std::fprintf(stderr, "%s: there is no *.json file in this folder\n", folder.c_str());
        return 2;
    }
    std::sort(files.begin(), files.end());

    std::vector<Kind> kinds;
    for (const auto& list :
         {element_kinds(), contact_kinds(), scene_kinds(), gauge_kinds(), constant_kinds(), scenario_kinds()}) {
        kinds.insert(kinds.end(), list.begin(), list.end());
    }
    bool failed = false, malformed = false;
    for (const fs::path& file : files) {
        const std::string name = file.filename().string();
        const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& k) { return name.starts_with(k.prefix); });
        std::printf("%-28s ", name.c_str());
        std::fflush(stdout);
        try {
            const Json data = read(file);
            if (kind == kinds.end()) {
                std::printf("passed 0 failed 0 skipped\n");
            } else {
                failed |= run_file(*kind, data).failed > 0;
            }
        } catch (const std::exception& error) {
            std::printf("not understood\n");
            std::fflush(stdout);
            std::fprintf(stderr, "%s: %s\n", file.c_str(), error.what());
            malformed = true;
        }
    }
    return malformed ? 2 : failed ? 1 : 0;
}
