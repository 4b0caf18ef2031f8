#include "runtime/device/HostMemory.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

using namespace axloom;

static constexpr size_t hugePage = size_t(2) << 20;

void *runtime::allocateHostMemory(size_t bytes, size_t alignment, size_t hugeBlock) {
  bool huge = bytes >= hugeBlock;
  size_t unit = huge ? hugePage : alignment;
  size_t rounded = (std::max<size_t>(bytes, 1) + unit - 1) / unit * unit;
  void *memory = std::aligned_alloc(unit, rounded);
  if (memory && huge)
    madvise(memory, rounded, MADV_HUGEPAGE); // a wish: without huge pages all works as well
  return memory;
}
