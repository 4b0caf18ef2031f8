#include "codegen/halide/schedules/Family.h"

#include "codegen/halide/Ragged.h"

using namespace axloom;
using namespace axloom::codegen;

/// In the order in which they are asked.
static llvm::ArrayRef<const Family *> fastFamilies() {
  static const Family *const families[] = {&attentionFamily(),   &attentionGradientFamily(),
                                           &singleQueryFamily(), &feedForwardFamily(),
                                           &contractionFamily(), &blocksFamily()};
  return families;
}

static std::pair<const Family *, KernelPlan> firstFamily(ir::KernelOp kernel, const Target &target,
                                                         bool genericOnly) {
  if (!genericOnly)
    for (const Family *family : fastFamilies())
      if (std::optional<KernelPlan> plan = family->plan(kernel, target))
        return {family, *plan};
  return {&genericFamily(), *genericFamily().plan(kernel, target)};
}

/// What a loop cuts is not the same in all chunks: only operands that no loop narrows can be
/// prepared beforehand.
static void packInLoops(ir::KernelOp kernel, KernelPlan &plan) {
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    auto right = ir::tensorType(rightOperand(contractionAt(kernel, index), matrix));
    bool isCut = llvm::any_of(
        plan.loops, [&](const PlannedLoop &loop) { return right.has(loop.axes.front()); });
    if (isCut && matrix.right == MatrixPlan::Right::Prepared)
      matrix.right = MatrixPlan::Right::Packed;
  }
}

std::pair<const Family *, KernelPlan> codegen::chooseFamily(ir::KernelOp kernel,
                                                            const Target &target, bool genericOnly,
                                                            Choices &choices) {
  auto [family, plan] = firstFamily(kernel, target, genericOnly);
  family->choose(plan, kernel, target.traits, choices);
  planEntries(kernel, plan);
  plan.together &= plan.accumulated.empty();
  packInLoops(kernel, plan);
  return {family, plan};
}

PlannedBlock codegen::wholeKernel(ir::KernelOp kernel) {
  PlannedBlock block;
  for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
    block.results.push_back(i);
  return block;
}
