// Counter-based random numbers: bits depend on (seed, step, site, logical coordinates) and on
// nothing else, never on threads or memory. The reference interpreter and generated kernels compute
// the same bits; tests/runtime/RandomTest.cpp holds values that all of them must reproduce.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace axloom::runtime {

// A bijection of 32-bit words with low bias.
constexpr uint32_t lowbias32(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

// Factors of the coordinates, for axes sorted by name.
inline constexpr std::array<uint32_t, 8> coordinateFactors = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du,
                                                              0x27d4eb2fu, 0x165667b1u, 0xd3a2646du,
                                                              0xfd7046c5u, 0xb55a4f09u};

// What is the same for all elements of one random tensor.
class RandomStream {
public:
  constexpr RandomStream(uint32_t seed, uint32_t step, uint32_t site)
      : stepKey(lowbias32(lowbias32(seed ^ 0x9e3779b9u) + step)),
        key(lowbias32(stepKey ^ (site * 0x85ebca6bu))) {}

  // `position` is the sum of coordinate × factor over the axes, wrapping.
  constexpr uint32_t bits(uint32_t position) const {
    return lowbias32(lowbias32(key + position) ^ stepKey);
  }
  // In [0, 1), a multiple of 2^-24.
  constexpr float uniform(uint32_t position) const { return float(bits(position) >> 8) * 0x1p-24f; }

private:
  uint32_t stepKey;
  uint32_t key;
};

// The site of a name (FNV-1a), for variables and other things that have no number of their own.
constexpr uint32_t siteOf(std::string_view name) {
  uint32_t hash = 0x811c9dc5u;
  for (char letter : name)
    hash = (hash ^ uint8_t(letter)) * 0x01000193u;
  return hash;
}

} // namespace axloom::runtime
