// Kernels that wait for the next launch and run with it: once, on all their tensors; in profiles,
// with checks of their results, and after a call that failed between the two.
#include "runtime/Runtime.h"
#include "tests/runtime/Expect.h"

#include <HalideRuntime.h>
#include <cmath>
#include <cstdlib>

using namespace axloom::runtime;

namespace {

// What axl_device::launch was asked for: kernels in each launch.
std::vector<int32_t> launches;

// x += 1, in place; 0 becomes infinite.
int increment(void **arguments) {
  auto &x = *static_cast<halide_buffer_t *>(arguments[0]);
  for (int i = 0; i < x.dim[0].extent; ++i) {
    float &element = reinterpret_cast<float *>(x.host)[i];
    element = element == 0 ? INFINITY : element + 1;
  }
  return 0;
}

int nothing(void **) { return 0; }

const axl_location locations[] = {{"model.cpp", 1, 1}, {"model.cpp", 2, 1}};
const char *const axes[] = {"element"};
const axl_extent three[] = {{3, {-1}}}, five[] = {{5, {-1}}};
const axl_variable_info variables[] = {
    {{"a", AXL_F32, 1, axes, three, 0, 0}, AXL_STATE, AXL_INIT_ONES, {}},
    {{"b", AXL_F32, 1, axes, five, 0, 0}, AXL_STATE, AXL_INIT_ONES, {}}};

enum { IncrementA, IncrementB, Other };
const axl_operand a[] = {{"a", AXL_READ | AXL_WRITE, {0}, {0}, 0}};
const axl_operand b[] = {{"b", AXL_READ | AXL_WRITE, {0}, {0}, 1}};
const axl_loop pairs[] = {{AXL_PARALLEL, 2}};
const int32_t first[] = {0};
const axl_block incrementBlock{increment, 1, first}, otherBlock{nothing, 1, first};
const axl_kernel kernels[] = {
    {"increment_a", 1, pairs, 1, a, 1, &incrementBlock, 0, 0, nullptr, 0, nullptr},
    {"increment_b", 1, pairs, 1, b, 1, &incrementBlock, 0, 1, nullptr, 0, nullptr},
    {"other", 1, pairs, 1, b, 1, &otherBlock, 0, 1, nullptr, 0, nullptr}};

int step(axl_context *context, const axl_tensor *, const axl_tensor *) {
  if (int code = axl_defer(context, IncrementA, axl_variable(context, 0), 1, nullptr, 0))
    return code;
  return axl_launch(context, IncrementB, axl_variable(context, 1), 1, nullptr, 0);
}

int halfOfAStep(axl_context *context, const axl_tensor *, const axl_tensor *) {
  if (int code = axl_defer(context, IncrementA, axl_variable(context, 0), 1, nullptr, 0))
    return code;
  return axl_report(AXL_ERROR_SIZE, "it ends here");
}

int mismatch(axl_context *context, const axl_tensor *, const axl_tensor *) {
  if (int code = axl_defer(context, IncrementA, axl_variable(context, 0), 1, nullptr, 0))
    return code;
  return axl_launch(context, Other, axl_variable(context, 1), 1, nullptr, 0);
}

const axl_function functions[] = {
    {"step", 0, nullptr, 0, nullptr, 0, 1, step, 0, 0, nullptr},
    {"half_of_a_step", 0, nullptr, 0, nullptr, 0, 1, halfOfAStep, 0, 0, nullptr},
    {"mismatch", 0, nullptr, 0, nullptr, 0, 1, mismatch, 0, 0, nullptr}};

axl_device countingDevice() {
  axl_device device = *axl_cpu_device();
  device.name = "counting";
  device.launch = [](const axl_device *, const axl_kernel *kernel, int32_t count,
                     const axl_tensor *tensors, const int32_t *sizes) {
    launches.push_back(count);
    return axl_run_sets_on_host(kernel, count, tensors, sizes);
  };
  return device;
}

const axl_model &description() {
  static const axl_device device = countingDevice();
  axl_register_device(&device);
  launches.clear();
  static const axl_model model = {AXL_ABI_VERSION, "defer", "0",       "x86-64-linux",
                                  "counting",      0,       nullptr,   0,
                                  nullptr,         2,       variables, 3,
                                  functions,       3,       kernels,   0,
                                  nullptr,         2,       locations};
  return model;
}

TEST(Defer, KernelsWithOneCodeAreOneLaunch) {
  Model model(description());
  model.call("step", {}, {});
  model.call("step", {}, {});
  EXPECT_THAT(launches, testing::ElementsAre(2, 2));
  EXPECT_THAT(model.variable("a").view<float>(), testing::Each(3.f));
  EXPECT_THAT(model.variable("b").view<float>(), testing::Each(3.f));
}

TEST(Defer, ACallThatFailedLeavesNothingBehind) {
  Model model(description());
  expectError(AXL_ERROR_SIZE, testing::HasSubstr("it ends here"),
              [&] { model.call("half_of_a_step", {}, {}); });
  model.call("step", {}, {});
  EXPECT_THAT(launches, testing::ElementsAre(2));
  EXPECT_THAT(model.variable("a").view<float>(), testing::Each(2.f));
}

TEST(Defer, OtherCodeIsAContradiction) {
  Model model(description());
  expectError(AXL_ERROR_INTERNAL,
              testing::HasSubstr("kernel 'other' has other code than 'increment_a', which it was "
                                 "launched with"),
              [&] { model.call("mismatch", {}, {}); });
}

// Each kernel's results are checked under its own name.
TEST(Defer, NumbersThatAreNotFiniteAreFoundInTheirKernel) {
  Model model(description());
  model.checkFinite(true);
  Tensor zero(AXL_F32, {5});
  for (float &element : zero.view<float>())
    element = 1;
  zero.view<float>()[4] = 0;
  model.writeVariable("b", zero);
  expectError(AXL_ERROR_NOT_FINITE,
              testing::HasSubstr("tensor 'b', written by kernel 'increment_b', is not finite at "
                                 "[4] (model.cpp:2)"),
              [&] { model.call("step", {}, {}); });
}

// 3 + 5 elements, read and written.
TEST(Defer, ProfilesHaveOneRow) {
  setenv("AXLOOM_PROFILE", "1", true);
  testing::internal::CaptureStderr();
  {
    Model model(description());
    model.call("step", {}, {});
  }
  unsetenv("AXLOOM_PROFILE");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::HasSubstr("profile of model 'defer': 1 launches, "),
                             testing::HasSubstr("increment_a with 1 more (model.cpp:1)\n"),
                             testing::Not(testing::HasSubstr("increment_b"))));
}

} // namespace
