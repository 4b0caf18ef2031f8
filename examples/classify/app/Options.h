// The command lines of the two programs.
#pragma once

#include "examples/classify/app/Programs.h"
#include "examples/common/Training.h"

#include <optional>
#include <string>
#include <vector>

namespace example {

struct ClassifierTrainerOptions : TrainingFlags {
  const Task *task = nullptr;
  std::optional<double> epochs;      // none: the task's
  std::optional<int64_t> batchTexts; // none: the task's
  std::string weights;               // folder of published weights; "": from scratch
  std::string names;                 // table of the names of their tensors
};

struct ClassifyOptions {
  const Task *task = nullptr;
  std::string folder = "model";
  int top = 3;
  std::string attention;          // picture of what the model looks at in the first text
  std::vector<std::string> texts; // empty: lines of standard input
};

// Parse the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<ClassifierTrainerOptions> parseClassifierTrainer(std::span<const Task> tasks,
                                                               int argc, char **argv, int &status);
std::optional<ClassifyOptions> parseClassify(std::span<const Task> tasks, int argc, char **argv,
                                             int &status);

} // namespace example
