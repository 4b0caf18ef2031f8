// Adam's updates of all parameters but one are one launch of one kernel, and leave the bits that a
// launch for each leaves. That of the tied embedding, to which its gradient is scattered, stays
// alone.
#include "tests/system/support/Trained.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace axloom::test;
using axloom::passes::PipelineOptions;

/// An update changes a parameter and both of its moments.
static bool isUpdate(const axl_kernel &kernel) {
  std::span operands(kernel.operands, size_t(kernel.operand_count));
  return 3 == std::ranges::count_if(operands, [](const axl_operand &operand) {
           return operand.access == (AXL_READ | AXL_WRITE);
         });
}

/// Distinct code among the updates of a training step.
static size_t distinctUpdates(const axl_model &model) {
  std::set<axl_pipeline> code;
  for (const axl_kernel &kernel : std::span(model.kernels, size_t(model.kernel_count)))
    if (std::string_view(kernel.name).starts_with("train_step.") && isUpdate(kernel))
      code.insert(kernel.blocks->code);
  return code.size();
}

TEST(GroupUpdates, OneKernelForAllShapesAndTheSameBits) {
  PipelineOptions alone;
  alone.disabled = {"group-updates"};
  CompiledModel apart(smallTransformer(), alone);
  const axl_model &together = compiledTransformer();
  EXPECT_EQ(distinctUpdates(together), 2U);
  EXPECT_GT(distinctUpdates(apart.tables()), 2U);
  expectSameBits(trained(together), trained(apart.tables()));
}
