#include "frontend/train/Clip.h"

namespace axloom::train {
namespace {

Tensor<> total(const AnyTensor &x, const Where &where) {
  std::vector<std::string> axes;
  for (const auto &[name, size] : graph::shapeOf(x.node(), where).axes)
    axes.push_back(name);
  if (axes.empty())
    return Tensor<>(x.node());
  return Tensor<>(
      graph::emit("reduce", {x.node()}, {{"kind", std::string("sum")}, {"over", axes}}, where));
}

} // namespace

Tensor<> globalNorm(const std::vector<AnyTensor> &tensors, Where where) {
  graph::CallSite site(where);
  Tensor<> squares = constant(0.0F);
  for (const AnyTensor &x : tensors)
    squares = squares + total(x * x, where);
  return sqrt(squares);
}

std::vector<AnyTensor> clipByGlobalNorm(const std::vector<AnyTensor> &gradients, double norm,
                                        Where where) {
  graph::CallSite site(where);
  graph::requireAtLeast(norm, 0, "the norm to clip to", where);
  // Gradients that are all zero stay so.
  Tensor<> scale = minimum(norm / (globalNorm(gradients) + 1e-6), 1);
  std::vector<AnyTensor> clipped;
  for (const AnyTensor &gradient : gradients)
    clipped.push_back(scale * gradient);
  return clipped;
}

} // namespace axloom::train
