// Draws a ViewFrame with OpenGL 3.3 into a framebuffer of its own, the same way for the window and without one.
#pragma once

#include <memory>

#include "render/camera.h"
#include "render/image.h"
#include "render/view_frame.h"

namespace plica {

struct DrawStats {
    double upload_ms = 0, sort_ms = 0;  // CPU
    int triangles = 0;
};

class SceneView {
public:
    // Needs a current context with load_gl done. Throws RenderError naming the shader file and line that does not compile.
    SceneView();
    ~SceneView();  // with the same context current
    SceneView(const SceneView&) = delete;
    SceneView& operator=(const SceneView&) = delete;

    // Draws into the own framebuffer of that size; 0 x 0 draws nothing. The framebuffer bound before is bound again after.
    // Throws RenderError when the size is beyond what this OpenGL can.
    void draw(const ViewFrame& frame, const Camera& camera, const ViewStyle& style, const Viewport& viewport);

    // Colour of the last draw, premultiplied alpha, bottom row first: ImGui::Image(texture, size, {0, 1}, {1, 0}).
    unsigned texture() const;
    // The last draw as a picture, top row first, straight alpha.
    void read(Image& image) const;
    const DrawStats& stats() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace plica
