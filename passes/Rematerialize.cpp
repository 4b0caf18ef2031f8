//===- Rematerialize.cpp - Recompute instead of keeping -------------------===//
//
// 1. Plan a copy of the function. If its arena fits the budget, nothing is to be done.
// 2. Find the turn: the op at which results take most memory, as between the forward and the
//    backward pass.
// 3. Price what could cross it. A result that is kept costs its bytes, times the share of the
//    program between its last reader before and its first reader after the turn. An op that is
//    computed again costs its multiply-adds, one at least for each element, times a price.
// 4. A minimum cut says what to do: a reader after the turn needs a value; a value is kept, or its
//    op is computed again, which needs its operands in turn. A largest or smallest element is
//    computed again with what it was taken from: the gradient looks for the element that equals it.
// 5. Clone each op that is computed again right before its first reader after the turn, marked so
//    that no kernel from before the turn takes it in.
// 6. From a high price, at which only what is nearly free is computed again, lower it until a
//    planned copy fits the budget; then come back to the highest price that does.
//
// Each trial plans with the passes that follow, so that fusion, layouts and the packing of the
// arena count. Clones compute what their originals do; random numbers come from their counters.
// Test: tests/passes/rematerialize.mlir.
//
//===----------------------------------------------------------------------===//

#include "passes/Rematerialize.h"

#include "ir/Dialect.h"
#include "ir/Ragged.h"
#include "ir/Work.h"
#include "passes/ComputeAgain.h"
#include "passes/KernelOps.h"
#include "passes/MinCut.h"
#include "passes/PlanMemory.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

using Planner = std::function<void(OpPassManager &)>;

namespace {
/// A function with all that is known of it before a price is set.
class Choices {
public:
  Choices(func::FuncOp function, const MemoryBudget &budget);

  /// Computes again what pays at this price of a multiply-add, in bytes kept all along.
  void apply(double price);

private:
  void findTurn();
  void findGaps();
  llvm::DenseSet<Operation *> recomputed(double price) const;
  void clone(Operation *op);

  bool isBeforeTurn(Operation *op) const {
    auto found = index.find(op);
    return found != index.end() && found->second <= turn;
  }
  /// Whether a use needs the value in memory of the arena after the turn.
  bool isLateUse(OpOperand &use) const {
    return !isBeforeTurn(use.getOwner()) && !isa<WriteOp, func::ReturnOp>(use.getOwner());
  }
  int64_t bytes(Value value) const { return *budget.valueOf(byteSize(tensorType(value))); }
  double work(Operation *op) const;

  const MemoryBudget &budget;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> index;
  unsigned turn = 0;
  DenseMap<Value, double> gaps;
};
} // namespace

Choices::Choices(func::FuncOp function, const MemoryBudget &budget) : budget(budget) {
  for (Operation &op : function.getBody().front()) {
    index[&op] = ops.size();
    ops.push_back(&op);
  }
  findTurn();
  findGaps();
}

/// Step 2. What kernels compute anyway, and what lies in variables or results, takes no memory.
void Choices::findTurn() {
  SmallVector<int64_t> freed(ops.size(), 0);
  int64_t live = 0, most = 0;
  for (auto [i, op] : llvm::enumerate(ops)) {
    for (Value result : op->getResults()) {
      if (isa<ReadOp>(op) || isRecomputed(op))
        continue;
      size_t last = i;
      for (Operation *user : result.getUsers())
        if (!isa<WriteOp, func::ReturnOp>(user))
          last = std::max<size_t>(last, index.lookup(user));
      live += bytes(result);
      freed[last] += bytes(result);
    }
    if (live > most) {
      most = live;
      turn = i;
    }
    live -= freed[i];
  }
}

/// How long each result from before the turn lies there unread, as a share of the program. One that
/// nobody reads after it would be needed when what comes next in the program is.
void Choices::findGaps() {
  unsigned needed = turn + 1;
  for (unsigned i = turn + 1; i-- > 0;)
    for (Value result : ops[i]->getResults()) {
      unsigned last = i, first = ops.size();
      for (OpOperand &use : result.getUses()) {
        unsigned user = index.lookup(use.getOwner());
        if (isBeforeTurn(use.getOwner()))
          last = std::max(last, user);
        else if (isLateUse(use))
          first = std::min(first, user);
      }
      if (first < ops.size())
        needed = std::max(needed, first);
      gaps[result] = double(std::min(first, needed) - last) / double(ops.size());
    }
}

