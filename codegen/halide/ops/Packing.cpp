#include "codegen/halide/ops/Packing.h"

#include "codegen/KernelInfo.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/Rows.h"
#include "codegen/halide/ops/Transpose.h"

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

/// The dimension along which pairs lie: the first that is summed.
static AxisList pairedDimension(ir::ContractOp op, LoweredRegion &region) {
  for (const AxisList &dimension : region.dimensionsOf(ir::tensorType(op.getA())))
    if (isSummed(op, dimension))
      return dimension;
  return {};
}

/// Elements as terms of a sum: rounded where they are multiplied in pairs; 0 beyond the end of the
/// sum, which a last pair or a last part may reach.
static LoweredRegion::Definition asTerms(const LoweredRegion::Definition &element, Value value,
                                         ir::ContractOp op, LoweredRegion &region) {
  const MatrixPlan &plan = *planOf(op, region);
  AxisList paired = pairedDimension(op, region);
  Expr extent = region.extentOf(ir::tensorType(value), paired);
  auto fixed = Halide::Internal::as_const_int(extent);
  bool whole = fixed && *fixed % (plan.pair * plan.parts) == 0, rounds = plan.pair > 1;
  return [=](const Coordinates &c) {
    if (whole)
      return rounds ? roundedFactor(element(c)) : element(c);
    // Of no terms, none is read; Halide would take it that the last one is, at -1.
    Expr k = c[paired],
         inside = Halide::unsafe_promise_clamped(Halide::min(k, extent - 1), 0, extent - 1);
    Expr x = element(c.with(paired, inside));
    return rounds ? roundedFactor(x, k < extent) : Halide::select(k < extent, x, 0.0f);
  };
}

namespace {
/// How an operand is packed: one dimension is cut into groups of `width`, neighbours along the
/// paired one lie in pairs. Groups are read by whole register tiles of `tile`, which divides them.
struct PackedForm {
  ir::ContractOp op;
  Value value;
  AxisList cut;
  int32_t width, tile, pair;
};

/// Where the elements of a packed operand lie: its dimensions, innermost first (place in pair,
/// place in group, summed dimensions, others, group), the variables along them, and the term of the
/// sum that an element belongs to.
struct PackedPlaces {
  std::vector<AxisList> dimensions;
  std::vector<Var> variables;
  Var place, group;
  Expr term;

  void add(const AxisList &dimension, const Var &variable) {
    dimensions.push_back(dimension);
    variables.push_back(variable);
  }

  /// What lies behind a dimension.
  Enclosing behind(const AxisList &dimension) const {
    auto first = llvm::find(dimensions, dimension) - dimensions.begin() + 1;
    return {{dimensions.begin() + first, dimensions.end()},
            {variables.begin() + first, variables.end()}};
  }
};
} // namespace

/// `rest`: the dimensions beside the one that is cut, a summed one first.
static PackedPlaces placesOf(const PackedForm &form, ArrayRef<AxisList> rest, StringRef role,
                             LoweredRegion &region) {
  PackedPlaces places{.place = Var("place_in_" + role.str() + "_group"),
                      .group = Var("group_of_" + role.str()),
                      .term = region.variable(rest.front())};
  if (form.pair > 1) {
    Var inPair("place_in_" + role.str() + "_pair");
    places.add({placeInPair.str()}, inPair);
    places.term = places.term * form.pair + inPair;
  }
  places.add(form.cut, places.place);
  for (const AxisList &dimension : rest)
    places.add(dimension, region.variable(dimension));
  places.add(form.cut, places.group);
  return places;
}

/// Whether packing transposes: where a summed dimension lies innermost.
static bool transposes(const PackedForm &form, const AxisList &summed, LoweredRegion &region) {
  std::optional<int64_t> length = region.fixedExtent(summed);
  return innermost(form.value, region) == summed && length &&
         *length % region.target.traits.squareSide == 0;
}

