// Once shapes are known, nothing reaches the system's allocator during a call. This program
// replaces the C library's allocator by one that counts.
#include "runtime/Runtime.h"
#include "runtime/device/Threads.h"
#include "tests/runtime/FakeModel.h"

#include <HalideRuntime.h>
#include <atomic>
#include <cerrno>
#include <gtest/gtest.h>

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
}

namespace {
std::atomic<bool> counting{false};
std::atomic<int> allocations{0};

void note() {
  if (counting)
    ++allocations;
}
} // namespace

extern "C" {
void *malloc(size_t bytes) { return note(), __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return note(), __libc_calloc(count, bytes); }
void *realloc(void *memory, size_t bytes) { return note(), __libc_realloc(memory, bytes); }
void *memalign(size_t alignment, size_t bytes) { return note(), __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
}

using namespace axloom::runtime;

namespace {

// Counts allocations of `action`, after it has run once.
template <class Action> int allocationsOf(Action &&action) {
  action();
  allocations = 0;
  counting = true;
  for (int round = 0; round < 20; ++round)
    action();
  counting = false;
  return allocations;
}

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

TEST(Allocation, NoneInSmallerShapes) {
  Model model(fake::model);
  Tensor large(AXL_F32, {8, 16}), small(AXL_F32, {3, 2});
  float factor = 2;
  model.call("scale", {{"x", large}, {"factor", View<float>(factor)}}, {{"y", large}});
  EXPECT_EQ(allocationsOf([&] {
              model.call("scale", {{"x", small}, {"factor", View<float>(factor)}}, {{"y", small}});
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
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1};
  axl_tensor x{reinterpret_cast<axl_memory>(data.data()), 0, AXL_F32, 1, {64}, {1}};
  EXPECT_EQ(allocationsOf([&] { ASSERT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK); }), 0);
  axl_set_threads(0);
}

} // namespace
