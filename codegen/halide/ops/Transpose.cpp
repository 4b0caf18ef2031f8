#include "codegen/halide/ops/Transpose.h"

#include "llvm/Support/MathExtras.h"

using namespace axloom;
using namespace axloom::codegen;
using Halide::Expr;
using Halide::Var;

static constexpr llvm::StringLiteral prefix = "transpose_of_";

static std::string roleOf(llvm::StringRef role, size_t round) {
  return prefix.str() + role.str() + "_in_round_" + std::to_string(round);
}

bool codegen::isTransposeRound(const Stage &stage) {
  return llvm::StringRef(stage.role).starts_with(prefix);
}

int32_t codegen::rowOfPairs(const TargetTraits &traits) {
  return int32_t(traits.squareSide * traits.brainFloatFactors);
}

static int32_t sideOf(const LoweredRegion &region) {
  int32_t side = region.target.traits.squareSide;
  assert(side > 1 && llvm::isPowerOf2_32(side) && "squares need log2(side) rounds");
  return side;
}

/// What a round left at (row, lane) of a square. Its place, row * n + lane, is (i * n + from) * 2 +
/// half in the dimensions of the round: [.., square of rows, square of columns, i, from, half].
static Expr afterRound(const Stage &round, const Expr &row, const Expr &lane, const Expr &columns,
                       const Expr &rows, const Enclosing &enclosing, int32_t n) {
  std::vector<Expr> place = {lane % 2, lane / 2 + n / 2 * (row % 2), row / 2, columns, rows};
  place.insert(place.end(), enclosing.variables.begin(), enclosing.variables.end());
  return round.func(place);
}

MatrixElement codegen::transposedMatrix(mlir::Operation *op, llvm::StringRef role,
                                        const MatrixElement &element, const Enclosing &enclosing,
                                        LoweredRegion &region) {
  int32_t n = sideOf(region);
  Var half("half_of_square"), from("lane_before_round"), i("pair_of_rows"),
      columns("square_of_columns"), rows("square_of_rows");
  Stage *last = nullptr;
  for (size_t round = 0; round < llvm::Log2_32(n); ++round) {
    Expr row = i + n / 2 * half;
    Expr before = last ? afterRound(*last, row, from, columns, rows, enclosing, n)
                       : element(columns * n + from, rows * n + row);
    last = &region.newStage(op, roleOf(role, round), {});
    last->variables = {half, from, i, columns, rows};
    for (const Var &variable : last->variables)
      last->dimensions.push_back({variable.name()});
    llvm::append_range(last->dimensions, enclosing.dimensions);
    llvm::append_range(last->variables, enclosing.variables);
    last->func(last->variables) = before;
  }
  return [=](const Expr &column, const Expr &row) {
    return afterRound(*last, column % n, row % n, column / n, row / n, enclosing, n);
  };
}

std::vector<Stage *> codegen::transposeRounds(mlir::Operation *op, llvm::StringRef role,
                                              LoweredRegion &region) {
  std::vector<Stage *> rounds;
  while (Stage *round = region.find(op, roleOf(role, rounds.size())))
    rounds.push_back(round);
  return rounds;
}

void codegen::scheduleTranspose(mlir::Operation *op, llvm::StringRef role, Halide::Func at,
                                const Var &level, LoweredRegion &region) {
  int32_t n = sideOf(region);
  for (Stage *round : transposeRounds(op, role, region)) {
    const Var &half = round->variables[0], &from = round->variables[1], &i = round->variables[2];
    round->func.compute_at(at, level)
        .bound_extent(half, 2)
        .bound_extent(from, n)
        .bound_extent(i, n / 2)
        .reorder(half, from, i)
        .vectorize(from)
        .unroll(half)
        .unroll(i);
  }
}
