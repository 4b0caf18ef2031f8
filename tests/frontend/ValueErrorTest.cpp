// Mistakes with values and variables: of another function or program, or none at all.
#include "frontend/train/Adam.h"
#include "tests/frontend/Build.h"

#include <gmock/gmock.h>
#include <stdexcept>

namespace axloom {
namespace {

TEST(GraphError, VariableOfAnotherProgram) {
  Program other;
  auto w = other.parameter<Depth>("w", init::zeros(), 8);
  std::string found = errorIn([&](Function &, Size, Size) {
    exp(w); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')), "here: error: a variable of another program");
}

TEST(GraphError, VariableOfAProgramThatIsGone) {
  Variable<Axes<Depth>, float> w;
  {
    Program other;
    w = other.parameter<Depth>("w", init::zeros(), 8);
  }
  const std::string expected = "here: error: a variable of another program";
  auto firstLine = [](const std::string &text) { return text.substr(0, text.find('\n')); };
  std::string found = errorIn([&](Function &, Size, Size) {
    exp(w); // here
  });
  EXPECT_EQ(firstLine(found), expected);
  found = errorIn([&](Function &, Size, Size) {
    mean<Depth>(w); // here
  });
  EXPECT_EQ(firstLine(found), expected);
  found = errorIn([&](Function &, Size, Size) {
    size<Depth>(w); // here
  });
  EXPECT_EQ(firstLine(found), expected);
  found = errorIn([&](Function &, Size, Size) {
    AnyVariable(w).name(); // here
  });
  EXPECT_EQ(firstLine(found), expected);
}

TEST(GraphError, StateLikeAVariableOfAnotherProgram) {
  Program program;
  AnyVariable w;
  {
    Program other;
    w = other.parameter<Depth>("w", init::zeros(), 8);
  }
  std::string ofState = errorOf([&] {
    program.stateLike(w, "moment", init::zeros()); // here
  });
  std::string ofAdam = errorOf([&] {
    train::Adam(program.scope("adam"), {w}, {}); // here
  });
  for (const std::string &found : {ofState, ofAdam})
    EXPECT_EQ(found, "here: error: a variable of another program\n"
                     "  expected: variables of the program that uses them\n"
                     "  found: one of a program that may be gone\n"
                     "  to do: declare it in this program");
}

TEST(GraphError, AssignmentToNoVariable) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    Variable<Axes<Depth>, float> w;
    auto x = f.argument<float, Depth>("x", 8);
    assign(w, x); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: an assignment to a variable that was never declared");
  found = errorIn([&](Function &, Size, Size) {
    AnyVariable().name(); // here
  });
  EXPECT_EQ(found.substr(0, found.find('\n')),
            "here: error: the name of a variable that was never declared");
}

TEST(GraphError, TensorHasNoValue) {
  std::string found = errorIn([&](Function &, Size, Size) {
    Tensor<Depth> x;
    exp(x); // here
  });
  EXPECT_EQ(found, "here: error: a tensor without a value\n"
                   "  expected: a result of an operation\n"
                   "  found: a default-constructed tensor\n"
                   "  to do: assign it before it is used");
}

TEST(GraphError, TensorOfAnotherFunction) {
  std::string found = errorOf([&] {
    Program program;
    Tensor<Depth> x;
    program.function("f", [&](Function &f) { x = f.argument<float, Depth>("x", 8); });
    program.function("g", [&](Function &f) {
      f.result<Depth>("y", x); // here
    });
  });
  EXPECT_EQ(found, "here: error: a tensor of another function\n"
                   "  expected: tensors computed in this function\n"
                   "  found: one of another function, which may be gone\n"
                   "  to do: pass values between functions by variables or arguments");
}

// The next function may have its values where those of a broken one were.
TEST(GraphError, TensorOfABrokenFunction) {
  std::string found = errorOf([&] {
    Program program;
    Tensor<Depth> x;
    EXPECT_THROW(program.function("f",
                                  [&](Function &f) {
                                    x = f.argument<float, Depth>("x", 8);
                                    throw std::runtime_error("no more");
                                  }),
                 std::runtime_error);
    program.function("g", [&](Function &f) {
      f.argument<float, Depth>("x", 8);
      f.result<Depth>("y", x); // here
    });
  });
  EXPECT_THAT(found, testing::StartsWith("here: error: a tensor of another function\n"));
}

TEST(GraphError, VariableIsAssignedTwice) {
  std::string found = errorOf([&] {
    Program program;
    auto step = program.state<int>("step", init::zeros());
    program.function("f", [&](Function &) {
      assign(step, step + 1); // earlier
      assign(step, step + 2); // here
    });
  });
  EXPECT_EQ(found, "here: error: variable 'step' is assigned twice\n"
                   "  expected: one assignment of a variable in a function\n"
                   "  found: it is assigned at earlier\n"
                   "  to do: assign once, e.g. where(mask, a, b)");
}

TEST(GraphError, ValueDoesNotFitTheVariable) {
  std::string found = errorOf([&] {
    Program program;
    auto weight = program.parameter<Depth>("weight", init::zeros(), 8);
    program.function("f", [&](Function &f) {
      auto x = f.argument<float, Depth>("x", 4);
      assign(weight, x); // here
    });
  });
  EXPECT_EQ(found, "here: error: the value does not fit variable 'weight'\n"
                   "  expected: <depth: 8, f32>\n"
                   "  found: <depth: 4, f32>\n"
                   "  to do: assign a value of the variable's type");
}

} // namespace
} // namespace axloom
