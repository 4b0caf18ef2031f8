// CRC-32C (Castagnoli): finds every single flipped byte, and bursts of up to 32 bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace axloom::runtime {

// The checksum of `count` bytes, going on from that of what came before them.
uint32_t crc32c(const void *bytes, size_t count, uint32_t before = 0);

} // namespace axloom::runtime
