// Contractions of one tensor with several weights over the same axes, as the projections to
// queries, keys and values are, become one contraction with all weights side by side.
//
// 1. Take the contractions of a value with a variable, in program order. Renames of the value are
//    looked through: keys of self-attention are projected from the queries' input with another name
//    for its positions.
// 2. A contraction joins the open group of its input if their weights differ in one axis only, the
//    last one that stays in memory order, and if no result of the group has been used yet: joining
//    must not compute anything earlier than it has to be, or it would occupy memory for longer.
// 3. That axis of each weight of a group of two or more becomes `fused`; the weights are put one
//    behind the other along it, and the input is contracted with that once. Other axes of the
//    weights (heads) stay axes: an attention that works head by head still can.
// 4. Each result is a slice of the fused one, with its own names of axes. Slices are views.
//
// Only variables are put together: reading them so costs nothing, since a contraction packs its
// weight anyway. The pass runs before differentiation, so the adjoint of the input is one
// contraction too, and that of the weights one. Of each contraction with a variable that stays
// alone, a remark says why. Test: tests/passes/fuse-horizontal.mlir.

#include "ir/Differentiated.h"
#include "ir/SourceLines.h"
#include "passes/Erase.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

static constexpr llvm::StringLiteral passName = "fuse-horizontal";

static std::nullopt_t staysAlone(ContractOp op, const Twine &why) {
  remarkMissed(op, passName, "contract is not put together with others of its input: " + why);
  return std::nullopt;
}

namespace {
/// One contraction that may be fused: contract(renames(input), weight).
struct Projection {
  ContractOp op;
  Value input;
  SmallVector<RenameOp> renames; // the first is applied first
  Value weight;
  StringAttr own; // the axis of the weight that becomes `fused`
  std::string alone = "no other weight differs from its own in one axis alone"; // if none joins

  NamedTensorType shared() const { return tensorType(weight).without({own}); }
  int64_t extent() const { return tensorType(weight).sizeOf(own).getFactor(); }
};
} // namespace

static bool contains(ArrayAttr names, StringAttr name) { return llvm::is_contained(names, name); }

/// Looks through renames of the input. False if one gives a contracted axis another name: the input
/// under its first name would not meet the weight.
static bool skipRenames(Projection &found) {
  while (auto rename = found.input.getDefiningOp<RenameOp>()) {
    if (isDifferentiated(rename.getY()))
      break;
    if (contains(found.op.getOver(), rename.getFromAttr()) ||
        contains(found.op.getOver(), rename.getToAttr()))
      return false;
    found.renames.insert(found.renames.begin(), rename);
    found.input = rename.getX();
  }
  return true;
}

/// Step 1.
static std::optional<Projection> findProjection(ContractOp op, const SymbolTable &symbols) {
  Projection found{op, op.getA(), {}, op.getB(), {}};
  if (!found.weight.getDefiningOp<ReadOp>())
    std::swap(found.input, found.weight);
  auto read = found.weight.getDefiningOp<ReadOp>();
  NamedTensorType direct = tensorType(found.input), weight = tensorType(found.weight);
  if (!read || found.input.getDefiningOp<ReadOp>())
    return std::nullopt;
  if (!skipRenames(found))
    return staysAlone(op, "the axis that it sums over has another name there");
  auto variable = symbols.lookup<VariableOp>(read.getVariable());
  for (auto axis : variable.getOrder().getAsRange<StringAttr>()) {
    if (contains(op.getOver(), axis))
      continue;
    if (direct.has(axis) || tensorType(found.input).has(axis)) // a batch axis
      return staysAlone(op, "its weight shares axis '" + axis.getValue() + "' with the input");
    found.own = axis;
  }
  if (!found.own || !weight.sizeOf(found.own).isFixed())
    return staysAlone(op, "its weight has no axis of fixed size that stays");
  return found;
}

/// Whether an op before `end` in its block uses the result.
static bool usedBefore(Operation *end, Value result) {
  return llvm::any_of(result.getUsers(),
                      [&](Operation *user) { return user->isBeforeInBlock(end); });
}

