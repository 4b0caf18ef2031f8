#include "codegen/halide/schedules/Stages.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Transpose.h"
#include "codegen/halide/schedules/Sums.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::TailStrategy;
using Halide::Var;

/// Rows that a thread takes at a time: a task is to be worth more than what it takes to hand it
/// out.
static int rowsOfTask(std::optional<int64_t> columns) {
  constexpr int64_t enoughElements = 16384, usual = 16, most = 64;
  return columns ? std::clamp<int64_t>(enoughElements / *columns, 1, most) : usual;
}

/// Has threads take rows of that many columns, where rows are the only dimension beside them;
/// otherwise an index of the outermost one.
template <typename Schedulable>
static void parallelRows(Schedulable schedulable, const Var &outer, bool rowsOnly,
                         std::optional<int64_t> columns) {
  if (!rowsOnly) {
    schedulable.parallel(outer);
    return;
  }
  Var task("parallel_task_of_rows");
  schedulable.split(outer, task, outer, rowsOfTask(columns), TailStrategy::GuardWithIf)
      .parallel(task);
}

/// How many elements a sum along rows adds up for each of its own.
static std::optional<int64_t> elementsOfSum(const Stage &stage) {
  int64_t elements = 1;
  for (int k = 0; k < stage.domain.dimensions(); ++k) {
    auto extent = Halide::Internal::as_const_int(stage.domain[k].extent());
    if (!extent)
      return std::nullopt;
    elements *= *extent;
  }
  return elements;
}

/// Vectors along the first of `variables` and threads along the last, which may be the same.
template <typename Schedulable>
static void spread(Schedulable schedulable, const std::vector<Var> &variables,
                   std::optional<int64_t> columns, int lanes, bool parallel) {
  const Var &inner = variables.front(), &outer = variables.back();
  if (variables.size() == 1) {
    if (parallel) {
      Var chunk("parallel_chunk_of_whole_stage");
      schedulable.split(inner, chunk, inner, 64 * lanes, TailStrategy::GuardWithIf).parallel(chunk);
    }
    schedulable.vectorize(inner, lanes, TailStrategy::GuardWithIf);
    return;
  }
  schedulable.vectorize(inner, lanes, TailStrategy::GuardWithIf);
  if (parallel)
    parallelRows(schedulable, outer, variables.size() == 2, columns);
}

void codegen::computeWhole(Stage &stage, LoweredRegion &region, bool parallel) {
  int lanes = region.target.traits.vectorLanes;
  const std::vector<Var> &all = stage.variables;
  bool updates = stage.func.has_update_definition();
  if (updates && !stage.alongRows && sumDownColumns(stage, region, parallel))
    return;
  if (stage.alongRows && all.empty())
    return sumToNumber(stage, lanes, parallel);
  stage.func.compute_root();
  if (stage.alongRows) {
    sumInLanes(stage, lanes, parallel);
    if (parallel)
      parallelRows(stage.func.update(), all.back(), all.size() == 1, elementsOfSum(stage));
    return;
  }
  std::optional<int64_t> columns;
  if (!all.empty()) {
    columns = region.fixedExtent(stage.dimensions.front());
    spread<Halide::Func &>(stage.func, all, columns, lanes, parallel);
  }
  if (!updates)
    return;
  std::vector<Var> pure = pureInUpdate(stage);
  if (pure.size() == all.size() && !all.empty())
    spread(stage.func.update(), pure, columns, lanes, parallel);
  else
    scheduleScatter(stage, region, parallel);
}

namespace {
/// Counts calls: those of intrinsics, which stand for what takes time in an expression, and of
/// other functions by name.
class Counter : public Halide::Internal::IRGraphVisitor {
public:
  using IRGraphVisitor::include;
  std::map<std::string, int> calls;
  int64_t all = 0;

  void count(const Halide::Expr &e) { e.accept(this); }

private:
  using IRGraphVisitor::visit;
  void visit(const Halide::Internal::Call *call) override {
    if (call->call_type == Halide::Internal::Call::Halide)
      ++calls[call->name];
    ++all;
    IRGraphVisitor::visit(call);
  }
};
} // namespace

std::set<std::string> codegen::calledBy(const Stage &stage) {
  Counter counter;
  auto countAll = [&](const Halide::Tuple &values) {
    for (const Halide::Expr &e : values.as_vector())
      counter.count(e);
  };
  countAll(stage.func.values());
  if (stage.func.has_update_definition())
    countAll(stage.func.update_values());
  std::set<std::string> names;
  for (const auto &[name, uses] : counter.calls)
    if (name != stage.func.name())
      names.insert(name);
  return names;
}

bool codegen::isPacking(const Stage &stage) {
  return llvm::is_contained(
             {roles::packedRight, roles::tiledLeft, roles::keptLeft, roles::roundedLeft},
             stage.role) ||
         isTransposeRound(stage);
}

