#include "codegen/halide/Region.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/ops/Lowering.h"
#include "ir/Ragged.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;
using Halide::Var;

Halide::Type codegen::halideType(Type type) {
  if (type.isF32())
    return Halide::Float(32);
  if (type.isF64())
    return Halide::Float(64);
  if (type.isBF16())
    return Halide::BFloat(16);
  if (type.isInteger(1))
    return Halide::Bool();
  return Halide::Int(32);
}

Expr Stage::at(const Coordinates &coordinates) const {
  std::vector<Expr> arguments;
  for (const AxisList &dimension : dimensions)
    arguments.push_back(coordinates[dimension]);
  return func(arguments);
}

bool Stage::has(llvm::StringRef axis) const {
  return llvm::any_of(dimensions, [&](const AxisList &d) { return llvm::is_contained(d, axis); });
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

LoweredRegion::LoweredRegion(ir::KernelOp kernel, const KernelPlan &plan, const Target &target)
    : target(target), plan(plan), kernel(kernel), axisOrder(orderOfAxes(kernel)) {
  declareScalars();
  declareInputs();
  declarePrepared();
}

void LoweredRegion::declareScalars() {
  for (const std::string &symbol : sizeSymbols(kernel))
    sizes.emplace(symbol, Halide::Param<int32_t>("size_symbol_" + std::to_string(sizes.size())));
  std::map<std::string, Expr> origins, extents;
  for (auto [index, loop] : llvm::enumerate(plan.loops)) {
    loopStarts.emplace_back("loop_start_" + std::to_string(index));
    origins[loop.axes.front()] = loopStarts.back();
  }
  auto addExtents = [&](Type type) {
    if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
      for (const ir::Axis &axis : tensor.getAxes())
        extents[axis.name.str()] = sizeOf(axis.size());
  };
  llvm::for_each(kernel.getInputs().getTypes(), addExtents);
  kernel.getBody().walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), addExtents); });
  axisSpace = std::make_unique<AxisSpace>(plan.groups, origins, extents);
  for (auto [index, input] : llvm::enumerate(kernel.getInputs()))
    if (isPassedByValue(kernel, index))
      byValue.emplace(index, Halide::Param<>(halideType(ir::tensorType(input).getElementType()),
                                             "scalar_input_" + std::to_string(index)));
}

void LoweredRegion::declareInputs() {
  for (auto [index, input] : llvm::enumerate(kernel.getInputs())) {
    if (isPassedByValue(kernel, index))
      continue;
    auto type = ir::tensorType(input);
    BoundInput bound;
    bound.layout = inputLayout(kernel, index);
    bound.dimensions = physicalDimensions(bound.layout, plan.groups);
    bound.param = Halide::ImageParam(halideType(type.getElementType()), bound.dimensions.size(),
                                     "tensor_input_" + std::to_string(index));
    bound.extents = constrain(bound.param, type, bound.dimensions, bound.layout.getPanel(), index);
    inputs.emplace(index, std::move(bound));
  }
}

void LoweredRegion::declarePrepared() {
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    if (matrix.right != MatrixPlan::Right::Prepared)
      continue;
    auto type = ir::tensorType(rightOperand(contractionAt(kernel, index), matrix));
    prepared.try_emplace(index, halideType(type.getElementType()), dimensionsOf(type).size() + 1,
                         "prepared_" + std::to_string(index));
    constrainPrepared(index, prepared.at(index));
  }
}

void LoweredRegion::constrainPrepared(unsigned index, Halide::OutputImageParam buffer) {
  const MatrixPlan &matrix = plan.matrices[index];
  ir::ContractOp op = contractionAt(kernel, index);
  Value right = rightOperand(op, matrix);
  std::vector<AxisList> beside = dimensionsBeside(op, right, matrix.column);
  std::vector<PhysicalDimension> dimensions = {{matrix.column, PhysicalDimension::PanelIndex}};
  for (AxisList &dimension : llvm::reverse(beside))
    dimensions.push_back({dimension});
  dimensions.push_back({matrix.column, PhysicalDimension::PanelLane});
  constrain(std::move(buffer), ir::tensorType(right), dimensions, matrix.panel);
}

