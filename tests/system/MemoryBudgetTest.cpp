// Under a memory budget a training step takes less memory and leaves the same bits: what is
// computed again is computed as it was the first time.
#include "tests/system/support/Trained.h"

#include <gtest/gtest.h>

using namespace axloom::test;
using axloom::passes::MemoryBudget;
using axloom::passes::PipelineOptions;

TEST(MemoryBudget, TakesLessMemoryAndChangesNoBit) {
  Trained plain = trained(compiledTransformer());
  int64_t before = plain.arena;
  // Normalizations; then products, of most layers.
  for (const char *text : {"1100K@B=8,S=24,T=24", "700K@B=8,S=24,T=24"}) {
    PipelineOptions options;
    ASSERT_EQ(MemoryBudget::parse(text, options.memoryBudget), "");
    CompiledModel model(smallTransformer(), options);
    SCOPED_TRACE(text);
    Trained tight = trained(model.tables());
    expectSameBits(tight, plain);
    EXPECT_LT(tight.arena, before);
    before = tight.arena;
  }
}
