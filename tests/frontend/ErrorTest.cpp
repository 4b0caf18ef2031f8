// Mistakes that only the graph builder sees: the whole message of each.
#include "tests/frontend/Build.h"

#include "frontend/nn/Masks.h"
#include "frontend/nn/Transformer.h"

#include <gmock/gmock.h>
#include <optional>

namespace axloom {
namespace {

TEST(GraphError, IsAtTheCallOfAModule) {
  std::string found = errorOf([&] {
    Program program;
    nn::Linear<Depth, Width> linear(program, 8, 4);
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Depth>("x", 16);
      linear(x); // here
    });
  });
  EXPECT_EQ(found, "here: error: contract: axis 'depth' has size 16 on the left, 8 on the right\n"
                   "  expected: one size for each name of an axis\n"
                   "  found: <depth: 16, f32> and <depth: 8, width: 4, f32>\n"
                   "  to do: change the sizes, or rename an axis that means something else");
}

TEST(GraphError, DynamicAxesAreCheckedByTheGraph) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    AnyTensor x = f.argument<float, Depth>("x", 16);
    sum<Width>(x); // here
  });
  EXPECT_EQ(found, "here: error: reduce: the operand has no axis 'width'; it has [depth]\n"
                   "  found: <depth: 16, f32>");
}

TEST(GraphError, SizeOfAnAxisThatIsNotThere) {
  std::string found = errorIn([&](Function &f, Size B, Size) {
    AnyTensor x = f.argument<float, Depth, Batch>("x", 16, B);
    size<Width>(x); // here
  });
  EXPECT_EQ(found, "here: error: the tensor has no axis 'width'\n"
                   "  expected: one of the axes that it has\n"
                   "  found: <batch: B, depth: 16>\n"
                   "  to do: name another axis, or use a tensor that has this one");
}

TEST(GraphError, LossHasAxes) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    AnyTensor x = f.argument<float, Depth>("x", 16);
    gradient(x, x); // here
  });
  EXPECT_EQ(found, "here: error: the loss of a gradient has axes\n"
                   "  expected: a tensor without axes\n"
                   "  found: <depth: 16, f32>\n"
                   "  to do: reduce it with sum or mean");
}

TEST(GraphError, OperationOutsideOfAFunction) {
  std::string found = errorOf([] {
    iota<Depth>(8); // here
  });
  EXPECT_EQ(found, "here: error: an operation outside of a function\n"
                   "  expected: operations inside the body of program.function(...)\n"
                   "  found: no function is under construction\n"
                   "  to do: move this line into the body of a function");
}

TEST(GraphError, FunctionInsideAFunction) {
  std::string found = errorOf([&] {
    Program program;
    program.function("f", [&](Function &) {
      program.function("g", [](Function &) {}); // here
    });
  });
  EXPECT_EQ(found, "here: error: function 'g' is inside another function\n"
                   "  expected: functions beside each other\n"
                   "  found: 'f' is under construction\n"
                   "  to do: end the other function first");
}

TEST(GraphError, DeclarationsInsideAModuleNameTheCall) {
  Program program;
  std::string ofSize = errorOf([&] {
    graph::CallSite site(Where::current()); // here
    program.size("B", 0);
  });
  EXPECT_THAT(ofSize, testing::StartsWith("here: error: size 'B' has no room\n"));
  std::string ofFunction = errorOf([&] {
    program.function("f", [&](Function &) {
      graph::CallSite site(Where::current()); // here
      program.function("g", [](Function &) {});
    });
  });
  EXPECT_THAT(ofFunction, testing::StartsWith("here: error: function 'g' is inside another"));
}

TEST(GraphError, NameIsTaken) {
  Program program;
  Scope scope = program.scope("encoder");
  scope.parameter<Depth>("weight", init::zeros(), 8); // earlier
  std::string found = errorOf([&] {
    scope.parameter<Width>("weight", init::zeros(), 4); // here
  });
  EXPECT_EQ(found, "here: error: parameter 'encoder.weight' is declared twice\n"
                   "  expected: a name of its own for each size, variable and function\n"
                   "  found: 'encoder.weight' is declared at earlier\n"
                   "  to do: use another name or another scope");
}

