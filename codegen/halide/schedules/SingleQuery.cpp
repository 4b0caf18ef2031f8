// Attention of one query for each element of the shared axes: what a decoder's step asks of the
// keys and values that it has kept.
//
// 1. The runtime loops over shared axes (batch, heads), in parallel.
// 2. Where the mask hides the keys behind a place that a number in memory says, as a decoder's
//    position does, they are not read (`KernelPlan::prefix`); where the kernel computes that number
//    itself, they are. Scratch memory is as large as for all keys, so that every step takes the
//    same.
// 3. Scores are sums along rows of keys, in the lanes of a vector; softmax goes along the scores;
//    the result adds up rows of values in registers. Keys and values are read once, in the order in
//    which they lie.
//
// Hidden keys add 0 to sums whose order follows the key alone, so that a query gives the same bits
// however many there are. Test: tests/codegen/halide/SingleQueryTest.cpp.

#include "codegen/halide/Roles.h"
#include "codegen/halide/schedules/AttentionPlan.h"
#include "codegen/halide/schedules/Stages.h"
#include "codegen/halide/schedules/Sums.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::TailStrategy;
using Halide::Var;

namespace {
class SingleQuery : public Family {
public:
  llvm::StringRef name() const override { return "single_query"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &) const override {
    auto op = onlyAttention<ir::AttentionOp>(kernel);
    std::optional<AttentionAxes> axes = op ? attentionAxes(op) : std::nullopt;
    if (!axes)
      return std::nullopt;
    return planAttention(op, *axes, name(), Queries::One);
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    auto op = onlyAttention<ir::AttentionOp>(region.kernel);
    int lanes = region.target.traits.vectorLanes;
    Halide::Expr keys = region.sizeOf(op.getK(), op.getKey()); // with those that are not seen
    bool parallel = !region.plan.dividesAmongThreads();
    std::set<const Stage *> kept = keptStages(region);
    kept.insert(region.find(op, roles::power)); // read for the total and for each column
    for (auto &stage : region.stages) {
      if (!kept.count(stage.get()) && !region.isOutput(*stage))
        continue;
      std::optional<Var> key = stage->findVariableOf(op.getKey());
      bool sums = stage->func.has_update_definition();
      if (stage->role == roles::weightedSum || (!sums && !key)) {
        computeWhole(*stage, region, parallel);
        continue;
      }
      stage->func.compute_root();
      if (key)
        stage->func.bound_storage(*key, keys);
      if (sums)
        sumInLanes(*stage, lanes);
      else
        stage->func.vectorize(*key, lanes, TailStrategy::GuardWithIf);
    }
  }
};
} // namespace

const Family &codegen::singleQueryFamily() {
  static const SingleQuery family;
  return family;
}
