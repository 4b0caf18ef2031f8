#include "examples/translate/app/Data.h"

#include "examples/common/Print.h"
#include "runtime/core/Error.h"
#include "runtime/train/Progress.h"

#include <algorithm>

namespace example {

using axloom::runtime::concat;
using axloom::runtime::Error;
using axloom::runtime::formatCount;
using axloom::runtime::SentencePair;
using axloom::runtime::TokenPairs;
using axloom::runtime::Vocabulary;

namespace {

int64_t countTokens(const std::vector<std::vector<int32_t>> &sentences) {
  int64_t count = 0;
  for (const std::vector<int32_t> &sentence : sentences)
    count += int64_t(sentence.size());
  return count;
}

} // namespace

Corpus readCorpus(const std::string &folder) {
  using axloom::runtime::readPairs;
  return {readPairs(folder + "/train.tsv"), readPairs(folder + "/valid.tsv"),
          readPairs(folder + "/test.tsv")};
}

Vocabulary learnVocabulary(std::span<const SentencePair> pairs, const ModelShape &shape,
                           axloom::runtime::Units units, const std::string &path) {
  std::vector<std::string_view> lines;
  for (const SentencePair &pair : pairs) {
    lines.push_back(pair.source);
    lines.push_back(pair.target);
  }
  return learnVocabulary(lines, shape.vocabulary, units, path);
}

TokenPairs encode(const char *split, std::span<const SentencePair> pairs,
                  const Vocabulary &vocabulary, const ModelShape &shape) {
  int64_t limit = std::min(shape.sourceLength, shape.targetLength);
  TokenPairs tokens = axloom::runtime::tokenize(pairs, vocabulary, limit);
  print("{}: {} pairs, {} source and {} target tokens", split,
        formatCount(int64_t(tokens.source.size())), formatCount(countTokens(tokens.source)),
        formatCount(countTokens(tokens.target)));
  if (tokens.tooLong > 0)
    print("{}: left out {} pairs with more than {} tokens on a side, the model's limit", split,
          formatCount(tokens.tooLong), limit);
  if (tokens.source.empty())
    throw Error(AXL_ERROR_DATA, concat(split, ": every pair has more than ", limit,
                                       " tokens on a side, the model's limit"));
  return tokens;
}

void shuffleSources(TokenPairs &pairs) {
  // Half the corpus away, a source has nothing to do with the target; no source keeps its own.
  auto &sources = pairs.source;
  std::rotate(sources.begin(), sources.begin() + int64_t(sources.size() / 2), sources.end());
}

} // namespace example
