//===- KernelCall.h - A kernel with something to work on --------*- C++ -*-===//
//
// What a model's tables and host code give the runtime for a launch, made for one kernel alone:
// tensors of given sizes with random contents, and the kernel's own table. Test:
// tests/codegen/tune/TunerTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/explain/SizeValues.h"
#include "codegen/tune/LoadedCode.h"

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
  axl_tensor allocated(const Operand &operand);
  void fillWithOffsets(const axl_tensor &tensor, llvm::StringRef total) const;

  mlir::func::FuncOp function;
  const SizeValues &sizes;
  std::vector<axl_memory> memory;
};

/// A kernel as the runtime launches it.
class KernelTable {
public:
  static llvm::Expected<std::unique_ptr<KernelTable>> make(const CompiledKernel &compiled,
                                                           const LoadedCode &code);

  /// Seconds that a launch takes; nothing where it fails (axl_last_error says why).
  std::optional<double> launch(const KernelTensors &on) const;

private:
  void addOperands(const CompiledKernel &compiled);
  void addRagged(const RaggedLoop &loop);

  std::vector<axl_loop> loops;
  std::vector<axl_operand> operands;
  std::vector<std::vector<int32_t>> blockOperands;
  std::vector<axl_block> blocks;
  std::vector<axl_ragged_operand> raggedOperands;
  axl_ragged ragged = {};
  axl_kernel kernel = {};
};
} // namespace axloom::codegen
