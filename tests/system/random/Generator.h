//===- Generator.h - Random programs ----------------------------*- C++ -*-===//
//
// Programs of 5 to 15 ops (some with a few more, where an op needs others to make sense), valid by
// construction: each op is made for values that are there, evaluated at once, and kept only if its
// values are finite, not large, and not near a kink or jump, where rounding would decide. Variables
// are read at the beginning and written at the end.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "tests/support/Values.h"
#include "tests/system/random/Program.h"

namespace axloom::test {
struct GeneratorOptions {
  bool ragged = false; // positions have a length for each batch entry
  bool wide = false;   // axes are longer than a vector, some than a tile
};

/// The program of a seed: the same on every machine.
Program generate(Graphs &graphs, uint64_t seed, const GeneratorOptions &options = {});
} // namespace axloom::test
