// The iterations of a parallel loop. Each thread has a share of neighbours, the same part of every
// loop: what it has written in one kernel it reads in the next one from its own cache. Others may
// have no cache in common with it.
//
// 1. Of `count` iterations and n shares, share i begins with those from i * count / n up to
//    (i + 1) * count / n.
// 2. A thread takes its share from the front.
// 3. When that is empty it takes from the end of the next share that is not, so that the thread
//    whose share it is goes on undisturbed.
//
// Test: tests/runtime/IterationSharesTest.cpp.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace axloom::runtime {

class IterationShares {
public:
  static constexpr size_t most = 64; // further threads begin where others do

  // `count`: less than 2^32.
  IterationShares(size_t count, size_t threads);

  // An iteration that nobody has taken; -1 if none is left.
  int64_t take(size_t thread);

  // Whether none is left. A thread whose own share has some does not look at those of others, who
  // would have to fetch the line back.
  bool empty(size_t thread) const;

  // Leaves out what nobody has taken.
  void clear();

private:
  // The first iteration that is left, and, in the upper half, where they end. A line of memory
  // each: threads take turns for those lines only once they help each other, or ask whether any is
  // left.
  struct alignas(64) Share {
    std::atomic<uint64_t> left;
  };

  static int64_t takeFrom(Share &share, bool fromEnd);

  std::array<Share, most> shares; // the first `size` are in use
  size_t size;
};

} // namespace axloom::runtime
