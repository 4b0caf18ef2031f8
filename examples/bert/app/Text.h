// From text to what BERT reads: units with [CLS], [SEP] and [MASK].
#pragma once

#include "runtime/data/MaskedPairs.h"

#include <string>
#include <string_view>
#include <vector>

namespace example {

// The unit that hides a word; [CLS] and [SEP] are the vocabulary's begin and end.
inline constexpr const char *maskUnit = "[MASK]";

// Learns a vocabulary of `size` units from documents and writes it.
axloom::runtime::Vocabulary learnVocabulary(std::span<const axloom::runtime::Document> documents,
                                            int32_t size, const std::string &path);

// [CLS], the text, [SEP], with the mask unit for each "[MASK]" in it; what stands around one is cut
// into units by itself, and goes on with a word if no space is between. Throws Error
// (AXL_ERROR_DATA) if there is none, or if these are more than `limit`.
std::vector<int32_t> encodeMasked(std::string_view text, const axloom::runtime::Vocabulary &units,
                                  int64_t limit);

// The documents of a file; one alone is an error, too.
std::vector<axloom::runtime::Document> readText(const std::string &path);

// The documents of a split as ids, with a line about them.
std::vector<axloom::runtime::TokenDocument> encode(const char *split,
                                                   std::span<const axloom::runtime::Document> texts,
                                                   const axloom::runtime::Vocabulary &vocabulary);

} // namespace example
