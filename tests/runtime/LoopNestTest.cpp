// Chunks of a kernel: which part of each tensor a block sees, and in which order.
#include "runtime/core/Error.h"
#include "runtime/device/Threads.h"
#include "tests/runtime/Expect.h"

#include <HalideRuntime.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

using namespace axloom::runtime;

namespace {

// What blocks saw: for each call the start and extents of its first operand, the sizes and the
// starts; and where it ran.
struct Seen {
  float first;
  std::vector<int32_t> extents; // innermost first, as Halide has them
  std::vector<int32_t> scalars;
  std::thread::id thread;
};
std::mutex mutex;
std::vector<Seen> seen;
int scalarCount = 0;

int record(void **arguments) {
  auto &buffer = *static_cast<halide_buffer_t *>(arguments[0]);
  Seen call{*reinterpret_cast<float *>(buffer.host), {}, {}, std::this_thread::get_id()};
  for (int i = 0; i < buffer.dimensions; ++i)
    call.extents.push_back(buffer.dim[i].extent);
  for (int i = 0; i < scalarCount; ++i)
    call.scalars.push_back(*static_cast<int32_t *>(arguments[1 + i]));
  std::lock_guard lock(mutex);
  seen.push_back(call);
  return 0;
}

// Adds up its chunk into its partial result.
int addUp(void **arguments) {
  auto &x = *static_cast<halide_buffer_t *>(arguments[0]);
  auto &partial = *static_cast<halide_buffer_t *>(arguments[1]);
  float sum = 0;
  for (int i = 0; i < x.dim[0].extent; ++i)
    sum += reinterpret_cast<float *>(x.host)[i];
  EXPECT_EQ(partial.dim[0].extent, 1);
  *reinterpret_cast<float *>(partial.host) = sum;
  return 0;
}

axl_tensor tensorOf(std::vector<float> &data, std::vector<int64_t> extents) {
  axl_tensor tensor{
      reinterpret_cast<axl_memory>(data.data()), 0, AXL_F32, int32_t(extents.size()), {}, {}};
  int64_t stride = 1;
  for (size_t axis = extents.size(); axis-- > 0;) {
    tensor.extent[axis] = extents[axis];
    tensor.stride[axis] = stride;
    stride *= extents[axis];
  }
  return tensor;
}

const int32_t inOrder[] = {0, 1, 2};

class LoopNest : public testing::Test {
protected:
  LoopNest() : data(100) {
    startHost();
    std::iota(data.begin(), data.end(), 0.f);
    seen.clear();
    scalarCount = 0;
  }

  // Runs a block in `outer` chunks of a parallel loop, each with as many of one inside as the data
  // has elements for.
  int runNested(int (*run)(void **), int64_t outer) {
    axl_operand operand{"x", AXL_READ, {0, 1}, {0, 0}, -1};
    axl_block block{run, 1, inOrder};
    axl_loop loops[] = {{AXL_PARALLEL, 1}, {AXL_PARALLEL, 1}};
    axl_kernel kernel{"k", 2, loops, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
    axl_tensor x = tensorOf(data, {outer, int64_t(data.size()) / outer});
    return axl_run_on_host(&kernel, &x, nullptr);
  }

  std::vector<float> data;
};

TEST_F(LoopNest, WithoutLoopsOneCall) {
  axl_operand operand{"x", AXL_READ, {}, {}, -1};
  axl_block block{record, 1, inOrder};
  axl_kernel kernel{"k", 0, nullptr, 1, &operand, 1, &block, 2, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {10, 10});
  scalarCount = 2;
  const int32_t sizes[] = {11, 22};
  ASSERT_EQ(axl_run_on_host(&kernel, &x, sizes), AXL_OK);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_THAT(seen[0].extents, testing::ElementsAre(10, 10));
  EXPECT_THAT(seen[0].scalars, testing::ElementsAre(11, 22));
}

TEST_F(LoopNest, SequentialChunksInOrderAndTheLastOneShorter) {
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_block block{record, 1, inOrder};
  axl_loop loop{AXL_SEQUENTIAL, 4};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {10, 10});
  scalarCount = 1;
  ASSERT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[1].first, 40);
  EXPECT_THAT(seen[1].extents, testing::ElementsAre(10, 4));
  EXPECT_THAT(seen[1].scalars, testing::ElementsAre(4));
  EXPECT_EQ(seen[2].first, 80);
  EXPECT_THAT(seen[2].extents, testing::ElementsAre(10, 2));
  EXPECT_THAT(seen[2].scalars, testing::ElementsAre(8));
}

