#include "runtime/device/IterationShares.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

uint32_t firstOf(uint64_t left) { return uint32_t(left); }
uint32_t endOf(uint64_t left) { return uint32_t(left >> 32); }
bool isEmpty(uint64_t left) { return firstOf(left) >= endOf(left); }
uint64_t range(uint32_t first, uint32_t end) { return uint64_t(end) << 32 | first; }

} // namespace

IterationShares::IterationShares(size_t count, size_t threads)
    : size(std::clamp<size_t>(std::min(threads, count), 1, most)) {
  for (size_t i = 0; i < size; ++i)
    shares[i].left = range(uint32_t(i * count / size), uint32_t((i + 1) * count / size));
}

int64_t IterationShares::takeFrom(Share &share, bool fromEnd) {
  uint64_t left = share.left.load(std::memory_order_relaxed);
  while (!isEmpty(left)) {
    uint32_t first = firstOf(left), end = endOf(left);
    uint64_t rest = fromEnd ? range(first, end - 1) : range(first + 1, end);
    if (share.left.compare_exchange_weak(left, rest, std::memory_order_relaxed))
      return fromEnd ? end - 1 : first;
  }
  return -1;
}

int64_t IterationShares::take(size_t thread) {
  int64_t iteration = -1;
  for (size_t i = 0; iteration < 0 && i < size; ++i)
    iteration = takeFrom(shares[(thread + i) % size], /*fromEnd=*/i > 0);
  return iteration;
}

bool IterationShares::empty(size_t thread) const {
  for (size_t i = 0; i < size; ++i)
    if (!isEmpty(shares[(thread + i) % size].left.load(std::memory_order_relaxed)))
      return false;
  return true;
}

void IterationShares::clear() {
  for (size_t i = 0; i < size; ++i)
    shares[i].left.store(range(0, 0), std::memory_order_relaxed);
}
