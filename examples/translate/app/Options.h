// The command lines of the two programs.
#pragma once

#include "examples/common/Training.h"
#include "runtime/data/Vocabulary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace example {

struct TrainerOptions : TrainingFlags {
  int64_t batchTokens = 2048;
  axloom::runtime::Units units = axloom::runtime::Units::Bpe;
  bool shuffleSources = false;
  int64_t beams = 1; // of the translations at the end
};

struct TranslateOptions {
  std::string folder = "model";
  std::string attention;          // folder for pictures; empty: none
  int64_t beams = 1;              // 1: greedy
  std::vector<std::string> texts; // empty: lines of standard input
};

// Parse the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<TrainerOptions> parseTrainer(int argc, char **argv, int &status);
std::optional<TranslateOptions> parseTranslate(int argc, char **argv, int &status);

} // namespace example
