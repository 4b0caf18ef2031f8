// Memory of the host: what arenas, variables, scratch and tensors are made of.
#pragma once

#include <cstddef>

namespace axloom::runtime {

// Bytes of a block of two huge pages: no more than half of one is lost where such blocks are
// rounded up. Strided reads of 128 MiB took 10 % less time with huge pages; the logits of
// Transformer-base, a product of 2048 x 512 x 32000, 4 %.
inline constexpr size_t usualHugeBlock = size_t(4) << 20;

// At least `bytes`, at a multiple of `alignment` (a power of two); blocks of `hugeBlock` bytes and
// more ask the system for huge pages. Null when there is no memory left. std::free gives it back.
void *allocateHostMemory(size_t bytes, size_t alignment, size_t hugeBlock = usualHugeBlock);

} // namespace axloom::runtime
