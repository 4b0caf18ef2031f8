// Cuts text into the words that a byte-level BPE takes apart, as published tokenizers do it.
#pragma once

#include <optional>
#include <string_view>

namespace axloom::runtime {

// What the next word of a text is; together, all words are the text. Letters, numbers and spaces
// are those of utf8proc's version of Unicode. A byte that is no UTF-8 counts as a character that is
// none of them.
enum class WordPattern {
  Gpt2,   // letters, numbers or other characters, with the blank before them
  Llama3, // letters with any character before them, up to three numbers, or other characters with
          // the ends of lines that follow; OpenAI's cl100k is the same
  Qwen2,  // as Llama3, but each number is a word of its own
  Digit,  // a number, or all up to the next one
  Digits, // the same, but numbers that follow one another are one word
  Whole,  // all of the text
};

// The pattern of a published regular expression: GPT-2's, Llama 3's or Qwen 2's; nothing for any
// other.
std::optional<WordPattern> wordPattern(std::string_view expression);

// The first word of `rest`, which is not empty; `rest` is what follows.
std::string_view takeWord(WordPattern pattern, std::string_view &rest);

// A step of cutting: each text that it is given, into words.
struct WordCut {
  WordPattern pattern;
  bool space = false; // comes before a text that does not begin with one
};

} // namespace axloom::runtime
