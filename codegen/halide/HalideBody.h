//===- HalideBody.h - The body of a custom op in Halide ---------*- C++ -*-===//
//
// A formula over Halide expressions, for one element. exp, log, tanh, sin, cos and pow of it become
// those of codegen/halide/Math.h, so that an element's bits do not depend on where vectors end.
// Test: tests/codegen/halide/CustomOpTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/CustomBody.h"

#include "Halide.h"

#include <functional>
#include <string>
#include <vector>

namespace axloom::codegen {
class HalideBody : public ir::CustomBody {
public:
  using Formula = std::function<Halide::Expr(const std::vector<Halide::Expr> &)>;

  HalideBody(const std::vector<Halide::Type> &operands, Halide::Type result, Formula formula);

  std::string text() const override { return printed; }
  std::string problem() const override { return mistake; }
  /// The element of the result, given those of the operands.
  Halide::Expr at(const std::vector<Halide::Expr> &operands) const;

private:
  Formula formula;
  std::string printed, mistake;
};
} // namespace axloom::codegen
