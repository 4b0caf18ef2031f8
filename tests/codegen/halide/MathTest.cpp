// The elementary functions against the C library in double precision, over their whole range, in
// units of the last place of an f32; and the same bits from vectors as from scalars.

#include "codegen/halide/Math.h"
#include "runtime/Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <limits>

using namespace axloom;

namespace {
struct Case {
  const char *name;
  std::function<Halide::Expr(Halide::Expr)> ours;
  double (*exact)(double);
  double low, high;
  double ulp;              // the largest error allowed
  double smallest = 1e-30; // of a result: below, errors are in units of its last place
};

const Case cases[] = {
    {"exp", codegen::expOf, std::exp, -87.3, 88.7, 1},
    {"exp_of_negative", codegen::expOfNegative, std::exp, -87.3, 87.9, 1},
    {"exp2_of_negative", codegen::exp2OfNegative, [](double x) { return std::exp2(x); }, -126,
     126.5, 1},
    {"log", codegen::logOf, std::log, 1e-45, 3e38, 1},
    {"tanh", codegen::tanhOf, std::tanh, -20, 20, 1.5},
    {"sigmoid", codegen::sigmoidOf, [](double x) { return 1 / (1 + std::exp(-x)); }, -87, 87, 3},
    {"erf", codegen::erfOf, std::erf, -6, 6, 2.5},
    {"sin", codegen::sinOf, std::sin, -1e5, 1e5, 1.6, 1e-3},
    {"cos", codegen::cosOf, std::cos, -1e5, 1e5, 1.6, 1e-3},
};

const Case &caseNamed(llvm::StringRef name) {
  return *llvm::find_if(cases, [&](const Case &entry) { return name == entry.name; });
}

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

/// Numbers of the range in equal steps of their bits, so that each power of two has as many.
std::vector<float> numbers(const Case &c) {
  std::vector<float> all;
  for (uint64_t bits = 0; bits < 0x7f800000u; bits += 4099)
    for (float x : {fromBits(uint32_t(bits)), -fromBits(uint32_t(bits))})
      if (x >= c.low && x <= c.high)
        all.push_back(x);
  return all;
}

enum class Lanes { Vectors, Scalars };

std::vector<float> computed(const Case &c, std::vector<float> x, Lanes lanes) {
  Halide::Buffer<float> in(x.data(), int(x.size()));
  Halide::Func function("elementary_function_under_test");
  Halide::Var index("index_of_number");
  function(index) = c.ours(in(index));
  if (lanes == Lanes::Vectors)
    function.vectorize(index, 16, Halide::TailStrategy::GuardWithIf);
  std::vector<float> y(x.size());
  Halide::Buffer<float> out(y.data(), int(y.size()));
  function.realize(out);
  return y;
}

/// How far `found` is from `exact`, in units of the last place of an f32 as large.
double ulps(double exact, double found, double smallest) {
  int exponent;
  std::frexp(std::max(std::abs(exact), smallest), &exponent);
  return std::abs(found - exact) / std::ldexp(1.0, exponent - 24);
}

class Elementary : public testing::TestWithParam<Case> {};

TEST_P(Elementary, IsAccurateOverItsRange) {
  const Case &c = GetParam();
  std::vector<float> x = numbers(c), y = computed(c, x, Lanes::Vectors);
  double worst = 0, where = 0;
  for (size_t i = 0; i < x.size(); ++i)
    if (double error = ulps(c.exact(x[i]), y[i], c.smallest); !(error <= worst))
      worst = error, where = x[i];
  EXPECT_LE(worst, c.ulp) << "at " << where;
  RecordProperty("ulp", std::to_string(worst));
  EXPECT_GT(x.size(), 10000u);
}

TEST_P(Elementary, VectorsGiveTheBitsOfScalars) {
  std::vector<float> x = numbers(GetParam());
  std::vector<float> vectors = computed(GetParam(), x, Lanes::Vectors),
                     scalars = computed(GetParam(), x, Lanes::Scalars);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(bitsOf(vectors[i]), bitsOf(scalars[i])) << "at " << x[i];
}

INSTANTIATE_TEST_SUITE_P(All, Elementary, testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(Exp, EndsWellAtBothEnds) {
  const Case &exp = caseNamed("exp");
  const float infinity = std::numeric_limits<float>::infinity();
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    for (float y : computed(exp, {-infinity, -1e30f, -200, -88, -87.2f}, lanes))
      EXPECT_EQ(y, 0) << "below 2^-125.5 the result is 0";
    EXPECT_EQ(computed(exp, {0}, lanes)[0], 1);
    std::vector<float> large = computed(exp, {89, 1e30f, infinity}, lanes);
    EXPECT_GT(large[0], 3e38);
    EXPECT_THAT(large, testing::Each(large[0])) << "the largest argument stands for larger ones";
  }
}

TEST(Exp, OfNegativesIsZeroFarDown) {
  const Case &exp = caseNamed("exp_of_negative");
  const float infinity = std::numeric_limits<float>::infinity();
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    EXPECT_THAT(computed(exp, {-infinity, -1e30f, -200, -88}, lanes), testing::Each(0.0f));
    EXPECT_EQ(computed(exp, {0}, lanes)[0], 1);
  }
}

