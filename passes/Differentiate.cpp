// Replaces each axloom.gradient by ops that compute the adjoints: reverse-mode differentiation.
//
// 1. Make all reads of one variable in a function one value, or a gradient would see a part of its
//    uses.
// 2. Take the gradient ops in program order, so that a gradient of gradients meets plain ops.
// 3. Mark the values that depend on a `wrt` value through floating-point numbers, which the result
//    of a stop_gradient does not.
// 4. Give the loss the adjoint 1 and walk from the gradient op backwards. An op with an adjoint on
//    a result and a marked operand is on a path from `wrt` to the loss: its
//    DifferentiableOpInterface adds to the adjoints of its operands. An op on a path without that
//    interface is an error that names it and its line.
// 5. Replace the gradients by the adjoints of `wrt`, or by zeros where the loss does not depend on
//    the value.
// 6. Erase the adjoint ops that nobody came to use.
// 7. Once a function has all of its gradients, put what stop_gradient took in the place of what it
//    gave: no later pass knows of it.
//
// What a rule uses of the forward values is what is kept for the backward pass; what it builds
// again is recomputed. Adjoint ops carry the forward op's location. Test:
// tests/passes/differentiate.mlir.

#include "ir/Differentiated.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

namespace {
/// Remembers the ops that a builder makes.
struct Recorder : OpBuilder::Listener {
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    made.push_back(op);
  }
  SmallVector<Operation *> made;
};
} // namespace

/// Step 1. A variable is read at the function's entry, so its first read can stand for all.
static void mergeReads(func::FuncOp function) {
  llvm::DenseMap<StringAttr, ReadOp> first;
  for (ReadOp read : llvm::make_early_inc_range(function.getOps<ReadOp>())) {
    auto [known, isNew] = first.try_emplace(read.getVariableAttr().getAttr(), read);
    if (isNew)
      continue;
    read.replaceAllUsesWith(known->second.getResult());
    read.erase();
  }
}

static bool isFloat(Value value) {
  auto type = llvm::dyn_cast<NamedTensorType>(value.getType());
  return type && llvm::isa<FloatType>(type.getElementType());
}

/// Step 3.
static llvm::DenseSet<Value> dependents(GradientOp gradient) {
  llvm::DenseSet<Value> active(gradient.getWrt().begin(), gradient.getWrt().end());
  for (Operation &op : *gradient->getBlock()) {
    if (&op == gradient)
      break;
    if (llvm::isa<StopGradientOp>(op))
      continue;
    if (llvm::any_of(op.getOperands(), [&](Value operand) { return active.contains(operand); }))
      for (Value result : llvm::make_filter_range(op.getResults(), isFloat))
        active.insert(result);
  }
  return active;
}

/// Step 4, for one op.
static LogicalResult visit(Operation &op, const llvm::DenseSet<Value> &active, Adjoints &adjoints) {
  bool onPath =
      llvm::any_of(op.getResults(), [&](Value result) { return adjoints.of(result); }) &&
      llvm::any_of(op.getOperands(), [&](Value operand) { return active.contains(operand); });
  if (!onPath || llvm::isa<StopGradientOp>(op)) // its result may itself be differentiated
    return success();
  auto rule = llvm::dyn_cast<DifferentiableOpInterface>(op);
  if (!rule)
    return op.emitError("'") << op.getName()
                             << "' has no adjoint, but a gradient is asked for through it";
  adjoints.location = op.getLoc();
  return rule.buildAdjoints(adjoints);
}

/// Step 6.
static void eraseUnused(ArrayRef<Operation *> made) {
  for (Operation *op : llvm::reverse(made))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Step 7.
static void eraseStops(func::FuncOp function) {
  for (StopGradientOp stop : llvm::make_early_inc_range(function.getOps<StopGradientOp>())) {
    stop.replaceAllUsesWith(stop.getX());
    stop.erase();
  }
}

/// Steps 3 to 6.
static LogicalResult differentiate(GradientOp gradient) {
  Recorder recorder;
  OpBuilder builder(gradient, &recorder);
  llvm::DenseSet<Value> active = dependents(gradient);
  Adjoints adjoints(builder, active);
  adjoints.location = gradient.getLoc();
  adjoints.add(gradient.getLoss(),
               filled(builder, gradient.getLoc(), tensorType(gradient.getLoss()), 1));

  SmallVector<Operation *> before;
  for (Operation *op = gradient->getPrevNode(); op; op = op->getPrevNode())
    before.push_back(op);
  for (Operation *op : llvm::drop_begin(before, recorder.made.size()))
    if (failed(visit(*op, active, adjoints))) {
      mlir::emitRemark(gradient.getLoc(), "the gradient was asked for here");
      return failure();
    }

  for (auto [value, result] : llvm::zip_equal(gradient.getWrt(), gradient.getGradients())) {
    Value adjoint = adjoints.of(value);
    if (!adjoint)
      adjoint = filled(builder, gradient.getLoc(), tensorType(value), 0);
    if (isDifferentiated(result)) // in its own right, whatever else has the same adjoint
      adjoint = BroadcastOp::create(builder, gradient.getLoc(), adjoint, tensorType(value));
    result.replaceAllUsesWith(adjoint);
  }
  gradient.erase();
  eraseUnused(recorder.made);
  return success();
}

namespace {
struct Differentiate : PassWrapper<Differentiate, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Differentiate)
  StringRef getArgument() const final { return "differentiate"; }
  StringRef getDescription() const final {
    return "replaces gradients by the ops that compute them";
  }

  void runOnOperation() final {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      mergeReads(function);                                            // Step 1.
      auto gradients = llvm::to_vector(function.getOps<GradientOp>()); // Step 2.
      for (GradientOp gradient : gradients)
        if (failed(differentiate(gradient)))
          return signalPassFailure();
      eraseStops(function);
    }
  }
};
} // namespace

std::unique_ptr<Pass> passes::createDifferentiate() { return std::make_unique<Differentiate>(); }
