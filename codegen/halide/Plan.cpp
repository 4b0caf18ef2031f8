#include "codegen/halide/Plan.h"

#include "codegen/KernelInfo.h"
#include "ir/Ragged.h"

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

std::optional<int64_t> codegen::fixedExtent(Value value, const AxisList &dimension) {
  int64_t extent = 1;
  for (const std::string &axis : dimension) {
    ir::SizeAttr size = ir::tensorType(value).sizeOf(axis);
    if (!size.isFixed())
      return std::nullopt;
    extent *= size.getFactor();
  }
  return extent;
}

std::vector<PhysicalDimension> codegen::physicalDimensions(ir::LayoutAttr layout,
                                                           ArrayRef<AxisList> groups) {
  std::vector<PhysicalDimension> dimensions;
  for (AxisList &axes : groupAxes(layout.getOrder(), groups))
    dimensions.push_back({std::move(axes)});
  return dimensions;
}

bool codegen::liesOutside(ir::LayoutAttr layout, const AxisList &dimension,
                          ArrayRef<AxisList> groups) {
  std::vector<AxisList> dimensions = groupAxes(layout.getOrder(), groups);
  return !llvm::is_contained(dimensions, dimension) || dimensions.front() == dimension;
}

bool codegen::inputsLieOutside(ir::KernelOp kernel, const AxisList &dimension,
                               ArrayRef<AxisList> groups) {
  return llvm::all_of(llvm::seq<unsigned>(0, kernel.getInputs().size()), [&](unsigned i) {
    return isPassedByValue(kernel, i) || liesOutside(inputLayout(kernel, i), dimension, groups);
  });
}

ir::ContractOp codegen::contractionAt(ir::KernelOp kernel, size_t index) {
  return *std::next(kernel.getBody().getOps<ir::ContractOp>().begin(), index);
}

Value codegen::leftOperand(ir::ContractOp op, const MatrixPlan &matrix) {
  return matrix.swapped ? op.getB() : op.getA();
}

Value codegen::rightOperand(ir::ContractOp op, const MatrixPlan &matrix) {
  return matrix.swapped ? op.getA() : op.getB();
}

bool codegen::isSummed(ir::ContractOp op, const AxisList &dimension) {
  return llvm::any_of(op.getOver().getAsRange<StringAttr>(),
                      [&](StringAttr name) { return name.getValue() == dimension.front(); });
}

std::vector<AxisList> codegen::dimensionsBeside(ir::ContractOp op, Value operand,
                                                const AxisList &cut,
                                                ArrayRef<std::string> axisOrder,
                                                ArrayRef<AxisList> groups) {
  std::vector<AxisList> rest = dimensionsOf(ir::tensorType(operand), axisOrder, groups);
  llvm::erase(rest, cut);
  std::stable_partition(rest.begin(), rest.end(),
                        [&](const AxisList &dimension) { return isSummed(op, dimension); });
  return rest;
}

std::vector<PhysicalDimension> codegen::packedDimensions(ir::KernelOp kernel, size_t index,
                                                         const KernelPlan &plan) {
  const MatrixPlan &matrix = plan.matrices[index];
  ir::ContractOp op = contractionAt(kernel, index);
  std::vector<AxisList> beside = dimensionsBeside(op, rightOperand(op, matrix), matrix.column,
                                                  orderOfAxes(kernel), plan.groups);
  std::vector<PhysicalDimension> dimensions = {
      {matrix.column, PhysicalDimension::PanelIndex, matrix.panel}};
  for (const AxisList &dimension : llvm::reverse(beside))
    dimensions.push_back({dimension});
  if (matrix.pair > 1)
    dimensions.back() = {beside.front(), PhysicalDimension::PanelIndex, matrix.pair};
  dimensions.push_back({matrix.column, PhysicalDimension::PanelLane, matrix.panel});
  if (matrix.pair > 1)
    dimensions.push_back({beside.front(), PhysicalDimension::PanelLane, matrix.pair});
  return dimensions;
}

static Dimension extentOf(const PhysicalDimension &dimension, ir::NamedTensorType type) {
  MLIRContext *context = type.getContext();
  if (dimension.kind == PhysicalDimension::PanelLane)
    return {ir::SizeAttr::fixed(context, dimension.panel)};
  ir::SizeAttr size = ir::SizeAttr::fixed(context, 1);
  for (const std::string &axis : dimension.axes)
    size = size.times(type.sizeOf(axis));
  return {size, dimension.panel};
}

/// The ragged axes of a tensor that loop 0 hands over entry by entry.
static std::optional<ir::RaggedPart> raggedPart(ir::NamedTensorType type, const KernelPlan &plan) {
  return plan.entries.empty() ? std::nullopt : ir::raggedPart(type);
}