TEST(Exp2, OfNegativesIsZeroFarDown) {
  const Case &exp2 = caseNamed("exp2_of_negative");
  const float infinity = std::numeric_limits<float>::infinity();
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    EXPECT_THAT(computed(exp2, {-infinity, -1e30f, -200, -127}, lanes), testing::Each(0.0f));
    EXPECT_EQ(computed(exp2, {0, -1, -126}, lanes), (std::vector<float>{1, 0.5f, 0x1p-126f}));
    std::vector<float> last = {-126.9f, -126.6f, -126.5f, -126.1f},
                       found = computed(exp2, last, lanes);
    for (size_t i = 0; i < last.size(); ++i)
      EXPECT_NEAR(found[i], std::exp2(double(last[i])), 0x1p-127) << "at " << last[i];
  }
}

// Beside 1, where the logarithm is small, and at both ends of the range.
TEST(Pow, IsAccurateOverItsRange) {
  for (float exponent : {-3.0f, -0.5f, 0.1f, 1.0f, 2.0f, 7.5f}) {
    Case pow = {"pow",
                [&](const Halide::Expr &x) { return codegen::powOf(x, exponent); },
                nullptr,
                std::max(1e-37f, std::exp(-80 / std::abs(exponent))),
                std::exp(80 / std::abs(exponent)),
                0};
    std::vector<float> x = numbers(pow), y = computed(pow, x, Lanes::Vectors),
                       scalars = computed(pow, x, Lanes::Scalars);
    for (size_t i = 0; i < x.size(); ++i) {
      double exact = std::pow(double(x[i]), double(exponent));
      ASSERT_LE(ulps(exact, y[i], 1e-37), 1.5 + 3 * std::abs(std::log(exact)))
          << x[i] << " to the power of " << exponent;
      ASSERT_EQ(bitsOf(y[i]), bitsOf(scalars[i])) << x[i] << " to the power of " << exponent;
    }
  }
}

TEST(Pow, OfZeroAndBelow) {
  auto powers = [](float exponent, Lanes lanes) {
    Case pow = {"pow",   [&](const Halide::Expr &x) { return codegen::powOf(x, exponent); },
                nullptr, 0,
                0,       0};
    return computed(pow, {-2, -0.0f, 0}, lanes);
  };
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    EXPECT_THAT(powers(2, lanes), testing::ElementsAre(testing::FloatEq(4), 0, 0));
    EXPECT_THAT(powers(3, lanes), testing::ElementsAre(testing::FloatEq(-8), 0, 0));
    EXPECT_THAT(powers(-1, lanes)[0], testing::FloatEq(-0.5f));
    EXPECT_THAT(powers(0, lanes), testing::ElementsAre(1, 1, 1));
    EXPECT_THAT(powers(0.1f, lanes), testing::ElementsAre(testing::IsNan(), 0, 0));
  }
}

// Nothing may be folded into what numbers that are known to be finite do not have.
TEST(Pow, OfAConstantZero) {
  Case pow = {"pow", [](const Halide::Expr &x) { return codegen::powOf(0.0f, x); }, nullptr, 0, 0,
              0};
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars})
    EXPECT_THAT(computed(pow, {2, 0.5f, 0, -1}, lanes),
                testing::ElementsAre(0, 0, 1, std::numeric_limits<float>::infinity()));
}

TEST(Log, IsNoFiniteNumberWhereThereIsNone) {
  const Case &log = caseNamed("log");
  const float infinity = std::numeric_limits<float>::infinity();
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    EXPECT_THAT(computed(log, {0, -0.0f}, lanes), testing::Each(-infinity));
    EXPECT_THAT(computed(log, {-1e-40f, -1, -3e38f, -infinity, std::nanf("")}, lanes),
                testing::Each(testing::IsNan()));
    EXPECT_EQ(computed(log, {infinity}, lanes)[0], infinity);
  }
}

TEST(Circular, LargeNumbersStayBetweenOnes) {
  for (const char *name : {"sin", "cos"})
    for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars})
      EXPECT_THAT(computed(caseNamed(name), {1e6f, -1e8f, 1e10f, -3e38f}, lanes),
                  testing::Each(testing::AllOf(testing::Ge(-1), testing::Le(1))));
}

TEST(Circular, OfNoFiniteNumberThereIsNone) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const char *name : {"sin", "cos"})
    for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars})
      EXPECT_THAT(computed(caseNamed(name), {infinity, -infinity, std::nanf("")}, lanes),
                  testing::Each(testing::IsNan()));
}

TEST(Erf, IsOneInMagnitudeFarOut) {
  EXPECT_EQ(computed(caseNamed("erf"), {-1e10f, -4, 4, 1e10f}, Lanes::Vectors),
            (std::vector<float>{-1, -1, 1, 1}));
}