/// Step 2.
static SmallVector<SmallVector<Projection>> findGroups(func::FuncOp function,
                                                       const SymbolTable &symbols) {
  using Key = std::tuple<Value, ArrayAttr, Type>;
  SmallVector<SmallVector<Projection>> groups;
  llvm::DenseMap<Key, unsigned> open;
  for (auto op : function.getOps<ContractOp>()) {
    std::optional<Projection> projection = findProjection(op, symbols);
    if (!projection)
      continue;
    Key key(projection->input, op.getOver(), projection->shared());
    auto [known, isNew] = open.try_emplace(key, groups.size());
    bool used = !isNew && llvm::any_of(groups[known->second], [&](Projection &member) {
      return usedBefore(op, member.op.getY());
    });
    if (used)
      projection->alone =
          "a result of " + nameOf(groups[known->second].front().op) + " is used before";
    if (isNew || used) {
      known->second = groups.size();
      groups.emplace_back();
    }
    groups[known->second].push_back(*projection);
  }
  llvm::erase_if(groups, [](ArrayRef<Projection> group) {
    if (group.size() < 2)
      staysAlone(group.front().op, group.front().alone);
    return group.size() < 2;
  });
  return groups;
}

/// A name that neither the input nor a weight has for an axis.
static StringAttr freshAxis(ArrayRef<Projection> group) {
  std::string name = "fused";
  auto isTaken = [&](const Projection &projection) {
    return tensorType(projection.input).has(name) || tensorType(projection.weight).has(name);
  };
  while (llvm::any_of(group, isTaken))
    name += "_";
  return StringAttr::get(group.front().own.getContext(), name);
}

/// Step 4. The projection's result from its slice of the fused one.
static Value restore(Projection &projection, Value slice, StringAttr fused, OpBuilder &builder) {
  Location location = projection.op.getLoc();
  slice = RenameOp::create(builder, location, slice, fused, projection.own);
  for (RenameOp rename : projection.renames)
    slice = RenameOp::create(builder, location, slice, rename.getFrom(), rename.getTo());
  return slice;
}

/// Steps 3 and 4.
static void fuse(MutableArrayRef<Projection> group) {
  ContractOp first = group.front().op;
  OpBuilder builder(first);
  StringAttr fused = freshAxis(group);
  SmallVector<Value> weights;
  for (Projection &projection : group) {
    // A read gives the value at the function's entry, wherever it stands.
    projection.weight.getDefiningOp()->moveBefore(&first->getBlock()->front());
    weights.push_back(RenameOp::create(builder, projection.op.getLoc(), projection.weight,
                                       projection.own, fused));
  }
  Value all = ConcatOp::create(builder, first.getLoc(), weights, fused);
  SmallVector<Operation *> members =
      llvm::map_to_vector(group, [](Projection &p) { return p.op.getOperation(); });
  auto y =
      ContractOp::create(builder, locationOf(members), group.front().input, all, first.getOver());
  remarkDone(y, passName, "contract takes " + Twine(group.size()) + " weights side by side");
  int64_t start = 0;
  for (Projection &projection : group) {
    Value slice =
        SliceOp::create(builder, projection.op.getLoc(), y, fused, start, projection.extent());
    start += projection.extent();
    projection.op.getY().replaceAllUsesWith(restore(projection, slice, fused, builder));
  }
  for (Projection &projection : group)
    eraseUnused(projection.op.getY());
}

namespace {
struct FuseHorizontal : PassWrapper<FuseHorizontal, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseHorizontal)
  StringRef getArgument() const final { return "fuse-horizontal"; }
  StringRef getDescription() const final {
    return "makes one contraction of those of one tensor with several weights";
  }

  void runOnOperation() final {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (SmallVector<Projection> &group : findGroups(function, symbols))
        fuse(group);
  }
};
} // namespace

std::unique_ptr<Pass> passes::createFuseHorizontal() { return std::make_unique<FuseHorizontal>(); }
