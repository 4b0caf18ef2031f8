//===- Values.h - Random inputs for tests -----------------------*- C++ -*-===//
//
// Arrays filled with seeded numbers that f32 holds exactly, so that a compiled program and the
// interpreter start from the same values.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/reference/Interpreter.h"

#include <random>

namespace axloom::test {
/// How to fill an argument.
struct Fill {
  enum Kind { Uniform, Spaced, Integers, Mask } kind = Uniform;
  double low = -2, high = 2;
};
/// Numbers in [low, high).
Fill uniform(double low, double high);
/// Different multiples of 1/4 plus 1/8: far from each other, from 0 and from integers, so that ops
/// with kinks have gradients and ties do not happen.
Fill spaced();
/// i32 in [low, high).
Fill integers(int64_t low, int64_t high);
/// i1, true with this probability.
Fill mask(double probability = 0.6);

using Random = std::mt19937_64;

ir::reference::Array filled(ir::NamedTensorType type, const Fill &fill,
                            const ir::reference::Sizes &sizes, Random &random);
} // namespace axloom::test