/// `input`: the index of an input, or nothing for results.
static Operand operandFor(Value value, ir::LayoutAttr layout, const KernelPlan &plan,
                          std::optional<unsigned> input) {
  auto type = ir::tensorType(value);
  Operand operand{.elementType = type.getElementType(), .location = value.getLoc()};
  std::vector<PhysicalDimension> dimensions = physicalDimensions(layout, plan.groups);
  std::optional<ir::RaggedPart> ragged = raggedPart(type, plan);
  if (ragged) // one dimension until loop 0 narrows it to an entry
    operand.dimensions.push_back({ragged->total()});
  for (const PhysicalDimension &dimension : dimensions)
    if (!ragged || !ragged->has(StringAttr::get(type.getContext(), dimension.axes.front())))
      operand.dimensions.push_back(extentOf(dimension, type));
  for (const PlannedLoop &loop : plan.loops) {
    if (ragged && operand.loopAxis.empty()) { // narrowed by its offsets
      operand.loopAxis.push_back(-1);
      operand.loopStep.push_back(0);
      continue;
    }
    int axis = -1;
    int64_t step = 0; // the chunk
    for (auto [index, dimension] : llvm::enumerate(dimensions))
      if (dimension.axes == loop.axes &&
          !(input && plan.whole.count({*input, loop.axes.front()}))) {
        axis = index;
      } else if (!input && dimension.axes == AxisList{loop.prefix}) {
        axis = index;
        step = -loop.reach;
      }
    operand.loopAxis.push_back(axis);
    operand.loopStep.push_back(step);
  }
  return operand;
}

Type codegen::packedElementType(Type elements, const MatrixPlan &matrix) {
  return matrix.pair > 1 ? BFloat16Type::get(elements.getContext()) : elements;
}

/// Memory for a right operand that is packed by a kernel of its own.
static Operand preparedOperand(ir::KernelOp kernel, size_t index, const KernelPlan &plan) {
  const MatrixPlan &matrix = plan.matrices[index];
  auto type = ir::tensorType(rightOperand(contractionAt(kernel, index), matrix));
  Operand operand{.name = llvm::formatv("packed{0}", index),
                  .isScratch = true,
                  .index = unsigned(index),
                  .elementType = packedElementType(type.getElementType(), matrix),
                  .loopAxis = std::vector<int>(plan.loops.size(), -1),
                  .loopStep = std::vector<int64_t>(plan.loops.size(), 0),
                  .location = kernel.getLoc()};
  for (const PhysicalDimension &dimension : packedDimensions(kernel, index, plan))
    operand.dimensions.push_back(extentOf(dimension, type));
  return operand;
}

/// Whether products read an input only as what has been prepared of it.
static bool isReadPrepared(ir::KernelOp kernel, unsigned input, const KernelPlan &plan) {
  Value argument = kernel.getBody().getArgument(input);
  unsigned prepared = 0;
  for (auto [index, matrix] : llvm::enumerate(plan.matrices))
    prepared += matrix.right == MatrixPlan::Right::Prepared &&
                rightOperand(contractionAt(kernel, index), matrix) == argument;
  return prepared > 0 && argument.hasNUses(prepared);
}

/// The size that an axis has in the kernel.
static ir::SizeAttr sizeOfAxis(ir::KernelOp kernel, const std::string &axis) {
  ir::SizeAttr found; // where no operand has the axis, what the kernel makes of indices alone does
  auto look = [&](TypeRange types) {
    for (Type type : types)
      if (ir::SizeAttr size = llvm::cast<ir::NamedTensorType>(type).sizeOf(axis); size && !found)
        found = size;
  };
  look(kernel.getInputs().getTypes());
  look(kernel.getOutputs().getTypes());
  for (Operation &op : kernel.getBody().front().without_terminator())
    look(op.getResultTypes());
  return found;
}

/// The size symbol that a scalar carries; empty: an input.
static StringRef symbolOf(const Scalar &scalar) {
  return scalar.size ? scalar.size.getSymbols().front().getValue() : "";
}

