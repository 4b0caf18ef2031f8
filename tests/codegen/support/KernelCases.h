//===- KernelCases.h - Kernels written as text ------------------*- C++ -*-===//

#pragma once

#include "tests/codegen/support/KernelCheck.h"

namespace axloom::test {
/// A case around the lines of `body`, which computes %y (or %y#0 ...) from %x0, %x1 ...; types are
/// written as the inside of `!axloom.tensor<...>`, and as `T<...>` in the body. Sizes are
/// `oddSizes(symbols)`.
KernelCase kernelCase(std::string name, std::vector<std::string> inputs, std::string body,
                      std::vector<std::string> results, std::vector<std::string> symbols,
                      std::string attributes = "");
} // namespace axloom::test
