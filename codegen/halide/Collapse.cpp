// Which neighbouring axes a kernel may treat as one dimension.
//
// A pair (outer, inner) collapses when
//  1. every input and result that has both holds them side by side in this order; so does every
//     value in between, in the order that the kernel gives its axes;
//  2. every value that has either has one size for it throughout the kernel, not ragged;
//  3. every contraction uses both in the same role (summed, left, right, or shared), so does
//     attention, and every reduction sums both or none;
//  4. no other op names one of them, but for a split that makes exactly the pair or a merge that
//     takes exactly it;
//  5. where vectors run along it, which is everywhere but in products, tensors have both or none:
//     the two coordinates of each lane would be computed from the shared one by a division.
// Elsewhere tensors that have only one of the two are fine: one division tells for a whole row.
//
// Tests: tests/codegen/halide/CollapseTest.cpp, PlanTest.cpp.

#include "codegen/KernelInfo.h"
#include "codegen/halide/Plan.h"
#include "codegen/halide/Ragged.h"
#include "ir/Axes.h"

#include <map>
#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static bool listed(StringRef axis, ArrayAttr list) {
  return llvm::is_contained(list, StringAttr::get(list.getContext(), axis));
}

bool codegen::namesAxis(Operation *op, StringRef axis) {
  return llvm::any_of(op->getAttrDictionary(), [&](NamedAttribute attribute) {
    if (ir::holdsWords(attribute.getName()))
      return false;
    if (auto list = llvm::dyn_cast<ArrayAttr>(attribute.getValue()))
      return listed(axis, list);
    auto string = llvm::dyn_cast<StringAttr>(attribute.getValue());
    return string && string.getValue() == axis;
  });
}

bool codegen::keepsApart(Operation *op, const AxisList &axes) {
  if (llvm::isa<ir::IotaOp>(op))
    return true;
  if (auto scatter = llvm::dyn_cast<ir::ScatterAddOp>(op))
    return axes == AxisList{scatter.getAxis().str()} &&
           !ir::tensorType(scatter.getX()).has(scatter.getAxis());
  return llvm::none_of(axes, [&](const std::string &axis) { return namesAxis(op, axis); });
}

