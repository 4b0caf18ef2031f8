#include "codegen/bundle/Assemble.h"

#include "codegen/bundle/Header.h"
#include "codegen/bundle/Tables.h"
#include "codegen/host/HostProgram.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

using Members = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<llvm::Module> codegen::hostModule(ModuleOp planned, const Description &model,
                                                  llvm::LLVMContext &context) {
  auto host = buildHostProgram(planned, model);
  if (failed(host))
    return nullptr;
  std::unique_ptr<llvm::Module> module = lowerHostProgram(**host, context);
  if (module)
    addTables(*module, model);
  return module;
}

/// Adds the objects of the distinct kernels, in the order of their first use.
static LogicalResult addKernels(ModuleOp planned, const Description &model, Members &members) {
  llvm::StringSet<> seen;
  for (const KernelInfo &kernel : model.kernels) {
    if (!seen.insert(kernel.code->object).second)
      continue;
    auto file = llvm::MemoryBuffer::getFile(kernel.code->object);
    if (!file)
      return planned.emitError("cannot read the compiled kernel '")
             << kernel.code->object << "': " << file.getError().message();
    members.emplace_back(llvm::sys::path::filename(kernel.code->object).str(),
                         (*file)->getBuffer().str());
  }
  return success();
}

FailureOr<Bundle> codegen::assemble(ModuleOp planned, const Description &model, bool headerForC) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> host = hostModule(planned, model, context);
  if (!host)
    return failure();
  Members members = {{model.name + ".o", emitObject(*host)}};
  if (failed(addKernels(planned, model, members)))
    return failure();
  return Bundle{model.name, makeArchive(members),
                headerForC ? kernelHeader(model) : modelHeader(model), parameterTable(model),
                report(model, planned)};
}
