#include "tests/support/Gradients.h"
#include "tests/system/random/Makers.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

/// A value with such elements whose axes are all in `space`; null if there is none or, now and
/// then, anyway.
static Value within(Pool &pool, ir::NamedTensorType space, double probability,
                    llvm::function_ref<bool(Type)> hasElements) {
  if (!pool.chance(probability))
    return {};
  return pool.pick([&](Value v) {
    return hasElements(ir::tensorType(v).getElementType()) &&
           llvm::all_of(ir::tensorType(v).getAxes(), [&](const ir::Axis &axis) {
             return space.sizeOf(axis.name.getValue()) == axis.size();
           });
  });
}

static Value maskWithin(Pool &pool, ir::NamedTensorType space) {
  return within(pool, space, 0.6, [](Type element) { return element.isInteger(1); });
}

static Value numbersWithin(Pool &pool, ir::NamedTensorType space) {
  return within(pool, space, 0.3, llvm::IsaPred<FloatType>);
}

static bool softmax(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  return axis && pool.add<ir::SoftmaxOp>(x, maskWithin(pool, ir::tensorType(x)), axis->name);
}

static double largest(const Pool &pool, Value value) {
  double largest = 0;
  for (double number : pool.arrayOf(value).values)
    largest = std::max(largest, std::abs(number));
  return largest;
}

/// Roundings of rows that are large, or nearly all the same, are none of the result's any more.
static bool layerNorm(Pool &pool) {
  Value x = pool.pickFloat();
  const ir::Axis *axis = x ? pool.pickAxis(x) : nullptr;
  if (!axis)
    return false;
  auto row = [&]() {
    return pool.pick([&](Value v) {
      return isDifferentiable(v.getType()) && ir::tensorType(v).rank() == 1 &&
             ir::tensorType(v).sizeOf(axis->name.getValue()) == axis->size();
    });
  };
  Value scale = row(), offset = row();
  constexpr double mostAmplified = 8;
  auto *op = pool.add<ir::LayerNormOp>(x, scale, offset, axis->name, llvm::APFloat(1e-2));
  return op && largest(pool, x) * largest(pool, op->getResult(2)) <= mostAmplified;
}

/// Self-attention: keys and values are the queries' value with one axis renamed.
static bool attention(Pool &pool) {
  Value x = pool.pick(
      [](Value v) { return isDifferentiable(v.getType()) && ir::tensorType(v).rank() >= 2; });
  if (!x)
    return false;
  const ir::Axis *query = pool.pickAxis(x), *depth = pool.pickAxis(x);
  if (query == depth || llvm::any_of(ir::tensorType(x).getAxes(), [&](const ir::Axis &axis) {
        return axis.size().getRaggedOver() == query->name ||
               axis.size().getRaggedOver() == depth->name;
      }))
    return false;
  std::string key = query->name.str() + "_2";
  Value keys = pool.addValue<ir::RenameOp>(x, query->name, key);
  Value values = keys ? pool.addValue<ir::TanhOp>(keys) : Value();
  if (!values)
    return false;
  ir::NamedTensorType scores = ir::tensorType(x)
                                   .without({depth->name})
                                   .with(ir::Axis(pool.builder.getStringAttr(key), query->size()));
  Value bias = numbersWithin(pool, scores), mask = maskWithin(pool, scores),
        keep = numbersWithin(pool, scores);
  return pool.add<ir::AttentionOp>(x, keys, values, bias, mask, keep, depth->name, key,
                                   llvm::APFloat(0.5), TypeAttr());
}

/// Labels over the token axes of the logits: integers of the pool, or all 2.
static Value labelsFor(Pool &pool, ir::NamedTensorType tokens) {
  Value labels = pool.pick([&](Value v) {
    return ir::tensorType(v) == tokens.withElementType(pool.builder.getI32Type());
  });
  return labels ? labels : pool.addValue<ir::ConstantOp>(pool.builder.getI32IntegerAttr(2));
}

static bool crossEntropy(Pool &pool) {
  Value logits = pool.pickFloat();
  const ir::Axis *classes = logits ? pool.pickAxis(logits) : nullptr;
  if (!classes)
    return false;
  Value labels = labelsFor(pool, ir::tensorType(logits).without({classes->name}));
  return pool.add<ir::CrossEntropyOp>(logits, labels, classes->name, llvm::APFloat(0.1));
}

/// Projection to classes with the loss, in one op: every token weighs 1.
static bool linearCrossEntropy(Pool &pool) {
  Value x = pool.pickFloat(), w = pool.pickFloat();
  const ir::Axis *model = x ? pool.pickAxis(x) : nullptr;
  if (!model || ir::tensorType(w).rank() != 2 || !ir::tensorType(w).has(model->name.getValue()))
    return false;
  StringAttr classes;
  for (const ir::Axis &axis : ir::tensorType(w).getAxes())
    if (axis.name != model->name)
      classes = axis.name;
  Value labels = labelsFor(pool, ir::tensorType(x).without({model->name}));
  Value weights = pool.constant(1);
  return pool.add<ir::LinearCrossEntropyOp>(x, w, labels, weights, model->name, classes,
                                            llvm::APFloat(0.1), TypeAttr());
}

std::vector<Maker> test::compositeMakers() {
  return {softmax, softmax, layerNorm, layerNorm, attention, crossEntropy, linearCrossEntropy};
}