double Choices::work(Operation *op) const {
  if (isRecomputed(op))
    return 0;
  int64_t elements = 0, products = 0;
  for (Value result : op->getResults())
    elements = std::max(elements, *budget.valueOf(elementCount(tensorType(result))));
  for (SizeAttr size : multiplyAdds(op))
    products += *budget.valueOf(size);
  return double(std::max(elements, products));
}

/// Step 4.
llvm::DenseSet<Operation *> Choices::recomputed(double price) const {
  MinCut network;
  DenseMap<Operation *, unsigned> nodes;
  DenseMap<Value, unsigned> results;
  for (Operation *op : llvm::ArrayRef(ops).take_front(turn + 1)) {
    if (isa<ReadOp, ConstantOp>(op)) // always there
      continue;
    unsigned node = nodes[op] = network.addNode();
    network.addEdge(MinCut::source, node, price * work(op));
    for (Value operand : op->getOperands())
      if (auto found = results.find(operand); found != results.end())
        network.addEdge(found->second, node, MinCut::infinite);
    if (auto reduce = dyn_cast<ReduceOp>(op); reduce && reduce.getKind() != "sum")
      if (auto found = nodes.find(reduce.getX().getDefiningOp()); found != nodes.end())
        network.addEdge(node, found->second, MinCut::infinite);
    for (Value result : op->getResults()) {
      unsigned value = results[result] = network.addNode();
      network.addEdge(node, value,
                      isRecomputed(op) ? MinCut::infinite
                                       : double(bytes(result)) * gaps.lookup(result));
      if (llvm::any_of(result.getUses(), [&](OpOperand &use) { return isLateUse(use); }))
        network.addEdge(value, MinCut::sink, MinCut::infinite);
    }
  }
  SmallVector<bool> after = network.sinkSide();
  llvm::DenseSet<Operation *> chosen;
  for (auto [op, node] : nodes)
    if (after[node])
      chosen.insert(op);
  return chosen;
}

/// Step 5, for one op.
void Choices::clone(Operation *op) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : op->getUses())
    if (isLateUse(use))
      uses.push_back(&use);
  if (uses.empty())
    return;
  Operation *again = computeAgain(op, uses, UnitAttr::get(op->getContext()));
  remarkDone(again, "rematerialize",
             op->getName().stripDialect() + " is computed again where the backward pass needs it, "
                                            "since the memory budget has no room to keep it");
  if (op->use_empty()) { // it was too early only
    index.erase(op);
    op->erase();
  }
}

void Choices::apply(double price) {
  llvm::DenseSet<Operation *> chosen = recomputed(price);
  // Readers first: the clone of a reader is one too.
  for (Operation *op : llvm::reverse(llvm::ArrayRef(ops).take_front(turn + 1)))
    if (chosen.contains(op))
      clone(op);
}

namespace {
/// Tries prices on copies of a function.
class Search {
public:
  Search(func::FuncOp function, const MemoryBudget &budget, const Planner &plan)
      : function(function), budget(budget), plan(plan) {}

  LogicalResult run();

private:
  /// The bytes of the planned arena, without a price those of the function as it is.
  FailureOr<int64_t> arena(std::optional<double> price);
  LogicalResult check();
  FailureOr<std::optional<double>> firstThatFits();

  func::FuncOp function;
  const MemoryBudget &budget;
  const Planner &plan;
  int64_t least = 0;
};
} // namespace

/// A module of one function and what it refers to.
static OwningOpRef<ModuleOp> alone(func::FuncOp function) {
  auto module = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
  (*copy)->setAttr(trialMark, UnitAttr::get(module.getContext()));
  OpBuilder builder = OpBuilder::atBlockEnd(copy->getBody());
  for (Operation &op : *module.getBody())
    if (!isa<func::FuncOp>(op) || &op == function)
      builder.clone(op);
  return copy;
}

