//===- NativeRounding.h - f32 to bf16 by the machine's instruction -*- C++ -*-===//
//
// Halide rounds to bf16 by arithmetic on bits, half a dozen instructions a vector, where the
// machine has one. Test: tests/codegen/halide/ContractionTest.cpp and all others with factors of
// bf16.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

namespace axloom::codegen {
/// A lowered function with whole vectors rounded by vcvtne2ps2bf16 (AVX512-BF16). The numbers are
/// the same, but those below 2^-126 become 0, as they do when factors are multiplied.
Halide::Internal::Stmt roundNatively(const Halide::Internal::Stmt &body);
} // namespace axloom::codegen
