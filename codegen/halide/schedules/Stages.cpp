#include "codegen/halide/schedules/Stages.h"

#include "codegen/KernelInfo.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::TailStrategy;
using Halide::Var;

bool codegen::isPureInUpdate(const Stage &stage, const Var &variable) {
  for (const Halide::Expr &argument : stage.func.update_args())
    if (const auto *v = argument.as<Halide::Internal::Variable>())
      if (v->name == variable.name())
        return true;
  return false;
}

namespace {
/// Vectors along `inner` and threads along `outer`, which may be one dimension.
template <typename Schedulable>
void spread(Schedulable schedulable, const Var *inner, const Var *outer, int lanes, bool parallel) {
  if (inner && outer && inner->name() == outer->name()) {
    if (parallel) {
      Var chunk("parallel_chunk_of_whole_stage");
      schedulable.split(*inner, chunk, *inner, 64 * lanes, TailStrategy::GuardWithIf).parallel(chunk);
    }
    schedulable.vectorize(*inner, lanes, TailStrategy::GuardWithIf);
    return;
  }
  if (inner)
    schedulable.vectorize(*inner, lanes, TailStrategy::GuardWithIf);
  if (outer && parallel)
    schedulable.parallel(*outer);
}
} // namespace

void codegen::computeWhole(Stage &stage, LoweredRegion &region, bool parallel) {
  stage.func.compute_root();
  int lanes = region.target.traits.vectorLanes;
  const std::vector<Var> &all = stage.variables;
  if (!all.empty())
    spread<Halide::Func &>(stage.func, &all.front(), &all.back(), lanes, parallel);
  if (!stage.func.has_update_definition())
    return;
  std::vector<Var> pure;
  for (const Var &variable : all)
    if (isPureInUpdate(stage, variable))
      pure.push_back(variable);
  if (!pure.empty())
    spread<Halide::Stage>(stage.func.update(), &pure.front(), &pure.back(), lanes, parallel);
}

namespace {
/// Counts operations, and calls of other functions by name.
class Counter : public Halide::Internal::IRGraphVisitor {
public:
  using IRGraphVisitor::include;
  std::map<std::string, int> calls;
  int64_t operations = 0;

  void count(const Halide::Expr &e) { e.accept(this); }

private:
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call *call) override {
    if (call->call_type == Halide::Internal::Call::Halide)
      ++calls[call->name];
    ++operations;
    IRGraphVisitor::visit(call);
  }
};
} // namespace

std::set<const Stage *> codegen::keptStages(const LoweredRegion &region) {
  std::set<const Stage *> kept;
  std::vector<int64_t> overwritten = overwrittenInputs(region.kernel);
  for (auto [index, output] : llvm::enumerate(region.outputs))
    if (output.value && overwritten[index] >= 0 && region.outputs.size() > 1)
      kept.insert(output.value);
  std::map<std::string, int64_t> sizes; // of what is computed in place, by the function's name
  for (const auto &stage : region.stages) {
    Counter counter;
    Halide::Tuple values = stage->func.values();
    for (const Halide::Expr &e : values.as_vector())
      counter.count(e);
    int64_t size = 1 + counter.operations;
    for (const auto &[name, uses] : counter.calls)
      if (auto inlined = sizes.find(name); inlined != sizes.end())
        size += uses * inlined->second;
    if (region.isOutput(*stage) || kept.count(stage.get()))
      continue;
    if (stage->func.has_update_definition() || size > 200)
      kept.insert(stage.get());
    else
      sizes[stage->func.name()] = size;
  }
  return kept;
}
