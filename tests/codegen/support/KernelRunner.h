//===- KernelRunner.h - Compiles one kernel and runs it ---------*- C++ -*-===//
//
// What a model does with a kernel, for a kernel alone: the object is linked into this process and
// called through the runtime's loop nest, on buffers laid out as the kernel says. Arrays are those
// of the interpreter.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/tune/KernelTable.h"
#include "ir/reference/Array.h"

#include <memory>
#include <string>
#include <vector>

namespace axloom::test {
/// The physical form of an array under a layout, and back. Padding is filled with not-a-number.
std::vector<char> packed(const ir::reference::Array &array, mlir::Type elements,
                         ir::LayoutAttr layout);
ir::reference::Array unpacked(const std::vector<char> &bytes, ir::NamedTensorType type,
                              ir::LayoutAttr layout, const ir::reference::Sizes &sizes);

class KernelRunner {
public:
  /// Compiles kernels at once, with a cache of their own in the test's folder. Aborts where one
  /// fails.
  static std::vector<std::unique_ptr<KernelRunner>>
  compile(llvm::ArrayRef<ir::KernelOp> kernels, codegen::CompileOptions options = {},
          const codegen::Target &target = codegen::Target::host());

  /// Runs the kernel on inputs in its order and returns its results; fails the test on an error.
  std::vector<ir::reference::Array> run(const std::vector<ir::reference::Array> &inputs,
                                        const ir::reference::Sizes &sizes);

  const codegen::CompiledKernel &description() const { return compiled; }

private:
  KernelRunner(ir::KernelOp kernel, codegen::CompiledKernel compiled);
  struct Call;
  void prepare(Call &call, const std::vector<ir::reference::Array> &inputs,
               const ir::reference::Sizes &sizes);
  /// Runs the kernels that fill scratch operands (Preparation).
  void prepareScratch(const Call &call) const;

  ir::KernelOp kernel;
  codegen::CompiledKernel compiled;
  codegen::LoadedCode code;
  std::unique_ptr<codegen::KernelTable> table;
};
} // namespace axloom::test
