// Calls a function of a model with the tensors of a batch, matching them by name.
#pragma once

#include "runtime/core/Model.h"
#include "runtime/data/BatchSource.h"

namespace axloom::runtime {

class StepCall {
public:
  // Throws AXL_ERROR_ARGUMENT unless the function exists and its results are numbers without axes,
  // one of them f32 and named `loss`; AXL_ERROR_ARGUMENT, too, if the function takes `steps`, how
  // many steps there will be in all, and nobody knows, or if these are more than an i32 counts.
  StepCall(Model &model, const std::string &function, const std::string &loss, int64_t steps = 0);

  // `seed`, `step` and `steps` reach the function if it declares i32 arguments of these names.
  void run(const Batch &batch, uint32_t seed, int64_t step);

  // Results of the last run.
  double loss() const { return *result(lossName); }
  // Null if the function has no result of this name.
  const double *result(std::string_view name) const;
  // All but the loss, with their names.
  std::vector<std::pair<std::string, double>> others() const;

private:
  AnyView find(const Batch &batch, const char *name) const;

  Model &model;
  int32_t index;
  std::string lossName;
  int32_t seedValue = 0, stepValue = 0, stepsValue = 0;
  std::vector<AnyView> arguments;
  std::vector<Tensor> results;
  std::vector<AnyView> resultViews;
  std::vector<double> values;
};

} // namespace axloom::runtime
