#include "runtime/device/IterationShares.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace axloom::runtime;

namespace {

std::vector<int64_t> takeAll(IterationShares &shares, size_t thread) {
  std::vector<int64_t> taken;
  for (int64_t iteration; (iteration = shares.take(thread)) >= 0;)
    taken.push_back(iteration);
  return taken;
}

TEST(IterationShares, GivesEachThreadTheSamePartOfEveryLoop) {
  for (int64_t count : {8, 80, 8000})
    for (size_t thread = 0; thread < 4; ++thread) {
      IterationShares shares(count, 4);
      EXPECT_EQ(shares.take(thread), count / 4 * int64_t(thread));
      EXPECT_EQ(shares.take(thread), count / 4 * int64_t(thread) + 1);
    }
}

TEST(IterationShares, GivesFromTheEndOfOthersOnceTheOwnShareIsEmpty) {
  IterationShares shares(7, 3); // [0, 2), [2, 4), [4, 7)
  EXPECT_EQ(shares.take(2), 4);
  EXPECT_EQ(takeAll(shares, 1), (std::vector<int64_t>{2, 3, 6, 5, 1, 0}));
  EXPECT_TRUE(shares.empty(0));
}

TEST(IterationShares, HasNoSharesForThreadsWithoutIterations) {
  IterationShares shares(2, 5);
  EXPECT_EQ(shares.take(4), 0); // as thread 0
  EXPECT_EQ(takeAll(shares, 1), (std::vector<int64_t>{1}));
  IterationShares none(0, 5);
  EXPECT_TRUE(none.empty(0));
  EXPECT_EQ(none.take(0), -1);
}

TEST(IterationShares, HasRoomForMoreThreadsThanShares) {
  constexpr size_t threads = 3 * IterationShares::most;
  IterationShares shares(1000, threads);
  std::vector<int> runs(1000);
  for (size_t i = 0; i < 1000; ++i)
    ++runs[size_t(shares.take(i % threads))];
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
  EXPECT_TRUE(shares.empty(0));
}

TEST(IterationShares, IsEmptyForAllOrNone) {
  IterationShares shares(3, 3);
  for (size_t left = 3; left-- > 0; shares.take(left))
    for (size_t thread = 0; thread < 4; ++thread)
      EXPECT_FALSE(shares.empty(thread));
  for (size_t thread = 0; thread < 4; ++thread)
    EXPECT_TRUE(shares.empty(thread));
}

TEST(IterationShares, LeavesOutWhatIsCleared) {
  IterationShares shares(100, 3);
  EXPECT_FALSE(shares.empty(0));
  shares.clear();
  EXPECT_TRUE(shares.empty(0));
  EXPECT_EQ(shares.take(1), -1);
}

TEST(IterationShares, GivesEachIterationOnce) {
  for (int64_t count : {1, 5, 100'000}) {
    IterationShares shares(count, 4);
    std::vector<std::atomic<int>> runs(static_cast<size_t>(count));
    {
      std::vector<std::jthread> threads;
      for (size_t thread = 0; thread < 6; ++thread) // two begin where others do
        threads.emplace_back([&, thread] {
          for (int64_t iteration; (iteration = shares.take(thread)) >= 0;)
            ++runs[size_t(iteration)];
        });
    }
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(runs[size_t(i)], 1) << i << " of " << count;
  }
}

} // namespace
