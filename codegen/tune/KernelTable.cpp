#include "codegen/tune/KernelTable.h"

#include "codegen/host/Elements.h"

#include <algorithm>
#include <chrono>

using namespace axloom;
using namespace axloom::codegen;

void KernelTable::addOperands(const CompiledKernel &compiled) {
  for (const Operand &operand : compiled.operands) {
    axl_operand &entry = operands.emplace_back();
    entry.name = operand.name.c_str();
    entry.access = accessFlags(operand);
    entry.location = -1;
    std::fill(std::begin(entry.axis), std::end(entry.axis), -1);
    llvm::copy(operand.loopAxis, entry.axis);
    llvm::copy(operand.loopStep, entry.step);
  }
}

void KernelTable::addRagged(const RaggedLoop &loop) {
  for (const RaggedOperand &operand : loop.operands) {
    axl_ragged_operand &entry = raggedOperands.emplace_back();
    entry = {operand.operand, operand.offsets, int32_t(operand.lengths.size()), {}};
    llvm::copy(operand.lengths, entry.lengths);
  }
  ragged = {int32_t(loop.offsets.size()), loop.offsets.data(), loop.scalars.data(),
            int32_t(raggedOperands.size()), raggedOperands.data()};
  kernel.ragged = &ragged;
}

llvm::Expected<std::unique_ptr<KernelTable>> KernelTable::make(const CompiledKernel &compiled,
                                                               const LoadedCode &code) {
  auto table = std::unique_ptr<KernelTable>(new KernelTable);
  for (const Loop &loop : compiled.loops)
    table->loops.push_back({loop.parallel ? AXL_PARALLEL : AXL_SEQUENTIAL, int32_t(loop.chunk)});
  table->addOperands(compiled);
  for (const codegen::Block &block : compiled.blocks) {
    llvm::Expected<axl_pipeline> function = code.find(block.symbol);
    if (!function)
      return function.takeError();
    const auto &list =
        table->blockOperands.emplace_back(block.operands.begin(), block.operands.end());
    table->blocks.push_back({*function, int32_t(list.size()), list.data()});
  }
  table->kernel = {.name = compiled.name.c_str(),
                   .loop_count = int32_t(table->loops.size()),
                   .loops = table->loops.data(),
                   .operand_count = int32_t(table->operands.size()),
                   .operands = table->operands.data(),
                   .block_count = int32_t(table->blocks.size()),
                   .blocks = table->blocks.data(),
                   .size_count = int32_t(compiled.scalars.size()),
                   .location = -1};
  if (compiled.ragged)
    table->addRagged(*compiled.ragged);
  return table;
}

std::optional<double> KernelTable::launch(llvm::ArrayRef<axl_tensor> tensors,
                                          llvm::ArrayRef<int32_t> scalars) const {
  auto start = std::chrono::steady_clock::now();
  if (axl_run_on_host(&kernel, tensors.data(), scalars.data()) != AXL_OK)
    return std::nullopt;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