FailureOr<int64_t> Search::arena(std::optional<double> price) {
  OwningOpRef<ModuleOp> module = alone(function);
  auto copy = *module->getOps<func::FuncOp>().begin();
  if (price)
    Choices(copy, budget).apply(*price);
  PassManager passes(module->getContext());
  plan(passes);
  if (failed(passes.run(*module)))
    return failure();
  int64_t bytes = arenaBytes(copy, budget);
  least = price ? std::min(least, bytes) : bytes;
  return bytes;
}

/// Whether the budget has a value for each size of the function, those of products included.
LogicalResult Search::check() {
  auto check = [&](const char *what, SizeAttr size, const char *of) -> LogicalResult {
    if (budget.valueOf(size))
      return success();
    return function.emitError(what)
           << " of '" << function.getSymName() << "' has " << size.str() << " " << of
           << ", which the sizes of the memory budget (" << budget.sizesText()
           << ") do not tell; name each size after '@'";
  };
  for (Operation &op : function.getBody().front()) {
    for (Type type : llvm::concat<Type>(op.getOperandTypes(), op.getResultTypes()))
      if (auto tensor = dyn_cast<NamedTensorType>(type);
          tensor && failed(check("a tensor", elementCount(tensor), "elements")))
        return failure();
    for (SizeAttr size : multiplyAdds(&op))
      if (failed(check("a product", size, "multiply-adds")))
        return failure();
  }
  return success();
}

/// Step 6: the price halves; then four halvings of the interval between the last that failed and
/// the first that did not.
FailureOr<std::optional<double>> Search::firstThatFits() {
  constexpr int halvings = 24, refinements = 4;
  double price = 1;
  for (int i = 0; i < halvings; ++i, price /= 2) {
    FailureOr<int64_t> bytes = arena(price);
    if (failed(bytes))
      return failure();
    if (*bytes > budget.bytes)
      continue;
    double fits = price, fails = 2 * price;
    for (int j = 0; j < refinements; ++j) {
      double middle = (fits + fails) / 2;
      bytes = arena(middle);
      if (failed(bytes))
        return failure();
      (*bytes <= budget.bytes ? fits : fails) = middle;
    }
    return std::optional(fits);
  }
  return std::optional<double>();
}

LogicalResult Search::run() {
  if (failed(check()))
    return failure();
  FailureOr<int64_t> bytes = arena(std::nullopt);
  if (failed(bytes))
    return failure();
  if (*bytes <= budget.bytes)
    return success();
  FailureOr<std::optional<double>> price = firstThatFits();
  if (failed(price))
    return failure();
  if (!*price)
    return function.emitError("'") << function.getSymName() << "' takes " << *bytes
                                   << " bytes for results between kernels at " << budget.sizesText()
                                   << "; the memory budget is " << budget.bytes
                                   << ", and the least that recomputation reaches is " << least;
  Choices(function, budget).apply(**price);
  return success();
}

/// Whether the budget names sizes that there are, with values that they can have.
static LogicalResult checkNames(ModuleOp module, const MemoryBudget &budget) {
  std::map<std::string, int64_t> maxima;
  for (auto size : module.getOps<SizeOp>())
    maxima[size.getSymName().str()] = int64_t(size.getMax());
  for (const auto &[name, value] : budget.sizes) {
    if (!factorsOfTotal(name).empty())
      continue;
    auto size = maxima.find(name);
    if (size == maxima.end())
      return module.emitError("the memory budget has a value for '")
             << name << "'; the sizes are " << llvm::join(llvm::make_first_range(maxima), ", ");
    if (value > size->second)
      return module.emitError("the memory budget has ")
             << name << "=" << value << ", but " << name << " is at most " << size->second;
  }
  return success();
}

namespace {
struct Rematerialize : PassWrapper<Rematerialize, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Rematerialize)

  Rematerialize(MemoryBudget budget, Planner plan)
      : budget(std::move(budget)), plan(std::move(plan)) {}
  StringRef getArgument() const override { return "rematerialize"; }
  StringRef getDescription() const override { return "recompute values until a budget is met"; }

  void runOnOperation() override {
    if (failed(checkNames(getOperation(), budget)))
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() && failed(Search(function, budget, plan).run()))
        return signalPassFailure();
  }

  MemoryBudget budget;
  Planner plan;
};
} // namespace

std::unique_ptr<Pass> passes::createRematerialize(MemoryBudget budget, Planner plan) {
  return std::make_unique<Rematerialize>(std::move(budget), std::move(plan));
}
