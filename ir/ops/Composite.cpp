// Type inference and verifiers of the composites.

#include "ir/Dialect.h"
#include "ir/Elements.h"
#include "ir/Factors.h"

#include <cmath>

using namespace mlir;
using namespace axloom::ir;

using Types = SmallVectorImpl<Type>;

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                          Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  SmallVector<NamedTensorType> types = {x};
  if (operands.getMask())
    types.push_back(tensorType(operands.getMask()));
  SmallVector<StringRef> sides = {"in the operand", "in the mask"};
  sides.resize(types.size());
  FailureOr<SmallVector<Axis>> axes = unionOf(location, types, sides);
  if (failed(axes) || failed(requireAxis(location, operands.getAxis(), x, "operand")))
    return failure();
  NamedTensorType y = NamedTensorType::get(*axes, x.getElementType());
  if (failed(dropAxes(location, y, operands.getAxisAttr()))) // each row needs a sum
    return failure();
  results.push_back(y);
  return success();
}

/// What is kept of rows for the backward pass is not rounded to bf16: all of a row is made with it.
static NamedTensorType unrounded(NamedTensorType type) {
  bool isRounded = type.getElementType().isBF16();
  return isRounded ? type.withElementType(Float32Type::get(type.getContext())) : type;
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                            Types &results) {
  NamedTensorType x = tensorType(operands.getX());
  FailureOr<SizeAttr> size = requireAxis(location, operands.getAxis(), x, "operand");
  if (failed(size))
    return failure();
  bool isAffine = operands.getScale() || operands.getOffset();
  if (isAffine && size->isRagged())
    return fail(location, "axis '" + operands.getAxis() + "' has size " + size->str() +
                              ", expected rows that are all as long where a scale or an offset "
                              "goes along them");
  NamedTensorType row =
      isAffine ? NamedTensorType::get({Axis(operands.getAxisAttr(), *size)}, x.getElementType())
               : NamedTensorType();
  for (auto [affine, side] :
       {std::pair(operands.getScale(), "scale"), std::pair(operands.getOffset(), "offset")})
    if (affine &&
        (failed(requireSameElements(location, operands.getX(), "in the operand", affine,
                                    ("in the " + Twine(side)).str())) ||
         failed(requireWithin(location, tensorType(affine), side, row, "normalized axis"))))
      return failure();
  FailureOr<NamedTensorType> statistics = dropAxes(location, x, operands.getAxisAttr());
  if (failed(statistics))
    return failure();
  results.append({x, unrounded(*statistics), unrounded(*statistics)});
  return success();
}

/// The scores' type, [.., query, key], from q: [.., query, depth] and k: [.., key, depth].
static FailureOr<NamedTensorType> scoresType(MaybeLocation location, NamedTensorType q,
                                             NamedTensorType k, StringAttr depth) {
  if (failed(requireAxis(location, depth.getValue(), q, "query tensor")) ||
      failed(requireAxis(location, depth.getValue(), k, "key tensor")))
    return failure();
  FailureOr<SmallVector<Axis>> axes = unionOf(location, {q, k}, {"in the queries", "in the keys"});
  if (failed(axes))
    return failure();
  return dropAxes(location, NamedTensorType::get(*axes, q.getElementType()), depth);
}

/// Checks that keys, values, bias and keep factor have the queries' elements.
template <typename Adaptor>
static LogicalResult requireElementsOfQueries(MaybeLocation location, Adaptor operands) {
  for (auto [operand, side] :
       {std::pair(operands.getK(), "in the keys"), std::pair(operands.getV(), "in the values"),
        std::pair(operands.getBias(), "in the bias"),
        std::pair(operands.getKeep(), "in the keep factor")})
    if (operand &&
        failed(requireSameElements(location, operands.getQ(), "in the queries", operand, side)))
      return failure();
  return success();
}

/// The scores' type, where all operands that attention and its gradient share fit together.
template <typename Adaptor>
static FailureOr<NamedTensorType> checkedScores(MaybeLocation location, Adaptor operands) {
  NamedTensorType q = tensorType(operands.getQ()), k = tensorType(operands.getK()),
                  v = tensorType(operands.getV());
  FailureOr<NamedTensorType> scores = scoresType(location, q, k, operands.getDepthAttr());
  if (failed(scores) || failed(requireElementsOfQueries(location, operands)) ||
      failed(requireAxis(location, operands.getKey(), v, "value tensor")) ||
      failed(requireAxis(location, operands.getKey(), k, "key tensor")) ||
      failed(requireNoAxis(location, operands.getKey(), q, "query tensor")) ||
      failed(unify(location, operands.getKey(), k.sizeOf(operands.getKey()), "in the keys",
                   v.sizeOf(operands.getKey()), "in the values")))
    return failure();
  for (auto [operand, side] :
       {std::pair(operands.getBias(), "bias"), std::pair(operands.getMask(), "mask"),
        std::pair(operands.getKeep(), "keep factor")})
    if (operand &&
        failed(requireWithin(location, tensorType(operand), side, *scores, "score tensor")))
      return failure();
  return scores;
}

