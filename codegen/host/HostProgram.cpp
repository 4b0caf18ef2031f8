#include "codegen/host/HostProgram.h"

#include "codegen/ObjectCode.h"
#include "codegen/host/Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// What building and lowering need.
static void loadHostDialects(MLIRContext &context) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context.appendDialectRegistry(registry);
  context.loadDialect<LLVM::LLVMDialect>();
}

FailureOr<OwningOpRef<ModuleOp>> codegen::buildHostProgram(ModuleOp planned,
                                                           const Description &model) {
  loadHostDialects(*planned.getContext());
  OwningOpRef<ModuleOp> host = ModuleOp::create(planned.getLoc());
  Abi abi(*host);
  for (auto function : planned.getOps<func::FuncOp>())
    if (failed(buildEntry(abi, *host, model, function)))
      return failure();
  return host;
}

std::unique_ptr<llvm::Module> codegen::lowerHostProgram(ModuleOp host, llvm::LLVMContext &context) {
  if (failed(verify(host)))
    return nullptr;
  return translateModuleToLLVMIR(host, context, "host");
}

/// For every x86-64: the host program must run far enough to say that the machine lacks what the
/// kernels need.
std::string codegen::emitObject(llvm::Module &module) {
  return objectCode(module, {.features = {}, .level = llvm::CodeGenOptLevel::None});
}
