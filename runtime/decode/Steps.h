// What all kinds of decoding share: a session of the right sizes, batches of texts of similar
// length, and the loop that asks a model's step function for one token of each text after the
// other. Tests: tests/runtime/GreedyTest.cpp, tests/runtime/BeamTest.cpp,
// tests/examples/lm/LmTest.cpp
#pragma once

#include "runtime/core/Session.h"

#include <functional>

namespace axloom::runtime {

// A size that session variables have: that of an axis of some argument, or a capacity (axis -1).
struct SessionSize {
  const axl_symbol *symbol;
  int32_t axis;
};

// All sizes of session variables, as seen from this argument of the function.
std::vector<SessionSize> sessionSizes(const axl_model &model, const axl_function &function,
                                      std::string_view argument);

// Those of `offered` that a function declares as arguments.
std::vector<Named> declared(const axl_function &function, std::span<const Named> offered);

// Whether the step function has one result, logits: f32 [batch, vocabulary].
bool speaksLogits(const axl_function &step);

// Numbers of texts, sorted by length and cut into batches of at most `size`.
std::vector<std::vector<int32_t>> batchesByLength(std::span<const int64_t> lengths, int64_t size);

// A step function and a batch of texts, a row each: what they hear, and what may follow.
class Step {
public:
  // `offered`: what the function may declare beside `token` and `position`.
  Step(Session &session, const axl_function &function, size_t rows, std::vector<Named> offered);

  void hear(size_t row, int32_t token, int32_t position);
  // `common` is the position of all, where the function takes one for all.
  void call(int32_t common);
  std::span<const float> logits(size_t row) const; // of a function that answers with logits
  int32_t next(size_t row) const;                  // of one that answers with tokens

private:
  Session &session;
  const axl_function &function;
  std::vector<Named> offered;
  Tensor token, position, answer;
  bool onePosition = false;
};

// One text on its way.
struct Speech {
  int32_t token = 0;         // what is heard next
  int32_t position = 0;      // where
  int64_t limit = 0;         // tokens that may be said, end included
  std::vector<int32_t> said; // so far, without end
};

// The token that follows upon the logits of the text in this row.
using Choose = std::function<int32_t(size_t row, std::span<const float> logits)>;

struct SpeakOptions {
  int32_t end = 0;
  int32_t padding = 0;             // heard by texts that have ended, until the others end, too
  std::vector<Named> offered = {}; // arguments of the step beside `token` and `position`
  Choose choose = {}; // where the step gives logits; otherwise it gives the tokens itself
};

// Goes on with each text until it says the end or has no tokens left. A step whose `position` is
// one for all texts needs texts that start at the same one.
void speak(Session &session, const axl_function &step, std::span<Speech> texts,
           const SpeakOptions &options);

} // namespace axloom::runtime
