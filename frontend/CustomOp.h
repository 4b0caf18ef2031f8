//===- CustomOp.h - ops that the user's program defines ------------------------===//
//
// The untyped layer under axloom::CustomOp (codegen/halide/CustomOp.h), which is what users write.
// Tests: tests/codegen/halide/CustomOpTest.cpp, CustomOpErrorsTest.cpp
//
//===----------------------------------------------------------------------===//
#pragma once

#include "frontend/Graph.h"
#include "ir/CustomBody.h"

#include <functional>
#include <memory>
#include <span>

namespace axloom::graph {

/// An op that works element by element, on operands broadcast by name.
struct OpDefinition {
  std::string name;
  std::vector<Element> operands; // at least one is floating-point, and the result is like it
  std::shared_ptr<const ir::CustomBody> body;
  /// In double precision; masks are 0 or 1. It is also run on a few numbers, to tell definitions
  /// apart.
  std::function<double(std::span<const double>)> reference;
  /// From operands, result and its adjoint: the adjoint of each operand, empty for those that are
  /// no floating-point tensors. Empty: no gradient goes through the op. It is also run on numbers
  /// without axes, to tell definitions apart.
  std::function<std::vector<Node>(const std::vector<Node> &, Node, Node)> adjoint;
  Where where;
};

/// Appends the op and makes its definition known to the program.
Node emitCustom(const OpDefinition &definition, const std::vector<Node> &operands,
                const Where &where);

} // namespace axloom::graph
