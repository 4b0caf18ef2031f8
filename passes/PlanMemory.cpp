//===- PlanMemory.cpp - Where every kernel result lives -------------------===//
//
// 1. A result that is written to a variable is computed in the variable's memory, if nothing reads
//    the old value later, no other result of the kernel comes of it, and the kernel reads it
//    element by element at most (recorded as `in_place`).
// 2. A result that the function returns is computed in the caller's memory.
// 3. Every other result gets a slot of the arena (PackArena.cpp). Results live from their kernel to
//    their last reader; two may share memory if their lives do not overlap.
// 4. Sizes are monomials in the size symbols, so one plan serves all shapes: the function's
//    attributes say how large each slot is and which slots lie below it; offsets are computed when
//    the shapes are known.
//
// The packing uses sample values for the symbols; they decide how tight the plan is, never whether
// it is right. Test: tests/passes/plan-memory.mlir.
//
//===----------------------------------------------------------------------===//

#include "passes/PlanMemory.h"

#include "ir/Dialect.h"
#include "ir/Ragged.h"
#include "passes/KernelOps.h"
#include "passes/PackArena.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

SizeAttr passes::byteSize(NamedTensorType type) {
  int64_t bytes = elementBytes(type.getElementType());
  return elementCount(type).times(SizeAttr::fixed(type.getContext(), bytes));
}

/// A typical value of a size where the budget names none: every symbol is `typical`, and a total is
/// one of so many entries.
static int64_t sampleValue(SizeAttr size, const MemoryBudget &budget) {
  // Tensors of tokens and of weights are of one magnitude then, so that neither hides how the other
  // is packed: Transformer-base's step is packed within 6 % of what is live at any size.
  constexpr int64_t typical = 32;
  return size.evaluate([&](StringAttr symbol) {
    if (auto known = budget.sizes.find(symbol.getValue()); known != budget.sizes.end())
      return known->second;
    int64_t value = typical;
    for (size_t i = 0; i < factorsOfTotal(symbol.getValue()).size(); ++i)
      value *= typical;
    return value;
  });
}

namespace {
class MemoryPlan {
public:
  /// With `updateInPlace`, kernels write into the variables that they update where they can.
  MemoryPlan(func::FuncOp function, const SymbolTable &symbols, bool updateInPlace,
             const MemoryBudget &budget);
  void record();

private:
  void placeInVariables(bool updateInPlace);
  std::string placeInVariable(WriteOp write);
  void placeInResults();
  void placeInSlots(const MemoryBudget &budget);
  Operation *laterReader(KernelOp writer, StringAttr variable);
  std::string readerName(Operation *reader) const;
  std::optional<int64_t> oldValueInput(KernelOp writer, StringAttr variable) const;
  LayoutAttr layoutOf(OpResult result) const;

  func::FuncOp function;
  const SymbolTable &symbols;
  DenseMap<StringAttr, SmallVector<ReadOp>> reads;
  SmallVector<KernelOp> kernels;
  DenseMap<Operation *, unsigned> index;
  /// The index at which each runs: that of the last one of its group.
  DenseMap<Operation *, unsigned> time;
  DenseMap<Value, PlacementAttr> placements;
  DenseMap<Value, int64_t> inPlace;
  SmallVector<ArenaSlot> slots;
};
} // namespace

MemoryPlan::MemoryPlan(func::FuncOp function, const SymbolTable &symbols, bool updateInPlace,
                       const MemoryBudget &budget)
    : function(function), symbols(symbols) {
  for (auto read : function.getOps<ReadOp>())
    reads[read.getVariableAttr().getAttr()].push_back(read);
  for (auto kernel : function.getOps<KernelOp>()) {
    index[kernel] = kernels.size();
    kernels.push_back(kernel);
  }
  DenseMap<int64_t, unsigned> ends;
  for (KernelOp kernel : kernels)
    if (std::optional<int64_t> group = kernel.getGroup())
      ends[*group] = index[kernel];
  for (KernelOp kernel : kernels)
    time[kernel] = kernel.getGroup() ? ends[*kernel.getGroup()] : index[kernel];
  placeInVariables(updateInPlace);
  placeInResults();
  placeInSlots(budget);
}

