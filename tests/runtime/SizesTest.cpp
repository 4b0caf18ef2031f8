// Sizes from the extents of a call's tensors, in whatever order these come, and indices that they
// limit.
#include "runtime/core/Model.h"
#include "runtime/core/Types.h"
#include "tests/runtime/Expect.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace axloom::runtime;

namespace {

int enter(axl_context *, const axl_tensor *, const axl_tensor *results) {
  float *y = reinterpret_cast<float *>(results[0].memory);
  std::fill_n(y, results[0].extent[0], 1.0f);
  return AXL_OK;
}

// f(x: [B*S], half: [2*S], place: [], below B and 4) -> y: [B]
const char *const axes[] = {"a"};
const axl_symbol symbols[] = {{"B", 64, AXL_SIZE_FREE, {}}, {"S", 64, AXL_SIZE_FREE, {}}};
const axl_extent product[] = {{1, {0, 1, -1, -1}}}, twice[] = {{2, {1, -1, -1, -1}}},
                 batch[] = {{1, {0, -1, -1, -1}}},
                 ends[] = {{1, {0, -1, -1, -1}}, {4, {-1, -1, -1, -1}}, {}};
const axl_value arguments[] = {{"x", AXL_F32, 1, axes, product, nullptr, -1},
                               {"half", AXL_F32, 1, axes, twice, nullptr, -1},
                               {"place", AXL_I32, 0, nullptr, nullptr, ends, -1}};
const axl_value results[] = {{"y", AXL_F32, 1, axes, batch, nullptr, -1}};
const axl_function functions[] = {{"f", 3, arguments, 1, results, 0, 0, enter, -1, 0, nullptr}};
const axl_model description = {AXL_ABI_VERSION, "sizes", "0",     "x86-64-linux",
                               "cpu",           0,       nullptr, 2,
                               symbols,         0,       nullptr, 1,
                               functions,       0,       nullptr, 0,
                               nullptr,         0,       nullptr};

class Sizes : public testing::Test {
protected:
  Model model{description};
  Tensor half{AXL_F32, {6}};

  std::vector<NamedTensor> run(int64_t elements, int32_t place) {
    Tensor x(AXL_F32, {elements});
    return model.run("f", {{"x", x}, {"half", half}, {"place", View<int32_t>(place)}});
  }
};

TEST_F(Sizes, FollowFromWhatOtherTensorsSay) { EXPECT_EQ(run(15, 0).at(0).tensor.extent(0), 5); }

TEST_F(Sizes, ThatFollowHaveTheSameMaxima) {
  EXPECT_EQ(run(192, 0).at(0).tensor.extent(0), 64);
  expectError(AXL_ERROR_SIZE,
              "f of model 'sizes': size B is 65 (axis 'a' of argument 'x'), but the model was "
              "compiled for at most 64",
              [&] { run(195, 0); });
}

TEST_F(Sizes, BesideNothingMayBeAnything) {
  half = Tensor(AXL_F32, {0}); // S is 0, so B may be anything that the other tensors say
  Tensor x(AXL_F32, {0}), y(AXL_F32, {5});
  int32_t place = 3;
  model.call("f", {{"x", x}, {"half", half}, {"place", View<int32_t>(place)}}, {{"y", y}});
  expectError(AXL_ERROR_ARGUMENT, testing::HasSubstr("must be at least 0 and below B = 0"),
              [&] { run(0, 0); }); // no tensor says it
}

TEST_F(Sizes, ThatDoNotDivideAreErrors) {
  Tensor x(AXL_F32, {16}), y(AXL_F32, {5});
  int32_t place = 0;
  expectError(AXL_ERROR_ARGUMENT,
              "f of model 'sizes': axis 'a' of argument 'x' must have size B*S = 15, but a tensor "
              "of f32 [16] was passed",
              [&] {
                model.call("f", {{"x", x}, {"half", half}, {"place", View<int32_t>(place)}},
                           {{"y", y}});
              });
}

TEST_F(Sizes, LimitIndices) {
  const std::string start = "f of model 'sizes': argument 'place' has ",
                    end = " as element 0; values must be at least 0 and below ";
  expectError(AXL_ERROR_ARGUMENT, start + "2" + end + "B = 2", [&] { run(6, 2); });
  expectError(AXL_ERROR_ARGUMENT, start + "4" + end + "4", [&] { run(15, 4); });
  expectError(AXL_ERROR_ARGUMENT, start + "-1" + end + "B = 5", [&] { run(15, -1); });
  run(15, 3);
}

} // namespace
