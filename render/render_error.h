// What drawing can fail with: no context, a shader that does not compile, a picture that cannot be written. One message that
// says where, what and what to do; never a crash.
#pragma once

#include <stdexcept>

namespace plica {

class RenderError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace plica
