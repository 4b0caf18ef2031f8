#include "codegen/halide/MachineCode.h"

#include "codegen/ObjectCode.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace axloom;

/// What Halide's own copy of LLVM has written, read by ours, which may be newer.
static llvm::Expected<std::unique_ptr<llvm::Module>> readBitcode(const std::string &path,
                                                                 llvm::LLVMContext &context) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::errorCodeToError(file.getError());
  return llvm::parseBitcodeFile(**file, context);
}

LogicalResult codegen::writeObject(const Halide::Module &module, ir::KernelOp kernel,
                                   const Target &target, const std::string &path) {
  std::string bitcode = path + ".bitcode";
  llvm::FileRemover remover(bitcode);
  module.compile({{Halide::OutputFileType::bitcode, bitcode}});
  llvm::LLVMContext context;
  auto optimized = readBitcode(bitcode, context);
  if (!optimized)
    return kernel.emitError("cannot read what Halide wrote to '")
           << bitcode << "': " << llvm::toString(optimized.takeError());
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << objectCode(**optimized, {.features = target.features});
  file.close();
  if (!error)
    error = file.error();
  file.clear_error();
  if (error)
    return kernel.emitError("cannot write '") << path << "': " << error.message();
  return success();
}
