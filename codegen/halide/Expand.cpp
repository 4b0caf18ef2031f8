#include "codegen/halide/Expand.h"

#include "ir/Build.h"

using namespace mlir;
using namespace axloom;

namespace {
/// Builds ops at one place. Their types follow from ops that were verified, so inference cannot
/// fail.
struct GraphBuilder {
  OpBuilder builder;
  Location location;

  template <typename Op, typename... Arguments> Value make(Arguments &&...arguments) {
    return (*ir::create<Op>(builder, location, std::forward<Arguments>(arguments)...))
        ->getResult(0);
  }
  Value number(double value) {
    return make<ir::ConstantOp>(llvm::cast<TypedAttr>(builder.getF32FloatAttr(value)));
  }
};
} // namespace

// logits = x w^T; loss = sum weights * cross_entropy(logits)
// slope = weights * (softmax(logits) - target); unit_dx = slope w; unit_dw = slope^T x
static void expand(ir::LinearCrossEntropyOp op) {
  GraphBuilder b{OpBuilder(op), op.getLoc()};
  MLIRContext *context = op.getContext();
  auto strings = [&](ArrayRef<StringRef> names) { return b.builder.getStrArrayAttr(names); };
  SmallVector<StringRef> tokens;
  // Labels and weights may lack axes of the tokens.
  for (const ir::Axis &axis : ir::tensorType(op.getX()).getAxes())
    if (axis.name != op.getModel())
      tokens.push_back(axis.name);
  double smoothing = op.getSmoothing().convertToDouble();
  ir::SizeAttr classes = ir::tensorType(op.getW()).sizeOf(op.getClasses());

  TypeAttr factors = op.getFactorsAttr();
  Value logits = b.make<ir::ContractOp>(op.getX(), op.getW(), strings({op.getModel()}), factors);
  Value each = b.make<ir::CrossEntropyOp>(logits, op.getLabels(), op.getClassesAttr(),
                                          op.getSmoothingAttr());
  // Not `eq`, for which what is compared would be kept (schedules/Stages.h).
  Value isHidden = b.make<ir::CompareOp>(StringAttr::get(context, "le"),
                                         b.make<ir::AbsOp>(op.getWeights()), b.number(0));
  Value weighted = b.make<ir::MulOp>(each, op.getWeights());
  weighted = b.make<ir::SelectOp>(isHidden, b.number(0), weighted); // whose loss may be no number
  op.getLoss().replaceAllUsesWith(
      b.make<ir::ReduceOp>(StringAttr::get(context, "sum"), weighted, strings(tokens)));
  if (!op.getUnitDx().use_empty() || !op.getUnitDw().use_empty()) {
    Value shares = b.make<ir::SoftmaxOp>(logits, Value(), op.getClassesAttr());
    Value index = b.make<ir::IotaOp>(op.getClassesAttr(), classes, ir::SizeAttr());
    Value isLabel = b.make<ir::CompareOp>(StringAttr::get(context, "eq"), index, op.getLabels());
    Value count = b.make<ir::SizeOfOp>(classes, ir::SizeAttr(), TypeAttr());
    Value low = b.make<ir::DivOp>(b.number(smoothing), count);
    Value high = b.make<ir::AddOp>(low, b.number(1 - smoothing));
    Value target = b.make<ir::SelectOp>(isLabel, high, low);
    Value slope = b.make<ir::MulOp>(b.make<ir::SubOp>(shares, target), op.getWeights());
    op.getUnitDx().replaceAllUsesWith(
        b.make<ir::ContractOp>(slope, op.getW(), strings({op.getClasses()}), factors));
    op.getUnitDw().replaceAllUsesWith(
        b.make<ir::ContractOp>(slope, op.getX(), strings(tokens), factors));
  }
  op.erase();
}

void codegen::expandComposites(ir::KernelOp kernel) {
  SmallVector<ir::LinearCrossEntropyOp> found(kernel.getBody().getOps<ir::LinearCrossEntropyOp>());
  llvm::for_each(found, expand);
}
