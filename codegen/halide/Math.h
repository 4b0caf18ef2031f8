//===- Math.h - Elementary functions and random bits in Halide --*- C++ -*-===//
//
// Halide calls the C library for a scalar and a polynomial of its own for a vector, so one
// element's bits would depend on where the vectors end. These are the same few operations in both,
// accurate to 1.5 ulp in f32 (erf: 2.5; sigmoid: 3; pow: 1.5, and 3 for each power of e in the
// result or in its inverse; sin and cos: 1.6 below 10^5, from where on they are just numbers from
// -1 to 1). Other types use Halide's functions, and the C library's erf. Tests:
// tests/codegen/halide/MathTest.cpp, OpsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "Halide.h"

#include <vector>

namespace axloom::codegen {
/// A finite number below all scores, which masked elements get.
constexpr float lowestScore = -1e30f;

/// The sum, difference and product, rounded at once. Halide lets LLVM reassociate plain ones, and
/// LLVM decides that differently for a vector, a scalar, a masked tail and each row of a tile.
Halide::Expr plus(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr minus(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr times(const Halide::Expr &a, const Halide::Expr &b);
/// The quotient, rounded once: Halide would multiply by the rounded inverse of a constant, and
/// takes x / x for 1 and 0 / x for 0.
Halide::Expr over(const Halide::Expr &a, const Halide::Expr &b);
/// The larger and the smaller one; not-a-number where either is.
Halide::Expr larger(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr smaller(const Halide::Expr &a, const Halide::Expr &b);
/// Comparisons, none of which holds of not-a-number: Halide would take `not (a < b)` for `b <= a`.
Halide::Expr isBelow(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr isAtMost(const Halide::Expr &a, const Halide::Expr &b);
Halide::Expr isEqual(const Halide::Expr &a, const Halide::Expr &b);

Halide::Expr expOf(Halide::Expr x);
/// e^x for x below 88, meant for numbers that are at most 0, such as a score less the largest one:
/// two operations fewer than `expOf`. Larger x give anything, infinity too: who has some, of hidden
/// scores, selects afterwards.
Halide::Expr expOfNegative(Halide::Expr x);
/// 2^x for x below 127, meant for numbers that are at most 0; exactly 0 from -127 down. Larger x
/// give anything. Where scores are in units of log 2, this takes 6 multiply-adds, where
/// `expOfNegative` has 8 and 2 products; the rest are a maximum, additions and a shift.
Halide::Expr exp2OfNegative(Halide::Expr x);
/// x * log2(e): e^x is 2^inUnitsOfLog2(x).
Halide::Expr inUnitsOfLog2(const Halide::Expr &x);
/// -inf of 0, not-a-number of what is below: checks for finite numbers notice these.
Halide::Expr logOf(Halide::Expr x);
Halide::Expr tanhOf(Halide::Expr x);
/// As accurate far below 0, where it is e^x: its logarithm is that of a probability.
Halide::Expr sigmoidOf(Halide::Expr x);
Halide::Expr erfOf(Halide::Expr x);
Halide::Expr sinOf(Halide::Expr x);
Halide::Expr cosOf(Halide::Expr x);
/// Of x below 0 not-a-number, if the exponent is not whole. What is too large for an f32 is its
/// largest number, as in `expOf`.
Halide::Expr powOf(Halide::Expr x, Halide::Expr exponent);

/// a / b rounded towards minus infinity, of signed integers; a / 0 is 0.
Halide::Expr floorDivide(Halide::Expr a, Halide::Expr b);

/// How far coordinates move the counter of random numbers, a u32. Each comes with the number of its
/// factor.
Halide::Expr counterSteps(const std::vector<std::pair<Halide::Expr, int64_t>> &coordinates);

/// A uniform number in [0, 1) from (seed, step, site) and those steps; runtime/Random.h has the
/// same bits.
Halide::Expr uniform(Halide::Expr seed, Halide::Expr step, Halide::Expr site,
                     const Halide::Expr &steps);
} // namespace axloom::codegen
