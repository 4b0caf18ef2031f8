#include "codegen/halide/ops/Packing.h"

#include "codegen/KernelInfo.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;
using Halide::Var;

const MatrixPlan *codegen::planOf(ir::ContractOp op, const LoweredRegion &region) {
  if (region.plan.matrices.empty())
    return nullptr;
  size_t index = 0;
  for (auto other : op->getBlock()->getOps<ir::ContractOp>()) {
    if (other == op)
      return &region.plan.matrices[index];
    ++index;
  }
  return nullptr;
}

/// The dimension that lies innermost in memory, or would if the value were stored.
static AxisList innermost(Value value, LoweredRegion &region) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value))
    return groupAxes(inputLayout(region.kernel, argument.getArgNumber()).getOrder(),
                     region.plan.groups)
        .back();
  return region.dimensionsOf(ir::tensorType(value)).front();
}

/// A copy of `value` in which one dimension is cut into groups of `width`: (place in group, summed
/// dimensions, others, group). The last group repeats the last index where the extent is not a
/// multiple.
static Stage &packed(Value value, ir::ContractOp op, StringRef role, const AxisList &cut,
                     int32_t width, LoweredRegion &region) {
  auto type = ir::tensorType(value);
  std::vector<AxisList> rest = region.dimensionsBeside(op, value, cut);

  // Where a summed dimension lies innermost, packing transposes: block by block, through a function
  // that has that dimension innermost too.
  std::optional<int64_t> summed = region.fixedExtent(rest.front());
  bool transposes = innermost(value, region) == rest.front() && summed &&
                    *summed % region.target.traits.vectorLanes == 0;
  Stage *rows = transposes ? &region.newStage(op, "rows_of_" + role.str(), {}) : nullptr;

  Stage &stage = region.newStage(op, role, {});
  Var place("place_in_" + role.str() + "_group"), group("group_of_" + role.str());
  stage.dimensions = {cut};
  stage.variables = {place};
  for (const AxisList &dimension : rest) {
    stage.dimensions.push_back(dimension);
    stage.variables.push_back(region.variable(dimension));
  }
  stage.dimensions.push_back(cut);
  stage.variables.push_back(group);

  Expr extent = region.extentOf(type, cut), index = Expr(group) * width + place;
  auto fixed = Halide::Internal::as_const_int(extent);
  if (!fixed || *fixed % width != 0)
    index = Halide::min(index, extent - 1);
  Coordinates source = region.emptyCoordinates().with(cut, index);
  for (const AxisList &dimension : rest)
    source = source.with(dimension, region.variable(dimension));
  Expr element = region.at(value, source);
  if (rows) {
    rows->dimensions = stage.dimensions;
    rows->variables = stage.variables;
    std::swap(rows->dimensions[0], rows->dimensions[1]);
    std::swap(rows->variables[0], rows->variables[1]);
    rows->func(rows->variables) = element;
    element = rows->func(rows->variables);
  }
  stage.func(stage.variables) = element;
  return stage;
}

/// How to read what is packed so.
static LoweredRegion::Definition
unpacked(Value value, ir::ContractOp op, const AxisList &cut, int32_t width, LoweredRegion &region,
         const std::function<Expr(const std::vector<Expr> &)> &memory) {
  std::vector<AxisList> rest = region.dimensionsBeside(op, value, cut);
  // Blocks for the caches reach beyond the last group; nothing is computed for that.
  Expr extent = region.extentOf(ir::tensorType(value), cut);
  Expr lastGroup = Halide::Internal::simplify((extent + width - 1) / width - 1);
  return [=](const Coordinates &c) {
    std::vector<Expr> arguments = {c[cut] % width};
    for (const AxisList &dimension : rest)
      arguments.push_back(c[dimension]);
    arguments.push_back(Halide::min(c[cut] / width, lastGroup));
    return memory(arguments);
  };
}

static LoweredRegion::Definition packedHere(Value value, ir::ContractOp op, StringRef role,
                                            const AxisList &cut, int32_t width,
                                            LoweredRegion &region) {
  Stage &stage = packed(value, op, role, cut, width, region);
  return unpacked(value, op, cut, width, region,
                  [&stage](const std::vector<Expr> &place) { return stage.func(place); });
}

Stage &codegen::packedRight(ir::ContractOp op, const MatrixPlan &plan, LoweredRegion &region) {
  return packed(rightOperand(op, plan), op, "packed_right", plan.column, plan.panel, region);
}

std::pair<LoweredRegion::Definition, LoweredRegion::Definition>
codegen::contractionOperands(ir::ContractOp op, LoweredRegion &region) {
  auto plain = [&region](Value value) {
    return [&region, value](const Coordinates &c) { return region.at(value, c); };
  };
  const MatrixPlan *plan = planOf(op, region);
  if (!plan)
    return {plain(op.getA()), plain(op.getB())};
  Value leftValue = plan->swapped ? op.getB() : op.getA();
  Value rightValue = rightOperand(op, *plan);
  // Register tiles are whole: below the last row they repeat it, and what they compute there is
  // dropped.
  Expr lastRow = region.extentOf(ir::tensorType(leftValue), plan->row) - 1;
  auto clamped = [row = plan->row, lastRow](const LoweredRegion::Definition &element) {
    return [=](const Coordinates &c) { return element(c.with(row, Halide::min(c[row], lastRow))); };
  };
  LoweredRegion::Definition left = clamped(plain(leftValue)), right = plain(rightValue);
  if (plan->left == MatrixPlan::Left::Tiled)
    left = packedHere(leftValue, op, "tiled_left", plan->row, plan->blockRows(), region);
  if (plan->left == MatrixPlan::Left::Kept) {
    Stage &kept = region.part(op, "kept_left", ir::tensorType(leftValue),
                              [&](const Coordinates &c) { return region.at(leftValue, c); });
    left = clamped([&kept](const Coordinates &c) { return kept.at(c); });
  }
  if (plan->right == MatrixPlan::Right::Packed)
    right = packedHere(rightValue, op, "packed_right", plan->column, plan->panel, region);
  if (plan->right == MatrixPlan::Right::Prepared) {
    Halide::ImageParam memory = region.prepared.at(plan - region.plan.matrices.data());
    right = unpacked(rightValue, op, plan->column, plan->panel, region,
                     [memory](const std::vector<Expr> &place) -> Expr { return memory(place); });
  }
  return plan->swapped ? std::pair(right, left) : std::pair(left, right);
}