Expr LoweredRegion::fullExtent(ir::NamedTensorType type, const PhysicalDimension &dimension,
                               int64_t panel) {
  if (dimension.kind == PhysicalDimension::PanelLane)
    return int32_t(panel);
  Expr size = 1;
  for (const std::string &axis : dimension.axes)
    size = size * sizeOf(type.sizeOf(axis));
  if (dimension.kind == PhysicalDimension::PanelIndex)
    size = (size + int32_t(panel - 1)) / int32_t(panel);
  return Halide::Internal::simplify(size);
}

Expr LoweredRegion::chunkExtent(ir::NamedTensorType type, const PhysicalDimension &dimension,
                                int64_t panel) {
  Expr full = fullExtent(type, dimension, panel);
  if (dimension.kind == PhysicalDimension::PanelLane)
    return full;
  for (auto [index, loop] : llvm::enumerate(plan.loops)) {
    if (loop.axes != dimension.axes)
      continue;
    int64_t divisor = dimension.kind == PhysicalDimension::PanelIndex ? panel : 1;
    Expr chunk = int32_t(loop.chunk / divisor);
    if (loop.chunk == 1)
      return chunk;
    return Halide::min(chunk, full - loopStarts[index] / int32_t(divisor));
  }
  return full;
}

std::vector<Expr> LoweredRegion::constrain(Halide::OutputImageParam buffer,
                                           ir::NamedTensorType type,
                                           const std::vector<PhysicalDimension> &dimensions,
                                           int64_t panel, std::optional<unsigned> input) {
  std::vector<Expr> extents;
  Expr stride = 1;
  for (auto [index, dimension] : llvm::enumerate(llvm::reverse(dimensions))) {
    bool whole = input && plan.whole.count({*input, dimension.axes.front()});
    extents.push_back(whole ? fullExtent(type, dimension, panel)
                            : chunkExtent(type, dimension, panel));
    if (input && !plan.entries.empty()) // the runtime shows empty ones so
      extents.back() = Halide::max(extents.back(), 1);
    buffer.dim(index).set_bounds(0, extents.back()).set_stride(stride);
    stride = Halide::Internal::simplify(stride * fullExtent(type, dimension, panel));
  }
  return extents;
}

//===----------------------------------------------------------------------===//
// Sizes, dimensions, names
//===----------------------------------------------------------------------===//

Expr LoweredRegion::sizeOf(ir::SizeAttr size) {
  Expr product = int32_t(size.getFactor());
  for (StringAttr symbol : size.getSymbols())
    product = product * sizes.at(size.isRagged() ? ir::longestSymbol(symbol) : symbol.str());
  return Halide::Internal::simplify(product);
}

Expr LoweredRegion::extentOf(ir::NamedTensorType type, const AxisList &dimension) {
  return chunkExtent(type, {dimension, PhysicalDimension::Whole}, 0);
}

std::optional<int64_t> LoweredRegion::fixedExtent(const AxisList &dimension) const {
  if (llvm::any_of(plan.loops, [&](const PlannedLoop &loop) { return loop.axes == dimension; }))
    return std::nullopt;
  Expr extent = 1;
  for (const std::string &axis : dimension)
    extent = extent * axisSpace->extent(axis);
  return Halide::Internal::as_const_int(Halide::Internal::simplify(extent));
}

std::vector<AxisList> LoweredRegion::dimensionsOf(ir::NamedTensorType type) {
  return codegen::dimensionsOf(type, axisOrder, plan.groups);
}

std::vector<AxisList> LoweredRegion::dimensionsBeside(ir::ContractOp op, Value operand,
                                                      const AxisList &cut) {
  return codegen::dimensionsBeside(op, operand, cut, axisOrder, plan.groups);
}

Var LoweredRegion::variable(const AxisList &dimension) {
  std::string name = "axis_index";
  for (const std::string &axis : dimension)
    name += "_" + axis;
  auto [entry, isNew] = variables.try_emplace(name, Var(name));
  return entry->second;
}

std::string LoweredRegion::uniqueName(llvm::StringRef what) {
  return "value_" + what.str() + "_" + std::to_string(names++) + "_of_region";
}

Coordinates LoweredRegion::coordinatesOf(const std::vector<AxisList> &dimensions,
                                         const std::vector<Var> &variables) const {
  Coordinates coordinates(*axisSpace);
  for (auto [dimension, variable] : llvm::zip(dimensions, variables))
    coordinates = coordinates.with(dimension, variable);
  return coordinates;
}

