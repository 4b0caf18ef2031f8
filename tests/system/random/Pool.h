//===- Pool.h - The values a random program has so far ----------*- C++ -*-===//
//
// Every value comes with what it evaluates to, which is how the generator knows that a program
// stays sane. `tryAdd` creates ops and takes them back if they do not.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Build.h"
#include "tests/support/Values.h"
#include "tests/system/random/Program.h"

#include <functional>

namespace axloom::test {
class Pool {
public:
  Pool(Graphs &graphs, Program &program, Random &random);

  Random &random;
  mlir::OpBuilder builder;

  /// In [0, count).
  int64_t below(int64_t count) { return static_cast<int64_t>(random() % count); }
  bool chance(double probability) { return below(1000) < probability * 1000; }
  ir::NamedTensorType type(llvm::StringRef text) { return graphs.type(text); }

  void addArgument(llvm::StringRef type, const Fill &fill);
  /// A variable of the program, whose old value joins the others.
  void addVariable(llvm::StringRef type, const Fill &fill);
  /// A value that `wanted` accepts, the youngest ones more often; null if there is none.
  mlir::Value pick(llvm::function_ref<bool(mlir::Value)> wanted);
  mlir::Value pickFloat(); // of at least one axis
  /// Any axis of the value; null for scalars.
  const ir::Axis *pickAxis(mlir::Value value);

  /// Creates an op with inferred types. Null if the operands do not fit or the values are not sane.
  template <typename Op, typename... Arguments> mlir::Operation *add(Arguments &&...arguments) {
    auto op =
        ir::create<Op>(builder, builder.getUnknownLoc(), std::forward<Arguments>(arguments)...);
    return failed(op) ? reject() : keepIfSane(*op);
  }
  template <typename Op, typename... Arguments> mlir::Value addValue(Arguments &&...arguments) {
    mlir::Operation *op = add<Op>(std::forward<Arguments>(arguments)...);
    return op ? mlir::Value(op->getResult(0)) : mlir::Value();
  }
  mlir::Value constant(double number) {
    return addValue<ir::ConstantOp>(builder.getF32FloatAttr(static_cast<float>(number)));
  }
  const ir::reference::Array &arrayOf(mlir::Value value) const { return arrays.at(value); }
  /// Runs a maker; if that fails, what it made so far is taken back.
  bool tryAdd(const std::function<bool(Pool &)> &maker);

private:
  mlir::Operation *reject();
  mlir::Operation *keepIfSane(mlir::Operation *op);

  Graphs &graphs;
  Program &program;
  std::vector<mlir::Value> values; // oldest first
  llvm::DenseMap<mlir::Value, ir::reference::Array> arrays;
};
} // namespace axloom::test
