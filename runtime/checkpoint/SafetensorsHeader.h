// What writer and reader of safetensors files share.
#pragma once

#include "runtime/checkpoint/Crc32c.h"
#include "runtime/core/Error.h"
#include "runtime/core/Types.h"

#include <array>
#include <bit>
#include <cstdio>
#include <string>
#include <string_view>

namespace axloom::runtime::safetensors {

static_assert(std::endian::native == std::endian::little, "the format is little endian");

inline constexpr std::string_view metadataKey = "__metadata__";
inline constexpr std::string_view checksumKey = "crc32c";
inline constexpr std::string_view tensorChecksumPrefix = "crc32c.";
inline constexpr std::string_view noChecksum = "00000000";

// dtype of each element type, in the order of their tags.
inline constexpr std::array<std::string_view, 5> dtypes = {"F32", "BF16", "F64", "I32", "BOOL"};

inline std::string hex(uint32_t value) {
  char digits[9];
  std::snprintf(digits, sizeof(digits), "%08x", value);
  return digits;
}

// Where the digits of the header's own checksum begin; npos if it has none.
inline size_t findChecksum(const std::string &header) {
  std::string key = concat('"', checksumKey, "\":\"");
  size_t place = header.find(key);
  bool fits = place != std::string::npos && place + key.size() + 8 <= header.size();
  return fits ? place + key.size() : std::string::npos;
}

// The checksum of a header whose own digits are zeros.
inline uint32_t headerChecksum(const std::string &header) {
  uint64_t length = header.size();
  return crc32c(header.data(), header.size(), crc32c(&length, sizeof(length)));
}

} // namespace axloom::runtime::safetensors
