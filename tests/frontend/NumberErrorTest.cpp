// Mistakes with the numbers of operations and initializers.
#include "frontend/train/Adam.h"
#include "frontend/train/Clip.h"
#include "frontend/train/Schedule.h"
#include "tests/frontend/Build.h"

#include <cmath>
#include <gtest/gtest.h>

namespace axloom {
namespace {

/// The first line and those of what was expected and found.
std::string summaryOf(const std::string &error) { return error.substr(0, error.find("\n  to do")); }

TEST(NumberError, NoInteger) {
  for (auto [number, text] : {std::pair(5e9, "5e+09"), std::pair(-3e9, "-3e+09"),
                              std::pair(1.5, "1.5"), std::pair(double(NAN), "nan")}) {
    std::string expected = "here: error: a number that the element type int does not have\n"
                           "  expected: a whole number from -2147483648 to 2147483647\n"
                           "  found: " +
                           std::string(text);
    std::string ofConstant = errorIn([&](Function &, Size, Size) {
      graph::constant(number, graph::Element::i32, Where::current()); // here
    });
    std::string ofPad = errorIn([&](Function &f, Size, Size) {
      auto x = f.argument<int, Depth>("x", 8);
      pad<Depth>(x, 1, 1, number); // here
    });
    std::string ofShift = errorIn([&](Function &f, Size, Size) {
      auto x = f.argument<int, Depth>("x", 8);
      shift<Depth>(x, 1, number); // here
    });
    for (const std::string &found : {ofConstant, ofPad, ofShift})
      EXPECT_EQ(summaryOf(found), expected);
  }
}

TEST(NumberError, NoBool) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<bool, Depth>("x", 8);
    f.result<Depth>("y", pad<Depth>(x, 1, 1, 2)); // here
  });
  EXPECT_EQ(summaryOf(found), "here: error: a number that the element type bool does not have\n"
                              "  expected: a whole number from 0 to 1\n"
                              "  found: 2");
}

TEST(NumberError, NotFinite) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float, Depth>("x", 8);
    where(x > 0, x, -INFINITY); // here
  });
  EXPECT_EQ(found, "here: error: a number that the element type float does not have\n"
                   "  expected: a finite number from -3.4028234663852886e+38 to "
                   "3.4028234663852886e+38\n"
                   "  found: -inf\n"
                   "  to do: hide elements by where(mask, x), which softmax, sum, max and mean "
                   "take; else use another number");
  auto errorWith = [](double number) {
    std::string text = errorIn([&](Function &f, Size, Size) {
      auto x = f.argument<float, Depth>("x", 8);
      f.result<Depth>("y", pad<Depth>(x, 1, 1, 0) + number); // here
    });
    return text.substr(0, text.find('\n'));
  };
  std::string refused = "here: error: a number that the element type float does not have";
  EXPECT_EQ(errorWith(NAN), refused);
  EXPECT_EQ(errorWith(1e300), refused); // of f32
  std::string ofBfloat = errorIn([&](Function &, Size, Size) {
    graph::constant(3.4e38, graph::Element::bf16, Where::current()); // here
  });
  EXPECT_EQ(summaryOf(ofBfloat), "here: error: a number that the element type bfloat16 does not "
                                 "have\n"
                                 "  expected: a finite number from -3.3895313892515355e+38 to "
                                 "3.3895313892515355e+38\n"
                                 "  found: 3.4e+38");
}

TEST(NumberError, Epsilon) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto x = f.argument<float, Depth>("x", 8);
    layer_norm<Depth>(x, x, x, -1e-5); // here
  });
  EXPECT_EQ(summaryOf(found), "here: error: epsilon is out of range\n"
                              "  expected: a finite number, 0 or more\n"
                              "  found: -1e-05");
}

TEST(NumberError, LabelSmoothing) {
  std::string found = errorIn([&](Function &f, Size, Size) {
    auto logits = f.argument<float, Depth>("logits", 8);
    auto label = f.argument<int>("label");
    cross_entropy<Depth>(logits, label, 1.25); // here
  });
  EXPECT_EQ(summaryOf(found), "here: error: label smoothing is out of range\n"
                              "  expected: a number from 0 to 1\n"
                              "  found: 1.25");
}

/// What is said of a parameter that starts so.
std::string errorOfInitializer(const Initializer &initializer) {
  Program program;
  return summaryOf(errorOf([&] {
    program.parameter<Depth>("w", initializer, 8); // here
  }));
}

