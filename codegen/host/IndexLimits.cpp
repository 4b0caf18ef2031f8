#include "codegen/host/IndexLimits.h"

#include "ir/Ragged.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace axloom;

using Limits = SmallVector<ir::SizeAttr>;

namespace {
/// The limits of a value and of those that come of it, each looked at once.
class LimitSearch {
public:
  const Limits &of(Value value);

private:
  Limits find(Value value, ir::NamedTensorType type);
  Limits ofUse(OpOperand &use);
  Limits ofSlices(ArrayRef<ir::SliceOp> all, ir::Axis axis);

  std::map<void *, Limits> known; // addresses stay
};
} // namespace

/// A size that is no smaller than others adds nothing; of two that a call decides, nobody knows.
static void add(Limits &limits, ir::SizeAttr size) {
  auto isFixed = [](ir::SizeAttr limit) { return limit.isFixed(); };
  auto *known = size.isFixed() ? llvm::find_if(limits, isFixed) : llvm::find(limits, size);
  if (known == limits.end())
    limits.push_back(size);
  else if (size.getFactor() < known->getFactor())
    *known = size;
}

static Limits sizeOf(Value tensor, StringRef axis) {
  ir::SizeAttr size = ir::tensorType(tensor).sizeOf(axis);
  if (!size || !size.isRagged())
    return size ? Limits{size} : Limits();
  // The longest entry; in shorter ones kernels stay inside them.
  SmallVector<StringAttr> symbols;
  for (StringAttr symbol : size.getSymbols())
    symbols.push_back(StringAttr::get(symbol.getContext(), ir::longestSymbol(symbol)));
  return {ir::SizeAttr::get(size.getContext(), size.getFactor(), symbols, StringAttr())};
}

/// The slices of a value, also in the kernels that read it.
static void collectSlices(Value value, SmallVectorImpl<ir::SliceOp> &slices) {
  for (OpOperand &use : value.getUses())
    if (auto slice = llvm::dyn_cast<ir::SliceOp>(use.getOwner()))
      slices.push_back(slice);
    else if (auto kernel = llvm::dyn_cast<ir::KernelOp>(use.getOwner()))
      collectSlices(kernel.getBody().getArgument(use.getOperandNumber()), slices);
}

/// The limit of all elements where slices along an axis have a fixed one each and leave none out.
Limits LimitSearch::ofSlices(ArrayRef<ir::SliceOp> all, ir::Axis axis) {
  SmallVector<std::pair<ir::SliceOp, ir::SizeAttr>> slices;
  for (ir::SliceOp slice : all)
    if (slice.getAxisAttr() == axis.name)
      for (ir::SizeAttr limit : of(slice.getY()))
        if (limit.isFixed())
          slices.push_back({slice, limit});
  llvm::sort(slices, [](auto &a, auto &b) { return a.first.getStart() < b.first.getStart(); });
  int64_t end = 0;
  ir::SizeAttr largest;
  for (auto [slice, limit] : slices) {
    if (int64_t(slice.getStart()) > end)
      return {};
    end = std::max(end, int64_t(slice.getStart() + slice.getSize()));
    if (!largest || limit.getFactor() > largest.getFactor())
      largest = limit;
  }
  return largest && end == axis.size().getFactor() ? Limits{largest} : Limits();
}

/// The limits that this use alone sets.
Limits LimitSearch::ofUse(OpOperand &use) {
  Operation *op = use.getOwner();
  Value value = use.get();
  if (auto gather = llvm::dyn_cast<ir::GatherOp>(op))
    return value == gather.getIndices() ? sizeOf(gather.getTable(), gather.getAxis()) : Limits();
  if (auto scatter = llvm::dyn_cast<ir::ScatterAddOp>(op))
    return value == scatter.getIndices() ? sizeOf(scatter.getY(), scatter.getAxis()) : Limits();
  if (auto update = llvm::dyn_cast<ir::UpdateOp>(op))
    return value == update.getIndex() ? sizeOf(update.getX(), update.getAxis()) : Limits();
  if (auto loss = llvm::dyn_cast<ir::CrossEntropyOp>(op))
    return value == loss.getLabels() ? sizeOf(loss.getLogits(), loss.getAxis()) : Limits();
  if (auto loss = llvm::dyn_cast<ir::LinearCrossEntropyOp>(op))
    return value == loss.getLabels() ? sizeOf(loss.getW(), loss.getClasses()) : Limits();
  if (llvm::isa<ir::RenameOp, ir::SplitOp, ir::MergeOp, ir::BroadcastOp, ir::ConcatOp>(op))
    return of(op->getResult(0));
  if (auto kernel = llvm::dyn_cast<ir::KernelOp>(op))
    return of(kernel.getBody().getArgument(use.getOperandNumber()));
  if (auto yield = llvm::dyn_cast<ir::YieldOp>(op))
    return of(yield->getParentOp()->getResult(use.getOperandNumber()));
  return {};
}

Limits LimitSearch::find(Value value, ir::NamedTensorType type) {
  Limits limits;
  auto addAll = [&](const Limits &sizes) {
    for (ir::SizeAttr size : sizes)
      add(limits, size);
  };
  for (OpOperand &use : value.getUses())
    addAll(ofUse(use));
  SmallVector<ir::SliceOp> slices;
  collectSlices(value, slices);
  for (const ir::Axis &axis : type.getAxes())
    addAll(ofSlices(slices, axis));
  return limits;
}

const Limits &LimitSearch::of(Value value) {
  auto [entry, isNew] = known.try_emplace(value.getAsOpaquePointer());
  auto type = llvm::dyn_cast<ir::NamedTensorType>(value.getType());
  if (isNew && type && type.getElementType().isInteger(32))
    entry->second = find(value, type);
  return entry->second;
}

Limits codegen::indexLimits(Value value) { return LimitSearch().of(value); }