LayoutAttr MemoryPlan::layoutOf(OpResult result) const {
  auto kernel = cast<KernelOp>(result.getOwner());
  return cast<LayoutAttr>((*kernel.getResultLayouts())[result.getResultNumber()]);
}

/// What reads the variable's old value after `writer`, or while it runs; null if nothing does. What
/// the function returns of it is copied before the first kernel.
Operation *MemoryPlan::laterReader(KernelOp writer, StringAttr variable) {
  for (ReadOp read : reads[variable])
    for (Operation *user : read->getUsers()) {
      bool isEarlier = isa<KernelOp>(user) && time.lookup(user) < time.lookup(writer);
      if (user != writer && !isEarlier && !isa<func::ReturnOp>(user))
        return user;
    }
  return nullptr;
}

/// Whether a kernel reads an input only at the element that it writes, or replaces a slice of it.
static bool readsElementwise(KernelOp kernel, BlockArgument input) {
  if (kernel.getAnchor() == "update")
    return input.hasOneUse() && isa<UpdateOp>(*input.user_begin()) &&
           cast<UpdateOp>(*input.user_begin()).getX() == input;
  if (!isElementwise(kernel.getAnchor()))
    return false;
  auto space = tensorType(input).getAxes();
  llvm::DenseSet<Value> read; // the input, and what is computed from it
  read.insert(input);
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (llvm::none_of(op.getOperands(), [&](Value operand) { return read.contains(operand); }))
      continue;
    if (!op.hasTrait<Pointwise>() || tensorType(op.getResult(0)).getAxes() != space)
      return false;
    read.insert(op.result_begin(), op.result_end());
  }
  return true;
}

/// Whether another result of the kernel is computed from the input, other than through `result`: by
/// then, the new value may lie there.
static bool othersComeOf(BlockArgument input, OpResult result) {
  Operation *yield = input.getOwner()->getTerminator();
  Value own = yield->getOperand(result.getResultNumber());
  llvm::SetVector<Value> open;
  open.insert(input);
  for (size_t next = 0; next < open.size(); ++next)
    for (Operation *user : open[next].getUsers()) {
      if (user == yield)
        return true;
      for (Value value : user->getResults())
        if (value != own)
          open.insert(value);
    }
  return false;
}

/// The input that holds the variable's old value: -1 if the kernel does not read it, nothing if it
/// reads it in a way that rules out writing in place.
std::optional<int64_t> MemoryPlan::oldValueInput(KernelOp writer, StringAttr variable) const {
  int64_t found = -1;
  for (auto [i, input] : llvm::enumerate(writer.getInputs())) {
    auto read = input.getDefiningOp<ReadOp>();
    if (!read || read.getVariableAttr().getAttr() != variable)
      continue;
    if (found >= 0 || !readsElementwise(writer, writer.getBody().front().getArgument(i)))
      return std::nullopt;
    found = i;
  }
  return found;
}

std::string MemoryPlan::readerName(Operation *reader) const {
  auto kernel = dyn_cast<KernelOp>(reader);
  return kernel ? kernelName(function, index.lookup(kernel), kernel.getAnchor()) : nameOf(reader);
}

/// Lets a kernel compute a variable's new value where the old one lies; or says, in words for the
/// user, why it cannot.
std::string MemoryPlan::placeInVariable(WriteOp write) {
  auto result = dyn_cast<OpResult>(write.getValue());
  auto kernel = result ? dyn_cast<KernelOp>(result.getOwner()) : nullptr;
  StringAttr name = write.getVariableAttr().getAttr();
  if (!kernel)
    return "no kernel computes it";
  if (auto taken = placements.find(result); taken != placements.end())
    return "it lies in variable '" + taken->second.getVariable().getValue().str() + "' already";
  if (Operation *reader = laterReader(kernel, name))
    return "the old value is read later, by " + readerName(reader);
  auto variable = symbols.lookup<VariableOp>(name);
  if (!llvm::equal(layoutOf(result).getOrder(), variable.getOrder().getAsRange<StringAttr>()))
    return "it has its axes in another order than the variable";
  std::optional<int64_t> old = oldValueInput(kernel, name);
  if (!old)
    return "its kernel reads more of the old value than the element that it writes";
  if (*old >= 0 && othersComeOf(kernel.getBody().front().getArgument(*old), result))
    return "another result of its kernel comes of the old value";
  inPlace[result] = *old;
  placements[result] = PlacementAttr::inVariable(function.getContext(), name.getValue());
  return "";
}

