// Mistakes with sizes and axes that only the graph builder sees: the whole message of each.
#include "tests/frontend/Build.h"

#include <cstdint>
#include <gmock/gmock.h>

namespace axloom {
namespace {

TEST(GraphError, SizesOfAnAxisDiffer) {
  std::string found = errorIn([&](Function &f, Size B, Size) {
    auto x = f.argument<float, Batch, Depth>("x", B, 8);
    auto y = f.argument<float, Depth>("y", 16);
    x + y; // here
  });
  EXPECT_EQ(found, "here: error: add: axis 'depth' has size 8 on the left, 16 on the right\n"
                   "  expected: one size for each name of an axis\n"
                   "  found: <batch: B, depth: 8, f32> and <depth: 16, f32>\n"
                   "  to do: change the sizes, or rename an axis that means something else");
}

TEST(GraphError, SymbolsOfAnAxisDiffer) {
  std::string found = errorIn([&](Function &f, Size B, Size S) {
    auto x = f.argument<float, Batch, Depth>("x", B, 8);
    auto y = f.argument<float, Batch, Depth>("y", S, 8);
    contract<Depth>(x, y); // here
  });
  EXPECT_EQ(found, "here: error: contract: axis 'batch' has size B on the left, S on the right\n"
                   "  expected: one size for each name of an axis\n"
                   "  found: <batch: B, depth: 8, f32> and <batch: S, depth: 8, f32>\n"
                   "  to do: change the sizes, or rename an axis that means something else");
}

TEST(GraphError, SplitDoesNotDivide) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float, Width>("x", 10);
    split<Width, Heads, Depth>(x, 4); // here
  });
  EXPECT_EQ(found, "here: error: split: axis 'width' of size 10 cannot be split into parts of 4\n"
                   "  found: <width: 10, f32>");
}

TEST(GraphError, TensorsBehindEachOtherHaveFixedSizes) {
  std::string found = errorIn([&](Function &f, Size, Size S) {
    auto x = f.argument<float, Position>("x", S);
    auto y = f.argument<float, Position>("y", 3);
    concat<Position>(x, y); // here
  });
  EXPECT_EQ(found, "here: error: concat: axis 'position' has size S, expected a fixed number\n"
                   "  found: <position: S, f32> and <position: 3, f32>");
}

TEST(GraphError, TensorsBehindEachOtherHaveOtherSizesInCommon) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float, Position, Depth>("x", 2, 8);
    auto y = f.argument<float, Position, Depth>("y", 3, 16);
    concat<Position>(x, y); // here
  });
  EXPECT_THAT(found, testing::HasSubstr("to do: change the sizes, or rename an axis"));
}

TEST(GraphError, SizeIsNotDeclared) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    f.argument<float, Depth>("x", Size::symbol("L")); // here
  });
  EXPECT_EQ(found, "here: error: size 'L' is not declared\n"
                   "  expected: a size of this program\n"
                   "  found: L\n"
                   "  to do: declare it with program.size(\"L\", maximum)");
}

TEST(GraphError, SizeIsNotPositive) {
  std::string found = errorIn([&](Function &, Size, Size) {
    iota<Depth>(0); // here
  });
  EXPECT_EQ(found, "here: error: a size must be positive\n"
                   "  expected: 1 or more\n"
                   "  found: 0\n"
                   "  to do: give each axis at least one element");
}

TEST(GraphError, SizeHasNoRoom) {
  Program program;
  std::string found = errorOf([&] {
    program.size("B", 0); // here
  });
  EXPECT_EQ(found, "here: error: size 'B' has no room\n"
                   "  expected: a maximum of 1 or more\n"
                   "  found: 0\n"
                   "  to do: give the largest value that a call may bind");
}

TEST(GraphError, SizeHasANameThatIsNoIdentifier) {
  for (const char *name : {"my size", "total.S", "2B", ""}) {
    Program program;
    std::string found = errorOf([&] {
      program.size(name, 8); // here
    });
    EXPECT_EQ(found, "here: error: the name of a size is no identifier\n"
                     "  expected: letters, digits and underscores, with no digit first\n"
                     "  found: '" +
                         std::string(name) + "'\n  to do: use another name");
  }
}

TEST(GraphError, ParameterHasASymbolicSize) {
  Program program;
  Size B = program.size("B", 64);
  std::string found = errorOf([&] {
    program.parameter<Batch>("weight", init::zeros(), B); // here
  });
  EXPECT_EQ(found, "here: error: parameter 'weight' has an axis of unknown size\n"
                   "  expected: a number for axis 'batch'\n"
                   "  found: B\n"
                   "  to do: give it a fixed size; only session variables may have symbols");
}

struct AlsoDepth : Axis<"depth"> {};

