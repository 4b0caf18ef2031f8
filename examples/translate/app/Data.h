// From a folder of text files to token ids.
#pragma once

#include "examples/common/Subwords.h"
#include "examples/translate/app/Shape.h"
#include "runtime/data/PairBatches.h"

#include <string>
#include <vector>

namespace example {

// The text of {train,valid,test}.tsv.
struct Corpus {
  std::vector<axloom::runtime::SentencePair> train, valid, test;
};

// Throws Error (AXL_ERROR_DATA) naming the file, and the line where there is one.
Corpus readCorpus(const std::string &folder);

// Learns a joint vocabulary of the model's size from both sides of `pairs` and writes it.
axloom::runtime::Vocabulary learnVocabulary(std::span<const axloom::runtime::SentencePair> pairs,
                                            const ModelShape &shape, axloom::runtime::Units units,
                                            const std::string &path);

// The ids of a split. Prints what is in it and how many pairs are longer than the model takes.
axloom::runtime::TokenPairs encode(const char *split,
                                   std::span<const axloom::runtime::SentencePair> pairs,
                                   const axloom::runtime::Vocabulary &vocabulary,
                                   const ModelShape &shape);

// Pairs every target with the source of another pair, the same one in every run.
void shuffleSources(axloom::runtime::TokenPairs &pairs);

} // namespace example
