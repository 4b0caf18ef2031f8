// The two programs, around any models that fit examples/classify/app/Shape.h. They return what main
// returns.
#pragma once

#include "runtime/abi/axloom.h"

#include <cstdint>
#include <span>

namespace example {

// A model and how it is usually trained.
struct Task {
  const char *name;
  const axl_model *model;
  int64_t batchTexts;
  double epochs;
};

// Trains and evaluates: see Trainer.cpp.
int runClassifierTrainer(std::span<const Task> tasks, int argc, char **argv);

// Classifies arguments or lines of standard input: see Classify.cpp.
int runClassify(std::span<const Task> tasks, int argc, char **argv);

} // namespace example
