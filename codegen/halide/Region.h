//===- Region.h - A kernel's region as Halide functions ---------*- C++ -*-===//
//
// The ops of a kernel become Halide functions one to one (codegen/halide/ops/ has a file for each
// group of ops); a schedule family then says in which order and where they are computed. Ops that
// only rename or rearrange coordinates become no function of their own. Test:
// tests/codegen/halide/OpsTest.cpp.
//
//===----------------------------------------------------------------------===//

#pragma once

#include "codegen/halide/Coordinates.h"

#include "llvm/ADT/StringSet.h"

#include <functional>
#include <memory>
#include <optional>

namespace axloom::codegen {
/// A function with its dimensions, innermost first, as Halide counts them.
struct Stage {
  mlir::Operation *op = nullptr; // what it computes
  std::string role;              // which part of that op (Roles.h)
  Halide::Func func;
  std::vector<AxisList> dimensions;
  std::vector<Halide::Var> variables; // one for each dimension
  Halide::RDom domain;                // of its update, if it has one
  bool alongRows = false;             // the update walks the innermost dimension of what it reads

  Halide::Expr at(const Coordinates &coordinates) const;
  /// One of the values of a function that has several.
  Halide::Expr at(const Coordinates &coordinates, int value) const;
  bool has(llvm::StringRef axis) const;
  /// The variable of the dimension that is this axis alone, which there must be.
  Halide::Var variableOf(llvm::StringRef axis) const;
  std::optional<Halide::Var> findVariableOf(llvm::StringRef axis) const;
};

/// A tensor of the caller.
struct BoundInput {
  Halide::ImageParam param;
  std::vector<PhysicalDimension> dimensions; // outermost first
};

/// Where results are computed together (`KernelPlan::together`), all have the same two stages.
struct BoundOutput {
  Stage *stage = nullptr; // copies the value to where it leaves
  Stage *value = nullptr; // what is copied; null if that is a view or an input
};

class LoweredRegion {
public:
  using Definition = std::function<Halide::Expr(const Coordinates &)>;
  using Update = std::function<std::vector<Halide::Expr>(const Stage &, const Coordinates &)>;

  LoweredRegion(ir::KernelOp kernel, const KernelPlan &plan, const Target &target);
  LoweredRegion(const LoweredRegion &) = delete;

  const Target &target;
  const KernelPlan &plan;
  ir::KernelOp kernel;

  /// Lowers all ops and defines the outputs. Fails with a diagnostic at an op without a lowering.
  mlir::LogicalResult lower();

  //===--- For the lowerings of ops ---===//

  /// The element of a value at these coordinates; axes that the value lacks are ignored.
  Halide::Expr at(mlir::Value value, const Coordinates &coordinates);

  /// Makes a value a function of its coordinates, or, as a view, mere arithmetic on coordinates.
  void define(mlir::Value value, const Definition &element);
  void defineView(mlir::Value value, const Definition &element) { views[value] = element; }

  /// A function over the axes of `type` that starts as `initial` and is updated over a domain (see
  /// `domainOver`).
  Stage &reduce(mlir::Operation *op, llvm::StringRef role, ir::NamedTensorType type,
                const std::vector<Halide::Expr> &initial, const Halide::RDom &domain,
                const Update &update) {
    return reduce(op, role, dimensionsOf(type), initial, domain, update);
  }
  Stage &reduce(mlir::Operation *op, llvm::StringRef role, std::vector<AxisList> dimensions,
                const std::vector<Halide::Expr> &initial, const Halide::RDom &domain,
                const Update &update);
  /// A function over the axes of `type`, for a part of an op.
  Stage &part(mlir::Operation *op, llvm::StringRef role, ir::NamedTensorType type,
              const Definition &element);
  /// A function that is yet to be defined.
  Stage &newStage(mlir::Operation *op, llvm::StringRef role, std::vector<AxisList> dimensions);
  /// Makes a function that was made by `reduce` or `part` the value of an op's result, rounded
  /// where that is narrower.
  void bind(mlir::Value value, Stage &stage);

  /// The domain over some axes of a type, in its full extent; and coordinates that walk it.
  Halide::RDom domainOver(ir::NamedTensorType type, llvm::ArrayRef<llvm::StringRef> axes);
  Coordinates walk(Coordinates coordinates, ir::NamedTensorType type,
                   llvm::ArrayRef<llvm::StringRef> axes, const Halide::RDom &domain);