namespace {
using Pair = std::pair<std::string, std::string>;

std::vector<ir::LayoutAttr> allLayouts(ir::KernelOp kernel) {
  std::vector<ir::LayoutAttr> layouts;
  for (unsigned i = 0; i < kernel.getInputs().size(); ++i)
    if (!isPassedByValue(kernel, i))
      layouts.push_back(inputLayout(kernel, i));
  for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
    layouts.push_back(resultLayout(kernel, i));
  return layouts;
}

int positionOf(const std::string &axis, ir::LayoutAttr layout) {
  auto order = layout.getOrder();
  auto found = llvm::find_if(order, [&](StringAttr name) { return name.getValue() == axis; });
  return found == order.end() ? -1 : found - order.begin();
}

bool layoutAllows(const Pair &pair, ir::LayoutAttr layout) {
  int outer = positionOf(pair.first, layout), inner = positionOf(pair.second, layout);
  if (outer < 0 || inner < 0)
    return true;
  return inner == outer + 1;
}

/// Whether a value in between has both axes side by side, if it has both.
bool orderAllows(const Pair &pair, Value value, ArrayRef<std::string> axisOrder) {
  auto type = ir::tensorType(value);
  if (!type.has(pair.first) || !type.has(pair.second))
    return true;
  std::vector<std::string> own;
  llvm::copy_if(axisOrder, std::back_inserter(own),
                [&](const std::string &axis) { return type.has(axis); });
  return std::next(llvm::find(own, pair.first)) == llvm::find(own, pair.second);
}

/// 0 neither, 1 left only, 2 right only, 3 both; 4 where it is summed.
int roleIn(ir::ContractOp op, const std::string &axis) {
  if (listed(axis, op.getOver()))
    return 4;
  return int(ir::tensorType(op.getA()).has(axis)) + 2 * int(ir::tensorType(op.getB()).has(axis));
}

bool isExactly(const Pair &pair, ArrayAttr list) {
  return list.size() == 2 && llvm::cast<StringAttr>(list[0]).getValue() == pair.first &&
         llvm::cast<StringAttr>(list[1]).getValue() == pair.second;
}

bool touches(Operation *op, const std::string &axis) {
  auto has = [&](Value value) { return ir::tensorType(value).has(axis); };
  return llvm::any_of(op->getOperands(), has) || llvm::any_of(op->getResults(), has);
}

/// The table of a lookup or a scatter, the indices of an update: of two axes that are walked as
/// one, it has both or none. Null for other ops.
Value tableOrIndices(Operation *op) {
  if (auto gather = llvm::dyn_cast<ir::GatherOp>(op))
    return gather.getTable();
  if (auto scatter = llvm::dyn_cast<ir::ScatterAddOp>(op))
    return scatter.getY();
  auto update = llvm::dyn_cast<ir::UpdateOp>(op);
  return update ? update.getIndex() : Value();
}

bool treatsAsOne(const Pair &pair, Operation *op) {
  if (auto contract = llvm::dyn_cast<ir::ContractOp>(op)) {
    // An axis that is not there at all would come from elsewhere in the kernel: both must be
    // absent.
    return roleIn(contract, pair.first) == roleIn(contract, pair.second);
  }
  if (auto reduce = llvm::dyn_cast<ir::ReduceOp>(op)) {
    auto has = [&](const std::string &axis) { return ir::tensorType(reduce.getX()).has(axis); };
    return listed(pair.first, reduce.getOver()) == listed(pair.second, reduce.getOver()) &&
           has(pair.first) == has(pair.second);
  }
  if (llvm::isa<ir::AttentionOp, ir::AttentionGradientOp>(op)) {
    // What q, k and v share is walked together; queries, keys and what is summed are not.
    // Values may lie along an axis of the name that queries and keys are summed over.
    auto shared = [&](const std::string &axis) {
      return !namesAxis(op, axis) &&
             llvm::all_of(op->getOperands().take_front(3),
                          [&](Value value) { return ir::tensorType(value).has(axis); });
    };
    return (shared(pair.first) && shared(pair.second)) ||
           (!touches(op, pair.first) && !touches(op, pair.second));
  }
  if (Value value = tableOrIndices(op)) {
    auto type = ir::tensorType(value);
    return type.has(pair.first) == type.has(pair.second) && !namesAxis(op, pair.first) &&
           !namesAxis(op, pair.second);
  }
  if (auto split = llvm::dyn_cast<ir::SplitOp>(op))
    if (isExactly(pair, split.getInto()))
      return true;
  if (auto merge = llvm::dyn_cast<ir::MergeOp>(op))
    if (isExactly(pair, merge.getAxes()))
      return true;
  if (llvm::isa<ir::IotaOp>(op))
    return true;
  return !namesAxis(op, pair.first) && !namesAxis(op, pair.second);
}

bool multiplies(ir::KernelOp kernel) {
  return llvm::any_of(kernel.getBody().front(), [](Operation &op) {
    return llvm::isa<ir::ContractOp, ir::AttentionOp, ir::AttentionGradientOp>(op);
  });
}

/// Whether every tensor and value of the kernel has both axes or none.
bool comesAsOne(const Pair &pair, ir::KernelOp kernel) {
  auto fits = [&](Type type) {
    auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
    return !tensor || tensor.has(pair.first) == tensor.has(pair.second);
  };
  return llvm::all_of(kernel.getInputs().getTypes(), fits) &&
         llvm::all_of(kernel.getBody().front(),
                      [&](Operation &op) { return llvm::all_of(op.getResultTypes(), fits); });
}

/// How many of a group's last axes are one dimension that vectors run along without a division;
/// all where others would be shorter than a vector.
size_t axesOfVectors(const AxisList &group, ir::KernelOp kernel,
                     const std::map<std::string, ir::SizeAttr> &sizes) {
  constexpr int64_t longestVector = 16; // elements of f32, of any target
  size_t count = 1;
  int64_t elements = 1;
  for (; count < group.size(); ++count) {
    const std::string &outer = group[group.size() - count - 1],
                      &inner = group[group.size() - count];
    ir::SizeAttr size = sizes.at(inner);
    elements = size.isFixed() ? elements * size.getFactor() : longestVector;
    if (elements >= longestVector && !comesAsOne({outer, inner}, kernel))
      break;
  }
  return count;
}

/// The size of each axis, or null where values of the kernel disagree on it.
std::map<std::string, ir::SizeAttr> axisSizes(ir::KernelOp kernel) {
  std::map<std::string, ir::SizeAttr> sizes;
  auto add = [&](Type type) {
    auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type);
    if (!tensor)
      return;
    for (const ir::Axis &axis : tensor.getAxes()) {
      ir::SizeAttr size = axis.size().isRagged() ? nullptr : axis.size();
      auto [entry, isNew] = sizes.insert({axis.name.str(), size});
      if (!isNew && entry->second != size)
        entry->second = nullptr;
    }
  };
  llvm::for_each(kernel.getInputs().getTypes(), add);
  kernel.getBody().walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), add); });
  return sizes;
}
} // namespace