// Containers call constructors from inside the standard library.
TEST(GraphError, ModulesInContainersHaveTheLineOfTheirScope) {
  Program program;
  nn::LayerOptions options{8, 2, 4, 4, 8};
  std::vector<nn::Linear<Depth, Width>> maps;
  maps.emplace_back(program.scope("map").scope(0), 8, 4); // earlier
  std::string found = errorOf([&] {
    maps.emplace_back(program.scope("map").scope(0), 8, 4); // here
  });
  EXPECT_EQ(found, "here: error: parameter 'map.0.weight' is declared twice\n"
                   "  expected: a name of its own for each size, variable and function\n"
                   "  found: 'map.0.weight' is declared at earlier\n"
                   "  to do: use another name or another scope");
  std::optional<nn::EncoderLayer<>> layer;
  layer.emplace(program.scope("layer"), options); // earlier
  found = errorOf([&] {
    layer.emplace(program.scope("layer"), options); // here
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: parameter 'layer.attention.query.weight'"));
  EXPECT_THAT(found, testing::HasSubstr(" is declared at earlier\n"));
}

TEST(GraphError, ModulesOfAProgramHaveTheLineOfTheirConstructor) {
  Program program;
  nn::Linear<Depth, Width> first(program, 8, 4); // earlier
  std::string found = errorOf([&] {
    nn::Linear<Depth, Width> second(program, 8, 4); // here
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: parameter 'weight' is declared twice\n"));
  EXPECT_THAT(found, testing::HasSubstr("'weight' is declared at earlier\n"));
}

TEST(GraphError, ResultWithOtherAxesThanItsValue) {
  std::string found = errorIn([&](Function &f, Size B, Size) {
    AnyTensor x = f.argument<float, Batch, Depth>("x", B, 8);
    f.result<Depth, Depth>("y", x); // here
  });
  EXPECT_EQ(found, "here: error: result 'y' names other axes than its value has\n"
                   "  expected: each axis of <batch: B, depth: 8, f32> once, in any order\n"
                   "  found: depth, depth\n"
                   "  to do: name the axes of the value, or compute another one");
}

TEST(GraphError, ArgumentsHaveDifferentNames) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    f.argument<float>("x"); // earlier
    f.argument<float>("x"); // here
  });
  EXPECT_EQ(found, "here: error: argument 'x' is there twice\n"
                   "  expected: a name of its own for each argument of a function\n"
                   "  found: 'x' is also at earlier\n"
                   "  to do: use another name");
}

TEST(GraphError, ResultsHaveDifferentNames) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float>("x");
    f.result("x", x); // earlier
    f.result("x", x); // here
  });
  EXPECT_EQ(found, "here: error: result 'x' is there twice\n"
                   "  expected: a name of its own for each result of a function\n"
                   "  found: 'x' is also at earlier\n"
                   "  to do: use another name");
}

TEST(GraphError, WrongResultsLeaveTheirNames) {
  std::string found = errorIn([&](Function &f, Size B, Size) {
    AnyTensor x = f.argument<float, Batch, Depth>("x", B, 8);
    EXPECT_NE(errorOf([&] { f.result<Depth, Depth>("y", x); }), "no error");
    f.result<Batch, Depth>("y", x);
  });
  EXPECT_EQ(found, "no error");
}

TEST(GraphError, DropoutRateIsOutOfRange) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float>("x");
    dropout(x, 1.5, {}); // here
  });
  EXPECT_EQ(found, "here: error: the dropout rate is out of range\n"
                   "  expected: a number of at least 0 and less than 1\n"
                   "  found: 1.5\n"
                   "  to do: give another number");
}

TEST(GraphError, RandomNumbersNeedASeed) {
  std::string drawn = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float>("x");
    random(x, {}); // here
  });
  std::string asked = errorIn([&](Function &, Size, Size) {
    Randomness().seed(); // here
  });
  for (const std::string &found : {drawn, asked})
    EXPECT_EQ(found, "here: error: random numbers without a seed\n"
                     "  expected: a Randomness(seed, step)\n"
                     "  found: a default-constructed Randomness\n"
                     "  to do: pass the function's seed");
}

TEST(GraphError, LinearNeedsASizeForEachAxis) {
  Program program;
  std::string found = errorOf([&] {
    nn::Linear<Depth, Axes<Heads, Width>> linear(program, 8, 4); // here
  });
  EXPECT_EQ(found, "here: error: a linear map needs one size for each of its axes\n"
                   "  expected: 2 sizes\n"
                   "  found: 1 sizes\n"
                   "  to do: list them in the order of the axes, e.g. {8, 64}");
}

/// The message of the error in calling an encoder's layer; `visible` makes the mask.
template <class Mask> std::string errorOfLayer(nn::LayerOptions options, Mask visible) {
  options.model = options.hidden = 8;
  options.heads = 2;
  options.depth = options.valueDepth = 4;
  Program program;
  nn::EncoderLayer<> layer(program, options);
  auto x = program.parameter<Position, nn::Model>("x", init::zeros(), 5, 8);
  return errorOf([&] {
    program.function("f", [&](Function &) {
      layer.apply<Position, Key>(x, visible(), {}); // here
    });
  });
}

TEST(GraphError, InsideAModuleNamesTheCall) {
  std::string found = errorOfLayer({.dropout = 1.5}, [] { return constant(true); });
  EXPECT_THAT(found, testing::StartsWith("here: error: the dropout rate is out of range\n"));
}

