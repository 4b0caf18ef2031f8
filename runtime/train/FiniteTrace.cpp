#include "runtime/train/FiniteTrace.h"

#include "runtime/core/Error.h"

using namespace axloom::runtime;

void FiniteTrace::remember(const TrainingPosition &position) {
  start = position;
  const axl_model &description = model.description();
  if (variables.empty())
    for (int32_t index = 0; index < description.variable_count; ++index)
      if (description.variables[index].kind != AXL_SESSION)
        variables.emplace_back(index, model.variable(description.variables[index].value.name));
  for (auto &[index, copy] : variables)
    model.readVariable(index, copy);
}

std::string FiniteTrace::find(int64_t lastStep) {
  if (variables.empty())
    return "";
  for (auto &[index, copy] : variables)
    model.writeVariable(index, copy);
  batches.seek(start.data);
  model.checkFinite(true);
  Batch batch;
  std::string found;
  for (int64_t number = start.step + 1; number <= lastStep && found.empty(); ++number) {
    batches.next(batch);
    try {
      step.run(batch, start.seed, number);
    } catch (const Error &error) {
      found = concat("step ", number, ": ", error.what());
    }
  }
  model.checkFinite(false);
  return found;
}
