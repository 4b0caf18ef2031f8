#include "runtime/checkpoint/Crc32c.h"

#include <array>
#include <cstring>

using namespace axloom::runtime;

namespace {

// tables[k][b]: the effect of byte b, k bytes before the end of a group of eight.
constexpr auto makeTables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = value >> 1 ^ (value & 1 ? 0x82f63b78u : 0);
    tables[0][byte] = value;
  }
  for (size_t group = 1; group < 8; ++group)
    for (size_t byte = 0; byte < 256; ++byte) {
      uint32_t value = tables[group - 1][byte];
      tables[group][byte] = value >> 8 ^ tables[0][value & 255];
    }
  return tables;
}

constexpr auto tables = makeTables();

} // namespace

uint32_t axloom::runtime::crc32c(const void *bytes, size_t count, uint32_t before) {
  auto *next = static_cast<const unsigned char *>(bytes);
  uint32_t crc = ~before;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    std::memcpy(&word, next, 8);
    word ^= crc;
    crc = 0;
    for (size_t byte = 0; byte < 8; ++byte)
      crc ^= tables[7 - byte][word >> 8 * byte & 255];
  }
  for (; count > 0; --count, ++next)
    crc = crc >> 8 ^ tables[0][(crc ^ *next) & 255];
  return ~crc;
}
