// 1. Renames of the batch vanish.
// 2. A kernel whose tensors have batch and position together or not at all, and whose ops walk them
//    as one, loses the axis batch; the size of position becomes the total.
// 3. Any other kernel runs entry by entry. Ops that sum over the batch then give partial sums,
//    which the runtime's loop adds up, so nothing but the kernel's results may come of them.

#include "codegen/halide/Ragged.h"

#include "codegen/KernelInfo.h"
#include "ir/Axes.h"
#include "ir/Entries.h"
#include "ir/Ragged.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static void forEachType(ir::KernelOp kernel, llvm::function_ref<void(ir::NamedTensorType)> visit) {
  auto visitAll = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
        visit(tensor);
  };
  visitAll(kernel.getInputs().getTypes());
  kernel.getBody().walk([&](Operation *op) { visitAll(op->getResultTypes()); });
}

static void forEachSize(ir::KernelOp kernel, llvm::function_ref<void(ir::SizeAttr)> visit) {
  forEachType(kernel, [&](ir::NamedTensorType type) {
    for (const ir::Axis &axis : type.getAxes())
      visit(axis.size());
  });
  kernel.getBody().walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (auto size = llvm::dyn_cast<ir::SizeAttr>(attribute.getValue()))
        visit(size);
  });
}

bool codegen::isRagged(ir::KernelOp kernel) {
  bool found = false;
  forEachSize(kernel, [&](ir::SizeAttr size) { found |= size.isRagged(); });
  return found;
}

StringAttr codegen::entriesOf(ir::KernelOp kernel) {
  return kernel->getAttrOfType<StringAttr>("entries");
}

namespace {
/// Rewrites axes in all types and attributes of a kernel. `axis` gives an axis another name, or
/// null to drop it.
class AxisRewriting {
public:
  llvm::function_ref<StringAttr(StringAttr)> axis;
  llvm::function_ref<ir::SizeAttr(ir::SizeAttr)> size;

  void rewrite(ir::KernelOp kernel) const {
    kernel->walk([&](Operation *op) {
      for (NamedAttribute entry : op->getAttrDictionary())
        if (!ir::holdsWords(entry.getName()))
          op->setAttr(entry.getName(), attribute(entry.getValue()));
      for (Value result : op->getResults())
        result.setType(type(result.getType()));
    });
    for (auto [input, argument] :
         llvm::zip_equal(kernel.getInputs(), kernel.getBody().getArguments())) {
      argument.setType(type(argument.getType()));
      input.setType(argument.getType());
    }
  }

private:
  Type type(Type type) const {
    auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
    if (!tensor)
      return type;
    SmallVector<ir::Axis> axes;
    for (const ir::Axis &old : tensor.getAxes())
      if (StringAttr name = axis(old.name))
        axes.emplace_back(name, size(old.size()));
    return ir::NamedTensorType::get(axes, tensor.getElementType());
  }

  Attribute attribute(Attribute value) const {
    if (auto name = llvm::dyn_cast<StringAttr>(value))
      return axis(name);
    if (auto held = llvm::dyn_cast<ir::SizeAttr>(value))
      return size(held);
    if (auto held = llvm::dyn_cast<TypeAttr>(value))
      return TypeAttr::get(type(held.getValue()));
    if (auto layout = llvm::dyn_cast<ir::LayoutAttr>(value))
      return ir::LayoutAttr::get(layout.getContext(), kept(layout.getOrder()));
    auto list = llvm::dyn_cast<ArrayAttr>(value);
    if (!list)
      return value;
    SmallVector<Attribute> elements;
    for (Attribute element : list)
      if (Attribute rewritten = attribute(element))
        elements.push_back(rewritten);
    return ArrayAttr::get(list.getContext(), elements);
  }

