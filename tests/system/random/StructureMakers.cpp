#include "ir/Ragged.h"
#include "tests/support/Gradients.h"
#include "tests/system/random/Makers.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

static bool hasAxes(Value value) { return !ir::tensorType(value).isScalar(); }
static bool isFloat(Value value) { return isDifferentiable(value.getType()); }

static const ir::Axis *fixedAxis(Pool &pool, Value value, int64_t multipleOf = 1) {
  const ir::Axis *axis = pool.pickAxis(value);
  bool fits = axis && axis->size().isFixed() && axis->size().getFactor() % multipleOf == 0;
  return fits ? axis : nullptr;
}

/// Some of the axes that two values share, at least one.
static std::vector<Attribute> sharedAxes(Pool &pool, Value a, Value b) {
  std::vector<Attribute> shared;
  for (const ir::Axis &axis : ir::tensorType(a).getAxes())
    if (ir::tensorType(b).has(axis.name.getValue()))
      shared.push_back(axis.name);
  if (shared.empty())
    return shared;
  Attribute one = shared[pool.below(shared.size())];
  std::vector<Attribute> some;
  for (Attribute axis : shared)
    if (axis == one || pool.chance(0.4))
      some.push_back(axis);
  return some;
}

static bool contraction(Pool &pool) {
  Value a = pool.pickFloat(), b = pool.pickFloat();
  if (!a)
    return false;
  std::vector<Attribute> over = sharedAxes(pool, a, b);
  return !over.empty() && pool.add<ir::ContractOp>(a, b, pool.builder.getArrayAttr(over));
}

/// Whether axes to be reduced have the batch among them whose entries two axes of a value are
/// ragged over. Kernels of such values see one entry at a time, and only sums add up over the
/// entries.
static bool goesAcrossEntries(Value x, ArrayRef<Attribute> over) {
  std::optional<ir::RaggedPart> part = ir::raggedPart(ir::tensorType(x));
  return part && part->axes.size() > 1 && llvm::is_contained(over, Attribute(part->partner));
}

static bool reduction(Pool &pool) {
  constexpr const char *kinds[] = {"sum", "sum", "max", "min"};
  Value x = pool.pickFloat();
  if (!x)
    return false;
  std::vector<Attribute> over = sharedAxes(pool, x, x);
  llvm::StringRef kind = kinds[pool.below(4)];
  return (kind == "sum" || !goesAcrossEntries(x, over)) &&
         pool.add<ir::ReduceOp>(kind, x, pool.builder.getArrayAttr(over));
}

/// sum over an axis / its size
static bool mean(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  if (!axis || axis->size().isRagged())
    return false;
  Value count = pool.addValue<ir::SizeOfOp>(axis->size(), ir::SizeAttr(), mlir::TypeAttr());
  Value sum = pool.addValue<ir::ReduceOp>("sum", x, pool.builder.getArrayAttr({axis->name}));
  return sum && count && pool.add<ir::DivOp>(sum, count);
}

static bool largestIndex(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  return axis && pool.add<ir::ArgmaxOp>(x, axis->name);
}

/// Repeats a value to the shape of another one that has its axes.
static bool broadcast(Pool &pool) {
  Value shape = pool.pickFloat();
  if (!shape)
    return false;
  ir::NamedTensorType type = ir::tensorType(shape);
  Value x = pool.pick([&](Value v) {
    return isFloat(v) && ir::tensorType(v).rank() < type.rank() &&
           llvm::all_of(
               ir::tensorType(v).getAxes(),
               [&](const ir::Axis &axis) {
                 return type.sizeOf(axis.name.getValue()) == axis.size();
               });
  });
  return x && pool.add<ir::BroadcastOp>(x, type);
}

/// Whether these are positions of an axis that may be longer than a table, which `infer` refuses.
static bool mayExceed(Value indices, int64_t rows) {
  while (llvm::isa_and_nonnull<ir::RenameOp, ir::BroadcastOp>(indices.getDefiningOp()))
    indices = indices.getDefiningOp()->getOperand(0);
  auto iota = indices.getDefiningOp<ir::IotaOp>();
  if (!iota)
    return false;
  ir::SizeAttr size = ir::tensorType(iota.getResult()).sizeOf(iota.getAxis());
  return !size.isFixed() || size.getFactor() > rows;
}

static bool gather(Pool &pool) {
  Value table = pool.pickFloat();
  const ir::Axis *axis = table ? fixedAxis(pool, table) : nullptr;
  if (!axis)
    return false;
  Value indices = pool.pick([&](Value v) {
    return ir::tensorType(v).getElementType().isInteger(32) &&
           !mayExceed(v, axis->size().getFactor());
  });
  return indices && pool.add<ir::GatherOp>(table, indices, axis->name);
}

