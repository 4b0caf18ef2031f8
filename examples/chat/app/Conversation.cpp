#include "examples/chat/app/Conversation.h"

#include "runtime/core/Error.h"

using namespace axloom::runtime;

namespace example {
namespace {

constexpr std::string_view startOfMessage = "<|im_start|>", endOfMessage = "<|im_end|>",
                           endOfText = "<|endoftext|>";

void append(std::vector<int32_t> &tokens, std::span<const int32_t> more) {
  tokens.insert(tokens.end(), more.begin(), more.end());
}

} // namespace

std::vector<int32_t> answerEnds(const ByteBpe &tokenizer) {
  return {tokenizer.id(endOfMessage), tokenizer.id(endOfText)};
}

Conversation::Conversation(const ByteBpe &tokenizer, std::string_view system, size_t limit)
    : tokenizer(tokenizer), limit(limit), start(tokenizer.id(startOfMessage)),
      end(tokenizer.id(endOfMessage)), lineEnd(tokenizer.encode("\n")),
      system(message("system", system)) {
  size_t size = this->system.size() + turnOf("").size();
  if (size >= limit)
    throw Error(AXL_ERROR_SIZE,
                concat("the system text and what surrounds a question are ", size,
                       " tokens, but there is room for ", limit,
                       " beside those of an answer: shorten --system, or answers (--tokens)"));
}

std::vector<int32_t> Conversation::message(std::string_view role, std::string_view text) const {
  std::vector<int32_t> tokens = {start};
  append(tokens, tokenizer.encode(concat(role, "\n", text)));
  tokens.push_back(end);
  append(tokens, lineEnd);
  return tokens;
}

std::vector<int32_t> Conversation::turnOf(std::string_view question) const {
  std::vector<int32_t> turn = message("user", question);
  turn.push_back(start);
  append(turn, tokenizer.encode("assistant\n"));
  return turn;
}

size_t Conversation::ask(std::string_view question) {
  std::vector<int32_t> turn = turnOf(question);
  if (system.size() + turn.size() > limit)
    throw Error(AXL_ERROR_SIZE,
                concat("the question and the system text are ", system.size() + turn.size(),
                       " tokens, but there is room for ", limit,
                       " beside those of an answer: ask a shorter one"));
  turns.push_back(std::move(turn));
  size_t before = turns.size();
  while (tokens().size() > limit)
    turns.pop_front();
  return before - turns.size();
}

void Conversation::answer(std::span<const int32_t> tokens) {
  append(turns.back(), tokens);
  turns.back().push_back(end);
  append(turns.back(), lineEnd);
}

std::vector<int32_t> Conversation::tokens() const {
  std::vector<int32_t> all = system;
  for (const std::vector<int32_t> &turn : turns)
    append(all, turn);
  return all;
}

} // namespace example
