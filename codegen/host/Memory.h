//===- Memory.h - Where the tensors of an entry lie -------------*- C++ -*-===//
//
// Arguments, results and variables lie where the runtime says, everything else in the arena: in
// slots, and in the scratch memory behind them. Test: tests/codegen/host/HostProgramTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/host/Copy.h"

namespace axloom::codegen {
/// First reserveArena and findOutside; then, kernel by kernel, placeResults and placesOf.
class Memory {
public:
  Memory(Abi &abi, const Description &model, mlir::func::FuncOp planned, Sizes &sizes,
         mlir::Value context);

  /// Computes where slots and scratch memory lie, and asks for the arena, which is null at run time
  /// where there is not enough memory. Returns no value where the entry needs none.
  mlir::Value reserveArena(mlir::ImplicitLocOpBuilder &builder);

  /// Finds arguments, results (arrays of axl_tensor) and the variables that are used.
  void findOutside(mlir::ImplicitLocOpBuilder &builder, mlir::Value arguments, mlir::Value results);

  /// Gives each result of a kernel the memory that the plan chose for it. Fails, with a diagnostic,
  /// where there is no such memory, or it has another order.
  mlir::LogicalResult placeResults(ir::KernelOp kernel);

  /// Where the operands of a kernel lie; what the runtime keeps prepared, and offsets, are left
  /// empty. Fails, with a diagnostic, where an input lies nowhere, or in another layout.
  mlir::FailureOr<llvm::SmallVector<Place>>
  placesOf(mlir::ImplicitLocOpBuilder &builder, ir::KernelOp kernel, const CompiledKernel &code);

  /// A value's memory, or null.
  const Stored *find(mlir::Value value) const;
  const Stored &variable(llvm::StringRef name) const { return variables.find(name)->second; }
  const Stored &result(size_t index) const { return resultPlaces[index]; }

private:
  /// Bytes of an operand, rounded up to AXL_ALIGNMENT.
  mlir::Value alignedBytes(mlir::ImplicitLocOpBuilder &builder, const Operand &operand);

  Abi &abi;
  const Description &model;
  mlir::func::FuncOp planned;
  Sizes &sizes;
  mlir::Value context, arena, scratchOffset;
  llvm::SmallVector<mlir::Value> slotOffsets;
  llvm::DenseMap<mlir::Value, Stored> stored;
  llvm::StringMap<Stored> variables;
  llvm::SmallVector<Stored> resultPlaces;
};
} // namespace axloom::codegen
