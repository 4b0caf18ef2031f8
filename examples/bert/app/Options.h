// The command lines of the programs.
#pragma once

#include "examples/common/Training.h"

namespace example {

struct PretrainOptions : TrainingFlags {
  std::optional<int64_t> pairs; // of a batch; none: 16
};

struct FineTuneOptions {
  std::string data;                 // folder of the labelled texts
  std::string pretrained = "model"; // folder that bert_pretrain has written
  std::string names;                // table of the tensors that are taken from there
  int64_t steps = 600;              // of each training
  std::optional<int64_t> texts;     // of a batch; none: 32
  int seeds = 3;
};

struct FillOptions {
  std::string folder = "model";   // that bert_pretrain has written
  std::string attention;          // picture of the first text's; empty: none
  int top = 5;                    // words for each [MASK]
  std::vector<std::string> texts; // with a [MASK] each, at least
};

// Parse the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<PretrainOptions> parsePretrain(int argc, char **argv, int &status);
std::optional<FineTuneOptions> parseFineTune(int argc, char **argv, int &status);
std::optional<FillOptions> parseFill(int argc, char **argv, int &status);

} // namespace example
