// BERT's basic tokenization (Devlin et al. 2018): text to words, before they become subword units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

// The words of a text, as uncased BERT models see it:
//  1. bytes that are no UTF-8 vanish, as do control characters and the replacement character; any
//     space becomes a blank;
//  2. each Chinese character is a word of its own;
//  3. accents vanish: the text is decomposed (NFD), and what only marks another character is left
//     out;
//  4. letters become small ones;
//  5. words end at blanks, and each punctuation character is a word of its own.
std::vector<std::string> bertWords(std::string_view text);

} // namespace axloom::runtime
