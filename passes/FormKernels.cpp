//===- FormKernels.cpp - Outline groups of ops as kernels -----------------===//
//
// 1. What a variable is to keep of the old value of another one that is written, too, is copied by
//    an op, with a kernel of its own: the variable's new value is not put in the old one's place
//    before it has run (plan-memory).
// 2. Walk the ops in program order. An op that is cheap to recompute gets no kernel of its own. Any
//    other one joins the kernel of a producer (an epilogue), or one that reads the same tensor, if
//    it works on the same axes and no cycle arises; or it starts a kernel. Pointwise kernels that
//    an op brings together become one, with what they read of tables that gradients are scattered
//    to.
// 3. Order the kernels so that each comes after those it reads from.
// 4. Outline each as an isolated region. Recomputed producers are cloned into every kernel that
//    uses them; the site of a random op stays an input passed by value, so that equal layers give
//    equal kernels.
// 5. What other kernels, writes or the caller use becomes a result of the kernel.
// 6. Say why ops are in the kernels that they are in.
//
// Which ops fit together is decided in ClusterRules.cpp. Test: tests/passes/form-kernels.mlir.
//
//===----------------------------------------------------------------------===//

#include "passes/FormKernels.h"

#include "passes/ComputeAgain.h"
#include "passes/KernelOps.h"
#include "passes/Remarks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;
using namespace axloom::passes;

namespace {
/// Outlines one cluster after the other at the end of a function.
class Outliner {
public:
  Outliner(func::FuncOp function, ArrayRef<Cluster> clusters)
      : function(function), builder(function.getBody().front().getTerminator()),
        names(clusters.size()) {
    for (auto [index, cluster] : llvm::enumerate(clusters))
      for (Operation *op : cluster.ops)
        clusterOf[op] = index;
  }

  void outline(const Cluster &cluster, unsigned index);
  /// Says why the ops of a cluster are there.
  void explain(const Cluster &cluster, unsigned index) const;
  /// What the value became: the result of a kernel, or itself.
  Value replacement(Value value) const { return kernelResults.lookupOrDefault(value); }

private:
  bool leaves(Value value, unsigned index) const;
  SmallVector<Value> leavingValues(const Cluster &cluster, unsigned index) const;

  func::FuncOp function;
  OpBuilder builder;
  DenseMap<Operation *, unsigned> clusterOf;
  IRMapping kernelResults;
  SmallVector<std::string> names; // of the clusters' kernels; empty: it is none
  unsigned kernels = 0;
};

/// The region of one kernel while it is filled.
class KernelBody {
public:
  KernelBody(MLIRContext *context, Block &block) : block(block), builder(context) {
    builder.setInsertionPointToEnd(&block);
  }

  void clone(Operation *op) {
    for (Value operand : op->getOperands())
      localValue(operand);
    builder.clone(*op, mapping)->removeAttr(recomputedMark);
  }
  Value localValue(Value value);

  Block &block;
  OpBuilder builder;
  IRMapping mapping;
  SmallVector<Value> inputs;
  llvm::SmallDenseSet<Operation *> own;
  SmallVector<int64_t> byValue;
};
} // namespace

/// A number that tells random ops of one program apart, or layers with equal kernels: passed, not
/// compiled in.
static bool isSite(Value value) {
  return value.getDefiningOp<ConstantOp>() && llvm::any_of(value.getUses(), [](OpOperand &use) {
           auto random = dyn_cast<RandomOp>(use.getOwner());
           return random && random.getSite() == use.get();
         });
}

Value KernelBody::localValue(Value value) {
  if (Value local = mapping.lookupOrNull(value))
    return local;
  Operation *producer = value.getDefiningOp();
  if (producer && isRecomputed(producer) && !own.contains(producer) && !isSite(value)) {
    clone(producer);
    return mapping.lookup(value);
  }
  if (isSite(value))
    byValue.push_back(inputs.size());
  inputs.push_back(value);
  mapping.map(value, block.addArgument(value.getType(), value.getLoc()));
  return mapping.lookup(value);
}

/// Whether anyone outside the cluster reads the value, directly or through recomputed ops.
bool Outliner::leaves(Value value, unsigned index) const {
  llvm::SetVector<Value> open;
  open.insert(value);
  for (size_t next = 0; next < open.size(); ++next)
    for (Operation *user : open[next].getUsers()) {
      auto cluster = clusterOf.find(user);
      bool isElsewhere = cluster != clusterOf.end() && cluster->second != index;
      bool isStored = isa<WriteOp, func::ReturnOp>(user); // what comes of the value stores itself
      if (isElsewhere || (isStored && next == 0))
        return true;
      bool isComputedAnew = cluster == clusterOf.end() || isRecomputed(user);
      if (isComputedAnew && !isStored && !isa<KernelOp, YieldOp>(user))
        open.insert(user->result_begin(), user->result_end());
    }
  return false;
}