/// A copy of a value in groups. The last one repeats the last index where the extent is no
/// multiple.
static Stage &packed(const PackedForm &form, StringRef role, LoweredRegion &region) {
  std::vector<AxisList> rest = region.dimensionsBeside(form.op, form.value, form.cut);
  const AxisList summed = rest.front();
  PackedPlaces places = placesOf(form, rest, role, region);
  Coordinates others = region.emptyCoordinates();
  for (const AxisList &dimension : rest)
    others = others.with(dimension, region.variable(dimension));
  Expr extent = region.extentOf(ir::tensorType(form.value), form.cut);
  auto fixed = Halide::Internal::as_const_int(extent);
  bool whole = fixed && *fixed % form.width == 0;
  // At a place in the group.
  auto source = [&](const Expr &at) {
    Expr index = Expr(places.group) * form.width + at;
    return others.with(form.cut, whole ? index : Halide::min(index, extent - 1));
  };
  LoweredRegion::Definition element = [&](const Coordinates &c) {
    return region.at(form.value, c);
  };
  if (transposes(form, summed, region)) {
    assert(form.width % region.target.traits.squareSide == 0 && "groups are whole squares");
    // Block by block, through a function that has the summed dimension innermost, too.
    auto inMemory = [&](const Expr &column, const Expr &row) {
      return region.at(form.value, source(row).with(summed, column));
    };
    MatrixElement matrix = transposedMatrix(form.op, role, inMemory, places.behind(summed), region);
    element = [=, place = places.place](const Coordinates &c) { return matrix(c[summed], place); };
  }
  if (planOf(form.op, region)->cutsSum())
    element = asTerms(element, form.value, form.op, region);
  Stage &stage = region.newStage(form.op, role, {});
  stage.dimensions = places.dimensions;
  stage.variables = places.variables;
  stage.func(places.variables) = element(source(places.place).with(summed, places.term));
  return stage;
}

/// How to read what is packed so.
static LoweredRegion::Definition
unpacked(const PackedForm &form, LoweredRegion &region,
         const std::function<Expr(const std::vector<Expr> &)> &memory) {
  std::vector<AxisList> rest = region.dimensionsBeside(form.op, form.value, form.cut);
  // Halide asks for whole blocks, which may reach beyond the last group; nothing is read there.
  Expr extent = region.extentOf(ir::tensorType(form.value), form.cut);
  Expr lastGroup = Halide::Internal::simplify((extent + form.width - 1) / form.width - 1);
  bool paired = form.pair > 1;
  if (paired)
    rest.front() = {pairOfFactors.str()};
  return [=, cut = form.cut, width = form.width, tile = form.tile](const Coordinates &c) {
    std::vector<Expr> arguments;
    if (paired)
      arguments.push_back(c[placeInPair]);
    // Halide knows that a tile starts at a multiple of its size: all of it is in one group.
    Expr tileIndex = c[cut] / tile, tilesInGroup = width / tile;
    arguments.push_back(tileIndex % tilesInGroup * tile + c[cut] % tile);
    for (const AxisList &dimension : rest)
      arguments.push_back(c[dimension]);
    arguments.push_back(Halide::min(tileIndex / tilesInGroup, lastGroup));
    return memory(arguments);
  };
}

static LoweredRegion::Definition packedHere(const PackedForm &form, StringRef role,
                                            LoweredRegion &region) {
  Stage &stage = packed(form, role, region);
  return unpacked(form, region,
                  [&stage](const std::vector<Expr> &place) { return stage.func(place); });
}

/// A copy of the left operand, rounded, with the summed dimensions innermost. It has the rows that
/// tiles reach beyond the last one, so that all rows of a tile are the same distance apart.
static Stage &roundedLeft(ir::ContractOp op, Value left, const MatrixPlan &plan,
                          const LoweredRegion::Definition &element, LoweredRegion &region) {
  std::vector<AxisList> dimensions = region.dimensionsBeside(op, left, plan.row);
  dimensions.push_back(plan.row);
  Stage &stage = region.newStage(op, roles::roundedLeft, dimensions);
  stage.func(stage.variables) =
      asTerms(element, left, op, region)(region.coordinatesOf(stage.dimensions, stage.variables));
  return stage;
}

static PackedForm rightForm(ir::ContractOp op, const MatrixPlan &plan) {
  int32_t panel = plan.panel;
  return {op, rightOperand(op, plan), plan.column, panel, panel, int32_t(plan.pair)};
}

Stage &codegen::packedRight(ir::ContractOp op, const MatrixPlan &plan, LoweredRegion &region) {
  return packed(rightForm(op, plan), roles::packedRight, region);
}

/// Terms that a part of a sum has along the paired dimension, or pairs of them.
static Expr termsOfPart(ir::ContractOp op, const MatrixPlan &plan, LoweredRegion &region) {
  int32_t together = plan.pair * plan.parts;
  Expr extent = region.extentOf(ir::tensorType(op.getA()), pairedDimension(op, region));
  return (extent + together - 1) / together;
}

