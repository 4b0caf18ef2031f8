//===- CheckGradients.h - Are a program's gradients right? ------*- C++ -*-===//
//
//   axloom::GradientReport report = axloom::checkGradients(program);
//   std::cout << report.text();
//   return report.passed() ? 0 : 1;
//
// Compares every gradient that a program asks for with central differences of the loss, and the
// adjoint of each custom op on the way with differences of that op alone, so that a wrong one is
// told by its line. All of it runs in the reference interpreter, in double precision, on seeded
// random inputs: build the program with small sizes. What is bf16 is compared unrounded, unless a
// custom op takes it. Generators do it with --check-gradients.
// Test: tests/codegen/driver/CheckGradientsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class ModuleOp;
}

namespace axloom {
class Program;

struct GradientCheckOptions {
  std::string function;   // empty: all that ask for gradients
  std::uint64_t seed = 1; // of inputs, variables, and the elements that are looked at
  /// What size symbols stand for; those that are not given are 2, 3 or 4.
  std::map<std::string, std::int64_t> sizes = {};
  /// From where the values of an argument or a variable are drawn, the end excluded; by default
  /// from [-1, 1), integers from [0, 2).
  std::map<std::string, std::pair<double, double>> ranges = {};
  double step = 1e-5;
  double tolerance = 1e-5;    // as a share of the largest gradient of the tensor
  std::int64_t elements = 16; // of each tensor, that are moved one by one
};

/// The gradient of one tensor, where it is worst.
struct GradientCheck {
  std::string function;
  std::string tensor; // "parameter 'up.weight'", "operand 2 of custom op 'swiglu'"
  std::string source; // "model.cpp:40:17": the parameter's line, or that of the custom op's use
  std::string place;  // "[hidden 3, model 1]", or "along a random direction"
  double gradient = 0;
  double difference = 0; // what central differences give instead
  double error = 0;
  double allowed = 0;
  bool passed = false;
};

struct GradientReport {
  std::vector<GradientCheck> checks;
  std::string problem; // why there is nothing to compare; empty if there is

  /// Whether something was compared and all of it agrees.
  bool passed() const;
  /// A line for each tensor.
  std::string text() const;
};

GradientReport checkGradients(const Program &program, const GradientCheckOptions &options = {});

/// The same for a graph that was read from text.
GradientReport checkGradients(mlir::ModuleOp module, const GradientCheckOptions &options = {});
} // namespace axloom