  /// Where a stage has the row of an index along an axis, an index of the whole tensor.
  struct Row {
    Halide::Expr isInside;            // of the stage, which may be a chunk
    std::vector<Halide::Expr> places; // the nearest ones inside where it is not
  };
  Row rowOf(const Stage &stage, ir::NamedTensorType type, llvm::StringRef axis, Halide::Expr index,
            const Coordinates &coordinates);

  Halide::Expr sizeOf(ir::SizeAttr size, Halide::Type type = Halide::Int(32));
  Halide::Expr sizeOf(mlir::Value value, llvm::StringRef axis) {
    return sizeOf(ir::tensorType(value).sizeOf(axis));
  }
  /// The extent of a dimension in this chunk.
  Halide::Expr extentOf(ir::NamedTensorType type, const AxisList &dimension);
  /// The extent of a dimension that no size symbol and no loop has a part in, where all tensors
  /// with its axes agree on it; of keys that causal blocks see in part, all of them.
  std::optional<int64_t> fixedExtent(const AxisList &dimension) const;
  std::vector<AxisList> dimensionsOf(ir::NamedTensorType type); // innermost first
  std::vector<AxisList> dimensionsBeside(ir::ContractOp op, mlir::Value operand,
                                         const AxisList &cut);
  Halide::Var variable(const AxisList &dimension);
  Coordinates coordinatesOf(const std::vector<AxisList> &dimensions,
                            const std::vector<Halide::Var> &variables) const;
  Coordinates emptyCoordinates() const { return Coordinates(*axisSpace); }

  /// A long name that no other function of this process has: Halide has compiled wrong code for
  /// short ones.
  std::string uniqueName(llvm::StringRef what);

  //===--- For schedules ---===//

  std::vector<std::unique_ptr<Stage>> stages; // all functions, in order of definition
  std::vector<BoundOutput> outputs;           // one for each result
  std::map<unsigned, BoundInput> inputs;      // by index of the input
  /// Right operands of contractions that come packed, by index of the contraction.
  std::map<unsigned, Halide::ImageParam> prepared;
  /// Says what is known of the memory of one of these.
  void constrainPrepared(unsigned index, Halide::OutputImageParam buffer);
  /// What accumulated results hold when a chunk starts, by index of the result.
  std::map<unsigned, Halide::ImageParam> previous;

  Stage *find(mlir::Operation *op, llvm::StringRef role);

  bool isOutput(const Stage &stage) const;

  /// The arguments behind the tensors: scalars, sizes, the starts of the loops.
  std::vector<Halide::Argument> scalarArguments() const;

private:
  void declareScalars();
  void declareInputs();
  void declarePrepared();
  void declareOutput(unsigned index, mlir::Value value);
  void declareRow(unsigned index, ir::UpdateOp update);
  void declareOutputsTogether(mlir::ValueRange yielded);
  std::vector<AxisList> orderFor(mlir::Value value);
  Halide::Expr inputAt(unsigned index, const Coordinates &coordinates);
  Halide::Expr scalarAt(unsigned index);
  /// Says what is known of a buffer: bounds from 0, packed strides.
  void constrain(Halide::OutputImageParam buffer, ir::NamedTensorType type,
                 const std::vector<PhysicalDimension> &dimensions,
                 std::optional<unsigned> input = std::nullopt);
  void setStrides(Halide::OutputImageParam buffer, ir::NamedTensorType type,
                  const std::vector<PhysicalDimension> &dimensions);
  /// An element of an accumulated result, added to what chunks before this one left there.
  Halide::Expr addedToPrevious(unsigned result, const Stage &output, Halide::Expr element);
  Halide::Expr fullExtent(ir::NamedTensorType type, const PhysicalDimension &dimension);
  Halide::Expr chunkExtent(ir::NamedTensorType type, const PhysicalDimension &dimension);
  Halide::Expr prefixExtent(const Halide::Expr &full);

  std::map<std::string, Halide::Param<int32_t>> sizes;
  std::vector<Halide::Param<int32_t>> loopStarts;
  std::map<unsigned, Halide::Param<>> byValue;
  std::unique_ptr<AxisSpace> axisSpace;
  llvm::StringSet<> several;          // axes whose size is not the same in all tensors
  std::vector<std::string> axisOrder; // outermost first
  std::map<std::string, Halide::Var> variables;
  llvm::DenseMap<mlir::Value, Definition> views;
  llvm::DenseMap<mlir::Value, Stage *> values;
  int names = 0;
};

/// The type of elements in Halide; i1 is stored as a byte.
Halide::Type halideType(mlir::Type type);
} // namespace axloom::codegen