/// The one output of a region, if each sum that is kept has an element for each of the output's
/// rows and nothing else: then a row is read, summed and written at once.
static Stage *outputByRows(LoweredRegion &region, const std::set<const Stage *> &kept) {
  if (region.outputs.size() != 1)
    return nullptr;
  Stage *output = region.outputs.front().stage;
  bool any = false;
  for (auto &stage : region.stages) {
    if (!kept.count(stage.get()) || isPacking(*stage))
      continue;
    if (!stage->alongRows || stage->dimensions.empty())
      return nullptr;
    any = true;
    size_t skipped = output->dimensions.size() - stage->dimensions.size();
    if (stage->dimensions.size() > output->dimensions.size() || skipped > 1 ||
        !std::equal(stage->dimensions.begin(), stage->dimensions.end(),
                    output->dimensions.begin() + skipped))
      return nullptr;
  }
  return any ? output : nullptr;
}

static void scheduleByRows(Stage &output, LoweredRegion &region,
                           const std::set<const Stage *> &kept, bool parallel) {
  int lanes = region.target.traits.vectorLanes;
  std::vector<Var> rows(output.variables);
  size_t rank = 0;
  for (auto &stage : region.stages)
    if (kept.count(stage.get()))
      rank = stage->dimensions.size();
  output.func.compute_root();
  if (rank < rows.size()) {
    output.func.vectorize(rows.front(), lanes, TailStrategy::GuardWithIf);
    rows.erase(rows.begin());
  }
  if (parallel)
    parallelRows<Halide::Func &>(output.func, rows.back(), rows.size() == 1,
                                 region.fixedExtent(output.dimensions.front()));
  for (auto &stage : region.stages)
    if (kept.count(stage.get())) {
      stage->func.compute_at(output.func, rows.front());
      sumInLanes(*stage, lanes);
    }
}

/// Computes what is to be known of rows, and takes the sums that it consists of from `kept`: a row
/// is read from memory once for all of them.
static void computeRowStatistics(Stage &statistics, LoweredRegion &region,
                                 std::set<const Stage *> &kept, bool parallel) {
  std::vector<Stage *> sums;
  for (auto &stage : region.stages)
    if (stage->op == statistics.op && stage->alongRows && kept.count(stage.get()))
      sums.push_back(stage.get());
  const std::vector<Var> &rows = statistics.variables;
  if (sums.empty() || rows.empty())
    return; // they are scheduled elsewhere, or do not go along rows
  statistics.func.compute_root();
  if (parallel)
    parallelRows<Halide::Func &>(statistics.func, rows.back(), rows.size() == 1,
                                 elementsOfSum(*sums.front()));
  for (Stage *sum : sums) {
    sum->func.compute_at(statistics.func, rows.front());
    sumInLanes(*sum, region.target.traits.vectorLanes);
    kept.erase(sum);
  }
}

void codegen::scheduleRest(LoweredRegion &region, const std::set<const Stage *> &scheduled) {
  std::set<const Stage *> kept = keptStages(region);
  for (const Stage *stage : scheduled)
    kept.erase(stage);
  bool parallel = !region.plan.dividesAmongThreads();
  if (Stage *output = outputByRows(region, kept); output && !scheduled.count(output))
    return scheduleByRows(*output, region, kept, parallel);
  for (auto &stage : region.stages)
    if (stage->role == roles::rowStatistics)
      computeRowStatistics(*stage, region, kept, parallel);
  for (auto &stage : region.stages)
    if (!scheduled.count(stage.get()) && (region.isOutput(*stage) || kept.count(stage.get())))
      computeWhole(*stage, region, parallel);
}

/// The functions that are compared for equality. Computed twice, once within a larger expression, a
/// number may differ in its last bit, and a maximum would equal none of what it was taken from.
static std::set<std::string> comparedForEquality(const LoweredRegion &region) {
  std::set<std::string> compared;
  for (const auto &stage : region.stages) {
    auto compare = llvm::dyn_cast_or_null<ir::CompareOp>(stage->op);
    if (compare && (compare.getPredicate() == "eq" || compare.getPredicate() == "ne"))
      compared.merge(calledBy(*stage));
  }
  return compared;
}

std::set<const Stage *> codegen::keptStages(const LoweredRegion &region) {
  constexpr int64_t largestInPlace = 1000; // calls: the adjoint of a GELU has some hundreds
  std::set<const Stage *> kept;
  std::set<std::string> exact = comparedForEquality(region);
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
    int64_t size = 1 + counter.all;
    for (const auto &[name, uses] : counter.calls)
      if (auto inlined = sizes.find(name); inlined != sizes.end())
        size += uses * inlined->second;
    if (region.isOutput(*stage) || kept.count(stage.get()))
      continue;
    if (stage->func.has_update_definition() || size > largestInPlace ||
        exact.count(stage->func.name()))
      kept.insert(stage.get());
    else
      sizes[stage->func.name()] = size;
  }
  return kept;
}
