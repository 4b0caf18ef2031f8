// The command lines of the two programs.
#pragma once

#include "examples/common/Training.h"
#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Sampler.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace example {

struct TextTrainerOptions : TrainingFlags {
  std::optional<int64_t> batchTokens; // none: 2048
  axloom::runtime::Units units = axloom::runtime::Units::Bpe;
};

// What reads well: a little more certain than the model is, without its unlikeliest ideas.
constexpr axloom::runtime::SamplingOptions usualSampling{
    .temperature = 0.8, .topK = 0, .topP = 0.95};

struct GenerateOptions {
  std::string folder = "model";
  axloom::runtime::SamplingOptions sampling = usualSampling;
  uint32_t seed = 1;
  int64_t tokens = 0;    // 0: as many as the model has positions for
  int64_t samples = 1;   // of each prompt
  std::string attention; // a picture of what the model looks at; empty: none
  std::vector<std::string> prompts;
};

// Parse the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<TextTrainerOptions> parseTextTrainer(int argc, char **argv, int &status);
std::optional<GenerateOptions> parseGenerate(int argc, char **argv, int &status);

} // namespace example
