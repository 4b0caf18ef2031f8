// Says what comes next in a conversation: a compiled model, its published weights and its
// tokenizer.
#pragma once

#include "examples/chat/app/Pace.h"
#include "runtime/data/ByteBpe.h"
#include "runtime/decode/Generator.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace example {

class Assistant {
public:
  struct Options {
    std::string weights; // folder of model.safetensors, or its shards, and tokenizer.json
    std::string names;   // the table of their names
    axloom::runtime::SamplingOptions sampling;
    uint32_t seed = 1;
    int64_t tokens = 1; // of an answer, at most
  };

  struct Answer {
    std::vector<int32_t> tokens;
    Pace pace;
  };

  // Throws Error where a file cannot be read or does not fit, for tokens that the model has no
  // positions for, and for sampling that means nothing.
  Assistant(const axl_model &model, const Options &options);

  const axloom::runtime::ByteBpe &tokenizer() const { return units; }
  axloom::runtime::Model &model() { return parameters; }

  // The most tokens of a conversation that leave room for an answer.
  size_t room() const { return size_t(positions - options.tokens + 1); }

  // What follows upon a conversation; `say` gets it as text, as soon as it is known.
  Answer answer(const std::vector<int32_t> &conversation,
                const std::function<void(std::string_view)> &say);

private:
  Options options;
  int64_t positions;
  axloom::runtime::ByteBpe units;
  axloom::runtime::Model parameters;
  axloom::runtime::Generator generator;
};

} // namespace example