/// Chunks of 4 of 10 indices, one after the other; `y` [5, 10] has this step along them.
class OverlappingChunks : public LoopNest {
protected:
  void run(int32_t step) {
    axl_operand operands[] = {{"y", AXL_READ | AXL_WRITE, {1}, {step}, -1},
                              {"x", AXL_READ, {0}, {0}, -1}};
    axl_block block{record, 1, inOrder};
    axl_loop loop{AXL_SEQUENTIAL, 4};
    axl_kernel kernel{"k", 1, &loop, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
    axl_tensor tensors[] = {tensorOf(data, {5, 10}), tensorOf(data, {10})};
    EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_OK);
  }
};

TEST_F(OverlappingChunks, MayEndWhereTheChunkEnds) {
  run(AXL_FROM_START);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_THAT(seen[0].extents, testing::ElementsAre(4, 5));
  EXPECT_THAT(seen[1].extents, testing::ElementsAre(8, 5));
  EXPECT_THAT(seen[2].extents, testing::ElementsAre(10, 5));
  for (const Seen &call : seen)
    EXPECT_EQ(call.first, 0);
}

TEST_F(OverlappingChunks, MayBeginBeforeTheChunk) {
  run(-3);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_THAT(seen[0].extents, testing::ElementsAre(4, 5)); // [0, 4)
  EXPECT_EQ(seen[0].first, 0);
  EXPECT_THAT(seen[1].extents, testing::ElementsAre(7, 5)); // [1, 8)
  EXPECT_EQ(seen[1].first, 1);
  EXPECT_THAT(seen[2].extents, testing::ElementsAre(5, 5)); // [5, 10)
  EXPECT_EQ(seen[2].first, 5);
}

TEST_F(LoopNest, TwoLoopsOverOneAxisNest) {
  axl_operand operand{"x", AXL_READ, {1, 1}, {0, 0}, -1};
  axl_block block{record, 1, inOrder};
  axl_loop loops[] = {{AXL_SEQUENTIAL, 6}, {AXL_SEQUENTIAL, 4}};
  axl_kernel kernel{"k", 2, loops, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {10, 10});
  scalarCount = 2;
  ASSERT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK);
  std::vector<float> firsts;
  for (const Seen &call : seen)
    firsts.push_back(call.first);
  EXPECT_THAT(firsts, testing::ElementsAre(0, 4, 6));
  EXPECT_THAT(seen[1].extents, testing::ElementsAre(2, 10));
  EXPECT_THAT(seen[2].extents, testing::ElementsAre(4, 10));
  EXPECT_THAT(seen[2].scalars, testing::ElementsAre(6, 0));
}

TEST_F(LoopNest, PartialResultsHaveAnEntryForEachChunk) {
  for (int threads : {1, 2, 5}) {
    axl_set_threads(threads);
    axl_operand operands[] = {{"x", AXL_READ, {0}, {0}, -1}, {"partial", AXL_WRITE, {0}, {1}, -1}};
    axl_block block{addUp, 2, inOrder};
    axl_loop loop{AXL_PARALLEL, 7};
    axl_kernel kernel{"k", 1, &loop, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
    std::vector<float> partial(15, -1);
    axl_tensor tensors[] = {tensorOf(data, {100}), tensorOf(partial, {15})};
    ASSERT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_OK);
    EXPECT_EQ(partial[0], 21);
    EXPECT_EQ(partial[14], 98 + 99);
    EXPECT_EQ(std::accumulate(partial.begin(), partial.end(), 0.f), 4950);
  }
  axl_set_threads(0);
}

