//===- KernelTable.h - One kernel, as the runtime launches it ---*- C++ -*-===//
//
// What a model's tables say of a kernel (axl_kernel), made for one kernel alone. Test:
// tests/codegen/tune/TunerTest.cpp and all that run single kernels.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"
#include "codegen/tune/LoadedCode.h"
#include "runtime/abi/axloom.h"

namespace axloom::codegen {
/// A kernel as the runtime launches it.
class KernelTable {
public:
  KernelTable(const KernelTable &) = delete;
  KernelTable &operator=(const KernelTable &) = delete;

  /// `code` has the kernel's symbols, and outlives the table, as `compiled` does.
  static llvm::Expected<std::unique_ptr<KernelTable>> make(const CompiledKernel &compiled,
                                                           const LoadedCode &code);

  /// Seconds that a launch takes, on tensors and scalars as the kernel was compiled for; nothing
  /// where it fails (axl_last_error says why).
  std::optional<double> launch(llvm::ArrayRef<axl_tensor> tensors,
                               llvm::ArrayRef<int32_t> scalars) const;

private:
  KernelTable() = default;
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