/// Adds what loop 0 needs to go through the entries of a ragged batch: offsets as operands, and
/// which sizes and tensors they narrow.
static void describeEntries(ir::KernelOp kernel, const KernelPlan &plan, CompiledKernel &result) {
  RaggedLoop loop;
  std::vector<std::string> symbols; // of loop.offsets
  ir::SizeAttr entries = sizeOfAxis(kernel, plan.entries);
  auto offsetsOf = [&](const std::string &total) {
    for (auto [index, operand] : llvm::enumerate(result.operands))
      if (operand.offsetsOf == total)
        return int(index);
    Operand operand{.name = "offsets", .offsetsOf = total, .location = kernel.getLoc()};
    operand.elementType = IntegerType::get(kernel.getContext(), 32);
    operand.dimensions = {{entries}};
    operand.loopAxis.assign(plan.loops.size(), -1);
    operand.loopStep.assign(plan.loops.size(), 0);
    result.operands.push_back(std::move(operand));
    return int(result.operands.size()) - 1;
  };
  auto lengthOf = [&](StringAttr symbol) {
    auto found = llvm::find(symbols, symbol.str());
    if (found != symbols.end())
      return int(found - symbols.begin());
    symbols.push_back(symbol.str());
    loop.offsets.push_back(offsetsOf(ir::totalSymbol(symbol.str())));
    auto scalar = llvm::find_if(
        result.scalars, [&](const Scalar &s) { return symbolOf(s) == ir::longestSymbol(symbol); });
    loop.scalars.push_back(scalar == result.scalars.end() ? -1 : scalar - result.scalars.begin());
    return int(symbols.size()) - 1;
  };
  auto addTensor = [&](int index, ir::NamedTensorType type, ir::LayoutAttr layout) {
    std::optional<ir::RaggedPart> part = ir::raggedPart(type);
    if (!part)
      return;
    RaggedOperand ragged{.operand = index};
    for (StringAttr axis : layout.getOrder())
      if (ir::SizeAttr size = type.sizeOf(axis); size.isRagged())
        ragged.lengths.push_back(lengthOf(size.getSymbols().front()));
    ragged.offsets = offsetsOf(part->total().getSymbols().front().str());
    loop.operands.push_back(std::move(ragged));
  };
  for (size_t index = 0, count = result.operands.size(); index < count; ++index) {
    const Operand &operand = result.operands[index];
    if (operand.isScratch)
      continue;
    unsigned number = operand.index;
    if (operand.isResult)
      addTensor(index, ir::tensorType(kernel.getOutputs()[number]), resultLayout(kernel, number));
    else
      addTensor(index, ir::tensorType(kernel.getInputs()[number]), inputLayout(kernel, number));
  }
  for (const Scalar &scalar : result.scalars)
    if (StringRef symbol = ir::ofLongest(symbolOf(scalar)); !symbol.empty())
      lengthOf(StringAttr::get(kernel.getContext(), symbol));
  result.ragged = std::move(loop);
}

const PlannedLoop *KernelPlan::loopOver(const AxisList &dimension) const {
  auto loop = llvm::find_if(loops, [&](const PlannedLoop &loop) { return loop.axes == dimension; });
  return loop == loops.end() ? nullptr : &*loop;
}

bool KernelPlan::dividesAmongThreads() const {
  return llvm::any_of(loops, [](const PlannedLoop &loop) { return loop.parallel; });
}

/// Whether an input is the tensor that a result changes rows of.
static bool isOverwrittenByRow(ir::KernelOp kernel, unsigned input) {
  return llvm::any_of(llvm::seq<unsigned>(0, kernel.getOutputs().size()), [&](unsigned result) {
    ir::UpdateOp update = rowUpdate(kernel, result);
    return update && update.getX() == kernel.getBody().getArgument(input);
  });
}

/// Whether no more is read of an input than what indices ask for, and that is as large as a result.
static bool isGathered(ir::KernelOp kernel, unsigned input) {
  BlockArgument table = kernel.getBody().getArgument(input);
  return !table.use_empty() && llvm::all_of(table.getUses(), [&](OpOperand &use) {
    auto gather = llvm::dyn_cast<ir::GatherOp>(use.getOwner());
    return gather && gather.getIndices() != table &&
           llvm::is_contained(kernel.getOutputs().getTypes(), gather.getY().getType());
  });
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
    if (isReadPrepared(kernel, index, plan) || isOverwrittenByRow(kernel, index))
      operand.access = Access::None;
    operand.inRows = isGathered(kernel, index);
    result.operands.push_back(std::move(operand));
  }
  for (auto [index, matrix] : llvm::enumerate(plan.matrices))
    if (matrix.right == MatrixPlan::Right::Prepared)
      result.operands.push_back(preparedOperand(kernel, index, plan));
  Operation *yield = kernel.getBody().front().getTerminator();
  for (auto [index, output] : llvm::enumerate(kernel.getOutputs())) {
    Operand operand = operandFor(output, resultLayout(kernel, index), plan, std::nullopt);
    operand.name = llvm::formatv("result{0}", index);
    operand.index = index;
    operand.isResult = true;
    bool accumulated = llvm::is_contained(plan.accumulated, index);
    operand.inRows = rowUpdate(kernel, index) != nullptr;
    bool rereads = (overwritten[index] >= 0 && !operand.inRows) || accumulated;
    operand.access = rereads ? Access::ReadWrite : Access::Write;
    operand.isZeroed = accumulated && !plan.entries.empty();
    operand.location = yield->getOperand(index).getLoc();
    result.operands.push_back(std::move(operand));
  }
  for (const std::string &symbol : sizeSymbols(kernel))
    result.scalars.push_back({.size = ir::SizeAttr::symbol(kernel.getContext(), symbol)});
  for (const PlannedLoop &loop : plan.loops)
    result.loops.push_back({loop.parallel, loop.chunk});
  if (!plan.entries.empty())
    describeEntries(kernel, plan, result);
  return result;
}