/// The order of a value's dimensions: as the result it is, or else the kernel's.
std::vector<AxisList> LoweredRegion::orderFor(Value value) {
  for (OpOperand &use : value.getUses())
    if (llvm::isa<ir::YieldOp>(use.getOwner())) {
      std::vector<AxisList> dimensions =
          groupAxes(resultLayout(kernel, use.getOperandNumber()).getOrder(), plan.groups);
      std::reverse(dimensions.begin(), dimensions.end());
      return dimensions;
    }
  return dimensionsOf(ir::tensorType(value));
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

Stage &LoweredRegion::newStage(Operation *op, llvm::StringRef role,
                               std::vector<AxisList> dimensions) {
  auto stage = std::make_unique<Stage>();
  stage->op = op;
  stage->role = role.str();
  stage->func = Halide::Func(uniqueName(role));
  for (const AxisList &dimension : dimensions)
    stage->variables.push_back(variable(dimension));
  stage->dimensions = std::move(dimensions);
  stages.push_back(std::move(stage));
  return *stages.back();
}

void LoweredRegion::define(Value value, const Definition &element) {
  Operation *op = value.getDefiningOp();
  Stage &stage = newStage(op, op->getName().stripDialect(), orderFor(value));
  Halide::Type type = halideType(ir::tensorType(value).getElementType());
  stage.func(stage.variables) =
      Halide::cast(type, element(coordinatesOf(stage.dimensions, stage.variables)));
  values[value] = &stage;
}

Stage &LoweredRegion::part(Operation *op, llvm::StringRef role, ir::NamedTensorType type,
                           const Definition &element) {
  Stage &stage = newStage(op, role, dimensionsOf(type));
  stage.func(stage.variables) = element(coordinatesOf(stage.dimensions, stage.variables));
  return stage;
}

/// Halide has no tuples of one.
static void assign(Halide::FuncRef place, const std::vector<Expr> &values) {
  if (values.size() == 1)
    place = values.front();
  else
    place = Halide::Tuple(values);
}

Stage &LoweredRegion::reduce(Operation *op, llvm::StringRef role, ir::NamedTensorType type,
                             const std::vector<Expr> &initial, const Halide::RDom &domain,
                             const Update &update) {
  Stage &stage = newStage(op, role, dimensionsOf(type));
  stage.domain = domain;
  assign(stage.func(stage.variables), initial);
  assign(stage.func(stage.variables),
         update(stage, coordinatesOf(stage.dimensions, stage.variables)));
  return stage;
}

void LoweredRegion::bind(Value value, const Stage &stage) {
  values[value] = const_cast<Stage *>(&stage);
}

Halide::RDom LoweredRegion::domainOver(ir::NamedTensorType type, ArrayRef<StringRef> axes) {
  std::vector<Halide::Range> ranges;
  for (const AxisList &dimension : dimensionsOf(type))
    if (llvm::is_contained(axes, StringRef(dimension.front())))
      ranges.emplace_back(0, extentOf(type, dimension));
  return Halide::RDom(ranges, uniqueName("domain"));
}

Coordinates LoweredRegion::walk(Coordinates coordinates, ir::NamedTensorType type,
                                ArrayRef<StringRef> axes, const Halide::RDom &domain) {
  int k = 0;
  for (const AxisList &dimension : dimensionsOf(type))
    if (llvm::is_contained(axes, StringRef(dimension.front())))
      coordinates = coordinates.with(dimension, domain[k++]);
  return coordinates;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Expr LoweredRegion::at(Value value, const Coordinates &coordinates) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
    unsigned index = argument.getArgNumber();
    return byValue.count(index) ? scalarAt(index) : inputAt(index, coordinates);
  }
  if (auto view = views.find(value); view != views.end())
    return view->second(coordinates);
  return values.at(value)->at(coordinates);
}

Expr LoweredRegion::scalarAt(unsigned index) { return byValue.at(index); }

