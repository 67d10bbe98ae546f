// The 3-D view in the middle of the window: camera by mouse, picking, dragging film points, what is drawn over it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene_picture.h"
#include "app/studio/document.h"
#include "app/studio/ui_state.h"
#include "imgui.h"
#include "render/camera.h"
#include "render/picking.h"
#include "render/scene_view.h"

namespace plica {

class CommandSink;

class View3d {
public:
    View3d();  // needs a current context
    ~View3d();

    void set_document(const Document* document, bool fresh);  // also frames everything where the scene is another or `fresh`
    // Draws the panel "View"; the picture itself only when something it shows changed.
    void panel(Document* document, UiState& ui, CommandSink& sink);
    void redraw() { dirty_ = true; }
    // Copies the picture into the window's framebuffer, before the panels are drawn: no blending, no sampling, which halves
    // the cost of a frame under software rendering. Nothing where the view is not open.
    void present(int window_height_px);

    void frame_all(double seconds = 0.25);
    void frame_particles(const std::vector<int>& particles);
    void look_from(StandardView view);
    const Camera& camera() const { return camera_; }
    ViewStyle style(const UiState& ui) const;
    // True while the camera moves by itself and frames are wanted.
    bool moving() const { return move_left_ > 0; }
    bool dragging() const { return drag_ != Drag::None; }
    // Top left of the view, for messages over it.
    ImVec2 origin() const { return origin_; }
    ImVec2 size() const { return size_; }
    double draw_ms() const { return draw_ms_; }

private:
    enum class Drag { None, Orbit, Pan, Grip, Box };

    void mouse(Document& document, UiState& ui, CommandSink& sink, bool hovered, bool active);
    void begin_grip(Document& document, UiState& ui, int vertex, const glm::dvec3& at);
    void move_grip(Document& document, UiState& ui);
    void hover(const Document& document, UiState& ui);
    void click(UiState& ui, CommandSink& sink, bool add);
    void select_box(CommandSink& sink);
    void overlay(const Document& document, UiState& ui, CommandSink& sink);
    void legend(const UiState& ui) const;
    void add_handles(const Document& document, const UiState& ui, const Frame& frame);
    void go_to(const Camera& camera, double seconds);
    glm::dvec2 cursor() const;
    int nearest_corner(const Hit& hit) const;

    SceneView view_;
    std::unique_ptr<ScenePicture> picture_;
    const Document* document_ = nullptr;
    std::string path_;       // of the last document: its camera stays when the same scene comes again
    int film_vertices_ = 0;  // of it
    Camera camera_, from_, to_;
    double move_left_ = 0, move_time_ = 0;
    Bounds bounds_;
    Viewport viewport_;
    ImVec2 origin_{}, size_{};

    bool dirty_ = true;
    FramePtr shown_;
    Camera drawn_camera_;
    std::size_t drawn_key_ = 0;
    double draw_ms_ = 0;
    bool visible_ = false;  // there is a picture to copy in this frame
    unsigned copy_ = 0;     // framebuffer around the picture's texture

    Drag drag_ = Drag::None;
    GripHandle grip_;
    bool grip_was_there_ = false;
    double grip_depth_ = 0;
    glm::dvec3 grip_shift_{0};
    double grip_sent_ = 0;
    glm::dvec2 press_{0};
    std::optional<Hit> hit_;
    double hover_tested_ = 0;
    glm::dvec2 hover_at_{-1e9};
};

}  // namespace plica
