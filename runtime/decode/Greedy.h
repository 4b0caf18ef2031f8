// Greedy decoding with any model that offers these two functions, in a session of its own:
//   encode(source [B, S] i32, source_mask [B, S] i1)      fills session variables
//   decode_step(token [B] i32, position i32) -> next [B] i32, or logits [B, vocabulary] f32
// decode_step hears the token at `position` (begin at 0) and answers with the next one; it keeps
// its keys and values in session variables. Arguments that a function does not declare are left
// out; decode_step may declare `source_mask` too.
#pragma once

#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Sources.h"

namespace axloom::runtime {

struct GreedyOptions {
  std::string encode = "encode";
  std::string step = "decode_step";
  int32_t begin = Vocabulary::begin;
  int32_t end = Vocabulary::end;
  int32_t padding = Vocabulary::padding;
  int64_t maximumLength = 64; // tokens in an answer, end included: capacity of the caches
  int64_t sentences = 32;     // decoded at the same time, at most; fewer if the model takes fewer
};

// Decodes each source (ids without end; the end is appended). Answers come without begin and end,
// in the order of the sources. Sources of similar length share a batch.
class Greedy {
public:
  explicit Greedy(Model &model, const GreedyOptions &options = {});

  std::vector<std::vector<int32_t>> decode(std::span<const std::vector<int32_t>> sources);

private:
  std::vector<std::vector<int32_t>> decodeBatch(std::span<const std::span<const int32_t>> sources);

  Model &model;
  GreedyOptions options;
  Sources heard;
};

} // namespace axloom::runtime
