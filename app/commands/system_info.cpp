// plica info --system: what this build and this machine can do.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/load.h"
#include "engine/recording/recording.h"
#include "engine/solver/cpu/panel_kernels.h"
#include "render/gl_context.h"
#include "render/render_error.h"

namespace plica {
namespace {

std::string cpu_model() {
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("model name", 0) == 0 && line.find(": ") != std::string::npos) return line.substr(line.find(": ") + 2);
    return "unknown";
}

bool nvidia_device() { return std::ifstream("/dev/nvidiactl").good() || std::ifstream("/proc/driver/nvidia/version").good(); }

}  // namespace

int command_system_info(bool json_output) {
    nlohmann::ordered_json json;
    json["version"] = PLICA_VERSION;
    json["compiler"] = __VERSION__;
#ifdef NDEBUG
    json["asserts"] = false;
#else
    json["asserts"] = true;
#endif
    json["cpu"] = cpu_model();
    json["cores"] = int(std::thread::hardware_concurrency());
    json["threads"] = thread_count(0);
    json["kernels"] = panel_kernels().name;
    json["hdf5"] = hdf5_version();
    json["backend"] = "cpu";
    json["cuda"]["built"] = false;
    json["cuda"]["device"] = nullptr;
    json["cuda"]["reason"] = nvidia_device()
                                 ? "this program has no CUDA solver yet, only the CPU one; the NVIDIA card is not used"
                                 : "this program has no CUDA solver yet, only the CPU one";
    const char* display = std::getenv("DISPLAY");
    json["display"] = display ? display : "";
    try {
        const HeadlessContext context;
        const GlInfo gl = gl_info();
        json["opengl"] = {{"version", gl.version},
                          {"renderer", gl.renderer},
                          {"vendor", gl.vendor},
                          {"software", gl.software},
                          {"max_size_px", gl.max_size_px}};
    } catch (const RenderError& e) {
        json["opengl"] = {{"version", nullptr}, {"reason", e.what()}};
    }
    if (json_output) {
        std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return status_done;
    }
    std::printf("plica %s (compiler %s)\n", PLICA_VERSION, __VERSION__);
    std::printf("cpu       %s, %d cores; %d solver threads by default\n", json["cpu"].get<std::string>().c_str(),
                json["cores"].get<int>(), json["threads"].get<int>());
    std::printf("kernels   %s\n", json["kernels"].get<std::string>().c_str());
    std::printf("hdf5      %s\n", json["hdf5"].get<std::string>().c_str());
    std::printf("cuda      not built: %s\n", json["cuda"]["reason"].get<std::string>().c_str());
    if (json["opengl"]["version"].is_null())
        std::printf("opengl    off screen: %s\n", json["opengl"]["reason"].get<std::string>().c_str());
    else
        std::printf("opengl    off screen: %s, %s%s\n", json["opengl"]["version"].get<std::string>().c_str(),
                    json["opengl"]["renderer"].get<std::string>().c_str(),
                    json["opengl"]["software"].get<bool>() ? " (software)" : "");
    std::printf("display   %s\n", display && *display ? display : "none");
    return status_done;
}

}  // namespace plica
