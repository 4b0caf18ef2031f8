// Goes on with texts, with any model that offers these functions, in a session of its own:
//   prefill(tokens_in [B, S] i32)                                  hears the beginning of each text
//   decode_step(token [B] i32, position [B] i32) -> logits [B, vocabulary] f32
// decode_step hears one more token of each text and answers with what may come next. Keys and
// values lie in session variables; prefill may leave anything behind the end of a text, since
// decode_step puts its own there before it looks. A size of the session variables that is not the
// batch is the number of positions.
#pragma once

#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Sampler.h"
#include "runtime/decode/Steps.h"

#include <functional>

namespace axloom::runtime {

struct GeneratorOptions {
  std::string prefill = "prefill";
  std::string step = "decode_step";
  std::vector<int32_t> ends = {Vocabulary::end}; // tokens that a text ends with
  int32_t padding = Vocabulary::padding;
  int64_t units = 0;  // that can be said, the first of the logits; 0: as many as there are logits
  int64_t tokens = 0; // to say after each prompt, at most; 0: as many as the positions allow
  int64_t texts = 32; // generated at the same time, at most; fewer if the model takes fewer
  SamplingOptions sampling;
};

struct Prompt {
  std::vector<int32_t> tokens; // at least one
  uint32_t seed = 1;
};

// Hears a token that follows the prompt of this index.
using Listener = std::function<void(size_t prompt, int32_t token)>;

// A text depends on its prompt and its seed alone, not on what is generated beside it.
class Generator {
public:
  explicit Generator(Model &model, const GeneratorOptions &options = {});

  // What follows each prompt, without its end. Throws AXL_ERROR_ARGUMENT for an empty prompt, and
  // AXL_ERROR_SIZE where prompt and tokens are more than the positions; prompts count from 1 there.
  // `listener` hears the same tokens, each as soon as it is said.
  std::vector<std::vector<int32_t>> generate(std::span<const Prompt> prompts,
                                             const Listener &listener = {});

private:
  int64_t tokensAfter(std::span<const Prompt> prompts, size_t index) const;
  void start(std::span<const Prompt *const> batch, int64_t positions);

  Model &model;
  GeneratorOptions options;
  Sampler sampler;
  int64_t capacity;
  std::unique_ptr<Session> session; // kept from batch to batch: its memory is used again
};

} // namespace axloom::runtime