static bool scatterAdd(Pool &pool) {
  Value x = pool.pickFloat();
  Value indices = pool.pick([&](Value v) {
    return ir::tensorType(v).getElementType().isInteger(32) && hasAxes(v) && x &&
           llvm::all_of(ir::tensorType(v).getAxes(), [&](const ir::Axis &axis) {
             return ir::tensorType(x).sizeOf(axis.name.getValue()) == axis.size();
           });
  });
  if (!indices || ir::tensorType(x).has("vocab"))
    return false;
  SmallVector<StringAttr> walked;
  for (const ir::Axis &axis : ir::tensorType(indices).getAxes())
    walked.push_back(axis.name);
  MLIRContext *context = pool.builder.getContext();
  ir::NamedTensorType shape = ir::tensorType(x).without(walked).with(
      ir::Axis(pool.builder.getStringAttr("vocab"), ir::SizeAttr::fixed(context, 11)));
  return pool.add<ir::ScatterAddOp>(x, indices, "vocab", shape);
}

/// "position" becomes "position_2" and so on: the other side of self-attention.
static bool otherSide(Pool &pool) {
  Value x = pool.pick(hasAxes);
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  if (!axis)
    return false;
  std::string to = axis->name.str() + "_2";
  return !ir::tensorType(x).has(to) && pool.add<ir::RenameOp>(x, axis->name, to);
}

static bool split(Pool &pool) {
  Value x = pool.pick(hasAxes);
  const ir::Axis *axis = x ? fixedAxis(pool, x, 3) : nullptr;
  if (!axis)
    return false;
  std::string name = axis->name.str();
  ArrayAttr into = pool.builder.getStrArrayAttr({name + "_heads", name + "_depth"});
  return pool.add<ir::SplitOp>(x, axis->name, into,
                               ir::SizeAttr::fixed(pool.builder.getContext(), 3));
}

static bool merge(Pool &pool) {
  Value x = pool.pick([](Value v) { return ir::tensorType(v).rank() >= 2; });
  if (!x)
    return false;
  const ir::Axis *outer = pool.pickAxis(x), *inner = pool.pickAxis(x);
  if (outer == inner)
    return false;
  std::string into = outer->name.str() + "_" + inner->name.str();
  return pool.add<ir::MergeOp>(x, pool.builder.getArrayAttr({outer->name, inner->name}), into);
}

static bool slice(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? fixedAxis(pool, x) : nullptr;
  if (!axis)
    return false;
  int64_t start = pool.below(axis->size().getFactor());
  int64_t size = 1 + pool.below(axis->size().getFactor() - start);
  return pool.add<ir::SliceOp>(x, axis->name, start, size);
}

/// x with a part of it behind it, or in front of it.
static bool concatenated(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? fixedAxis(pool, x) : nullptr;
  if (!axis)
    return false;
  int64_t size = 1 + pool.below(axis->size().getFactor());
  Value part = pool.addValue<ir::SliceOp>(x, axis->name, 0, size);
  SmallVector<Value> parts = {x, part};
  if (pool.chance(0.5))
    std::swap(parts[0], parts[1]);
  return part && pool.add<ir::ConcatOp>(ValueRange(parts), axis->name);
}

static bool pad(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? fixedAxis(pool, x) : nullptr;
  if (!axis)
    return false;
  int64_t low = pool.below(3), high = pool.below(3);
  return pool.add<ir::PadOp>(x, axis->name, low, high, llvm::APFloat(0.25));
}

static bool shift(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  if (!axis)
    return false;
  // Kernels of a ragged tensor see one of its entries at a time, and are refused if they would look
  // at the one beside it.
  bool looksAtEntries = llvm::any_of(ir::tensorType(x).getAxes(), [&](const ir::Axis &other) {
    return other.size().getRaggedOver() == axis->name;
  });
  return !looksAtEntries &&
         pool.add<ir::ShiftOp>(x, axis->name, pool.chance(0.5) ? 1 : -1, llvm::APFloat(0.5));
}

/// x with one row replaced by another value that has its other axes.
static bool update(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? fixedAxis(pool, x) : nullptr;
  if (!axis)
    return false;
  Value row = pool.addValue<ir::ReduceOp>("sum", x, pool.builder.getArrayAttr({axis->name}));
  Value index = pool.addValue<ir::ConstantOp>(
      pool.builder.getI32IntegerAttr(static_cast<int32_t>(pool.below(axis->size().getFactor()))));
  return row && index && pool.add<ir::UpdateOp>(x, index, row, axis->name);
}

/// A causal mask over two axes.
static bool causalMask(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  if (!axis || axis->size().isRagged() || axis->size().getSymbols().size() > 1)
    return false;
  Value here = pool.addValue<ir::IotaOp>(axis->name, axis->size(), ir::SizeAttr());
  Value there =
      here ? pool.addValue<ir::RenameOp>(here, axis->name, axis->name.str() + "_2") : Value();
  return there && pool.add<ir::CompareOp>("le", there, here);
}

std::vector<Maker> test::structureMakers() {
  return {contraction,  contraction, contraction, reduction,   reduction,  mean,
          largestIndex, broadcast,   gather,      gather,      scatterAdd, otherSide,
          otherSide,    split,       split,       merge,       slice,      pad,
          shift,        update,      causalMask,  concatenated};
}
