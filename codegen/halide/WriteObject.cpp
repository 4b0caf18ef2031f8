#include "codegen/halide/WriteObject.h"

#include "codegen/ObjectCode.h"
#include "codegen/WriteFile.h"
#include "codegen/halide/Prefetches.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cerrno>
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
  FileInMemory() : descriptor(memfd_create("axloom", MFD_CLOEXEC)) {
    if (descriptor < 0)
      problem = std::error_code(errno, std::generic_category());
  }
  FileInMemory(const FileInMemory &) = delete;
  FileInMemory &operator=(const FileInMemory &) = delete;
  ~FileInMemory() {
    if (descriptor >= 0)
      close(descriptor);
  }
  /// Why there is none.
  std::error_code error() const { return problem; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor); }

private:
  int descriptor;
  std::error_code problem;
};
} // namespace

/// What Halide's copy of LLVM has optimized, read by ours, which may be newer.
static llvm::Expected<std::unique_ptr<llvm::Module>> toLlvm(const Halide::Module &module,
                                                            llvm::LLVMContext &context) {
  FileInMemory bitcode;
  if (bitcode.error())
    return llvm::createStringError(
        bitcode.error(), "there is no file in memory for it: " + bitcode.error().message() +
                             "; ask for fewer processes with --jobs");
  module.compile({{Halide::OutputFileType::bitcode, bitcode.path()}});
  auto bytes = llvm::MemoryBuffer::getFile(bitcode.path());
  if (!bytes)
    return llvm::errorCodeToError(bytes.getError());
  return llvm::parseBitcodeFile(**bytes, context);
}

/// Aligns numbers on the stack as vectors are. Halide does so where there are several; a stage of
/// one element, written as a vector under a mask, expects it as well.
static void alignStack(llvm::Module &module) {
  constexpr auto ofVectors = llvm::Align::Constant<64>(); // bytes
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *stack = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          stack && stack->getAllocatedType()->isSingleValueType())
        stack->setAlignment(std::max(stack->getAlign(), ofVectors));
}

LogicalResult codegen::writeObject(const Halide::Module &module, ir::KernelOp kernel,
                                   const Target &target, const std::string &path) {
  llvm::LLVMContext context;
  auto ir = toLlvm(module, context);
  if (!ir)
    return kernel.emitError("LLVM cannot read what Halide made of the kernel: ")
           << llvm::toString(ir.takeError());
  prefetchToAllCaches(**ir);
  alignStack(**ir);
  if (auto error = writeFile(path, objectCode(**ir, {.features = target.features})))
    return kernel.emitError("cannot write '") << path << "': " << error.message();
  return success();
}