TEST_F(LoopNest, NestedParallelLoopsRunEachChunkOnce) {
  axl_set_threads(2);
  for (int64_t outer : {50, 2}) {
    seen.clear();
    ASSERT_EQ(runNested(record, outer), AXL_OK);
    std::vector<float> firsts;
    for (const Seen &call : seen)
      firsts.push_back(call.first);
    std::sort(firsts.begin(), firsts.end());
    EXPECT_EQ(firsts, data) << outer;
  }
  axl_set_threads(0);
}

TEST_F(LoopNest, WithManyChunksOutsideThoseInsideRunWhereTheyAre) {
  axl_set_threads(2);
  ASSERT_EQ(runNested(record, 20), AXL_OK);
  std::map<int, std::set<std::thread::id>> threads; // of each chunk outside
  for (const Seen &call : seen)
    threads[int(call.first) / 5].insert(call.thread);
  ASSERT_EQ(threads.size(), 20u);
  // But for those that begin once there are no others.
  EXPECT_LE(std::count_if(threads.begin(), threads.end(),
                          [](const auto &chunk) { return chunk.second.size() > 1; }),
            2);
  axl_set_threads(0);
}

// Two chunks outside and three threads: all are at work at once only if they share those inside.
TEST_F(LoopNest, WithFewChunksOutsideAllThreadsShareThoseInside) {
  static std::atomic<int> present;
  present = 0;
  axl_set_threads(3);
  auto meet = [](void **) {
    auto giveUp = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (++present; present < 3 && std::chrono::steady_clock::now() < giveUp;)
      std::this_thread::yield();
    return present < 3 ? 1 : 0;
  };
  EXPECT_EQ(runNested(meet, 2), AXL_OK);
  axl_set_threads(0);
}

// A slice of [2, 3] per chunk of the loop outside, which the loop inside would add to.
TEST_F(LoopNest, SumsOverNothingAreZero) {
  axl_operand operands[] = {{"x", AXL_READ, {0, 1}, {0, 0}, -1},
                            {"sums", AXL_READ | AXL_WRITE, {1, -1}, {0, 0}, -1}};
  axl_block block{record, 2, inOrder};
  axl_loop loops[] = {{AXL_PARALLEL, 1}, {AXL_SEQUENTIAL, 4}};
  axl_kernel kernel{"k", 2, loops, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
  std::vector<float> sums(9, 7);
  axl_tensor tensors[] = {tensorOf(data, {2, 0}), tensorOf(sums, {3, 3})};
  tensors[1].extent[1] = 2; // the last column is another's
  ASSERT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_OK);
  EXPECT_TRUE(seen.empty());
  EXPECT_THAT(sums, testing::ElementsAre(0, 0, 7, 0, 0, 7, 0, 0, 7));
}

// Sets of tensors of any length, one of them empty: each chunk once, with the sizes of its set.
TEST_F(LoopNest, SetsOfTensorsAreOneLaunch) {
  for (int threads : {1, 3}) {
    axl_set_threads(threads);
    seen.clear();
    axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
    axl_block block{record, 1, inOrder};
    axl_loop loop{AXL_PARALLEL, 4};
    axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 1, -1, nullptr, 0, nullptr};
    scalarCount = 2;
    axl_tensor tensors[] = {tensorOf(data, {10}), tensorOf(data, {0}), tensorOf(data, {3}),
                            tensorOf(data, {64})};
    tensors[2].offset = 10 * sizeof(float);
    tensors[3].offset = 13 * sizeof(float);
    const int32_t sizes[] = {10, 0, 3, 64};
    ASSERT_EQ(axl_run_sets_on_host(&kernel, 4, tensors, sizes), AXL_OK);
    std::sort(seen.begin(), seen.end(),
              [](const Seen &a, const Seen &b) { return a.first < b.first; });
    ASSERT_EQ(seen.size(), 3u + 1 + 16);
    EXPECT_THAT(seen[2].extents, testing::ElementsAre(2));
    EXPECT_THAT(seen[2].scalars, testing::ElementsAre(10, 8));
    EXPECT_EQ(seen[3].first, 10);
    EXPECT_THAT(seen[3].extents, testing::ElementsAre(3));
    EXPECT_THAT(seen[3].scalars, testing::ElementsAre(3, 0));
    EXPECT_EQ(seen[19].first, 73);
    EXPECT_THAT(seen[19].scalars, testing::ElementsAre(64, 60));
  }
  axl_set_threads(0);
}

