// The tensors that a region reads and writes: what Halide is told of their memory, and how elements
// are found in it.

#include "codegen/KernelInfo.h"
#include "codegen/halide/Region.h"
#include "codegen/halide/Roles.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;
using Halide::Var;

void LoweredRegion::declareInputs() {
  for (auto [index, input] : llvm::enumerate(kernel.getInputs())) {
    if (isPassedByValue(kernel, index))
      continue;
    auto type = ir::tensorType(input);
    BoundInput bound;
    bound.dimensions = physicalDimensions(inputLayout(kernel, index), plan.groups);
    bound.param = Halide::ImageParam(halideType(type.getElementType()), bound.dimensions.size(),
                                     "tensor_input_" + std::to_string(index));
    constrain(bound.param, type, bound.dimensions, index);
    inputs.emplace(index, std::move(bound));
  }
}

void LoweredRegion::declarePrepared() {
  for (auto [index, matrix] : llvm::enumerate(plan.matrices)) {
    if (matrix.right != MatrixPlan::Right::Prepared)
      continue;
    auto type = ir::tensorType(rightOperand(contractionAt(kernel, index), matrix));
    prepared.try_emplace(index, halideType(packedElementType(type.getElementType(), matrix)),
                         packedDimensions(kernel, index, plan).size(),
                         "prepared_" + std::to_string(index));
    constrainPrepared(index, prepared.at(index));
  }
}

void LoweredRegion::constrainPrepared(unsigned index, Halide::OutputImageParam buffer) {
  const MatrixPlan &matrix = plan.matrices[index];
  auto type = ir::tensorType(rightOperand(contractionAt(kernel, index), matrix));
  constrain(std::move(buffer), type, packedDimensions(kernel, index, plan));
}

Expr LoweredRegion::fullExtent(ir::NamedTensorType type, const PhysicalDimension &dimension) {
  if (dimension.kind == PhysicalDimension::PanelLane)
    return int32_t(dimension.panel);
  Expr size = 1;
  for (const std::string &axis : dimension.axes)
    size = size * sizeOf(type.sizeOf(axis));
  if (dimension.kind == PhysicalDimension::PanelIndex)
    size = (size + int32_t(dimension.panel - 1)) / int32_t(dimension.panel);
  return Halide::Internal::simplify(size);
}

/// The length of the plan's prefix.
Expr LoweredRegion::prefixExtent(const Expr &full) {
  unsigned input = plan.prefix->input;
  // Bounds of domains may depend on tensors of the caller, but on no function that copies one.
  auto only = [&](const Halide::ImageParam &tensor) {
    return Halide::Internal::Call::make(tensor.parameter(),
                                        std::vector<Expr>(tensor.dimensions(), 0));
  };
  Expr end = byValue.count(input) ? scalarAt(input) : only(inputs.at(input).param);
  // In 64 bits: whatever number the caller has, Halide may add to it.
  Expr length = Halide::cast<int64_t>(end) + int32_t(plan.prefix->isIncluded);
  return Halide::cast<int32_t>(Halide::clamp(length, 0, Halide::cast<int64_t>(full)));
}

Expr LoweredRegion::chunkExtent(ir::NamedTensorType type, const PhysicalDimension &dimension) {
  Expr full = fullExtent(type, dimension);
  if (dimension.kind != PhysicalDimension::Whole) // of what is packed, chunks see all
    return full;
  if (plan.prefix && dimension.axes == AxisList{plan.prefix->axis})
    return prefixExtent(full);
  for (auto [index, loop] : llvm::enumerate(plan.loops)) {
    if (dimension.axes == AxisList{loop.prefix})
      return Halide::min(full, loopStarts[index] + int32_t(loop.chunk)) -
             axisSpace->origin(dimension.axes);
    if (loop.axes != dimension.axes)
      continue;
    Expr chunk = int32_t(loop.chunk);
    if (loop.chunk == 1)
      return chunk;
    return Halide::min(chunk, full - loopStarts[index]);
  }
  return full;
}

void LoweredRegion::constrain(Halide::OutputImageParam buffer, ir::NamedTensorType type,
                              const std::vector<PhysicalDimension> &dimensions,
                              std::optional<unsigned> input) {
  for (auto [index, dimension] : llvm::enumerate(llvm::reverse(dimensions))) {
    bool whole = input && plan.whole.count({*input, dimension.axes.front()});
    Expr extent = whole ? fullExtent(type, dimension) : chunkExtent(type, dimension);
    if (input && !plan.entries.empty()) // the runtime shows empty ones so
      extent = Halide::max(extent, 1);
    buffer.dim(index).set_bounds(0, extent);
  }
  setStrides(std::move(buffer), type, dimensions);
}

void LoweredRegion::setStrides(Halide::OutputImageParam buffer, ir::NamedTensorType type,
                               const std::vector<PhysicalDimension> &dimensions) {
  Expr stride = 1;
  for (auto [index, dimension] : llvm::enumerate(llvm::reverse(dimensions))) {
    buffer.dim(index).set_stride(stride);
    stride = Halide::Internal::simplify(stride * fullExtent(type, dimension));
  }
}

