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

static Halide::FuncRef placeIn(const Stage &stage, const Coordinates &coordinates) {
  std::vector<Expr> arguments;
  for (const AxisList &dimension : stage.dimensions)
    arguments.push_back(coordinates[dimension]);
  return stage.func(arguments);
}

Expr Stage::at(const Coordinates &coordinates) const { return placeIn(*this, coordinates); }

Expr Stage::at(const Coordinates &coordinates, int value) const {
  return placeIn(*this, coordinates)[value];
}

bool Stage::has(llvm::StringRef axis) const {
  return llvm::any_of(dimensions, [&](const AxisList &d) { return llvm::is_contained(d, axis); });
}

Halide::Var Stage::variableOf(llvm::StringRef axis) const {
  std::optional<Halide::Var> variable = findVariableOf(axis);
  assert(variable && "the stage lacks this axis");
  return *variable;
}

std::optional<Halide::Var> Stage::findVariableOf(llvm::StringRef axis) const {
  const AxisList alone = {axis.str()};
  for (auto [dimension, variable] : llvm::zip_equal(dimensions, variables))
    if (dimension == alone)
      return variable;
  return std::nullopt;
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
  llvm::DenseMap<StringAttr, ir::SizeAttr> sizeOfAxis;
  for (auto [index, loop] : llvm::enumerate(plan.loops)) {
    loopStarts.emplace_back("loop_start_" + std::to_string(index));
    origins[loop.axes.front()] = loopStarts.back();
    if (loop.reach < Operand::fromStart)
      origins[loop.prefix] = Halide::max(loopStarts.back() - int32_t(loop.reach), 0);
  }
  auto addExtents = [&](Type type) {
    if (auto tensor = llvm::dyn_cast<ir::NamedTensorType>(type))
      for (const ir::Axis &axis : tensor.getAxes()) {
        auto [known, isNew] = sizeOfAxis.try_emplace(axis.name, axis.size());
        if (isNew)
          extents[axis.name.str()] = sizeOf(axis.size());
        else if (known->second != axis.size())
          several.insert(axis.name.str());
      }
  };
  llvm::for_each(kernel.getInputs().getTypes(), addExtents);
  kernel.getBody().walk([&](Operation *op) { llvm::for_each(op->getResultTypes(), addExtents); });
  axisSpace = std::make_unique<AxisSpace>(plan.groups, origins, extents);
  for (auto [index, input] : llvm::enumerate(kernel.getInputs()))
    if (isPassedByValue(kernel, index))
      byValue.emplace(index, Halide::Param<>(halideType(ir::tensorType(input).getElementType()),
                                             "scalar_input_" + std::to_string(index)));
}

//===----------------------------------------------------------------------===//
// Sizes, dimensions, names
//===----------------------------------------------------------------------===//

Expr LoweredRegion::sizeOf(ir::SizeAttr size, Halide::Type type) {
  Expr product = Halide::Internal::make_const(type, size.getFactor());
  for (StringAttr symbol : size.getSymbols())
    product *=
        Halide::cast(type, sizes.at(size.isRagged() ? ir::longestSymbol(symbol) : symbol.str()));
  return Halide::Internal::simplify(product);
}

Expr LoweredRegion::extentOf(ir::NamedTensorType type, const AxisList &dimension) {
  return chunkExtent(type, {dimension, PhysicalDimension::Whole});
}

std::optional<int64_t> LoweredRegion::fixedExtent(const AxisList &dimension) const {
  bool varies =
      llvm::any_of(dimension, [&](const std::string &axis) { return several.count(axis) > 0; });
  bool isPrefix = plan.prefix && dimension == AxisList{plan.prefix->axis};
  if (plan.loopOver(dimension) || varies || isPrefix)
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

Stage &LoweredRegion::reduce(Operation *op, llvm::StringRef role, std::vector<AxisList> dimensions,
                             const std::vector<Expr> &initial, const Halide::RDom &domain,
                             const Update &update) {
  Stage &stage = newStage(op, role, std::move(dimensions));
  stage.domain = domain;
  assign(stage.func(stage.variables), initial);
  assign(stage.func(stage.variables),
         update(stage, coordinatesOf(stage.dimensions, stage.variables)));
  return stage;
}

void LoweredRegion::bind(Value value, Stage &stage) {
  if (stage.func.type() == halideType(ir::tensorType(value).getElementType()))
    values[value] = &stage;
  else
    define(value, [&stage](const Coordinates &c) { return stage.at(c); });
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

LoweredRegion::Row LoweredRegion::rowOf(const Stage &stage, ir::NamedTensorType type,
                                        StringRef axis, Expr index,
                                        const Coordinates &coordinates) {
  AxisList along = {axis.str()};
  Expr place = coordinates.withLogical(axis, std::move(index))[axis],
       extent = extentOf(type, along);
  Row row{place >= 0 && place < extent, {}};
  for (auto [dimension, variable] : llvm::zip_equal(stage.dimensions, stage.variables))
    row.places.push_back(dimension == along ? Halide::clamp(place, 0, extent - 1) : Expr(variable));
  return row;
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

//===----------------------------------------------------------------------===//
// The whole
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

LogicalResult LoweredRegion::lower() {
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (failed(lowerOp(&op, *this)))
      return failure();
  Operation *yield = kernel.getBody().front().getTerminator();
  if (plan.together)
    declareOutputsTogether(yield->getOperands());
  else
    for (OpOperand &yielded : yield->getOpOperands())
      if (unsigned index = yielded.getOperandNumber();
          ir::UpdateOp update = rowUpdate(kernel, index))
        declareRow(index, update);
      else
        declareOutput(index, yielded.get());
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
