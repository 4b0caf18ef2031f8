//===- Random.h - Numbers from counters -------------------------*- C++ -*-===//
//
// The bits of `axloom.random`: a function of (seed, step, site) and an element's logical
// coordinates, never of memory offsets or of threads. The reference interpreter, generated kernels
// and the runtime all follow these definitions. Depends on nothing. Test: tests/ir/RandomTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <cstdint>

namespace axloom::random {
/// Mixes 32 bits so that each input bit reaches each output bit (Wellons' lowbias32).
constexpr uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

/// How far one step along an axis moves the counter; axes are numbered in the order of their names.
inline constexpr int maxRank = 8;
inline constexpr uint32_t coordinateFactors[maxRank] = {0x9e3779b1u, 0x85ebca77u, 0xc2b2ae3du,
                                                        0x27d4eb2fu, 0x165667b1u, 0xd3a2646du,
                                                        0xfd7046c5u, 0xb55a4f09u};

/// What all elements of one random tensor share.
struct Key {
  uint32_t stream; // tells steps of one seed apart, and enters each element a second time
  uint32_t start;  // the counter of the element at the origin

  static constexpr Key of(uint32_t seed, uint32_t step, uint32_t site) {
    uint32_t stream = mix(mix(seed ^ 0x9e3779b9u) + step);
    return {stream, mix(stream ^ (site * 0x85ebca6bu))};
  }
};

/// The bits of one element; `counter` is `key.start` plus each coordinate times its factor.
constexpr uint32_t bits(Key key, uint32_t counter) { return mix(mix(counter) ^ key.stream); }

/// Uniform in [0, 1), exact in f32.
constexpr float uniform(uint32_t bits) {
  return static_cast<float>(bits >> 8) * (1.0f / 16777216.0f);
}
} // namespace axloom::random
