// A conversation as tokens, in the form that SmolLM2's instruct models have learned (ChatML):
//   <|im_start|>system
//   You are a helpful AI assistant ...<|im_end|>
//   <|im_start|>user
//   Why is the sky blue?<|im_end|>
//   <|im_start|>assistant
// What stands in <| |> are special tokens, which no question is cut into.
//
// Test: tests/examples/chat/ConversationTest.cpp.
#pragma once

#include "runtime/data/ByteBpe.h"

#include <deque>
#include <span>
#include <string_view>
#include <vector>

namespace example {

// The tokens that end an answer. Throws Error (AXL_ERROR_DATA) where the tokenizer lacks them.
std::vector<int32_t> answerEnds(const axloom::runtime::ByteBpe &tokenizer);

// Keeps a reference to the tokenizer, which must outlive it.
class Conversation {
public:
  // `system` says who answers, and how; `limit`: the most tokens before an answer. Throws as
  // answerEnds does, and Error (AXL_ERROR_SIZE) where the system text leaves no room for a
  // question.
  Conversation(const axloom::runtime::ByteBpe &tokenizer, std::string_view system, size_t limit);

  // Adds a question. Where all is more than the limit, the oldest questions are forgotten, with
  // their answers; returns how many. Throws Error (AXL_ERROR_SIZE) where the question alone is more
  // than the limit; then it has not been asked.
  size_t ask(std::string_view question);
  // Adds the answer to it, without its end.
  void answer(std::span<const int32_t> tokens);

  // All of it, up to where the answer to the last question begins.
  std::vector<int32_t> tokens() const;

private:
  // What somebody has said.
  std::vector<int32_t> message(std::string_view role, std::string_view text) const;
  // The tokens of a question, up to where its answer begins.
  std::vector<int32_t> turnOf(std::string_view question) const;

  const axloom::runtime::ByteBpe &tokenizer;
  size_t limit;
  int32_t start, end;
  std::vector<int32_t> lineEnd, system;
  std::deque<std::vector<int32_t>> turns; // a question and its answer each
};

} // namespace example