Halide::RDom codegen::domainOfProducts(ir::ContractOp op, LoweredRegion &region) {
  const MatrixPlan *plan = planOf(op, region);
  std::vector<Halide::Range> ranges;
  for (const AxisList &dimension : region.dimensionsOf(ir::tensorType(op.getA())))
    if (isSummed(op, dimension))
      ranges.emplace_back(0, region.extentOf(ir::tensorType(op.getA()), dimension));
  if (plan && plan->cutsSum())
    ranges.front().extent = termsOfPart(op, *plan, region);
  if (plan && plan->pair > 1)
    ranges.insert(ranges.begin(), Halide::Range(0, int32_t(plan->pair)));
  return Halide::RDom(ranges, region.uniqueName("domain"));
}

Coordinates codegen::walkProducts(Coordinates coordinates, ir::ContractOp op,
                                  const Halide::RDom &domain, LoweredRegion &region) {
  const MatrixPlan *plan = planOf(op, region);
  bool cuts = plan && plan->cutsSum(), inPairs = plan && plan->pair > 1;
  int k = 0;
  if (cuts) {
    Expr place = inPairs ? Expr(domain[k++]) : 0, term = domain[k++];
    if (plan->parts > 1)
      term = coordinates[partOfSum] * termsOfPart(op, *plan, region) + term;
    coordinates = coordinates.with(placeInPair, place)
                      .with(pairOfFactors, term)
                      .with(pairedDimension(op, region), term * int32_t(plan->pair) + place);
  }
  bool skip = cuts;
  for (const AxisList &dimension : region.dimensionsOf(ir::tensorType(op.getA()))) {
    if (!isSummed(op, dimension))
      continue;
    if (!std::exchange(skip, false))
      coordinates = coordinates.with(dimension, domain[k++]);
  }
  return coordinates;
}

std::pair<LoweredRegion::Definition, LoweredRegion::Definition>
codegen::contractionOperands(ir::ContractOp op, LoweredRegion &region) {
  auto plain = [&region](Value value) {
    return [&region, value](const Coordinates &c) { return region.at(value, c); };
  };
  const MatrixPlan *plan = planOf(op, region);
  if (!plan)
    return {plain(op.getA()), plain(op.getB())};
  Value leftValue = leftOperand(op, *plan);
  Value rightValue = rightOperand(op, *plan);
  // Register tiles are whole: below the last row they repeat it, and what they compute there is
  // dropped. Where there are no rows, nothing is read.
  Expr lastRow = region.extentOf(ir::tensorType(leftValue), plan->row) - 1;
  auto clamped = [row = plan->row, lastRow](const LoweredRegion::Definition &element) {
    return [=](const Coordinates &c) {
      Expr inside = Halide::min(c[row], lastRow);
      return element(c.with(row, Halide::unsafe_promise_clamped(inside, 0, lastRow)));
    };
  };
  LoweredRegion::Definition left = clamped(plain(leftValue)), right;
  if (plan->left == MatrixPlan::Left::Tiled)
    left = packedHere({op, leftValue, plan->row, int32_t(plan->blockRows()),
                       int32_t(plan->tileRows), int32_t(plan->pair)},
                      roles::tiledLeft, region);
  if (plan->left == MatrixPlan::Left::Rounded) {
    Stage &rounded = roundedLeft(op, leftValue, *plan, left, region);
    left = [&rounded](const Coordinates &c) { return rounded.at(c); };
  }
  if (plan->left == MatrixPlan::Left::Kept) {
    Stage &kept = region.part(op, roles::keptLeft, ir::tensorType(leftValue), plain(leftValue));
    left = clamped([&kept](const Coordinates &c) { return kept.at(c); });
  }
  if (plan->right == MatrixPlan::Right::Packed)
    right = packedHere(rightForm(op, *plan), roles::packedRight, region);
  if (plan->right == MatrixPlan::Right::Prepared) {
    Halide::ImageParam memory = region.prepared.at(plan - region.plan.matrices.data());
    right = unpacked(rightForm(op, *plan), region,
                     [memory](const std::vector<Expr> &place) -> Expr { return memory(place); });
  }
  return plan->swapped ? std::pair(right, left) : std::pair(left, right);
}