Expr LoweredRegion::inputAt(unsigned number, const Coordinates &coordinates) {
  BoundInput &input = inputs.at(number);
  int32_t panel = input.layout.getPanel();
  std::vector<Expr> arguments;
  for (auto [index, dimension] : llvm::enumerate(llvm::reverse(input.dimensions))) {
    bool whole = plan.whole.count({number, dimension.axes.front()}) > 0;
    Expr place = whole ? coordinates.logical(dimension.axes.front()) : coordinates[dimension.axes];
    if (dimension.kind == PhysicalDimension::PanelIndex) // a tile may reach beyond the last panel
      place = Halide::min(place / panel, input.extents[index] - 1);
    if (dimension.kind == PhysicalDimension::PanelLane)
      place = place % panel;
    arguments.push_back(place);
  }
  return input.param(arguments);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

bool LoweredRegion::isOutput(const Stage &stage) const {
  return llvm::any_of(outputs, [&](const BoundOutput &o) { return o.stage == &stage; });
}

Stage *LoweredRegion::find(Operation *op, llvm::StringRef role) {
  for (auto &stage : stages)
    if (stage->op == op && stage->role == role)
      return stage.get();
  return nullptr;
}

Stage *LoweredRegion::stageOf(Value value) { return values.lookup(value); }

Expr LoweredRegion::addedToPrevious(unsigned result, const Stage &output, Expr element) {
  Expr first = Halide::Internal::const_true();
  for (auto [index, loop] : llvm::enumerate(plan.loops))
    if (!loop.parallel)
      first = first && loopStarts[index] == 0;
  std::vector<Expr> place(output.variables.begin(), output.variables.end());
  if (!plan.entries.empty()) // zeros at first, since an entry may have no chunk at all
    return previous.at(result)(place) + element;
  return Halide::select(first, Halide::cast(element.type(), 0), previous.at(result)(place)) +
         element;
}

/// An output only copies its value. Halide takes what it reads of an output to be aligned, which
/// memory of the caller need not be, so no other function and no update may read one.
void LoweredRegion::declareOutput(unsigned index, Value value) {
  auto type = ir::tensorType(value);
  BoundOutput output;
  output.value = values.lookup(value);
  output.layout = resultLayout(kernel, index);
  std::vector<PhysicalDimension> physical = physicalDimensions(output.layout, plan.groups);
  int32_t panel = output.layout.getPanel();
  Stage &stage = newStage(nullptr, "output", {});
  Coordinates coordinates(*axisSpace);
  Expr inside = Halide::Internal::const_true();
  Var lane("panel_lane_of_output");
  for (const PhysicalDimension &dimension : llvm::reverse(physical)) {
    bool isLane = dimension.kind == PhysicalDimension::PanelLane;
    Var var = isLane ? lane : variable(dimension.axes);
    stage.dimensions.push_back(dimension.axes);
    stage.variables.push_back(var);
    if (dimension.kind == PhysicalDimension::Whole)
      coordinates = coordinates.with(dimension.axes, var);
    if (dimension.kind == PhysicalDimension::PanelIndex) {
      Expr place = Expr(var) * panel + Expr(lane);
      Expr extent = extentOf(type, dimension.axes);
      inside = place < extent;
      coordinates = coordinates.with(dimension.axes, Halide::min(place, extent - 1));
    }
  }
  Expr element = at(value, coordinates);
  Halide::Type elements = halideType(type.getElementType());
  if (llvm::is_contained(plan.accumulated, index)) {
    previous[index] = Halide::ImageParam(elements, physical.size(),
                                         "previous_of_result_" + std::to_string(index));
    constrain(previous[index], type, physical, panel);
    element = addedToPrevious(index, stage, element);
  }
  stage.func(stage.variables) =
      panel ? Halide::select(inside, element, Halide::cast(elements, 0)) : element;
  output.stage = &stage;
  constrain(stage.func.output_buffer(), type, physical, panel);
  outputs.push_back(output);
}

LogicalResult LoweredRegion::lower() {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (failed(lowerOp(&op, *this)))
      return failure();
  for (OpOperand &yielded : kernel.getBody().front().getTerminator()->getOpOperands())
    declareOutput(yielded.getOperandNumber(), yielded.get());
  return success();
}

std::vector<Halide::Argument> LoweredRegion::scalarArguments() const {
  std::vector<Halide::Argument> arguments;
  for (const auto &[index, param] : byValue)
    arguments.push_back(param);
  for (const auto &[symbol, param] : sizes)
    arguments.push_back(param);
  for (const auto &start : loopStarts)
    arguments.push_back(start);
  return arguments;
}
