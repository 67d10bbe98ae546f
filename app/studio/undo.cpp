#include "app/studio/undo.h"

#include <algorithm>

namespace plica {

namespace {

bool same(const Command& a, const Command& b) {
    return a.kind == b.kind && a.key == b.key && a.value == b.value && a.vertices == b.vertices;
}

}  // namespace

void UndoStack::push(Edit edit) {
    edits_.erase(edits_.begin() + std::ptrdiff_t(position_), edits_.end());
    if (!edits_.empty() && !edit.merge.empty() && edits_.back().merge == edit.merge) {
        edits_.back().redo = std::move(edit.redo);
        edits_.back().label = std::move(edit.label);
        return;
    }
    edits_.push_back(std::move(edit));
    if (edits_.size() > limit) edits_.pop_front();
    position_ = edits_.size();
}

std::vector<Command> UndoStack::undo() {
    if (!can_undo()) return {};
    edits_[position_ - 1].merge.clear();
    return edits_[--position_].undo;
}

std::vector<Command> UndoStack::redo() {
    if (!can_redo()) return {};
    return edits_[position_++].redo;
}

void UndoStack::refused(const Command& command) {
    for (std::size_t i = position_; i-- > 0;) {
        const auto& commands = edits_[i].redo;
        if (std::any_of(commands.begin(), commands.end(), [&](const Command& c) { return same(c, command); })) {
            edits_.erase(edits_.begin() + std::ptrdiff_t(i));
            --position_;
            return;
        }
    }
}

void UndoStack::end_merge() {
    if (!edits_.empty()) edits_.back().merge.clear();
}

void UndoStack::clear() {
    edits_.clear();
    position_ = 0;
}

}  // namespace plica
