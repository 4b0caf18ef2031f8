//===- Assemble.h - A bundle from a planned module --------------*- C++ -*-===//

#pragma once

#include "codegen/bundle/Bundle.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace axloom::codegen {
/// The host program of a planned module with the tables of its description, as LLVM IR. Null, with
/// a diagnostic, if the plan contradicts itself.
std::unique_ptr<llvm::Module> hostModule(mlir::ModuleOp planned, const Description &model,
                                         llvm::LLVMContext &context);

/// Puts a bundle together: host program, kernel objects, header, tables. `headerForC` asks for the
/// C header of a model without variables.
mlir::FailureOr<Bundle> assemble(mlir::ModuleOp planned, const Description &model,
                                 bool headerForC = false);
} // namespace axloom::codegen
