//===- AttentionParts.h - What attention in blocks is made of ---*- C++ -*-===//
//
// The functions that attention and its gradient (AttentionBlocks.cpp) share: rows of a block
// transposed, factors of products as the machine multiplies them, sums and maxima.
//
// A product sums over `summed`: of its two factors one is read a row at a time, an element for a
// whole vector, the other has its columns along the vectors. Where factors are rounded to bf16, an
// instruction multiplies pairs of neighbours along `summed`; both factors are copied so that these
// lie together.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Math.h"
#include "codegen/halide/Roles.h"
#include "codegen/halide/ops/AttentionAxes.h"
#include "codegen/halide/ops/Lowering.h"
#include "codegen/halide/ops/Packing.h"
#include "codegen/halide/ops/Rows.h"
#include "codegen/halide/ops/Transpose.h"

#include <numbers>

namespace axloom::codegen {
template <typename Op> class AttentionParts {
public:
  using Definition = LoweredRegion::Definition;

  AttentionParts(Op op, LoweredRegion &region)
      : op(op), region(region), axes(*attentionAxes(op)),
        queries(region.extentOf(ir::tensorType(op.getQ()), {axes.query})),
        keys(region.extentOf(ir::tensorType(op.getK()), {axes.key})),
        scale(op.getScale().convertToDouble()),
        pair(op.getFactors() ? region.target.traits.brainFloatFactors : 1) {}

  Op op;
  LoweredRegion &region;
  AttentionAxes axes;
  Halide::Expr queries, keys; // extents in this block
  float scale;
  int32_t pair; // factors along a sum that one instruction multiplies

  /// The named axes, innermost first, inside the shared ones.
  std::vector<AxisList> dimensions(std::initializer_list<llvm::StringRef> inner) const {
    std::vector<AxisList> result;
    for (llvm::StringRef axis : inner)
      result.push_back({axis.str()});
    for (const std::string &axis : axes.shared)
      result.push_back({axis});
    return result;
  }

  Stage &part(llvm::StringRef role, std::vector<AxisList> dimensions, const Definition &element) {
    Stage &stage = region.newStage(op, role, std::move(dimensions));
    stage.func(stage.variables) = element(coordinates(stage));
    return stage;
  }

  /// Sums along an axis of this extent, in ascending order.
  Stage &sum(llvm::StringRef role, std::vector<AxisList> dimensions, const std::string &axis,
             Halide::Expr extent, const Definition &element) {
    Stage &stage = startReduction(role, std::move(dimensions), 0.0f, {{0, extent}});
    stage.func(stage.variables) += element(coordinates(stage).with(axis, stage.domain.x));
    return stage;
  }

  /// The largest along an axis of this extent, or `least` where that is larger.
  Stage &maximum(llvm::StringRef role, std::vector<AxisList> dimensions, const std::string &axis,
                 Halide::Expr extent, float least, const Definition &element) {
    Stage &stage = startReduction(role, std::move(dimensions), least, {{0, extent}});
    stage.func(stage.variables) = Halide::max(
        stage.func(stage.variables), element(coordinates(stage).with(axis, stage.domain.x)));
    return stage;
  }

  /// Sums products of two factors along an axis of this extent, in ascending order.
  Stage &product(llvm::StringRef role, std::vector<AxisList> dimensions, const std::string &summed,
                 Halide::Expr extent, const Definition &row, const Definition &column) {
    std::vector<Halide::Range> ranges = {{0, extent}};
    if (pair > 1)
      ranges = {{0, pair}, {0, (extent + (pair - 1)) / pair}};
    Stage &stage = startReduction(role, std::move(dimensions), 0.0f, ranges);
    Coordinates c = coordinates(stage).with(summed, stage.domain.x);
    if (pair > 1)
      c = c.with(summed, stage.domain.y * pair + stage.domain.x)
              .with(placeInPair, stage.domain.x)
              .with(pairOfFactors, stage.domain.y);
    stage.func(stage.variables) += Halide::cast<float>(row(c)) * Halide::cast<float>(column(c));
    return stage;
  }

  /// Elements with columns that lie along vectors, and beyond the last one repeat it.
  Definition inColumns(mlir::Value value, const std::string &column) const {
    Halide::Expr last = region.extentOf(ir::tensorType(value), {column}) - 1;
    bool whole = isWholeVectors(column), hasKeys = ir::tensorType(value).has(axes.key);
    return [=, this](const Coordinates &c) {
      Coordinates place = whole ? insideColumns(c, value, column)
                                : c.with(column, Halide::min(Halide::likely(c[column]), last));
      return floatAt(value, hasKeys ? existing(place) : place, region);
    };
  }

  /// The factor whose rows are read one by one, where it lies or rounded.
  Definition rowFactor(llvm::StringRef role, const std::string &row, const std::string &summed,
                       Halide::Expr extent, const Definition &element) {
    if (pair == 1)
      return element;
    return reading(part(role, dimensions({summed, row}), [&](const Coordinates &c) {
      return rounded(element, summed, extent, c[summed], c);
    }));
  }

  /// The factor whose columns lie along vectors: where it lies, a copy where columns are no whole
  /// vectors or `copied` says so, or rounded in pairs.
  Definition columnFactor(llvm::StringRef role, mlir::Value value, const std::string &column,
                          const std::string &summed, Halide::Expr extent, bool copied = false) {
    Definition factor = inColumns(value, column);
    if (pair > 1)
      factor = inPairs(role, column, summed, extent, factor);
    else if (copied || !isWholeVectors(column))
      factor = reading(part(role, dimensions({column, summed}), factor));
    return [=, this](const Coordinates &c) { return factor(insideColumns(c, value, column)); };
  }

  /// Elements rounded, neighbours along `summed` in pairs.
  Definition inPairs(llvm::StringRef role, const std::string &column, const std::string &summed,
                     Halide::Expr extent, const Definition &element) {
    return reading(
        part(role, dimensions({placeInPair, column, pairOfFactors}), [&](const Coordinates &c) {
          return rounded(element, summed, extent, c[pairOfFactors] * pair + c[placeInPair], c);
        }));
  }

  /// The block's queries as a factor of scores in units of log 2. Products with the scale need no
  /// pass of their own then, unless q is rounded before; see `scaledAfter`. The scale is not put
  /// together with log2(e): what that rounds would be the same part of all scores.
  Definition scaledQueries() {
    Definition q = inColumns(op.getQ(), axes.depth);
    auto scaled = [=, this](const Coordinates &c) { return inUnitsOfLog2(q(c) * scale); };
    return transposedFactor(roles::queries, op.getQ(), axes.depth,
                            pair > 1 ? q : Definition(scaled));
  }
  Halide::Expr scaledAfter(const Halide::Expr &product) const {
    return pair > 1 ? product * float(scale * std::numbers::log2e) : product;
  }

  /// Rows with vectors along the rows.
  Definition transposed(llvm::StringRef role, const std::string &axis, const Definition &element) {
    return reading(part(role, dimensions({axes.query, axis}), inSquares(role, axis, element)));
  }

  /// Rows of q or of the gradient with vectors along the rows, as a factor summed over `axis`.
  /// Where factors are rounded, a pair is transposed as one number; it may lie so in memory
  /// already.
  Definition transposedFactor(llvm::StringRef role, mlir::Value rows, const std::string &axis,
                              const Definition &element) {
    if (pair == 1)
      return transposed(role, axis, element);
    int32_t length = rowOfPairs(region.target.traits);
    Halide::Expr extent = region.extentOf(ir::tensorType(rows), {axis});
    Definition factor = element;
    if (!isMultipleOf(axis, length) || !isRounded(element(coordinates({axis, axes.query}))))
      factor = reading(part(
          (role + roles::inRows).str(), dimensions({axis, axes.query}), [&](const Coordinates &c) {
            return rounded(element, axis, extent, c[axis], insideQueries(c), length);
          }));
    auto bitsOfPair = [=, pair = pair](const Coordinates &c) {
      std::vector<Halide::Expr> bits;
      for (int32_t place = 0; place < pair; ++place)
        bits.push_back(Halide::reinterpret(
            Halide::UInt(16), roundedFactor(factor(c.with(axis, c[axis] * pair + place)))));
      return Halide::concat_bits(bits);
    };
    Definition squares = inSquares(role, axis, bitsOfPair);
    return reading(
        part(role, dimensions({placeInPair, axes.query, pairOfFactors}), [&](const Coordinates &c) {
          // Stores of both halves become one only if Halide knows that taking one has no effect.
          return Halide::Internal::Call::make(
              Halide::BFloat(16), Halide::Internal::Call::extract_bits,
              {squares(c.with(axis, c[pairOfFactors])), c[placeInPair] * 16},
              Halide::Internal::Call::PureIntrinsic);
        }));
  }

  /// Sums of products of two tensors' rows. Every lane first adds up what comes to lie in it, in
  /// vectors along `axis`; what is transposed then is one square instead of whole rows.
  Stage &sumAlongRows(llvm::StringRef role, mlir::Value a, mlir::Value b, const std::string &axis) {
    int32_t side = region.target.traits.squareSide, extent = *fixedExtent(a, {axis});
    Definition left = inColumns(a, axis), right = inColumns(b, axis);
    auto addedUp = [=](const Coordinates &c) {
      Halide::Expr sum = 0.0f;
      for (int32_t start = 0; start < extent; start += side) {
        Coordinates place = c.with(axis, c[laneOfRow] + start);
        Halide::Expr product = left(place) * right(place);
        bool whole = start + side <= extent;
        sum += whole ? product : Halide::select(place[axis] < extent, product, 0.0f);
      }
      return sum;
    };
    std::string name = (role + roles::ofLane).str();
    Definition squares = inSquares(name, laneOfRow.str(), addedUp);
    Stage &transposed = part(name, dimensions({axes.query, laneOfRow}), squares);
    return sum(role, dimensions({axes.query}), laneOfRow.str(), side, reading(transposed));
  }

  /// Reads a stage.
  static Definition reading(Stage &stage) {
    return [&stage](const Coordinates &c) { return stage.at(c); };
  }

  Coordinates insideQueries(const Coordinates &c) const {
    return c.with(axes.query, upToLast(Halide::likely(c[axes.query]), queries));
  }
  Coordinates insideKeys(const Coordinates &c) const {
    return c.with(axes.key, upToLast(c[axes.key], keys));
  }
  Coordinates existing(const Coordinates &c) const {
    return c.with(axes.key, promised(c[axes.key], keys));
  }
  Coordinates inside(const Coordinates &c) const {
    return insideKeys(c.with(axes.query, upToLast(c[axes.query], queries)));
  }

  Halide::Expr biased(Halide::Expr score, const Coordinates &c) {
    return op.getBias() ? score + inUnitsOfLog2(floatAt(op.getBias(), inside(c), region)) : score;
  }
  Halide::Expr masked(Halide::Expr value, float hidden, const Coordinates &c) {
    return op.getMask() ? Halide::select(region.at(op.getMask(), inside(c)), value, hidden) : value;
  }
  Halide::Expr kept(Halide::Expr value, const Coordinates &c) {
    return op.getKeep() ? value * floatAt(op.getKeep(), inside(c), region) : value;
  }

private:
  /// Where there is no key or no query at all, as in an entry of a ragged batch or where a mask
  /// shows none, nothing is read; Halide would take it that the last one is, at -1.
  static Halide::Expr promised(const Halide::Expr &index, const Halide::Expr &extent) {
    return Halide::unsafe_promise_clamped(index, 0, extent - 1);
  }
  static Halide::Expr upToLast(const Halide::Expr &index, const Halide::Expr &extent) {
    return promised(Halide::min(index, extent - 1), extent);
  }

  /// An axis that stands for the lanes of vectors along a row.
  static constexpr llvm::StringRef laneOfRow = "lane_of_row";

  /// Elements of the block's rows, read along the rows: squares are read as they lie, along `axis`,
  /// and transposed from there.
  Definition inSquares(llvm::StringRef role, const std::string &axis, const Definition &element) {
    Enclosing shared{dimensions({}), variables({})};
    Coordinates c = coordinates({});
    MatrixElement matrix = transposedMatrix(
        op, role,
        [&](const Halide::Expr &column, const Halide::Expr &row) {
          return element(insideQueries(c.with(axis, column).with(axes.query, row)));
        },
        shared, region);
    return [=, this](const Coordinates &c) { return matrix(c[axis], c[axes.query]); };
  }

  /// Of columns that are whole vectors, none is beyond the last one, which Halide does not see for
  /// each order of a result's axes.
  Coordinates insideColumns(const Coordinates &c, mlir::Value value,
                            const std::string &column) const {
    if (!isWholeVectors(column))
      return c;
    Halide::Expr last = region.extentOf(ir::tensorType(value), {column}) - 1;
    return c.with(column, Halide::unsafe_promise_clamped(c[column], 0, last));
  }

  bool isMultipleOf(const std::string &axis, int32_t length) const {
    std::optional<int64_t> extent = region.fixedExtent({axis});
    return extent && *extent % length == 0;
  }
  bool isWholeVectors(const std::string &axis) const {
    return isMultipleOf(axis, int32_t(region.target.traits.vectorLanes));
  }

  /// An element as a factor: rounded, 0 beyond the end of the sum. `length`: of the pieces in which
  /// it is read, of which the last one may not be all there.
  Halide::Expr rounded(const Definition &element, const std::string &summed,
                       const Halide::Expr &extent, const Halide::Expr &k, const Coordinates &c,
                       int32_t length) {
    if (isMultipleOf(summed, length))
      return roundedFactor(element(c.with(summed, k)));
    Halide::Expr place = upToLast(Halide::likely(k), extent);
    return roundedFactor(element(c.with(summed, place)), Halide::likely(k) < extent);
  }
  /// The same where it is read in vectors.
  Halide::Expr rounded(const Definition &element, const std::string &summed,
                       const Halide::Expr &extent, const Halide::Expr &k, const Coordinates &c) {
    return rounded(element, summed, extent, k, c, int32_t(region.target.traits.vectorLanes));
  }

  std::vector<Halide::Var> variables(std::initializer_list<llvm::StringRef> inner) const {
    std::vector<Halide::Var> result;
    for (const AxisList &dimension : dimensions(inner))
      result.push_back(region.variable(dimension));
    return result;
  }
  Coordinates coordinates(std::initializer_list<llvm::StringRef> inner) const {
    return region.coordinatesOf(dimensions(inner), variables(inner));
  }
  Coordinates coordinates(const Stage &stage) const {
    return region.coordinatesOf(stage.dimensions, stage.variables);
  }

  Stage &startReduction(llvm::StringRef role, std::vector<AxisList> dimensions, float initial,
                        const std::vector<Halide::Range> &ranges) {
    Stage &stage = region.newStage(op, role, std::move(dimensions));
    stage.domain = Halide::RDom(ranges, region.uniqueName("domain"));
    stage.func(stage.variables) = initial;
    return stage;
  }
};
} // namespace axloom::codegen
