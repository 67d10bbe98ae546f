#include "app/studio/undo.h"

#include <gtest/gtest.h>

namespace plica {

namespace {

Command set(const std::string& key, double value) {
    Command c;
    c.kind = Command::Kind::SetSetting;
    c.key = key;
    c.value = value;
    return c;
}

Edit edit(double before, double after, const std::string& merge = {}) {
    return {"friction", {set("friction_mu", after)}, {set("friction_mu", before)}, merge};
}

}  // namespace

TEST(Undo, AHundredLevelsAndBack) {
    UndoStack stack;
    for (int i = 0; i < 120; ++i) stack.push(edit(i, i + 1));
    for (int i = 120; i-- > 0;) ASSERT_EQ(stack.undo().at(0).value, i);
    EXPECT_TRUE(stack.undo().empty());
    for (int i = 0; i < 120; ++i) ASSERT_EQ(stack.redo().at(0).value, i + 1);
    EXPECT_TRUE(stack.redo().empty());
}

TEST(Undo, ADragIsOneEdit) {
    UndoStack stack;
    stack.push(edit(0, 1, "grip 5"));
    stack.push(edit(1, 2, "grip 5"));
    EXPECT_EQ(stack.depth(), 1u);
    EXPECT_EQ(stack.undo().at(0).value, 0);  // to where it was before the drag
    EXPECT_EQ(stack.redo().at(0).value, 2);
    stack.end_merge();
    stack.push(edit(2, 3, "grip 5"));
    EXPECT_EQ(stack.depth(), 2u);
}

TEST(Undo, ARefusedEditNeverHappened) {
    UndoStack stack;
    stack.push(edit(0, 1));
    stack.push(edit(1, -5));
    stack.refused(set("friction_mu", -5));
    EXPECT_EQ(stack.depth(), 1u);
    EXPECT_EQ(stack.undo().at(0).value, 0);
}

TEST(Undo, ANewEditForgetsWhatWasTakenBack) {
    UndoStack stack;
    stack.push(edit(0, 1));
    stack.push(edit(1, 2));
    stack.undo();
    stack.push(edit(1, 7));
    EXPECT_FALSE(stack.can_redo());
    EXPECT_EQ(stack.undo().at(0).value, 1);
}

}  // namespace plica