TEST(NumberError, Initializers) {
  EXPECT_EQ(errorOfInitializer(init::normal(0, -1)),
            "here: error: 'stddev' of the initializer of 'w' is out of range\n"
            "  expected: a finite number, 0 or more\n"
            "  found: -1");
  EXPECT_EQ(errorOfInitializer(init::constant(NAN)),
            "here: error: 'value' of the initializer of 'w' is out of range\n"
            "  expected: a finite number\n"
            "  found: nan");
  EXPECT_EQ(errorOfInitializer(init::uniform(1, 0.5)),
            "here: error: 'high' of the initializer of 'w' is out of range\n"
            "  expected: a finite number, 1 or more\n"
            "  found: 0.5");
  EXPECT_EQ(errorOfInitializer(init::xavier(0, 0)), // a bound of infinity
            "here: error: 'low' of the initializer of 'w' is out of range\n"
            "  expected: a finite number\n"
            "  found: -inf");
  EXPECT_EQ(errorOfInitializer(init::normal(0, 1e300)), // of f32
            "here: error: 'stddev' of the initializer of 'w' is out of range\n"
            "  expected: a finite number, 0 or more\n"
            "  found: 1e+300");
  EXPECT_EQ(errorOfInitializer(init::uniform(0.5, 0.5)), "no error");
}

TEST(NumberError, InitializersOfIntegers) {
  auto errorWith = [](const Initializer &initializer) {
    Program program;
    return summaryOf(errorOf([&] {
      program.state<int, Depth>("n", initializer, 8); // here
    }));
  };
  EXPECT_EQ(errorWith(init::constant(1.5)),
            "here: error: a number that the element type int does not have\n"
            "  expected: a whole number from -2147483648 to 2147483647\n"
            "  found: 1.5");
  EXPECT_EQ(errorWith(init::uniform(0, 9)),
            "here: error: random numbers for 'n', whose elements are no floats\n"
            "  expected: zeros, ones or a constant\n"
            "  found: uniform");
  EXPECT_EQ(errorWith(init::constant(-3)), "no error");
}

TEST(NumberError, DropoutRate) {
  for (double rate : {-0.1, 1.0, double(NAN)}) {
    std::string found = errorIn([&](Function &f, Size, Size) {
      auto x = f.argument<float, Depth>("x", 8);
      dropout(x, rate, Randomness()); // here
    });
    EXPECT_EQ(found.substr(0, found.find('\n')), "here: error: the dropout rate is out of range");
  }
}

TEST(NumberError, ConstantsOfTraining) {
  auto errorWith = [](const train::Adam::Constants &constants) {
    Program program;
    return summaryOf(errorOf([&] {
      train::Adam(program.scope("adam"), {}, constants); // here
    }));
  };
  EXPECT_EQ(errorWith({.beta1 = 1}), "here: error: beta1 of Adam is out of range\n"
                                     "  expected: a number of at least 0 and less than 1\n"
                                     "  found: 1");
  EXPECT_EQ(errorWith({.beta1 = 1.0000001}), "here: error: beta1 of Adam is out of range\n"
                                             "  expected: a number of at least 0 and less than 1\n"
                                             "  found: 1.0000001");
  EXPECT_EQ(errorWith({.beta2 = NAN}), "here: error: beta2 of Adam is out of range\n"
                                       "  expected: a number of at least 0 and less than 1\n"
                                       "  found: nan");
  EXPECT_EQ(errorWith({.beta2 = 0.99999999}),
            "here: error: beta2 of Adam is out of range\n"
            "  expected: a number of at least 0 and less than 1, also in f32\n"
            "  found: 0.99999999");
  EXPECT_EQ(errorWith({.epsilon = -1}), "here: error: epsilon of Adam is out of range\n"
                                        "  expected: a finite number, 0 or more\n"
                                        "  found: -1");
  std::string clip = errorIn([&](Function &, Size, Size) {
    train::clipByGlobalNorm({}, -1); // here
  });
  EXPECT_EQ(summaryOf(clip), "here: error: the norm to clip to is out of range\n"
                             "  expected: a finite number, 0 or more\n"
                             "  found: -1");
  std::string warmup = errorIn([&](Function &f, Size, Size) {
    train::warmup(f.argument<int>("steps"), 512, 0); // here
  });
  EXPECT_EQ(summaryOf(warmup), "here: error: the warm-up is out of range\n"
                               "  expected: a finite number, 1 or more\n"
                               "  found: 0");
}

} // namespace
} // namespace axloom
