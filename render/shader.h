// A linked program from two files of the shaders folder.
#pragma once

#include <string>

#include <glad/gl.h>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace plica {

// $PLICA_SHADERS where set, else the folder known at build time.
std::string shader_folder();

class Shader {
public:
    // Files are read from shader_folder(); #include "name" takes in another one. Throws RenderError as "surface.frag:12: …".
    // `defines` are names for #ifdef, separated by blanks.
    Shader(const std::string& vertex_file, const std::string& fragment_file, const std::string& defines = "");
    ~Shader();
    Shader(const Shader&) = delete;
    Shader& operator=(const Shader&) = delete;

    void use() const { glUseProgram(program_); }
    void set(const char* name, int value) const { glUniform1i(place(name), value); }
    void set(const char* name, float value) const { glUniform1f(place(name), value); }
    void set(const char* name, const glm::vec2& v) const { glUniform2f(place(name), v.x, v.y); }
    void set(const char* name, const glm::vec3& v) const { glUniform3f(place(name), v.x, v.y, v.z); }
    void set(const char* name, const glm::vec4& v) const { glUniform4f(place(name), v.x, v.y, v.z, v.w); }
    void set(const char* name, const glm::mat4& m) const { glUniformMatrix4fv(place(name), 1, GL_FALSE, &m[0][0]); }
    void set(const char* name, const glm::vec4* v, int count) const { glUniform4fv(place(name), count, &v[0].x); }

private:
    GLint place(const char* name) const { return glGetUniformLocation(program_, name); }
    GLuint program_ = 0;
};

}  // namespace plica
