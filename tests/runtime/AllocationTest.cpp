// Once shapes are known, nothing reaches the system's allocator during a call.
#include "runtime/Runtime.h"
#include "runtime/device/Threads.h"
#include "tests/runtime/FakeModel.h"
#include "tests/support/Allocations.h"

#include <HalideRuntime.h>
#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

TEST(Allocation, TheCounterCounts) {
  static void *volatile kept; // or the compiler would do without
  EXPECT_EQ(allocationsOf([] {
              kept = ::operator new(8);
              ::operator delete(kept);
            }),
            20);
}

TEST(Allocation, NoneInWarmCalls) {
  axl_set_threads(3);
  Model model(fake::model);
  Tensor x(AXL_F32, {7, 5}), y(AXL_F32, {7, 5}), source(AXL_I32, {4, 6});
  float factor = 2, loss;
  int32_t seed = 1, step = 1;
  EXPECT_EQ(allocationsOf([&] {
              model.call("scale", {{"x", x}, {"factor", View<float>(factor)}}, {{"y", y}});
              model.call("train_step",
                         {{"source", source},
                          {"seed", View<int32_t>(seed)},
                          {"step", View<int32_t>(step)}},
                         {{"loss", View<float>(loss)}});
            }),
            0);
}

TEST(Allocation, NoneInOtherShapes) {
  Model model(fake::model);
  Tensor large(AXL_F32, {8, 16}), small(AXL_F32, {3, 2});
  Tensor largeResult(AXL_F32, {8, 16}), smallResult(AXL_F32, {3, 2});
  float factor = 2;
  EXPECT_EQ(
      allocationsOf([&] {
        model.call("scale", {{"x", large}, {"factor", View<float>(factor)}}, {{"y", largeResult}});
        model.call("scale", {{"x", small}, {"factor", View<float>(factor)}}, {{"y", smallResult}});
      }),
      0);
}

TEST(Allocation, NoneInSessions) {
  Model model(fake::model);
  const NamedSize sizes[] = {{"B", 2}, {"S", 3}, {"T", 4}};
  Session session(model, sizes);
  Tensor source(AXL_I32, {2, 3}), token(AXL_I32, {2}), next(AXL_I32, {2});
  int32_t position = 0;
  EXPECT_EQ(allocationsOf([&] {
              session.reset(sizes);
              session.call("encode", {{"source", source}}, {});
              session.call("decode_step", {{"token", token}, {"position", View<int32_t>(position)}},
                           {{"next", next}});
            }),
            0);
}

// What a pipeline with scratch memory does, in chunks on several threads.
int useScratch(void **) {
  void *outer = halide_malloc(nullptr, 40'000), *inner = halide_malloc(nullptr, 700);
  static_cast<volatile char *>(outer)[39'999] = 1;
  static_cast<volatile char *>(inner)[699] = 1;
  halide_free(nullptr, inner);
  halide_free(nullptr, outer);
  return 0;
}

TEST(Allocation, NoneInKernelsWithScratch) {
  axl_set_threads(4);
  std::vector<float> data(64);
  const int32_t order[] = {0};
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_block block{useScratch, 1, order};
  axl_loop loop{AXL_PARALLEL, 1};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x{reinterpret_cast<axl_memory>(data.data()), 0, AXL_F32, 1, {64}, {1}};
  EXPECT_EQ(allocationsOf([&] { ASSERT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK); }), 0);
  axl_set_threads(0);
}

} // namespace
