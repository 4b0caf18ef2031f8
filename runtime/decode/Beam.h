// Beam search with any model that offers these three functions, in a session of its own:
//   encode(source [B, S] i32, source_mask [B, S] i1)      fills session variables
//   decode_step(token [B] i32, position i32) -> logits [B, vocabulary] f32
//   reorder(parent [B] i32)
// The first two are as for greedy decoding (Greedy.h). A sentence has as many rows as there are
// beams, next to each other; reorder puts what decode_step keeps of row parent[b] in the place of
// what it keeps of each row b. Both are rows of the same sentence: what encode fills may stay.
#pragma once

#include "runtime/data/Vocabulary.h"
#include "runtime/decode/Sources.h"

namespace axloom::runtime {

class Hypotheses; // runtime/decode/Hypotheses.h

// The defaults are those of "Attention Is All You Need" (6.1).
struct BeamOptions {
  std::string encode = "encode";
  std::string step = "decode_step";
  std::string reorder = "reorder";
  int64_t beams = 4; // beginnings of a sentence that are gone on with at the same time
  double lengthPenalty = 0.6;
  int32_t begin = Vocabulary::begin;
  int32_t end = Vocabulary::end;
  int32_t padding = Vocabulary::padding;
  int64_t maximumLength = 64; // tokens in an answer, end included
  int64_t beyondSource = 50;  // tokens that an answer may have more than its source, at most
  int64_t sentences = 32;     // decoded at the same time, at most; fewer if the model takes fewer
};

// Decodes each source (ids without end; the end is appended). Answers come without begin and end,
// in the order of the sources, and depend on their source alone. With one beam they are Greedy's,
// up to beyondSource.
class Beam {
public:
  explicit Beam(Model &model, const BeamOptions &options = {});

  std::vector<std::vector<int32_t>> decode(std::span<const std::vector<int32_t>> sources);

private:
  std::vector<std::vector<int32_t>> decodeBatch(std::span<const std::span<const int32_t>> sources);
  int64_t limit(std::span<const int32_t> source) const;
  void searchAll(Session &session, std::span<Hypotheses> searches);
  void reorder(Session &session, std::span<const Hypotheses> searches) const;

  Model &model;
  BeamOptions options;
  Sources heard;
};

} // namespace axloom::runtime
