#include "codegen/driver/LineDiff.h"

#include <gtest/gtest.h>

using axloom::codegen::lineDiff;

TEST(LineDiff, EqualTextsHaveNone) {
  EXPECT_EQ(lineDiff("", ""), "");
  EXPECT_EQ(lineDiff("a\nb\n", "a\nb\n"), "");
}

TEST(LineDiff, ShowsAddedAndRemovedLinesInOrder) {
  EXPECT_EQ(lineDiff("a\nb\nc\n", "a\nx\nc\n"), "- b\n+ x\n");
  EXPECT_EQ(lineDiff("", "a\nb\n"), "+ a\n+ b\n");
  EXPECT_EQ(lineDiff("a\nb\n", ""), "- a\n- b\n");
  EXPECT_EQ(lineDiff("a\nb\nc\na\nb\nb\na\n", "c\nb\na\nb\na\nc\n"), "- a\n- b\n+ b\n- b\n+ c\n");
}

TEST(LineDiff, KeepsLinesThatMerelyMovedApart) {
  EXPECT_EQ(lineDiff("1\n2\n3\n", "0\n1\n2\nnew\n3\n"), "+ 0\n+ new\n");
}
