// Adam's updates of all parameters are one launch of one kernel, and leave the bits that a launch
// for each leaves.
#include "tests/system/support/Trained.h"

#include <gtest/gtest.h>

using namespace axloom::test;
using axloom::passes::PipelineOptions;

/// Distinct code among the kernels of a function.
static size_t distinctKernels(const axl_model &model, const std::string &function) {
  std::set<axl_pipeline> code;
  for (int32_t i = 0; i < model.kernel_count; ++i)
    if (std::string(model.kernels[i].name).starts_with(function + "."))
      code.insert(model.kernels[i].blocks->code);
  return code.size();
}

TEST(GroupUpdates, OneKernelForAllShapesAndTheSameBits) {
  PipelineOptions alone;
  alone.disabled = {"group-updates"};
  CompiledModel apart(smallTransformer(), alone);
  const axl_model &together = compiledTransformer();
  EXPECT_LT(distinctKernels(together, "train_step") + 4,
            distinctKernels(apart.tables(), "train_step"));
  expectSameBits(trained(together), trained(apart.tables()));
}
