#include "codegen/AbsorbViews.h"

#include "codegen/KernelInfo.h"
#include "runtime/abi/tables.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

namespace {
/// Axes that lie one within the other, from the outermost, and those that a view has in their
/// place.
struct View {
  SmallVector<StringAttr> from, to;

  View reversed() const { return {to, from}; }
};
} // namespace

static SmallVector<StringAttr> names(ArrayAttr list) {
  return llvm::to_vector(list.getAsRange<StringAttr>());
}

static std::optional<View> viewOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<View>>(op)
      .Case([](ir::RenameOp rename) { return View{{rename.getFromAttr()}, {rename.getToAttr()}}; })
      .Case([](ir::SplitOp split) { return View{{split.getAxisAttr()}, names(split.getInto())}; })
      .Case([](ir::MergeOp merge) { return View{names(merge.getAxes()), {merge.getIntoAttr()}}; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The same memory through a view; null where its axes do not lie as the view needs them, or where
/// there would be more than the runtime has room for.
static ir::LayoutAttr through(const View &view, ir::LayoutAttr layout) {
  auto order = llvm::to_vector(layout.getOrder());
  auto found = llvm::search(order, view.from);
  if (found == order.end() || order.size() - view.from.size() + view.to.size() > AXL_MAX_RANK)
    return nullptr;
  found = order.erase(found, found + view.from.size());
  order.insert(found, view.to.begin(), view.to.end());
  return ir::LayoutAttr::get(layout.getContext(), order);
}

/// The view that is all that happens to an input as it is, or null.
static Operation *onlyView(Value input) {
  Operation *first = nullptr;
  for (Operation *user : input.getUsers()) {
    if (!viewOf(user))
      return nullptr;
    first = first ? first : user;
    if (user->getName() != first->getName() ||
        user->getAttrDictionary() != first->getAttrDictionary())
      return nullptr;
  }
  return first;
}

static bool keepsRank(const View &view) { return view.from.size() == view.to.size(); }

static void absorbIntoInput(ir::KernelOp kernel, unsigned index, bool isOverwritten,
                            ir::LayoutAttr &layout) {
  Value input = kernel.getBody().getArgument(index);
  while (Operation *op = onlyView(input)) {
    View view = *viewOf(op);
    ir::LayoutAttr seen = through(view, layout);
    if (!seen || (isOverwritten && !keepsRank(view)))
      return;
    layout = seen;
    Type type = op->getResult(0).getType();
    for (Operation *user : llvm::make_early_inc_range(input.getUsers())) {
      user->getResult(0).replaceAllUsesWith(input);
      user->erase();
    }
    input.setType(type);
    kernel.getInputs()[index].setType(type);
  }
}

/// Whether a kernel computes a value for nothing but a view of it, which it gives.
static bool isOnlyForResult(Operation *view) {
  Value value = view->getOperand(0);
  return view->hasOneUse() && value.hasOneUse() && value.getDefiningOp();
}

static void absorbIntoResult(ir::KernelOp kernel, unsigned index, bool overwrites,
                             ir::LayoutAttr &layout) {
  OpOperand &yielded = kernel.getBody().front().getTerminator()->getOpOperand(index);
  while (Operation *op = yielded.get().getDefiningOp()) {
    std::optional<View> view = viewOf(op);
    if (!view || (!keepsRank(*view) && (overwrites || !isOnlyForResult(op))))
      return;
    ir::LayoutAttr computed = through(view->reversed(), layout);
    if (!computed)
      return;
    layout = computed;
    yielded.set(op->getOperand(0));
    if (op->use_empty())
      op->erase();
    kernel->getResult(index).setType(yielded.get().getType());
  }
}

/// The one op that uses the slice, if that splits the axis into pieces of which whole ones are
/// sliced; or null.
static ir::SplitOp splitIntoWhole(ir::SliceOp slice) {
  auto split = slice.getY().hasOneUse()
                   ? llvm::dyn_cast<ir::SplitOp>(*slice.getY().getUsers().begin())
                   : nullptr;
  if (!split || split.getAxis() != slice.getAxis() || !split.getInner().isFixed())
    return nullptr;
  int64_t inner = split.getInner().getFactor();
  ir::SizeAttr all = ir::tensorType(slice.getX()).sizeOf(slice.getAxis());
  bool isWhole = inner > 0 && slice.getStart() % inner == 0 && slice.getSize() % inner == 0 &&
                 all.isFixed() && all.getFactor() % inner == 0;
  return isWhole ? split : nullptr;
}

/// Splits that are all that happens to slices of an input along one axis, into equal pieces.
static SmallVector<ir::SplitOp> splitsOfSlices(Value input) {
  SmallVector<ir::SplitOp> splits;
  for (Operation *user : input.getUsers()) {
    auto slice = llvm::dyn_cast<ir::SliceOp>(user);
    ir::SplitOp split = slice ? splitIntoWhole(slice) : nullptr;
    if (!split || (!splits.empty() && (split.getAxis() != splits.front().getAxis() ||
                                       split.getInner() != splits.front().getInner())))
      return {};
    splits.push_back(split);
  }
  return splits;
}

/// Splits an input before it is sliced, as what queries, keys and values are that lie side by side.
/// The halves have names that no other axis has, since the slices' may differ, and loops go along
/// them.
static void splitBeforeSlices(Value input, ir::LayoutAttr layout) {
  SmallVector<ir::SplitOp> splits = splitsOfSlices(input);
  if (splits.empty() || !through(*viewOf(splits.front()), layout))
    return;
  ir::SplitOp first = splits.front();
  OpBuilder builder = OpBuilder::atBlockBegin(input.getParentBlock());
  StringAttr outer = builder.getStringAttr(first.getAxis() + ".outer"),
             inner = builder.getStringAttr(first.getAxis() + ".inner");
  Value whole = ir::SplitOp::create(builder, first.getLoc(), input, first.getAxisAttr(),
                                    builder.getArrayAttr({outer, inner}), first.getInnerAttr());
  int64_t length = first.getInner().getFactor();
  for (ir::SplitOp split : splits) {
    auto slice = split.getX().getDefiningOp<ir::SliceOp>();
    builder.setInsertionPoint(split);
    Value part = ir::SliceOp::create(builder, split.getLoc(), whole, outer,
                                     slice.getStart() / length, slice.getSize() / length);
    SmallVector<StringAttr> into = names(split.getInto());
    part = ir::RenameOp::create(builder, split.getLoc(), part, outer, into[0]);
    part = ir::RenameOp::create(builder, split.getLoc(), part, inner, into[1]);
    split.getY().replaceAllUsesWith(part);
    split.erase();
    slice.erase();
  }
}

void codegen::absorbViews(ir::KernelOp isolated) {
  std::vector<int64_t> overwritten = overwrittenInputs(isolated);
  // For other kernels, what is split in the slices may still be one dimension.
  bool hasAttention = llvm::any_of(isolated.getBody().front(),
                                   llvm::IsaPred<ir::AttentionOp, ir::AttentionGradientOp>);
  SmallVector<Attribute> inputs, results;
  for (unsigned index = 0; index < isolated.getInputs().size(); ++index) {
    bool isOverwritten = llvm::is_contained(overwritten, index);
    ir::LayoutAttr layout = inputLayout(isolated, index);
    if (hasAttention && !isOverwritten)
      splitBeforeSlices(isolated.getBody().getArgument(index), layout);
    absorbIntoInput(isolated, index, isOverwritten, layout);
    inputs.push_back(layout);
  }
  for (unsigned index = 0; index < isolated.getOutputs().size(); ++index) {
    ir::LayoutAttr layout = resultLayout(isolated, index);
    absorbIntoResult(isolated, index, overwritten[index] >= 0, layout);
    results.push_back(layout);
  }
  isolated.setInputLayoutsAttr(ArrayAttr::get(isolated.getContext(), inputs));
  isolated.setResultLayoutsAttr(ArrayAttr::get(isolated.getContext(), results));
}
