#include "codegen/host/HostProgram.h"

#include "codegen/host/Entry.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

void codegen::loadHostDialects(MLIRContext &context) {
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

std::string codegen::emitObject(llvm::Module &module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    llvm::report_fatal_error(llvm::Twine("LLVM lacks the target of the host program: ") + error);
  // Plain x86-64: the host program must run far enough to say that the machine lacks what the
  // kernels need.
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, "x86-64", "", llvm::TargetOptions(), llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::None));
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    llvm::report_fatal_error("LLVM cannot emit objects for the target of the host program");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}
