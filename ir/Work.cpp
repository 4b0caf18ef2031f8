#include "ir/Work.h"

#include "ir/Axes.h"
#include "ir/Ragged.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::ir;

/// The points that both tensors span together: a product multiplies and adds once in each.
static SizeAttr pointsOf(NamedTensorType a, NamedTensorType b) {
  FailureOr<SmallVector<Axis>> axes = unionOf(std::nullopt, {a, b}, {"a", "b"});
  assert(succeeded(axes) && "an op whose operands do not fit was not verified");
  return elementCount(NamedTensorType::get(*axes, a.getElementType()));
}

namespace {
/// q k^T, over the axes of both; and weights times v, over the scores' and the values'.
struct AttentionWork {
  template <class Attention> explicit AttentionWork(Attention op) {
    NamedTensorType q = tensorType(op.getQ()), k = tensorType(op.getK());
    auto depth = StringAttr::get(op->getContext(), op.getDepth());
    FailureOr<NamedTensorType> queries = dropAxes(std::nullopt, q, {depth});
    assert(succeeded(queries) && "a verified op's depth is an axis of q");
    scores = pointsOf(q, k);
    output = pointsOf(*queries, tensorType(op.getV()));
  }
  SizeAttr scores, output;
};
} // namespace

SmallVector<SizeAttr> ir::multiplyAdds(Operation *op) {
  using Products = SmallVector<SizeAttr>;
  return llvm::TypeSwitch<Operation *, Products>(op)
      .Case([](ContractOp op) -> Products {
        return {pointsOf(tensorType(op.getA()), tensorType(op.getB()))};
      })
      .Case([](AttentionOp op) -> Products {
        AttentionWork work(op);
        return {work.scores, work.output};
      })
      .Case([](AttentionGradientOp op) -> Products {
        AttentionWork work(op); // scores again, dq and dk; dP and dv
        return {work.scores, work.scores, work.scores, work.output, work.output};
      })
      .Case([](LinearCrossEntropyOp op) -> Products {
        SizeAttr logits = pointsOf(tensorType(op.getX()), tensorType(op.getW()));
        Products products = {logits};
        for (Value gradient : {op.getUnitDx(), op.getUnitDw()})
          if (!gradient.use_empty())
            products.push_back(logits);
        return products;
      })
      .Default([](Operation *) { return Products(); });
}
