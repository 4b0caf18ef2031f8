#include "codegen/halide/WriteObject.h"

#include "codegen/ObjectCode.h"
#include "codegen/WriteFile.h"
#include "codegen/halide/FileInMemory.h"
#include "codegen/halide/KernelCache.h"
#include "codegen/halide/Prefetches.h"
#include "codegen/halide/Workers.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <memory>

using namespace mlir;
using namespace axloom;
using codegen::FileInMemory;

/// What Halide's copy of LLVM has optimized, read by ours, which may be newer.
static llvm::Expected<std::unique_ptr<llvm::Module>> toLlvm(const Halide::Module &module,
                                                            llvm::LLVMContext &context) {
  FileInMemory bitcode;
  if (bitcode.error())
    return llvm::createStringError(
        bitcode.error(), "there is no file in memory for it: " + bitcode.error().message() +
                             codegen::adviceOn(bitcode.error()));
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

/// Whether an operation on floats has this code and may be put together with another.
static bool mayFuse(const llvm::Instruction &instruction, std::initializer_list<unsigned> codes) {
  return llvm::is_contained(codes, instruction.getOpcode()) && instruction.hasAllowContract();
}

/// Whether all that reads a product are sums, to which it is one term, in other blocks of code.
static bool isSummedInOtherBlocks(const llvm::Instruction &product) {
  return !product.use_empty() && llvm::all_of(product.users(), [&](const llvm::User *user) {
    const auto *sum = llvm::dyn_cast<llvm::Instruction>(user);
    return sum && mayFuse(*sum, {llvm::Instruction::FAdd, llvm::Instruction::FSub}) &&
           sum->getParent() != product.getParent() && sum->getOperand(0) != sum->getOperand(1);
  });
}

/// A sum with this product as a term, in one operation.
static void fuse(llvm::Instruction &product, llvm::Instruction &sum) {
  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags());
  bool isFirst = sum.getOperand(0) == &product,
       subtracts = sum.getOpcode() == llvm::Instruction::FSub;
  llvm::Value *factor = product.getOperand(0), *other = sum.getOperand(isFirst ? 1 : 0);
  if (subtracts)
    (isFirst ? other : factor) = builder.CreateFNeg(isFirst ? other : factor);
  sum.replaceAllUsesWith(builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {sum.getType()},
                                                 {factor, product.getOperand(1), other}));
  sum.eraseFromParent();
}

/// Makes fused multiply-adds of products and sums in different blocks of code. What generates code
/// looks for them within one. Blocks that begin alike are given one beginning, which may end in the
/// midst of a polynomial: it had other bits at the end of a row than before
/// (tests/codegen/tune/CandidatesTest.cpp).
static void fuseAcrossBlocks(llvm::Module &module) {
  std::vector<llvm::Instruction *> products;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (mayFuse(instruction, {llvm::Instruction::FMul}))
        products.push_back(&instruction);
  for (llvm::Instruction *product : products)
    if (isSummedInOtherBlocks(*product)) {
      for (llvm::User *sum : llvm::make_early_inc_range(product->users()))
        fuse(*product, *llvm::cast<llvm::Instruction>(sum));
      product->eraseFromParent();
    }
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
  fuseAcrossBlocks(**ir);
  std::string object = objectCode(**ir, {.features = target.features});
  if (auto error = writeFile(path, KernelCache::withChecksum(std::move(object))))
    return kernel.emitError("cannot write '") << path << "': " << error.message();
  return success();
}