TEST_F(LoopNest, SetsOfAKernelWithoutParallelLoopRunOneByOne) {
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_block block{record, 1, inOrder};
  axl_loop loop{AXL_SEQUENTIAL, 4};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor tensors[] = {tensorOf(data, {6}), tensorOf(data, {3})};
  ASSERT_EQ(axl_run_sets_on_host(&kernel, 2, tensors, nullptr), AXL_OK);
  std::vector<float> firsts;
  for (const Seen &call : seen)
    firsts.push_back(call.first);
  EXPECT_THAT(firsts, testing::ElementsAre(0, 4, 0));
}

TEST_F(LoopNest, AllBlocksOfAChunkRunBeforeTheNextChunk) {
  static std::vector<char> order;
  order.clear();
  axl_block blocks[] = {{[](void **) { return order.push_back('a'), 0; }, 1, inOrder},
                        {[](void **) { return order.push_back('b'), 0; }, 1, inOrder}};
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_loop loop{AXL_SEQUENTIAL, 50};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 2, blocks, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {100});
  ASSERT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK);
  EXPECT_THAT(order, testing::ElementsAre('a', 'b', 'a', 'b'));
}

TEST_F(LoopNest, AnEmptyExtentMeansNoCalls) {
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_block block{record, 1, inOrder};
  axl_loop loop{AXL_PARALLEL, 4};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {0, 10});
  EXPECT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_OK);
  EXPECT_TRUE(seen.empty());
}

TEST_F(LoopNest, WhatWritesNothingIsNotCalled) {
  axl_operand operands[] = {{"x", AXL_READ, {}, {}, -1}, {"y", AXL_WRITE, {}, {}, -1}};
  axl_block block{record, 2, inOrder};
  axl_kernel kernel{"k", 0, nullptr, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor tensors[] = {tensorOf(data, {10}), tensorOf(data, {0, 10})};
  EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_OK);
  EXPECT_TRUE(seen.empty());
}

TEST_F(LoopNest, WhatWritesSomethingIsCalled) {
  axl_operand operands[] = {{"x", AXL_READ, {}, {}, -1},
                            {"nothing", AXL_WRITE, {}, {}, -1},
                            {"y", AXL_WRITE, {}, {}, -1}};
  axl_block block{record, 1, inOrder};
  axl_kernel kernel{"k", 0, nullptr, 3, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor tensors[] = {tensorOf(data, {10}), tensorOf(data, {0, 10}), tensorOf(data, {3})};
  EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_OK);
  EXPECT_EQ(seen.size(), 1u);
}

TEST_F(LoopNest, ResultsOfNothingSayWhatIsEmpty) {
  axl_operand operands[] = {{"x", AXL_READ, {}, {}, -1}, {"y", AXL_WRITE, {}, {}, -1}};
  axl_block block{[](void **) { return 1; }, 2, inOrder};
  axl_kernel kernel{"k", 0, nullptr, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor tensors[] = {tensorOf(data, {0, 10}), tensorOf(data, {10})};
  EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_ERROR_KERNEL);
  EXPECT_THAT(axl_last_error(), testing::HasSubstr("tensor 'x' has no elements"));
}