// Whatever could tell in a program that numbers have gone wrong must not be a number again.
TEST(Elementary, OfNotANumberIsNotANumber) {
  std::vector<Case> functions(std::begin(cases), std::end(cases));
  auto add = [&](const char *name, std::function<Halide::Expr(Halide::Expr)> ours) {
    functions.push_back({.name = name, .ours = std::move(ours)});
  };
  add("larger than 0", [](Halide::Expr x) { return codegen::larger(x, 0.0f); });
  add("0 or larger", [](Halide::Expr x) { return codegen::larger(0.0f, x); });
  add("smaller than 0", [](Halide::Expr x) { return codegen::smaller(x, 0.0f); });
  add("larger than its root", [](Halide::Expr x) { return codegen::larger(x, Halide::sqrt(x)); });
  add("x over x", [](Halide::Expr x) { return codegen::over(x, x); });
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars})
    for (const Case &function : functions)
      EXPECT_THAT(computed(function, std::vector<float>(17, std::nanf("")), lanes),
                  testing::Each(testing::IsNan()))
          << function.name;
}

template <typename T> class Larger : public testing::Test {};
using Floats = testing::Types<float, double>;
TYPED_TEST_SUITE(Larger, Floats);

// x86 gives a not-a-number with a sign where there is no result.
TYPED_TEST(Larger, OfTwoIsNotANumberWhereEitherIs) {
  const auto nan = std::numeric_limits<TypeParam>::quiet_NaN(),
             other = std::copysign(nan, TypeParam(-1));
  std::vector<TypeParam> a = {nan, other, 1, 1, nan, 2, -1}, b = {3, 3, nan, other, other, 1, 4},
                         large(7), small(7);
  Halide::Buffer<TypeParam> left(a.data(), 7), right(b.data(), 7), up(large.data(), 7),
      down(small.data(), 7);
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    Halide::Func function("larger_and_smaller_under_test");
    Halide::Var index("index_of_number");
    function(index) = Halide::Tuple(codegen::larger(left(index), right(index)),
                                    codegen::smaller(left(index), right(index)));
    if (lanes == Lanes::Vectors)
      function.vectorize(index, 8, Halide::TailStrategy::GuardWithIf);
    function.realize({up, down});
    EXPECT_THAT(std::vector(large.begin(), large.begin() + 5), testing::Each(testing::IsNan()));
    EXPECT_THAT(std::vector(small.begin(), small.begin() + 5), testing::Each(testing::IsNan()));
    EXPECT_THAT(std::vector(large.begin() + 5, large.end()), testing::ElementsAre(2, 4));
    EXPECT_THAT(std::vector(small.begin() + 5, small.end()), testing::ElementsAre(1, -1));
  }
}

TEST(Over, IsRoundedOnce) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> multiples, exact;
  for (int i = 0; i < 5000; ++i) {
    multiples.push_back(41.0f * float(i));
    exact.push_back(float(i));
  }
  Case by41{.name = "over 41", .ours = [](Halide::Expr x) { return codegen::over(x, 41.0f); }},
      by0{.name = "over 0", .ours = [](Halide::Expr x) { return codegen::over(x, 0.0f); }},
      by8{.name = "over 8", .ours = [](Halide::Expr x) { return codegen::over(x, 8.0f); }};
  for (Lanes lanes : {Lanes::Vectors, Lanes::Scalars}) {
    EXPECT_EQ(computed(by41, multiples, lanes), exact);
    EXPECT_EQ(computed(by0, {1, -2}, lanes), (std::vector<float>{infinity, -infinity}));
    EXPECT_EQ(computed(by8, {1, -3}, lanes), (std::vector<float>{0.125f, -0.375f}));
  }
}

// The interpreter and the runtime draw the same numbers.
TEST(Uniform, HasTheBitsOfTheRuntime) {
  Halide::Func function("uniform_numbers_under_test");
  Halide::Var row("row_of_number"), column("column_of_number");
  function(column, row) =
      codegen::uniform(Halide::Expr(12), 34, 56, codegen::counterSteps({{row, 0}, {column, 1}}));
  Halide::Buffer<float> found = function.realize({33, 9});
  random::Key key = random::Key::of(12, 34, 56);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 33; ++j) {
      uint32_t counter = key.start + uint32_t(i) * random::coordinateFactors[0] +
                         uint32_t(j) * random::coordinateFactors[1];
      EXPECT_EQ(found(j, i), random::uniform(random::bits(key, counter))) << i << ", " << j;
    }
}

TEST(FloorDivide, RoundsTowardsMinusInfinity) {
  Halide::Func function("quotients_under_test");
  Halide::Var a("dividend"), b("divisor");
  function(a, b) = codegen::floorDivide(a - 7, b - 3);
  Halide::Buffer<int> found = function.realize({15, 7});
  for (int i = -7; i < 8; ++i)
    for (int k = -3; k < 4; ++k)
      EXPECT_EQ(found(i + 7, k + 3), k == 0 ? 0 : int(std::floor(double(i) / k)))
          << i << " / " << k;
}
} // namespace