/// Cuts groups along which vectors run where one division for each lane would be needed.
static std::vector<AxisList> cutForVectors(const std::vector<AxisList> &groups, ir::KernelOp kernel,
                                           const std::map<std::string, ir::SizeAttr> &sizes) {
  // Of what is summed, the axis that is read innermost; of results, the one that is written so.
  std::set<std::string> innermost;
  if (std::vector<std::string> order = orderOfAxes(kernel); !order.empty())
    innermost.insert(order.back());
  for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
    if (ArrayRef<StringAttr> order = resultLayout(kernel, i).getOrder(); !order.empty())
      innermost.insert(order.back().str());
  std::vector<AxisList> parts;
  auto add = [&](AxisList part) {
    if (part.size() > 1)
      parts.push_back(std::move(part));
  };
  for (const AxisList &group : groups) {
    auto cut = innermost.count(group.back())
                   ? group.end() - ptrdiff_t(axesOfVectors(group, kernel, sizes))
                   : group.begin();
    add(AxisList(group.begin(), cut));
    add(AxisList(cut, group.end()));
  }
  return parts;
}

bool codegen::walksAsOne(Operation *op, const std::string &outer, const std::string &inner) {
  return treatsAsOne({outer, inner}, op);
}

std::vector<AxisList> codegen::collapsibleGroups(ir::KernelOp kernel) {
  std::vector<ir::LayoutAttr> layouts = allLayouts(kernel);
  std::map<std::string, ir::SizeAttr> sizes = axisSizes(kernel);
  std::vector<std::string> axisOrder = orderOfAxes(kernel);
  if (StringAttr entries = entriesOf(kernel)) // a loop of the runtime goes through them
    sizes[entries.str()] = nullptr;

  std::set<Pair> candidates;
  for (ir::LayoutAttr layout : layouts)
    for (size_t i = 0; i + 1 < layout.getOrder().size(); ++i)
      candidates.insert({layout.getOrder()[i].str(), layout.getOrder()[i + 1].str()});

  // An axis joins at most one other on each side, so chains never branch.
  std::map<std::string, std::string> next, previous;
  for (const Pair &pair : candidates) {
    if (next.count(pair.first) || previous.count(pair.second) || !sizes[pair.first] ||
        !sizes[pair.second])
      continue;
    bool allowed = llvm::all_of(layouts, [&](auto layout) { return layoutAllows(pair, layout); });
    for (Operation &op : kernel.getBody().front().without_terminator())
      allowed = allowed && treatsAsOne(pair, &op) &&
                llvm::all_of(op.getResults(),
                             [&](Value value) { return orderAllows(pair, value, axisOrder); });
    if (!allowed)
      continue;
    next[pair.first] = pair.second;
    previous[pair.second] = pair.first;
  }

  std::vector<AxisList> groups;
  for (const auto &[first, second] : next) {
    if (previous.count(first))
      continue;
    AxisList group = {first};
    while (next.count(group.back()))
      group.push_back(next.at(group.back()));
    groups.push_back(std::move(group));
  }
  return multiplies(kernel) ? groups : cutForVectors(groups, kernel, sizes);
}
