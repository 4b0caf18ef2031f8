//===- KernelCases.h - Kernels written as text ------------------*- C++ -*-===//

#pragma once

#include "tests/codegen/support/KernelCheck.h"

namespace axloom::test {
/// A case around the lines of `body`, which computes %y from %x0, %x1 ..., or, where there are
/// several results, %r0, %r1 ... or those of one op as `%y:2 = ...`; types are written as the
/// inside of `!axloom.tensor<...>`, and as `T<...>` in the body. Sizes are `oddSizes(symbols)`.
KernelCase kernelCase(std::string name, std::vector<std::string> inputs, std::string body,
                      std::vector<std::string> results, std::vector<std::string> symbols,
                      std::string attributes = "");

/// A text with every `from` in it as `to`: a case's values under other names, its axes with other
/// sizes.
std::string replaced(std::string text, const std::string &from, const std::string &to);

/// The same kernel with the factors of its products rounded to bf16 (ir/Factors.h). Products of
/// such factors are exact in f32. Only where factors are computed may some become the neighbours of
/// what the interpreter finds, a bf16 step (up to 2^-7 of them) away; `tolerance` has to allow for
/// that.
KernelCase withRoundedFactors(KernelCase entry, double tolerance);

/// Whether this machine has fast instructions for the factors of a case, and so fast schedules.
bool isMultipliedFast(const KernelCase &entry);
} // namespace axloom::test
