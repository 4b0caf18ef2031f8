// Initial values: the promised bits, the promised distributions, whatever the order of axes and the
// number of threads.
#include "runtime/core/Initialize.h"
#include "runtime/Runtime.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <cmath>
#include <cstring>

using namespace axloom::runtime;
using testing::Each;
using testing::FloatEq;
using testing::Pointwise;

namespace {

constexpr axl_extent fixed(int64_t value) { return {value, {-1, -1, -1, -1}}; }

// A variable [row: 300, column: 400], or as many columns, with this initializer.
Tensor fill(int32_t kind, double first, double second, uint32_t seed, int32_t type = AXL_F32,
            int64_t columns = 400) {
  const char *const axes[] = {"row", "column"};
  const axl_extent extents[] = {fixed(300), fixed(columns)};
  axl_variable_info info{
      {"v", type, 2, axes, extents, 0, -1}, AXL_PARAMETER, kind, {first, second}};
  Tensor tensor(type, {300, columns});
  initialize(info, seed, tensor);
  return tensor;
}

struct Moments {
  double mean = 0, deviation = 0, low = INFINITY, high = -INFINITY;
};

Moments momentsOf(const Tensor &tensor) {
  Moments moments;
  double squares = 0;
  for (float value : tensor.view<float>()) {
    moments.mean += value;
    squares += double(value) * value;
    moments.low = std::min<double>(moments.low, value);
    moments.high = std::max<double>(moments.high, value);
  }
  moments.mean /= double(tensor.size());
  moments.deviation = std::sqrt(squares / double(tensor.size()) - moments.mean * moments.mean);
  return moments;
}

// Computed by an independent implementation of the counters.
TEST(Initialize, TheBitsAreAsSpecified) {
  Model model(fake::model, 1);
  Tensor weight = model.variable("weight"), table = model.variable("table");
  const float uniform[] = {-0.25397396087646484f, 0.7174464464187622f, 0.5797830820083618f,
                           -0.7818974256515503f, 0.7890709042549133f};
  const float normal[] = {-0.48659747838974f, -0.9869803786277771f, 0.005885754246264696f,
                          1.823494791984558f, 0.3004572093486786f};
  for (int i = 0; i < 5; ++i) {
    EXPECT_FLOAT_EQ(weight.view<float>()[i], uniform[i]);
    EXPECT_FLOAT_EQ(table.view<float>()[i], normal[i]);
  }
}

TEST(Initialize, Constants) {
  EXPECT_THAT(fill(AXL_INIT_ZEROS, 0, 0, 1).view<float>(), Each(0.f));
  EXPECT_THAT(fill(AXL_INIT_ONES, 0, 0, 1).view<float>(), Each(1.f));
  EXPECT_THAT(fill(AXL_INIT_CONSTANT, 2.5, 0, 1).view<float>(), Each(2.5f));
  EXPECT_THAT(fill(AXL_INIT_CONSTANT, 7, 0, 1, AXL_I32).view<int32_t>(), Each(7));
  EXPECT_THAT(fill(AXL_INIT_ONES, 0, 0, 1, AXL_I1).view<bool>(), Each(true));
  EXPECT_EQ(float(fill(AXL_INIT_CONSTANT, 0.5, 0, 1, AXL_BF16).view<BFloat16>()[9]), 0.5f);
}

TEST(Initialize, Distributions) {
  Moments uniform = momentsOf(fill(AXL_INIT_UNIFORM, -1, 3, 7));
  EXPECT_NEAR(uniform.mean, 1, 0.02);
  EXPECT_NEAR(uniform.deviation, 4 / std::sqrt(12), 0.02);
  EXPECT_GE(uniform.low, -1);
  EXPECT_LT(uniform.high, 3);
  EXPECT_GT(uniform.high - uniform.low, 3.99);

  Moments normal = momentsOf(fill(AXL_INIT_NORMAL, 0.5, 2, 7));
  EXPECT_NEAR(normal.mean, 0.5, 0.03);
  EXPECT_NEAR(normal.deviation, 2, 0.03);
  EXPECT_GT(normal.high, 0.5 + 3.5 * 2);
}

TEST(Initialize, SeedsAndNamesMatter) {
  EXPECT_NE(fill(AXL_INIT_UNIFORM, 0, 1, 1).view<float>()[0],
            fill(AXL_INIT_UNIFORM, 0, 1, 2).view<float>()[0]);
  Model first(fake::model, 1), second(fake::model, 1);
  EXPECT_EQ(first.variable("table").view<float>()[3], second.variable("table").view<float>()[3]);
  second.initialize(5);
  EXPECT_NE(first.variable("table").view<float>()[3], second.variable("table").view<float>()[3]);
}

TEST(Initialize, ThreadsDoNotMatter) {
  axl_set_threads(1);
  Tensor one = fill(AXL_INIT_NORMAL, 0, 1, 3);
  axl_set_threads(4);
  Tensor four = fill(AXL_INIT_NORMAL, 0, 1, 3);
  axl_set_threads(0);
  EXPECT_EQ(std::memcmp(one.data(), four.data(), size_t(one.bytes())), 0);
}

// Threads fill blocks of elements, which begin within rows.
TEST(Initialize, ExtentsDoNotMatter) {
  Tensor all = fill(AXL_INIT_UNIFORM, 0, 1, 3);
  Tensor column = fill(AXL_INIT_UNIFORM, 0, 1, 3, AXL_F32, 1);
  for (int64_t row = 0; row < 300; ++row)
    EXPECT_EQ(all.view<float>()[row * 400], column.view<float>()[row]) << row;
}

TEST(Initialize, TheExternalOrderOfAxesDoesNotMatter) {
  const char *const axes[] = {"a", "b"}, *const swapped[] = {"b", "a"};
  const axl_extent extents[] = {fixed(2), fixed(3)}, turned[] = {fixed(3), fixed(2)};
  Tensor x(AXL_F32, {2, 3}), y(AXL_F32, {3, 2});
  initialize({{"v", AXL_F32, 2, axes, extents, 0, -1}, 0, AXL_INIT_UNIFORM, {0, 1}}, 1, x);
  initialize({{"v", AXL_F32, 2, swapped, turned, 0, -1}, 0, AXL_INIT_UNIFORM, {0, 1}}, 1, y);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 3; ++b)
      EXPECT_EQ(x.view<float>()[a * 3 + b], y.view<float>()[b * 2 + a]);
}

TEST(Initialize, ImpossibleRequestsAreErrors) {
  expectError(AXL_ERROR_INTERNAL, "variable 'v' has an unknown initializer, 9",
              [] { fill(9, 0, 0, 1); });
  expectError(AXL_ERROR_INTERNAL, "variable 'v' of i32 elements cannot have a random initial value",
              [] { fill(AXL_INIT_NORMAL, 0, 1, 1, AXL_I32); });
}

} // namespace
