//===- KernelTensors.h - Something for a kernel to work on ------*- C++ -*-===//
//
// What host code gives the runtime for a launch, made for one kernel alone: tensors of given sizes
// with random contents. Test: tests/codegen/tune/TunerTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/explain/SizeValues.h"
#include "runtime/abi/axloom.h"

namespace axloom::codegen {
/// Tensors and scalars for a kernel. Ragged batches are full, indices lie where they have to.
class KernelTensors {
public:
  KernelTensors(ir::KernelOp kernel, const CompiledKernel &compiled, const SizeValues &sizes);
  KernelTensors(const KernelTensors &) = delete;
  KernelTensors &operator=(const KernelTensors &) = delete;
  ~KernelTensors();

  std::string problem; // the machine has not enough memory; empty: none
  std::vector<axl_tensor> tensors;
  std::vector<int32_t> scalars;

private:
  int64_t extentOf(const Dimension &dimension) const;
  /// What the elements of an input are below, as indices; 0 if it has none.
  int64_t endOfIndices(mlir::Value input) const;
  axl_tensor allocated(const Operand &operand);
  void fillWithOffsets(const axl_tensor &tensor, llvm::StringRef total) const;

  mlir::func::FuncOp function;
  const SizeValues &sizes;
  std::vector<axl_memory> memory;
};
} // namespace axloom::codegen
