#include "codegen/halide/WriteObject.h"

#include "codegen/ObjectCode.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

using namespace mlir;
using namespace axloom;

namespace {
/// A file that has no place on a disk, for libraries that write to files alone.
class FileInMemory {
public:
  FileInMemory() : descriptor(memfd_create("axloom", MFD_CLOEXEC)) {}
  FileInMemory(const FileInMemory &) = delete;
  FileInMemory &operator=(const FileInMemory &) = delete;
  ~FileInMemory() { close(descriptor); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

private:
  int descriptor;
};
} // namespace

/// What Halide's copy of LLVM has optimized, read by ours, which may be newer.
static llvm::Expected<std::unique_ptr<llvm::Module>> toLlvm(const Halide::Module &module,
                                                            llvm::LLVMContext &context) {
  FileInMemory bitcode;
  module.compile({{Halide::OutputFileType::bitcode, bitcode.path()}});
  auto bytes = llvm::MemoryBuffer::getFile(bitcode.path());
  if (!bytes)
    return llvm::errorCodeToError(bytes.getError());
  return llvm::parseBitcodeFile(**bytes, context);
}

static std::error_code write(const std::string &path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return error;
  llvm::FileRemover unfinished(path);
  file << bytes;
  file.close();
  error = file.error();
  file.clear_error();
  if (!error)
    unfinished.releaseFile();
  return error;
}

LogicalResult codegen::writeObject(const Halide::Module &module, ir::KernelOp kernel,
                                   const Target &target, const std::string &path) {
  llvm::LLVMContext context;
  auto ir = toLlvm(module, context);
  if (!ir)
    return kernel.emitError("LLVM cannot read what Halide made of the kernel: ")
           << llvm::toString(ir.takeError());
  if (auto error = write(path, objectCode(**ir, {.features = target.features})))
    return kernel.emitError("cannot write '") << path << "': " << error.message();
  return success();
}
