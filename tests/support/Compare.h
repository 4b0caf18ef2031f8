//===- Compare.h - Whether two arrays agree ---------------------*- C++ -*-===//

#pragma once

#include "ir/reference/Array.h"

#include <string>

namespace axloom::test {
/// How far a result may be from the reference: absolute, in units of the largest magnitude of the
/// reference array (at least 1). Elements beyond 1e30 do not count for that and must be the same.
struct Tolerance {
  double value;
  static Tolerance exact() { return {0}; }
  static Tolerance f64() { return {1e-9}; }
  static Tolerance f32() { return {2e-5}; }
  static Tolerance bf16() { return {2e-2}; }
};

/// Empty if `actual` agrees with `expected` at every point that exists; otherwise says where they
/// differ most, by how much, and what was allowed.
std::string difference(const ir::reference::Array &expected, const ir::reference::Array &actual,
                       Tolerance tolerance);
} // namespace axloom::test
