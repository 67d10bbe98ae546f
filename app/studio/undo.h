// Edits that can be taken back. An edit is made of commands to the simulation; taking it back gives the inverse commands at
// the step that is current then, so that the recording tells the whole story.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "engine/simulation/command.h"

namespace plica {

struct Edit {
    std::string label;  // "friction μ 0.35 → 0.2"
    std::vector<Command> redo, undo;
    std::string merge;  // an edit with the same non-empty word as the one before it is joined to it (drags)
};

class UndoStack {
public:
    void push(Edit edit);
    // Commands to give, empty when there is nothing to do.
    std::vector<Command> undo();
    std::vector<Command> redo();
    bool can_undo() const { return position_ > 0; }
    bool can_redo() const { return position_ < edits_.size(); }
    std::string undo_label() const { return can_undo() ? edits_[position_ - 1].label : std::string(); }
    std::string redo_label() const { return can_redo() ? edits_[position_].label : std::string(); }
    // The simulation refused this command: the edit that asked for it never happened.
    void refused(const Command& command);
    void end_merge();
    void clear();
    std::size_t depth() const { return position_; }

    static constexpr std::size_t limit = 500;

private:
    std::deque<Edit> edits_;
    std::size_t position_ = 0;  // edits before it are done, those from it on were taken back
};

}  // namespace plica