/// The types of attention's results, from the operands that its gradient has too.
template <typename Adaptor>
static LogicalResult inferAttention(MaybeLocation location, Adaptor operands, Types &results) {
  FailureOr<NamedTensorType> scores = checkedScores(location, operands);
  if (failed(scores))
    return failure();
  FailureOr<NamedTensorType> statistics = dropAxes(location, *scores, operands.getKeyAttr());
  FailureOr<NamedTensorType> row =
      dropAxes(location, tensorType(operands.getV()), operands.getKeyAttr());
  if (failed(statistics) || failed(row))
    return failure();
  FailureOr<SmallVector<Axis>> axes =
      unionOf(location, {*statistics, *row}, {"in the queries", "in the values"});
  if (failed(axes))
    return failure();
  results.push_back(NamedTensorType::get(*axes, tensorType(operands.getQ()).getElementType()));
  results.push_back(unrounded(*statistics));
  return success();
}

LogicalResult AttentionOp::inferReturnTypes(MLIRContext *, MaybeLocation location, Adaptor operands,
                                            Types &results) {
  return inferAttention(location, operands, results);
}

LogicalResult AttentionGradientOp::inferReturnTypes(MLIRContext *, MaybeLocation location,
                                                    Adaptor operands, Types &results) {
  SmallVector<Type> forward;
  if (failed(inferAttention(location, operands, forward)))
    return failure();
  for (auto [operand, type, side] : {std::tuple(operands.getOutput(), forward[0], "output"),
                                     std::tuple(operands.getLog2sumexp(), forward[1], "log2sumexp"),
                                     std::tuple(operands.getGradient(), forward[0], "gradient")})
    if (!compatible({type}, {operand.getType()}))
      return fail(location, "the ") << side << " is " << operand.getType() << ", expected " << type;
  results.append({operands.getQ().getType(), operands.getK().getType(), operands.getV().getType()});
  return success();
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *, MaybeLocation location,
                                               Adaptor operands, Types &results) {
  NamedTensorType logits = tensorType(operands.getLogits()),
                  labels = tensorType(operands.getLabels());
  FailureOr<SizeAttr> classes = requireAxis(location, operands.getAxis(), logits, "logit tensor");
  if (failed(classes))
    return failure();
  if (classes->isRagged())
    return fail(location, "axis '" + operands.getAxis() + "' has size " + classes->str() +
                              ", expected as many classes for every token");
  FailureOr<NamedTensorType> tokens = dropAxes(location, logits, operands.getAxisAttr());
  if (failed(tokens) || failed(requireWithin(location, labels, "labels", *tokens, "logit tensor")))
    return failure();
  results.push_back(*tokens);
  return success();
}

LogicalResult LinearCrossEntropyOp::inferReturnTypes(MLIRContext *, MaybeLocation location,
                                                     Adaptor operands, Types &results) {
  NamedTensorType x = tensorType(operands.getX()), w = tensorType(operands.getW());
  if (failed(requireAxis(location, operands.getModel(), x, "input")) ||
      failed(requireAxis(location, operands.getModel(), w, "weight")) ||
      failed(requireAxis(location, operands.getClasses(), w, "weight")) ||
      failed(requireNoAxis(location, operands.getClasses(), x, "input")))
    return failure();
  for (auto [operand, side] :
       {std::pair(operands.getX(), "the input"), std::pair(operands.getW(), "the weight"),
        std::pair(operands.getWeights(), "the weight of each token")})
    if (Type element = tensorType(operand).getElementType(); !element.isF32())
      return fail(location, side) << " has elements of type " << element << ", expected f32";
  if (w.rank() != 2)
    return fail(location, "the weight is ")
           << w << ", expected no axes but '" << operands.getClasses() << "' and '"
           << operands.getModel() << "'";
  if (failed(unionOf(location, {x, w}, {"in the input", "in the weight"})))
    return failure();
  if (failed(dropAxes(location, w, operands.getModelAttr())))
    return failure();
  FailureOr<NamedTensorType> tokens = dropAxes(location, x, operands.getModelAttr());
  if (failed(tokens))
    return failure();
  for (auto [operand, side] :
       {std::pair(operands.getLabels(), "labels"), std::pair(operands.getWeights(), "weights")})
    if (failed(requireWithin(location, tensorType(operand), side, *tokens, "input")))
      return failure();
  results.append({NamedTensorType::get({}, x.getElementType()), x, w});
  return success();
}

LogicalResult LayerNormOp::verify() {
  double epsilon = getEpsilon().convertToDouble();
  if (std::isfinite(epsilon) && epsilon >= 0)
    return success();
  return emitOpError("has epsilon ") << epsilon << ", expected a finite number of at least 0";
}

template <typename Op> static LogicalResult verifySmoothing(Op op) {
  double smoothing = op.getSmoothing().convertToDouble();
  if (smoothing >= 0 && smoothing <= 1)
    return success();
  return op.emitOpError("has smoothing ") << smoothing << ", expected a number from 0 to 1";
}

LogicalResult CrossEntropyOp::verify() { return verifySmoothing(*this); }
LogicalResult AttentionOp::verify() { return verifyFactors(*this, getFactors()); }
LogicalResult AttentionGradientOp::verify() { return verifyFactors(*this, getFactors()); }
LogicalResult LinearCrossEntropyOp::verify() {
  return failed(verifySmoothing(*this)) ? failure() : verifyFactors(*this, getFactors());
}
