//===- Evaluation.h - What an op's reference semantics sees -----*- C++ -*-===//
//
// One op, its operands' values and its results to fill. The file of an op group defines
//   static LogicalResult compute(AddOp op, Evaluation &evaluation);
// for each of its ops, in namespace axloom::ir::reference, and attaches them with `attach`.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "ir/Axes.h"
#include "ir/Dialect.h"
#include "ir/Interfaces.h"
#include "ir/reference/Interpreter.h"

namespace axloom::ir::reference {
class Evaluation {
public:
  Evaluation(mlir::Operation *op, llvm::ArrayRef<const Array *> operands, const Sizes &sizes,
             const Variables &oldVariables, Variables &newVariables);

  /// The value of an operand, which the op must have; `optional` gives null if it does not.
  const Array &operand(mlir::Value value) const { return *optional(value); }
  const Array *optional(mlir::Value value) const;
  Array &result(unsigned number = 0) { return results[number]; }

  const Sizes &sizes() const { return allSizes; }
  /// The space of all axes that the arrays have together; null arrays have none.
  Space unionOf(llvm::ArrayRef<const Array *> arrays) const;
  /// Zeros over the axes of a space, some left out.
  Array zerosWithout(const Space &space, llvm::ArrayRef<llvm::StringRef> dropped) const;
  /// Runs a region on the operands; what its terminator hands on becomes the results.
  mlir::LogicalResult runRegion(mlir::Region &region);

  const Variables &oldVariables;
  Variables &newVariables;
  std::vector<Array> results; // zeros at first

private:
  mlir::Operation *op;
  llvm::ArrayRef<const Array *> operands; // in the op's order
  const Sizes &allSizes;
};

template <typename Op> struct Model : ReferenceOpInterface::ExternalModel<Model<Op>, Op> {
  mlir::LogicalResult evaluate(mlir::Operation *op, Evaluation &evaluation) const {
    return compute(llvm::cast<Op>(op), evaluation);
  }
};

template <typename... Ops> void attach(mlir::MLIRContext *context) {
  (Ops::template attachInterface<Model<Ops>>(*context), ...);
}

/// The elements as factors of a product: see ir/Factors.h.
Array factorsOf(Array array, std::optional<mlir::Type> factors);

// One for each op group.
void attachPointwise(mlir::MLIRContext *context);
void attachCustom(mlir::MLIRContext *context);
void attachStructure(mlir::MLIRContext *context);
void attachComposite(mlir::MLIRContext *context);
void attachAttention(mlir::MLIRContext *context);
void attachProgram(mlir::MLIRContext *context);
} // namespace axloom::ir::reference