void MemoryPlan::placeInVariables(bool updateInPlace) {
  for (auto write : function.getOps<WriteOp>()) {
    std::string why = updateInPlace ? placeInVariable(write) : "in-place-updates is off";
    if (!why.empty())
      remarkMissed(write, "plan-memory",
                   "the new value of variable '" + write.getVariable() +
                       "' is copied at the end: " + why,
                   copyName(write.getVariable()));
  }
}

void MemoryPlan::placeInResults() {
  auto returned = cast<func::ReturnOp>(function.getBody().front().getTerminator());
  for (auto [i, value] : llvm::enumerate(returned.getOperands())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || !isa<KernelOp>(result.getOwner()) || placements.contains(result))
      continue;
    auto declared = function.getResultAttrOfType<ArrayAttr>(i, "axloom.order");
    if (!declared || llvm::equal(layoutOf(result).getOrder(), declared.getAsRange<StringAttr>()))
      placements[result] = PlacementAttr::result(function.getContext(), i);
  }
}

void MemoryPlan::placeInSlots(const MemoryBudget &budget) {
  SmallVector<OpResult> pending;
  SmallVector<ArenaTenant> tenants;
  for (KernelOp kernel : kernels)
    for (OpResult result : kernel->getResults()) {
      if (placements.contains(result))
        continue;
      ArenaTenant tenant{byteSize(tensorType(result)), time[kernel], time[kernel]};
      for (Operation *user : result.getUsers()) // writes and returns read at the very end
        tenant.to =
            std::max<unsigned>(tenant.to, isa<KernelOp>(user) ? time[user] : kernels.size());
      pending.push_back(result);
      tenants.push_back(tenant);
    }
  ArenaPacking packing =
      packArena(tenants, [&](SizeAttr size) { return sampleValue(size, budget); });
  for (auto [result, slot] : llvm::zip_equal(pending, packing.slotOf))
    placements[result] = PlacementAttr::slot(function.getContext(), slot);
  slots = std::move(packing.slots);
}

void MemoryPlan::record() {
  Builder builder(function.getContext());
  for (KernelOp kernel : kernels) {
    SmallVector<Attribute> places;
    SmallVector<int64_t> old;
    for (OpResult result : kernel->getResults()) {
      places.push_back(placements[result]);
      auto shared = inPlace.find(result);
      old.push_back(shared == inPlace.end() ? -1 : shared->second);
    }
    kernel.setPlacementsAttr(builder.getArrayAttr(places));
    if (llvm::any_of(old, [](int64_t input) { return input >= 0; }))
      kernel.setInPlace(old);
  }
  setSlots(function, slots);
}

int64_t passes::arenaBytes(func::FuncOp function, const MemoryBudget &budget) {
  auto valueOf = [&](SizeAttr size) { return double(*budget.valueOf(size)); };
  return int64_t(slotOffsets(slotsOf(function), valueOf).back());
}

namespace {
struct PlanMemory : PassWrapper<PlanMemory, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanMemory)

  PlanMemory(bool updateInPlace, MemoryBudget budget)
      : updateInPlace(updateInPlace), budget(std::move(budget)) {}
  StringRef getArgument() const override { return "plan-memory"; }
  StringRef getDescription() const override {
    return "place kernel results in variables, results or arena slots";
  }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        MemoryPlan(function, symbols, updateInPlace, budget).record();
  }

  bool updateInPlace;
  MemoryBudget budget;
};
} // namespace

std::unique_ptr<Pass> passes::createPlanMemory(bool updateInPlace, MemoryBudget budget) {
  return std::make_unique<PlanMemory>(updateInPlace, std::move(budget));
}