TEST_F(LoopNest, TheFirstFailureStopsTheRest) {
  static std::atomic<int> calls;
  calls = 0;
  axl_block block{[](void **) { return ++calls, halide_error(nullptr, "too big"), -3; }, 1,
                  inOrder};
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_loop loop{AXL_PARALLEL, 1};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {100});
  EXPECT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_ERROR_KERNEL);
  EXPECT_STREQ(axl_last_error(), "too big");
  EXPECT_LE(calls, threadCount());
}

TEST_F(LoopNest, ABlockWithoutMemorySaysSo) {
  axl_block block{[](void **) { return int(halide_error_code_out_of_memory); }, 1, inOrder};
  axl_operand operand{"x", AXL_READ, {}, {}, -1};
  axl_kernel kernel{"k", 0, nullptr, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {100});
  EXPECT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_ERROR_MEMORY);
}

TEST_F(LoopNest, ContradictionsAreErrors) {
  axl_operand operands[] = {{"x", AXL_READ, {0}, {0}, -1}, {"y", AXL_WRITE, {0}, {0}, -1}};
  axl_block block{record, 2, inOrder};
  axl_loop loop{AXL_PARALLEL, 4};
  axl_kernel kernel{"k", 1, &loop, 2, operands, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor tensors[] = {tensorOf(data, {10}), tensorOf(data, {12})};
  EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_ERROR_INTERNAL);
  EXPECT_STREQ(axl_last_error(), "loop 0 has length 10, but tensor 'y' has extent 12 along it");

  operands[1].step[0] = 1;
  tensors[1] = tensorOf(data, {2});
  EXPECT_EQ(axl_run_on_host(&kernel, tensors, nullptr), AXL_ERROR_INTERNAL);
  EXPECT_STREQ(axl_last_error(), "tensor 'y' has no entry for chunk 2 of loop 0");
}

TEST_F(LoopNest, TensorsBeyond32BitIndicesAreErrors) {
  axl_operand operand{"x", AXL_READ, {}, {}, -1};
  axl_block block{record, 1, inOrder};
  axl_kernel kernel{"k", 0, nullptr, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {1 << 16, 1 << 16});
  EXPECT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_ERROR_SIZE);
  EXPECT_STREQ(axl_last_error(), "tensor 'x' has more than 2^31 elements in one call of a kernel; "
                                 "use smaller batches");
}

TEST_F(LoopNest, LoopsBeyond32BitsAreErrors) {
  axl_operand operand{"x", AXL_READ, {0}, {0}, -1};
  axl_block block{record, 1, inOrder};
  axl_loop loop{AXL_PARALLEL, 1 << 20};
  axl_kernel kernel{"k", 1, &loop, 1, &operand, 1, &block, 0, -1, nullptr, 0, nullptr};
  axl_tensor x = tensorOf(data, {int64_t(1) << 31});
  EXPECT_EQ(axl_run_on_host(&kernel, &x, nullptr), AXL_ERROR_SIZE);
  EXPECT_STREQ(axl_last_error(),
               "tensor 'x' has 2147483648 elements along a loop of a kernel, more "
               "than 2^31 - 1; use smaller batches");
}

TEST_F(LoopNest, CopiesBetweenStrides) {
  std::vector<float> target(12, -1);
  axl_tensor from = tensorOf(data, {3, 2}), to = tensorOf(target, {3, 4});
  from.stride[0] = 10;
  to.extent[1] = 2;
  ASSERT_EQ(axl_copy_on_host(&to, &from), AXL_OK);
  EXPECT_THAT(target, testing::ElementsAre(0, 1, -1, -1, 10, 11, -1, -1, 20, 21, -1, -1));
  from.extent[1] = 1;
  EXPECT_EQ(axl_copy_on_host(&to, &from), AXL_ERROR_INTERNAL);
}

} // namespace
