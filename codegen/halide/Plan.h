//===- Plan.h - How a kernel is divided, decided before Halide --*- C++ -*-===//
//
// A schedule family first plans: which axes are one dimension, which loops over chunks the runtime
// runs, which blocks each chunk calls. A plan is cheap and needs no Halide, so the host program can
// be made for a kernel whose object comes from the cache. Test: tests/codegen/halide/PlanTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/Backend.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace axloom::codegen {
/// Axes that are one dimension, slowest first. Most dimensions are one axis.
using AxisList = std::vector<std::string>;

/// A dimension of a tensor in memory. One that is cut into panels, as packed operands have it, is
/// two: which panel, and where in it.
struct PhysicalDimension {
  enum Kind { Whole, PanelIndex, PanelLane };
  AxisList axes;
  Kind kind = Whole;
  int64_t panel = 1;
};

/// A loop over chunks of a dimension.
struct PlannedLoop {
  AxisList axes;
  bool parallel = true;
  int64_t chunk = 1;
  /// An axis as long as the loop's of which a chunk knows only what lies before its own end: what
  /// a query sees of the keys in causal attention. Empty: none.
  std::string prefix;
  /// How many indices of the prefix before its own beginning a chunk knows: what a query's sliding
  /// window shows it of the keys.
  int64_t reach = Operand::fromStart;
};

/// A pipeline and the results that it writes.
struct PlannedBlock {
  std::vector<unsigned> results;
};

/// How a contraction is computed as a matrix product y[row, column] = sum left[row, k] * right[k,
/// column]. Other dimensions are loops around it. `right` is packed into panels of columns, which
/// lie along the vectors.
struct MatrixPlan {
  AxisList row, column;
  bool swapped = false; // `left` is the op's second operand
  int64_t panel = 0, tileRows = 0;
  /// How many factors along k one instruction multiplies: 1 of f32, or 2 of bf16. Factors of bf16
  /// lie in pairs of neighbours along the first summed dimension.
  int64_t pair = 1;
  /// Blocks for the caches: tiles along the rows, so that rows are whole vectors, or half ones,
  /// where they are packed, and columns.
  int64_t blockTiles = 0, blockColumns = 0;
  int64_t blockRows() const { return blockTiles * tileRows; }
  /// Columns of a strip: threads share the strips of a block where blocks are few.
  int64_t stripColumns = 0;
  /// Terms of a stretch of a sum, all of which is summed before the next; 0: all terms.
  int64_t stretch = 0;
  enum class Left {
    Direct,  // read where it lies, k innermost
    Kept,    // computed first, in the order it is given
    Rounded, // to bf16, by each block of products for the rows that it reads
    Tiled,   // packed into blocks of rows; by the block of products that alone reads them, if one
             // does
  } left = Left::Direct;
  enum class Right {
    Packed,   // packed by the kernel
    Prepared, // an input of constant size, packed by a kernel of its own
  } right = Right::Packed;
  /// Parts of equal length that the first summed dimension is cut into; zeros fill the last one.
  /// Each is a sum of its own, and the result is the sum of these.
  int64_t parts = 1;
  /// Whether a sum walks its first dimension in pairs or in parts.
  bool cutsSum() const { return pair * parts > 1; }
  /// Whether operands are packed stretch by stretch.
  bool packsStretches() const { return stretch > 0 && left == Left::Tiled; }
  /// Whether the thread that computes a block of columns packs the panels of that block, which its
  /// caches then hold; otherwise all panels are packed first.
  bool packsColumns = false;
};

/// An axis of which a chunk knows the beginning only, as far as a number among the inputs says:
/// what a decoder's token sees of the keys.
struct PlannedPrefix {
  std::string axis;
  unsigned input;  // i32, of which a chunk has one element
  bool isIncluded; // the index that it names; else the prefix ends before
};

struct KernelPlan {
  std::string family;
  std::vector<AxisList> groups; // collapsed dimensions, of two axes or more
  std::vector<PlannedLoop> loops;
  /// The partner of ragged axes whose entries loop 0 goes through one by one; empty: none.
  std::string entries;
  std::vector<PlannedBlock> blocks;
  std::vector<MatrixPlan> matrices; // one for each contraction, in order; empty: none is planned
  /// Of a chain of contractions: the rows whose activations stay in cache from one to the next.
  int64_t rowsInCache = 0;
  /// Results that sequential loops add up: the first chunk writes them, the others add to what is
  /// there. With `entries` they start as zeros, and every chunk adds.
  std::vector<unsigned> accumulated;
  /// Whether an element of each result is computed before any of them is written: all are values of
  /// one function, and one that overwrites an input needs no copy.
  bool together = false;
  std::optional<PlannedPrefix> prefix; // none: chunks know whole axes, but for those of loops
  /// Inputs that nothing narrows along an axis: the region reads them under another name as well,
  /// or knows itself where the prefix of the axis ends.
  std::set<std::pair<unsigned, std::string>> whole;

