#include "render/shader.h"

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <vector>

#include "render/render_error.h"

namespace plica {
namespace {

std::string read_file(const std::string& name) {
    const std::string path = shader_folder() + "/" + name;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw RenderError("The shader " + path + " cannot be read; set PLICA_SHADERS to the folder that holds it");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Source with includes taken in; `files` collects the names, whose index is the "string number" in the compiler's messages.
std::string expand(const std::string& name, std::vector<std::string>& files) {
    if (files.size() > 8) throw RenderError(name + ": shaders include each other");
    const std::size_t index = files.size();
    files.push_back(name);
    std::istringstream in(read_file(name));
    std::ostringstream out;
    std::string line;
    int number = 0;
    while (std::getline(in, line)) {
        ++number;
        const std::string word = "#include \"";
        if (line.starts_with(word)) {
            const std::size_t end = line.find('"', word.size());
            if (end == std::string::npos)
                throw RenderError(name + ":" + std::to_string(number) + ": #include without a closing quote");
            const std::string other = line.substr(word.size(), end - word.size());
            out << "#line 1 " << files.size() << "\n" << expand(other, files) << "#line " << number + 1 << " " << index << "\n";
        } else {
            out << line << "\n";
        }
    }
    return out.str();
}

// "0:12(5): error: …" (Mesa) and "0(12) : error …" (NVIDIA) -> "surface.frag:12: error: …"
std::string with_file_names(const std::string& log, const std::vector<std::string>& files) {
    static const std::regex place(R"(^(?:ERROR: )?(\d+)[:(](\d+)\)?(?:\(\d+\))?\s*:\s*)");
    std::istringstream in(log);
    std::string line, out;
    while (std::getline(in, line)) {
        std::smatch m;
        if (line.empty() || line.find_first_not_of(std::string("\0 \r\t", 4)) == std::string::npos) continue;
        if (std::regex_search(line, m, place)) {
            const std::size_t file = std::size_t(std::atoi(m[1].str().c_str()));
            line = (file < files.size() ? files[file] : files[0]) + ":" + m[2].str() + ": " + m.suffix().str();
        }
        out += (out.empty() ? "" : "\n") + line;
    }
    return out.empty() ? files[0] + ": the driver gives no reason" : out;
}

GLuint compile(GLenum kind, const std::string& name, const std::string& defines) {
    std::vector<std::string> files;
    std::string source = expand(name, files);
    // #version has to come first; the lines keep their numbers.
    std::string head = "#version 330 core\n", word;
    for (std::istringstream words(defines); words >> word;) head += "#define " + word + "\n";
    source = head + "#line 1 0\n" + source;
    const GLuint shader = glCreateShader(kind);
    const char* text = source.c_str();
    glShaderSource(shader, 1, &text, nullptr);
    glCompileShader(shader);
    GLint ok = 0, length = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
        std::string log(std::size_t(length) + 1, '\0');
        glGetShaderInfoLog(shader, length, nullptr, log.data());
        glDeleteShader(shader);
        throw RenderError("A shader does not compile on this driver:\n" + with_file_names(log.c_str(), files));
    }
    return shader;
}

}  // namespace

std::string shader_folder() {
    const char* folder = std::getenv("PLICA_SHADERS");
    return folder && *folder ? folder : PLICA_SHADER_FOLDER;
}

Shader::Shader(const std::string& vertex_file, const std::string& fragment_file, const std::string& defines) {
    const GLuint vertex = compile(GL_VERTEX_SHADER, vertex_file, defines);
    GLuint fragment = 0;
    try {
        fragment = compile(GL_FRAGMENT_SHADER, fragment_file, defines);
    } catch (...) {
        glDeleteShader(vertex);
        throw;
    }
    program_ = glCreateProgram();
    glAttachShader(program_, vertex);
    glAttachShader(program_, fragment);
    glLinkProgram(program_);
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    GLint ok = 0, length = 0;
    glGetProgramiv(program_, GL_LINK_STATUS, &ok);
    if (!ok) {
        glGetProgramiv(program_, GL_INFO_LOG_LENGTH, &length);
        std::string log(std::size_t(length) + 1, '\0');
        glGetProgramInfoLog(program_, length, nullptr, log.data());
        glDeleteProgram(program_);
        throw RenderError(vertex_file + " and " + fragment_file + " do not link on this driver:\n" + log.c_str());
    }
}

Shader::~Shader() { glDeleteProgram(program_); }

}  // namespace plica
