#include "codegen/halide/Plan.h"

#include "codegen/KernelInfo.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

std::vector<AxisList> codegen::groupAxes(ArrayRef<StringAttr> order, ArrayRef<AxisList> groups) {
  std::vector<AxisList> dimensions;
  for (size_t i = 0; i < order.size();) {
    AxisList dimension = {order[i].str()};
    for (const AxisList &group : groups) {
      if (group.size() > order.size() - i)
        continue;
      bool same = llvm::all_of(llvm::seq<size_t>(0, group.size()),
                               [&](size_t k) { return order[i + k].getValue() == group[k]; });
      if (same)
        dimension = group;
    }
    i += dimension.size();
    dimensions.push_back(std::move(dimension));
  }
  return dimensions;
}

/// The orders of all tensors of a kernel, results first.
static std::vector<std::vector<std::string>> allOrders(ir::KernelOp kernel) {
  std::vector<std::vector<std::string>> orders;
  auto add = [&](ir::LayoutAttr layout) {
    std::vector<std::string> &order = orders.emplace_back();
    for (StringAttr name : layout.getOrder())
      order.push_back(name.str());
  };
  for (unsigned i = 0; i < kernel.getOutputs().size(); ++i)
    add(resultLayout(kernel, i));
  for (unsigned i = 0; i < kernel.getInputs().size(); ++i)
    add(inputLayout(kernel, i));
  kernel.getBody().walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type)) {
        std::vector<std::string> &order = orders.emplace_back();
        for (const ir::Axis &axis : tensor.getAxes())
          order.push_back(axis.name.str());
      }
  });
  return orders;
}

std::vector<std::string> codegen::orderOfAxes(ir::KernelOp kernel) {
  std::vector<std::vector<std::string>> orders = allOrders(kernel);
  size_t inMemory = kernel.getOutputs().size() + kernel.getInputs().size();
  std::vector<std::string> result = orders.front();
  // Outside all that it lies outside of somewhere, e.g. tokens that are summed outside columns.
  auto placeFor = [&](const std::string &axis) {
    auto place = result.end();
    for (const auto &order : ArrayRef(orders).take_front(inMemory))
      for (auto inner = llvm::find(order, axis); inner != order.end(); ++inner)
        place = std::min(place, llvm::find(result, *inner));
    return place;
  };
  for (const auto &order : orders)
    for (const std::string &axis : order)
      if (!llvm::is_contained(result, axis))
        result.insert(placeFor(axis), axis);
  return result;
}

std::vector<AxisList> codegen::dimensionsOf(ir::NamedTensorType type,
                                            ArrayRef<std::string> axisOrder,
                                            ArrayRef<AxisList> groups) {
  SmallVector<StringAttr> order;
  for (const std::string &axis : axisOrder)
    if (type.has(axis))
      order.push_back(StringAttr::get(type.getContext(), axis));
  std::vector<AxisList> dimensions = groupAxes(order, groups);
  std::reverse(dimensions.begin(), dimensions.end());
  return dimensions;
}

std::vector<PhysicalDimension> codegen::physicalDimensions(ir::LayoutAttr layout,
                                                           ArrayRef<AxisList> groups) {
  std::vector<PhysicalDimension> dimensions;
  for (AxisList &axes : groupAxes(layout.getOrder(), groups))
    dimensions.push_back({std::move(axes), PhysicalDimension::Whole});
  if (layout.getPanel() == 0)
    return dimensions;
  PhysicalDimension last = dimensions.back();
  dimensions.back().kind = PhysicalDimension::PanelLane;
  last.kind = PhysicalDimension::PanelIndex;
  dimensions.insert(dimensions.begin(), last);
  return dimensions;
}

static Dimension extentOf(const PhysicalDimension &dimension, ir::NamedTensorType type,
                          int64_t panel) {
  MLIRContext *context = type.getContext();
  if (dimension.kind == PhysicalDimension::PanelLane)
    return {ir::SizeAttr::fixed(context, panel)};
  ir::SizeAttr size = ir::SizeAttr::fixed(context, 1);
  for (const std::string &axis : dimension.axes)
    size = size.times(type.sizeOf(axis).padded());
  return {size, dimension.kind == PhysicalDimension::PanelIndex ? panel : 1};
}

/// `input`: the index of an input, or nothing for results.
static Operand operandFor(Value value, ir::LayoutAttr layout, const KernelPlan &plan,
                          std::optional<unsigned> input) {
  auto type = ir::tensorType(value);
  Operand operand{.elementType = type.getElementType(), .location = value.getLoc()};
  std::vector<PhysicalDimension> dimensions = physicalDimensions(layout, plan.groups);
  for (const PhysicalDimension &dimension : dimensions)
    operand.dimensions.push_back(extentOf(dimension, type, layout.getPanel()));
  for (const PlannedLoop &loop : plan.loops) {
    int axis = -1;
    int64_t step = 0;
    for (auto [index, dimension] : llvm::enumerate(dimensions))
      if (dimension.axes == loop.axes && dimension.kind != PhysicalDimension::PanelLane &&
          !(input && plan.whole.count({*input, loop.axes.front()}))) {
        axis = index;
        // Step 0 stands for the chunk; loops count plain indices, so panels state their step.
        step = dimension.kind == PhysicalDimension::PanelIndex ? loop.chunk / layout.getPanel() : 0;
      }
    operand.loopAxis.push_back(axis);
    operand.loopStep.push_back(step);
  }
  return operand;
}

CompiledKernel codegen::describe(ir::KernelOp kernel, const KernelPlan &plan) {
  CompiledKernel result;
  result.family = plan.family;
  std::vector<int64_t> overwritten = overwrittenInputs(kernel);
  for (auto [index, input] : llvm::enumerate(kernel.getInputs())) {
    if (isPassedByValue(kernel, index)) {
      result.scalars.push_back(
          {.input = int(index), .elementType = ir::tensorType(input).getElementType()});
      continue;
    }
    Operand operand = operandFor(input, inputLayout(kernel, index), plan, index);
    operand.name = llvm::formatv("input{0}", index);
    operand.index = index;
    result.operands.push_back(std::move(operand));
  }
  Operation *yield = kernel.getBody().front().getTerminator();
  for (auto [index, output] : llvm::enumerate(kernel.getOutputs())) {
    Operand operand = operandFor(output, resultLayout(kernel, index), plan, std::nullopt);
    operand.name = llvm::formatv("result{0}", index);
    operand.index = index;
    operand.isResult = true;
    bool rereads = overwritten[index] >= 0 || llvm::is_contained(plan.accumulated, index);
    operand.access = rereads ? Access::ReadWrite : Access::Write;
    operand.location = yield->getOperand(index).getLoc();
    result.operands.push_back(std::move(operand));
  }
  for (const std::string &symbol : sizeSymbols(kernel))
    result.scalars.push_back({.symbol = symbol});
  for (const PlannedLoop &loop : plan.loops)
    result.loops.push_back({loop.parallel, loop.chunk});
  return result;
}