SmallVector<Value> Outliner::leavingValues(const Cluster &cluster, unsigned index) const {
  SmallVector<Value> leaving;
  for (Operation *op : cluster.ops)
    llvm::copy_if(op->getResults(), std::back_inserter(leaving),
                  [&](Value value) { return leaves(value, index); });
  return leaving;
}

void Outliner::outline(const Cluster &cluster, unsigned index) {
  SmallVector<Value> outputs = leavingValues(cluster, index);
  if (outputs.empty())
    return;
  auto block = std::make_unique<Block>();
  KernelBody body(builder.getContext(), *block);
  body.own.insert(cluster.ops.begin(), cluster.ops.end());
  SmallVector<Location> locations;
  for (Operation *op : cluster.ops) {
    body.clone(op);
    locations.push_back(op->getLoc());
  }
  Location location = builder.getFusedLoc(locations);
  SmallVector<Value> yielded =
      llvm::map_to_vector(outputs, [&](Value value) { return body.mapping.lookup(value); });
  YieldOp::create(body.builder, location, yielded);

  SmallVector<Value> inputs = llvm::map_to_vector(body.inputs, [&](Value value) -> Value {
    if (isSite(value)) // its constant stands among the ops that are erased
      return builder.clone(*value.getDefiningOp())->getResult(0);
    return replacement(value);
  });
  OperationState state(location, KernelOp::getOperationName());
  state.addOperands(inputs);
  state.addTypes(llvm::map_to_vector(outputs, [](Value value) { return value.getType(); }));
  state.addAttribute("anchor", builder.getStringAttr(cluster.anchor));
  if (!body.byValue.empty())
    state.addAttribute("by_value", builder.getDenseI64ArrayAttr(body.byValue));
  state.addRegion()->push_back(block.release());
  Operation *kernel = builder.create(state);
  names[index] = kernelName(function, kernels++, cluster.anchor);
  for (auto [value, result] : llvm::zip_equal(outputs, kernel->getResults()))
    kernelResults.map(value, result);
}

void Outliner::explain(const Cluster &cluster, unsigned index) const {
  for (const Decision &decision : cluster.decisions) {
    if (decision.why.empty())
      remarkDone(decision.op, "form-kernels", decision.what + nameOf(decision.other), names[index]);
    else
      remarkMissed(decision.op, "form-kernels",
                   decision.what + names[clusterOf.lookup(decision.other)] + ": " + decision.why,
                   names[index]);
  }
}

/// Lets writes and the return use kernel results, and erases what was outlined.
static void finish(func::FuncOp function, const Outliner &outliner) {
  Block &block = function.getBody().front();
  for (auto write : llvm::to_vector(block.getOps<WriteOp>()))
    write->moveBefore(block.getTerminator()); // after the kernels that compute what is written
  SmallVector<Operation *> outlined;
  for (Operation &op : block) {
    if (isa<WriteOp, func::ReturnOp>(op))
      for (OpOperand &operand : op.getOpOperands())
        operand.set(outliner.replacement(operand.get()));
    else if (!isa<ReadOp, KernelOp>(op))
      outlined.push_back(&op);
  }
  for (Operation *op : llvm::reverse(outlined))
    if (op->use_empty())
      op->erase();
}

/// Step 1.
static void copyOldValues(func::FuncOp function) {
  llvm::StringSet<> written;
  for (auto write : function.getOps<WriteOp>())
    written.insert(write.getVariable());
  for (auto write : function.getOps<WriteOp>()) {
    auto read = write.getValue().getDefiningOp<ReadOp>();
    if (!read || read.getVariable() == write.getVariable() || !written.contains(read.getVariable()))
      continue;
    OpBuilder builder(write.getContext());
    builder.setInsertionPointAfter(read);
    Type element = tensorType(read.getResult()).getElementType();
    auto copy = CastOp::create(builder, write.getLoc(), read.getResult(), element);
    write.getValueMutable().assign(copy);
  }
}

static void formKernels(func::FuncOp function, const KernelOptions &options) {
  if (function.isExternal())
    return;
  copyOldValues(function);
  SmallVector<Cluster> clusters = clusterOps(function.getBody().front(), options);
  Outliner outliner(function, clusters);
  for (auto [index, cluster] : llvm::enumerate(clusters))
    outliner.outline(cluster, index);
  for (auto [index, cluster] : llvm::enumerate(clusters))
    outliner.explain(cluster, index);
  finish(function, outliner);
}

namespace {
struct FormKernels : PassWrapper<FormKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FormKernels)

  FormKernels(const KernelOptions &options = {}) : options(options) {}
  StringRef getArgument() const override { return "form-kernels"; }
  StringRef getDescription() const override { return "outline groups of ops as kernels"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      formKernels(function, options);
  }

  KernelOptions options;
};
} // namespace

std::unique_ptr<Pass> passes::createFormKernels(const KernelOptions &options) {
  return std::make_unique<FormKernels>(options);
}