TEST(GraphError, NoVariableHasTheNameOfMetadata) {
  std::string found = errorOf([] {
    Program program;
    program.parameter<Depth>("__metadata__", init::zeros(), 3); // here
  });
  EXPECT_EQ(found, "here: error: checkpoints say under this name what they hold\n"
                   "  expected: another name\n"
                   "  found: '__metadata__'\n"
                   "  to do: rename the variable");
}

TEST(GraphError, ASlidingWindowShowsSomething) {
  std::string found = errorOf([] {
    Program program;
    program.function("f", [&](Function &) {
      nn::causal<Position, Key>(5, 0); // here
    });
  });
  EXPECT_EQ(found,
            "here: error: a sliding window shows each position itself and what is right before it\n"
            "  expected: at least 1 position\n"
            "  found: 0\n"
            "  to do: choose a larger window");
}

TEST(GraphError, ConvolutionsWouldSeeWhatAMaskHides) {
  std::string found = errorOfLayer({.taps = 3}, [] { return nn::causal<Position, Key>(5); });
  EXPECT_EQ(found, "here: error: a convolution of several taps sees neighbours\n"
                   "  expected: positions, and a boolean mask of them that is the same for all "
                   "queries\n"
                   "  found: one position, or a mask of numbers or of single queries\n"
                   "  to do: choose 1 tap, or give such a mask");
}

TEST(GraphError, QueriesAndKeysAreTurnedByKnownPositions) {
  std::string found = errorOfLayer({.rotaryBase = 100.0}, [] { return constant(true); });
  EXPECT_EQ(found, "here: error: a layer that turns queries and keys has to know where they are\n"
                   "  expected: positions behind the other arguments\n"
                   "  found: none\n"
                   "  to do: give them, e.g. iota<Position>(size<Position>(x))");
  found = errorOf([] {
    Program program;
    auto x = program.parameter<Position, nn::Depth>("x", init::zeros(), 5, 8);
    program.function("f", [&](Function &) {
      nn::rotary(x, iota<Position>(5), 0.5); // here
    });
  });
  EXPECT_THAT(found,
              testing::StartsWith("here: error: the base of rotary positions is out of range\n"));
}

TEST(GraphError, HeadsOfQueriesShareTheOthersEvenly) {
  std::string found = errorOf([] {
    Program program;
    nn::MultiHeadDimensions sizes{.model = 8, .heads = 4, .depth = 2, .valueDepth = 2};
    sizes.keyHeads = 3;
    nn::MultiHeadAttention<> attention(program.scope("attention"), sizes); // here
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: size 4 is not a multiple of size 3\n"));
}

TEST(GraphError, OnlyEncodersMayHaveConvolutions) {
  Program program;
  nn::LayerOptions options{8, 2, 4, 4, 8};
  options.taps = 3;
  std::string found = errorOf([&] {
    nn::DecoderLayer<> layer(program.scope("decoder"), options); // here
  });
  EXPECT_EQ(found, "here: error: a decoder's layer sees no neighbours\n"
                   "  expected: a feed-forward network of 1 tap\n"
                   "  found: 3 taps\n"
                   "  to do: set LayerOptions::taps to 1; an encoder's layer may have more, in "
                   "`apply`");
  nn::EncoderLayer<> layer(program.scope("encoder"), options);
  auto x = program.parameter<nn::Model>("x", init::zeros(), 8);
  auto past = program.parameter<Key, nn::Model>("past", init::zeros(), 5, 8);
  found = errorOf([&] {
    program.function("f", [&](Function &) {
      layer.step<Key>(x, layer.ownMemory(past), constant(true)); // here
    });
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: a step of an encoder's layer sees no "
                                         "neighbours\n"));
}

TEST(GraphError, OperationPastTheChecks) {
  Program program;
  std::string found = errorOf([&] {
    program.function("f", [&](Function &f) { // here
      auto x = f.argument<int>("x");
      graph::emit("exp", {x.node()}, {}, Where::current());
    });
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: function 'f': 'axloom.exp' op operand #0 "));
  EXPECT_THAT(found, testing::EndsWith("\n  expected: operands that each operation takes\n"
                                       "  found: an operation that was built without the checks of "
                                       "frontend/ops\n"
                                       "  to do: call the functions of frontend/ops instead of "
                                       "graph::emit"));
}

TEST(GraphError, LeavesTheProgramAsItWas) {
  Program program;
  auto build = [&](int size) {
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Depth>("x", size);
      f.result<Depth>("y", x + cast<float>(iota<Depth>(8)));
    });
  };
  EXPECT_NE(errorOf([&] { build(4); }), "no error");
  EXPECT_EQ(program.print(), Program().print());
  build(8);
  EXPECT_NE(program.print().find("@f"), std::string::npos);
}

} // namespace
} // namespace axloom
