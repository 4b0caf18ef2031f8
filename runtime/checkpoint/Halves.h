// The 16-bit floating-point numbers of files, F16 and BF16, as f32: exactly, with subnormal
// numbers, infinities and the bits of what is not a number.
//
// Test: tests/runtime/SafetensorsTest.cpp, all of them.
#pragma once

#include "runtime/core/View.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace axloom::runtime::safetensors {

inline bool areHalves(std::string_view dtype) { return dtype == "F16" || dtype == "BF16"; }

// A number of one bit for the sign, 5 for the exponent and 10 for the fraction.
inline float widenF16(uint16_t bits) {
  const uint32_t sign = uint32_t(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  // Its bits in f32's places are a number, be it subnormal, that is 2^(127 - 15) times too small.
  const float finite = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const uint32_t notFinite = magnitude >= 0x7c00 ? 0x7f800000 : 0;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(finite) | notFinite);
}

inline float widenBF16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

// By blocks of constant size in memory of their own: compilers vectorize the loop over one.
template <float widen(uint16_t)> void widenAll(const std::byte *halves, View<float> wide) {
  constexpr int64_t most = 64;
  uint16_t narrow[most] = {};
  float numbers[most];
  const int64_t size = wide.size();
  for (int64_t start = 0; start < size; start += most) {
    const auto count = size_t(std::min(most, size - start));
    std::memcpy(narrow, halves + start * int64_t(sizeof(uint16_t)), count * sizeof(uint16_t));
    for (int64_t i = 0; i < most; ++i)
      numbers[i] = widen(narrow[i]);
    std::memcpy(wide.data() + start, numbers, count * sizeof(float));
  }
}

// Writes as many numbers as `wide` has. `halves` may be the end of its memory: the next one to be
// read never lies before the end of what is written.
inline void widenHalves(std::string_view dtype, const std::byte *halves, View<float> wide) {
  return dtype == "F16" ? widenAll<widenF16>(halves, wide) : widenAll<widenBF16>(halves, wide);
}

} // namespace axloom::runtime::safetensors
