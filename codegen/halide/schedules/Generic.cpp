// The family that takes every kernel: what is summed is computed whole and kept, the rest is
// computed where it is used. Vectors run along the innermost dimension, threads along the
// outermost. Slow for what has a family of its own.

#include "codegen/halide/schedules/Stages.h"

using namespace axloom;
using namespace axloom::codegen;

namespace {
class Generic : public Family {
public:
  llvm::StringRef name() const override { return "generic"; }

  std::optional<KernelPlan> plan(ir::KernelOp kernel, const Target &) const override {
    return KernelPlan{.family = name().str(),
                      .groups = collapsibleGroups(kernel),
                      .blocks = {wholeKernel(kernel)}};
  }

  void schedule(LoweredRegion &region, const PlannedBlock &) const override {
    scheduleRest(region, {});
  }
};
} // namespace

const Family &codegen::genericFamily() {
  static const Generic family;
  return family;
}
