// Element types: the tags of the C interface and the C++ types that go with them.
#pragma once

#include "runtime/abi/axloom.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace axloom::runtime {

// The upper half of an f32.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  // Rounds to nearest even; not-a-number stays one.
  explicit BFloat16(float value) {
    uint32_t word = std::bit_cast<uint32_t>(value);
    bool isNan = (word & 0x7fffffffu) > 0x7f800000u;
    bits =
        isNan ? uint16_t(word >> 16 | 0x40) : uint16_t((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

template <class T> struct ElementTag;
template <> struct ElementTag<float> {
  static constexpr int32_t value = AXL_F32;
};
template <> struct ElementTag<BFloat16> {
  static constexpr int32_t value = AXL_BF16;
};
template <> struct ElementTag<double> {
  static constexpr int32_t value = AXL_F64;
};
template <> struct ElementTag<int32_t> {
  static constexpr int32_t value = AXL_I32;
};
template <> struct ElementTag<bool> {
  static constexpr int32_t value = AXL_I1;
};

template <class T> inline constexpr int32_t elementTag = ElementTag<T>::value;

// Bytes of one element; 0 for a tag that does not exist.
constexpr int64_t elementSize(int32_t tag) {
  constexpr int64_t sizes[] = {4, 2, 8, 4, 1};
  return tag >= AXL_F32 && tag <= AXL_I1 ? sizes[tag] : 0;
}

// "f32", "bf16", ...
constexpr std::string_view elementName(int32_t tag) {
  constexpr std::string_view names[] = {"f32", "bf16", "f64", "i32", "i1"};
  return tag >= AXL_F32 && tag <= AXL_I1 ? names[tag] : "an unknown type";
}

} // namespace axloom::runtime