Expr LoweredRegion::inputAt(unsigned number, const Coordinates &coordinates) {
  BoundInput &input = inputs.at(number);
  std::vector<Expr> arguments;
  for (const PhysicalDimension &dimension : llvm::reverse(input.dimensions)) {
    bool whole = plan.whole.count({number, dimension.axes.front()}) > 0;
    arguments.push_back(whole ? coordinates.logical(dimension.axes.front())
                              : coordinates[dimension.axes]);
  }
  return input.param(arguments);
}

Expr LoweredRegion::addedToPrevious(unsigned result, const Stage &output, Expr element) {
  Expr first = Halide::Internal::const_true();
  for (auto [index, loop] : llvm::enumerate(plan.loops))
    if (!loop.parallel && output.has(loop.prefix)) // where no chunk before this one has been
      first =
          first && variable({loop.prefix}) + axisSpace->origin({loop.prefix}) >= loopStarts[index];
    else if (!loop.parallel)
      first = first && loopStarts[index] == 0;
  std::vector<Expr> place(output.variables.begin(), output.variables.end());
  if (!plan.entries.empty()) // zeros at first, since an entry may have no chunk at all
    return previous.at(result)(place) + element;
  return Halide::select(first, Halide::cast(element.type(), 0), previous.at(result)(place)) +
         element;
}

/// An output only copies its value (but see declareRow). Halide takes what it reads of an output to
/// be aligned, which memory of the caller need not be, so no other function and no update may read
/// one.
void LoweredRegion::declareOutput(unsigned index, Value value) {
  auto type = ir::tensorType(value);
  BoundOutput output;
  output.value = values.lookup(value);
  std::vector<PhysicalDimension> physical =
      physicalDimensions(resultLayout(kernel, index), plan.groups);
  Stage &stage = newStage(nullptr, "output", {});
  Coordinates coordinates(*axisSpace);
  for (const PhysicalDimension &dimension : llvm::reverse(physical)) {
    Var var = variable(dimension.axes);
    stage.dimensions.push_back(dimension.axes);
    stage.variables.push_back(var);
    coordinates = coordinates.with(dimension.axes, var);
  }
  Expr element = at(value, coordinates);
  Halide::Type elements = halideType(type.getElementType());
  if (llvm::is_contained(plan.accumulated, index)) {
    previous[index] = Halide::ImageParam(elements, physical.size(),
                                         "previous_of_result_" + std::to_string(index));
    constrain(previous[index], type, physical);
    element = addedToPrevious(index, stage, element);
  }
  stage.func(stage.variables) = element;
  output.stage = &stage;
  constrain(stage.func.output_buffer(), type, physical);
  outputs.push_back(output);
}

/// An output that lies where the tensor does that it changes a row of. Where the index is outside,
/// nothing is written.
void LoweredRegion::declareRow(unsigned index, ir::UpdateOp update) {
  auto type = ir::tensorType(update.getY());
  BoundOutput output;
  Stage &stage = newStage(nullptr, "output", orderFor(update.getY()));
  Coordinates coordinates = coordinatesOf(stage.dimensions, stage.variables);
  Row row = rowOf(stage, type, update.getAxis(), at(update.getIndex(), coordinates), coordinates);
  stage.domain = Halide::RDom(0, 1, uniqueName("domain")); // for its condition
  stage.domain.where(row.isInside);
  for (auto [dimension, place] : llvm::zip_equal(stage.dimensions, row.places))
    if (dimension == AxisList{update.getAxis().str()})
      place += stage.domain.x;
  stage.func(stage.variables) = Halide::undef(halideType(type.getElementType()));
  stage.func(row.places) = at(update.getValue(), coordinates);
  constrain(stage.func.output_buffer(), type,
            physicalDimensions(resultLayout(kernel, index), plan.groups));
  output.stage = &stage;
  outputs.push_back(output);
}

/// The output copies what another function has computed, which has loaded all that it reads of the
/// inputs by then, so that a result may overwrite one. Both have a value for each result, and
/// Halide has all buffers of a function be as large as the first.
void LoweredRegion::declareOutputsTogether(ValueRange yielded) {
  std::vector<AxisList> dimensions = groupAxes(resultLayout(kernel, 0).getOrder(), plan.groups);
  std::reverse(dimensions.begin(), dimensions.end());
  Stage &results = newStage(nullptr, roles::results, dimensions);
  Stage &output = newStage(nullptr, "output", dimensions);
  Coordinates coordinates = coordinatesOf(dimensions, results.variables);
  std::vector<Expr> elements, copies;
  for (Value value : yielded)
    elements.push_back(at(value, coordinates));
  results.func(results.variables) = Halide::Tuple(elements);
  for (unsigned index = 0; index < yielded.size(); ++index)
    copies.push_back(results.at(coordinates, int(index)));
  output.func(output.variables) = Halide::Tuple(copies);
  for (auto [index, value] : llvm::enumerate(yielded)) {
    ir::LayoutAttr layout = resultLayout(kernel, index);
    Halide::OutputImageParam buffer = output.func.output_buffers()[index];
    if (index == 0)
      constrain(buffer, ir::tensorType(value), physicalDimensions(layout, plan.groups));
    else
      setStrides(buffer, ir::tensorType(value), physicalDimensions(layout, plan.groups));
    outputs.push_back({.stage = &output, .value = &results});
  }
}
