// Scratch memory of kernels: aligned, separate, used again. Each test has a process of its own,
// since there is one pool.
#include "runtime/device/ScratchPool.h"
#include "runtime/abi/axloom.h"
#include "runtime/device/Threads.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gmock/gmock.h>
#include <thread>
#include <vector>

using namespace axloom::runtime;

namespace {

TEST(ScratchPool, BlocksAreAlignedAndSeparate) {
  std::vector<std::pair<char *, size_t>> blocks;
  for (size_t bytes : {1, 100, 1024, 1025, 1280, 1281, 4096, 4097, 100'000, 5'000'000}) {
    auto *block = static_cast<char *>(allocateScratch(bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % scratchAlignment, 0u);
    std::memset(block, int(blocks.size()), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto [begin, bytes] = blocks[i];
    EXPECT_EQ(size_t(std::count(begin, begin + bytes, char(i))), bytes);
    releaseScratch(blocks[i].first);
  }
}

TEST(ScratchPool, BlocksAreUsedAgain) {
  void *block = allocateScratch(3000);
  releaseScratch(block);
  size_t before = scratchBytes();
  for (size_t bytes = 2817; bytes <= 3072; ++bytes) {
    void *again = allocateScratch(bytes);
    releaseScratch(again);
  }
  EXPECT_EQ(scratchBytes(), before);
}

// Takes two blocks in each of `count` tasks.
void takeTwo(int64_t count) {
  parallelFor(count, [](int64_t) {
    void *mine[] = {allocateScratch(50'000), allocateScratch(50'000)};
    std::memset(mine[0], 1, 50'000);
    releaseScratch(mine[1]);
    releaseScratch(mine[0]);
  });
}

TEST(ScratchPool, WhatOneThreadNeededInALoopIsThereForAll) {
  axl_set_threads(4);
  takeTwo(1);
  size_t before = scratchBytes();
  for (int round = 0; round < 100; ++round)
    takeTwo(16);
  EXPECT_EQ(scratchBytes(), before);
  axl_set_threads(0);
}

TEST(ScratchPool, WhatIsHeldAroundLoopsIsThereOnce) {
  axl_set_threads(4);
  size_t before = scratchBytes();
  void *around = allocateScratch(70'000'000);
  EXPECT_LT(scratchBytes() - before, 2 * 70'000'000u);
  releaseScratch(around);
  axl_set_threads(0);
}

TEST(ScratchPool, WhatIsHeldAroundLoopsServesSmallerNeedsThere) {
  constexpr size_t most = 300'000'000;
  releaseScratch(allocateScratch(most));
  size_t before = scratchBytes();
  for (size_t bytes = most; bytes > most / 2; bytes -= most / 20)
    releaseScratch(allocateScratch(bytes));
  EXPECT_EQ(scratchBytes(), before);
}

TEST(ScratchPool, WhatIsHeldServesNobodyElse) {
  constexpr size_t most = 1'000'000'000, part = most / 2; // of classes that no other test uses
  void *whole = allocateScratch(most);
  size_t before = scratchBytes();
  void *another = allocateScratch(part);
  EXPECT_NE(another, whole);
  EXPECT_LT(scratchBytes() - before, most); // not as large, since it is the other's first need
  releaseScratch(another);
  releaseScratch(whole);
}

// In the second round the third block is there from the beginning: if the second need took it, the
// fourth would find nothing.
TEST(ScratchPool, TheSecondRoundNeedsNoMoreThanTheFirst) {
  auto round = [] {
    releaseScratch(allocateScratch(8 << 20));
    void *around = allocateScratch(2 << 20);
    releaseScratch(allocateScratch(3 << 20));
    releaseScratch(allocateScratch(1 << 20));
    releaseScratch(around);
  };
  round();
  size_t before = scratchBytes();
  round();
  EXPECT_EQ(scratchBytes(), before);
}

TEST(ScratchPool, ASmallNeedLeavesALargeBlockToThoseWhoNeedIt) {
  constexpr size_t large = 900'000'000, small = large / 64;
  releaseScratch(allocateScratch(large));
  void *first = allocateScratch(small);
  size_t before = scratchBytes();
  releaseScratch(allocateScratch(large));
  EXPECT_EQ(scratchBytes(), before);
  releaseScratch(first);
}

TEST(ScratchPool, WhatIsHeldAroundALoopIsNotWhatItsThreadsNeed) {
  axl_set_threads(4);
  void *around = allocateScratch(50'000);
  takeTwo(1);
  size_t before = scratchBytes();
  for (int round = 0; round < 100; ++round)
    takeTwo(16);
  EXPECT_EQ(scratchBytes(), before);
  releaseScratch(around);
  axl_set_threads(0);
}

TEST(ScratchPool, AThreadTakesWhatItGaveBack) {
  axl_set_threads(1);
  bool same = true;
  parallelFor(4, [&](int64_t) {
    void *first = allocateScratch(20'000), *second = allocateScratch(20'000);
    releaseScratch(second);
    releaseScratch(first);
    void *others; // what another one gets meanwhile
    std::thread([&] { others = allocateScratch(20'000); }).join();
    void *again[] = {allocateScratch(20'000), allocateScratch(20'000)};
    same = same && again[0] == first && again[1] == second && others != first && others != second;
    releaseScratch(others);
    releaseScratch(again[1]);
    releaseScratch(again[0]);
  });
  EXPECT_TRUE(same);
  axl_set_threads(0);
}

TEST(ScratchPool, WhatAThreadKeptIsThereAfterItsEnd) {
  axl_set_threads(1);
  auto takeTwoSmall = [] {
    parallelFor(2, [](int64_t) {
      void *mine[] = {allocateScratch(11'000), allocateScratch(11'000)};
      releaseScratch(mine[1]);
      releaseScratch(mine[0]);
    });
  };
  std::thread(takeTwoSmall).join();
  size_t before = scratchBytes();
  for (int i = 0; i < 10; ++i)
    std::thread(takeTwoSmall).join();
  EXPECT_EQ(scratchBytes(), before);
  axl_set_threads(0);
}

TEST(ScratchPool, ImpossibleSizesGiveNull) {
  EXPECT_EQ(allocateScratch(SIZE_MAX / 2), nullptr);
  releaseScratch(nullptr);
}

} // namespace