  /// The loop over chunks of a dimension; null if there is none.
  const PlannedLoop *loopOver(const AxisList &dimension) const;

  /// Whether the runtime has threads take chunks, so that a chunk is one thread's, but for strips
  /// of columns that others help with where chunks are few.
  bool dividesAmongThreads() const;
};

/// The axes of a tensor as dimensions under the plan's groups, in the order given (outermost
/// first).
std::vector<AxisList> groupAxes(llvm::ArrayRef<mlir::StringAttr> order,
                                llvm::ArrayRef<AxisList> groups);

/// All axes of a kernel from the outermost in: as in the first result, then, where that lacks them,
/// as the other results and the inputs have them.
std::vector<std::string> orderOfAxes(ir::KernelOp kernel);

/// The axes of a type as dimensions in the order of the kernel, innermost first.
std::vector<AxisList> dimensionsOf(ir::NamedTensorType type, llvm::ArrayRef<std::string> axisOrder,
                                   llvm::ArrayRef<AxisList> groups);

/// The dimensions of a layout, outermost first.
std::vector<PhysicalDimension> physicalDimensions(ir::LayoutAttr layout,
                                                  llvm::ArrayRef<AxisList> groups);

/// The extent of a dimension, or nothing where it depends on a size symbol.
std::optional<int64_t> fixedExtent(mlir::Value value, const AxisList &dimension);

/// Pairs of neighbouring axes that all tensors of the kernel hold together, in one order, and that
/// no op tells apart in a way that matters: these are best treated as one dimension. [batch,
/// position] x [heads, depth] becomes a matrix.
std::vector<AxisList> collapsibleGroups(ir::KernelOp kernel);

/// The contraction that plan.matrices[index] is for.
ir::ContractOp contractionAt(ir::KernelOp kernel, size_t index);

/// The operands of a contraction as factors of a matrix product: that of the rows, and that of the
/// columns, which is packed into panels.
mlir::Value leftOperand(ir::ContractOp op, const MatrixPlan &matrix);
mlir::Value rightOperand(ir::ContractOp op, const MatrixPlan &matrix);

/// The dimensions of an operand beside the one that is cut into panels or groups, innermost first:
/// those that are summed, then the others.
std::vector<AxisList> dimensionsBeside(ir::ContractOp op, mlir::Value operand, const AxisList &cut,
                                       llvm::ArrayRef<std::string> axisOrder,
                                       llvm::ArrayRef<AxisList> groups);

/// The packed operand of plan.matrices[index] in memory, outermost first: [panels of columns,
/// others.., summed.., column in panel], with pairs [.., pairs of summed, column in panel, in
/// pair].
std::vector<PhysicalDimension> packedDimensions(ir::KernelOp kernel, size_t index,
                                                const KernelPlan &plan);

/// What packed operands of a contraction are made of.
mlir::Type packedElementType(mlir::Type elements, const MatrixPlan &matrix);

/// Whether a contraction sums over a dimension.
bool isSummed(ir::ContractOp op, const AxisList &dimension);

/// Whether an attribute of an op names an axis.
bool namesAxis(mlir::Operation *op, llvm::StringRef axis);

/// Whether an op computes the results at one index of `axes` from its operands at that index.
/// Indices themselves are known in each block, so a scatter along the axis takes what falls into
/// it.
bool keepsApart(mlir::Operation *op, const AxisList &axes);

/// Whether the dimension, if the tensor has it, is outermost there: then a block of it is one piece
/// of memory.
bool liesOutside(ir::LayoutAttr layout, const AxisList &dimension, llvm::ArrayRef<AxisList> groups);

/// Whether that is so in all inputs that lie in memory.
bool inputsLieOutside(ir::KernelOp kernel, const AxisList &dimension,
                      llvm::ArrayRef<AxisList> groups);

/// Whether an op walks two axes together, so that they could be one to it.
bool walksAsOne(mlir::Operation *op, const std::string &outer, const std::string &inner);

/// Fills in what follows from kernel and plan: operands, scalars, loops; names and blocks are the
/// caller's.
CompiledKernel describe(ir::KernelOp kernel, const KernelPlan &plan);
} // namespace axloom::codegen
