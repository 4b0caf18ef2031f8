//===- CustomBody.h - How a backend computes a custom op --------*- C++ -*-===//
//
// What a backend needs of an op that a user's program defines: each kind of backend derives its
// own. The rest of the compiler only asks whether two bodies are the same. Test:
// tests/codegen/halide/CustomOpTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <string>

namespace axloom::ir {
class CustomBody {
public:
  CustomBody() = default;
  CustomBody(const CustomBody &) = delete;
  virtual ~CustomBody() = default;

  /// All that decides what the body computes: equal texts mean equal code.
  virtual std::string text() const = 0;
  /// What is wrong with the body, as a sentence for its author; empty if nothing is.
  virtual std::string problem() const = 0;
};
} // namespace axloom::ir