  SmallVector<StringAttr> kept(ArrayRef<StringAttr> order) const {
    SmallVector<StringAttr> names;
    for (StringAttr name : order)
      if (StringAttr renamed = axis(name))
        names.push_back(renamed);
    return names;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Step 1: one name for the batch
//===----------------------------------------------------------------------===//

/// Renames of a partner: to the kernel, which works on one entry at a time or on all alike, it has
/// one name.
static void absorbPartnerRenames(ir::KernelOp kernel) {
  SmallVector<ir::RenameOp> renames(kernel.getBody().getOps<ir::RenameOp>());
  for (ir::RenameOp rename : renames) {
    StringAttr from = rename.getFromAttr(), to = rename.getToAttr();
    bool together = false;
    forEachType(kernel, [&](ir::NamedTensorType type) {
      together |= type.has(from.getValue()) && type.has(to.getValue());
    });
    if (!ir::renamesEntries(rename) || together)
      continue;
    auto axis = [&](StringAttr name) { return name == to ? from : name; };
    auto size = [&](ir::SizeAttr size) {
      return size.getRaggedOver() == to
                 ? ir::SizeAttr::get(size.getContext(), size.getFactor(), size.getSymbols(), from)
                 : size;
    };
    AxisRewriting{axis, size}.rewrite(kernel);
    rename.getY().replaceAllUsesWith(rename.getX());
    rename->erase();
  }
}

//===----------------------------------------------------------------------===//
// Step 2: all tokens as one axis
//===----------------------------------------------------------------------===//

/// The only ragged pair of the kernel, if all tensors that have one of its axes have both, alike.
static std::optional<ir::RaggedPart> onlyPair(ir::KernelOp kernel) {
  std::optional<ir::RaggedPart> pair;
  bool alike = true;
  forEachType(kernel, [&](ir::NamedTensorType type) {
    std::optional<ir::RaggedPart> part = ir::raggedPart(type);
    if (!part)
      return;
    alike &= part->axes.size() == 1;
    if (!pair)
      pair = part;
    alike &= part->partner == pair->partner && part->axes.front() == pair->axes.front();
  });
  if (!pair)
    return std::nullopt;
  forEachType(kernel, [&](ir::NamedTensorType type) {
    if (!ir::raggedPart(type))
      alike &= !type.has(pair->partner.getValue()) && !type.has(pair->axes.front().name.getValue());
  });
  return alike ? pair : std::nullopt;
}

/// Ops whose results depend on where in its entry an element is.
static bool knowsItsPlace(Operation *op) {
  if (auto random = llvm::dyn_cast<ir::RandomOp>(op))
    return llvm::any_of(random.numberedAxes(),
                        [](const auto &numbered) { return numbered.first.size().isRagged(); });
  return llvm::isa<ir::CountersOp, ir::IotaOp>(op) &&
         ir::raggedPart(ir::tensorType(op->getResult(0)));
}

static bool flatten(ir::KernelOp kernel) {
  std::optional<ir::RaggedPart> pair = onlyPair(kernel);
  if (!pair)
    return false;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (knowsItsPlace(&op) || !walksAsOne(&op, pair->partner.str(), pair->axes.front().name.str()))
      return false;
  auto axis = [&](StringAttr name) { return name == pair->partner ? nullptr : name; };
  auto size = [&](ir::SizeAttr size) { return size.isRagged() ? pair->total() : size; };
  AxisRewriting{axis, size}.rewrite(kernel);
  return true;
}

//===----------------------------------------------------------------------===//
// Step 3: one entry at a time
//===----------------------------------------------------------------------===//

static bool has(Value value, StringAttr axis) { return ir::tensorType(value).has(axis.getValue()); }

static bool isView(Operation *op) {
  return llvm::isa<ir::RenameOp, ir::SplitOp, ir::MergeOp, ir::BroadcastOp>(op);
}

/// Whether a value is one entry's share of a sum over all of them.
static bool isShare(Value value, StringAttr axis) {
  auto result = llvm::dyn_cast<OpResult>(value);
  return result && (ir::isSumOver(result, axis) ||
                    (isView(result.getOwner()) && isShare(result.getOwner()->getOperand(0), axis)));
}

static LogicalResult checkEntries(ir::KernelOp kernel, StringAttr partner) {
  auto refuse = [&](Operation *op, const Twine &why) {
    return op->emitOpError() << "is in a kernel that runs for one entry of axis '"
                             << partner.getValue()
                             << "' at a time, because its tensors are ragged; " << why;
  };
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    for (Value operand : op.getOperands())
      if (isShare(operand, partner) && !isView(&op))
        return refuse(&op, "it needs a sum over all entries: give it to a function of its own");
    if (StringRef why = ir::whyNotByEntry(&op, partner); !why.empty())
      return refuse(&op, why);
  }
  Operation *yield = kernel.getBody().front().getTerminator();
  for (Value result : yield->getOperands())
    if (!has(result, partner) && !isShare(result, partner)) {
      Operation *op = result.getDefiningOp();
      return refuse(op ? op : kernel.getOperation(), "its result is no sum over the entries");
    }
  return success();
}

/// The partner of all ragged axes in the kernel; fails where they differ.
static FailureOr<StringAttr> partnerIn(ir::KernelOp kernel) {
  StringAttr partner;
  bool same = true;
  forEachSize(kernel, [&](ir::SizeAttr size) {
    if (StringAttr over = size.getRaggedOver()) {
      same &= !partner || partner == over;
      partner = over;
    }
  });
  if (same)
    return partner;
  return kernel.emitError("has tensors that are ragged over several axes, among them '")
         << partner.getValue() << "'; a kernel can go through the entries of one";
}

FailureOr<IsolatedKernel> codegen::makeDense(ir::KernelOp original) {
  IsolatedKernel isolated = isolate(original);
  ir::KernelOp kernel = isolated.kernel;
  absorbPartnerRenames(kernel);
  if (!flatten(kernel)) {
    FailureOr<StringAttr> partner = partnerIn(kernel);
    if (failed(partner) || failed(checkEntries(kernel, *partner)))
      return failure();
    kernel->setAttr("entries", *partner);
  }
  updateSignature(kernel);
  return isolated;
}

void codegen::planEntries(ir::KernelOp kernel, KernelPlan &plan) {
  StringAttr entries = entriesOf(kernel);
  if (!entries)
    return;
  plan.entries = entries.str();
  AxisList axes = {plan.entries};
  llvm::erase_if(plan.loops, [&](const PlannedLoop &loop) { return loop.axes == axes; });
  bool sums = false;
  for (auto [index, output] : llvm::enumerate(kernel.getOutputs()))
    if (!has(output, entries)) {
      sums = true;
      if (!llvm::is_contained(plan.accumulated, index))
        plan.accumulated.push_back(index);
    }
  plan.loops.insert(plan.loops.begin(), {.axes = axes, .parallel = !sums, .chunk = 1});
}
