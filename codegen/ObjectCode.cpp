#include "codegen/ObjectCode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include <memory>
#include <optional>

using namespace axloom;

static constexpr const char *baselineCpu = "x86-64";

/// `+avx,+fma`
static std::string featureString(llvm::ArrayRef<std::string> features) {
  std::string list = llvm::join(features, ",+");
  return list.empty() ? list : "+" + list;
}

static std::unique_ptr<llvm::TargetMachine> targetMachineFor(const llvm::Triple &triple,
                                                             const std::string &features,
                                                             llvm::CodeGenOptLevel level) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    llvm::report_fatal_error(llvm::Twine("LLVM lacks the target of object files: ") + error);
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, baselineCpu, features, llvm::TargetOptions(),
                                  llvm::Reloc::PIC_, std::nullopt, level));
}

std::string codegen::objectCode(llvm::Module &module, const ObjectOptions &options) {
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string features = featureString(options.features);
  std::unique_ptr<llvm::TargetMachine> machine = targetMachineFor(triple, features, options.level);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : module) { // what they ask for would go before the machine's
    function.addFnAttr("target-cpu", baselineCpu);
    function.addFnAttr("target-features", features);
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(triple));
  passes.add(new llvm::RuntimeLibraryInfoWrapper(triple));
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    llvm::report_fatal_error("LLVM cannot emit objects for the target of object files");
  passes.run(module);
  return std::string(bytes.begin(), bytes.end());
}