TEST(GraphError, TwoAxesHaveOneName) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    f.argument<float, Depth, AlsoDepth>("x", 8, 8); // here
  });
  EXPECT_EQ(
      found,
      "here: error: a tensor's axes do not fit each other: axis 'depth' appears twice in "
      "one tensor\n"
      "  expected: each name once, and a ragged size only beside the axis it differs along\n"
      "  found: <depth: 8, depth: 8>\n"
      "  to do: rename an axis that is there twice, or add the one that a size differs along");
}

TEST(GraphError, RaggedOverAnAxisThatIsNotThere) {
  std::string found = errorIn([&](Function &f, Size, Size S) {
    f.argument<float, Position>("x", S.raggedOver<Batch>()); // here
  });
  EXPECT_EQ(
      found,
      "here: error: a tensor's axes do not fit each other: axis 'position' is ragged "
      "over 'batch', which the tensor does not have\n"
      "  expected: each name once, and a ragged size only beside the axis it differs along\n"
      "  found: <position: S[batch]>\n"
      "  to do: rename an axis that is there twice, or add the one that a size differs along");
}

TEST(GraphError, RaggedSizesHaveNoOneLength) {
  std::string found = errorIn([&](Function &, Size, Size S) {
    iota<Position>(S.raggedOver<Batch>()); // here
  });
  EXPECT_EQ(found, "here: error: iota of a ragged size\n"
                   "  expected: one length for every index along 'batch'\n"
                   "  found: S[batch]\n"
                   "  to do: count within each entry: iota<A, Over>(size, entries)");
  found = errorIn([&](Function &, Size B, Size S) {
    iota<Position, Batch>(S, B); // here
  });
  EXPECT_EQ(found, "here: error: iota of a size that is not ragged over 'batch'\n"
                   "  expected: a length for every index along 'batch'\n"
                   "  found: S\n"
                   "  to do: without the second axis it makes the same for all of them");
  found = errorIn([&](Function &, Size B, Size S) {
    iota<Position, Heads>(S.raggedOver<Batch>(), B); // here
  });
  EXPECT_EQ(found, "here: error: iota of a size that is not ragged over 'heads'\n"
                   "  expected: a length for every index along 'heads'\n"
                   "  found: S[batch]\n"
                   "  to do: name 'batch' instead");
}

TEST(GraphError, RaggedSizesAreNoNumbers) {
  Size ragged = Size(4).raggedOver<Batch>();
  std::string ofOperand = errorIn([&](Function &f, Size, Size) {
    f.argument<float>("x") * ragged; // here
  });
  std::string ofRoot = errorIn([&](Function &, Size, Size) {
    sqrt(ragged); // here
  });
  for (const std::string &found : {ofOperand, ofRoot})
    EXPECT_EQ(found, "here: error: the value of a ragged size\n"
                     "  expected: one length for every index along 'batch'\n"
                     "  found: 4[batch]\n"
                     "  to do: pass what depends on each length as an argument");
}

TEST(GraphError, RaggedArgumentsAndResultsBeginWithTheirEntries) {
  std::string found = errorIn([&](Function &f, Size B, Size S) {
    f.argument<float, Depth, Batch, Position>("x", 8, B, S.raggedOver<Batch>()); // here
  });
  EXPECT_EQ(found, "here: error: argument 'x' is ragged, and memory has no such order of its axes\n"
                   "  expected: batch, position, depth\n"
                   "  found: depth, batch, position\n"
                   "  to do: begin with the axis along which lengths differ, then the ragged ones");
  found = errorIn([&](Function &f, Size B, Size S) {
    auto x = f.argument<float, Batch, Position, Depth>("x", B, S.raggedOver<Batch>(), 8);
    f.result<Depth, Position, Batch>("y", x); // here
  });
  EXPECT_EQ(found, "here: error: result 'y' is ragged, and memory has no such order of its axes\n"
                   "  expected: batch, position, depth\n"
                   "  found: depth, position, batch\n"
                   "  to do: begin with the axis along which lengths differ, then the ragged ones");
}

TEST(GraphError, SizesBeyond32Bits) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    f.argument<float, Depth>("x", std::int64_t(3) << 31); // here
  });
  EXPECT_EQ(found, "here: error: a size is too large\n"
                   "  expected: at most 2147483647\n"
                   "  found: 6442450944\n"
                   "  to do: split the axis into several, or into tensors");
  found = errorIn([&](Function &f, Size, Size) {
    f.argument<float, Depth>("x", Size(std::int64_t(1) << 62) * 4); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')), "here: error: a size is too large");
  found = errorIn([&](Function &f, Size, Size) {
    f.argument<float, Depth>("x", SIZE_MAX); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')), "here: error: a size is too large");
  found = errorOf([&] {
    Program program;
    program.size("B", std::int64_t(1) << 40); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')), "here: error: the maximum of size 'B' is too large");
}

} // namespace
} // namespace axloom
