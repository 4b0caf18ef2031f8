#include "runtime/metrics/Bleu.h"

#include "runtime/core/Error.h"

#include <cmath>
#include <cstdio>
#include <unordered_map>

using namespace axloom::runtime;

namespace {

constexpr size_t orders = 4;

using Counts = std::unordered_map<std::string, int64_t>;

// How often each n-gram of 1 to 4 tokens occurs; tokens contain no spaces, which separate them.
std::array<Counts, orders> countNgrams(const std::vector<std::string> &tokens) {
  std::array<Counts, orders> counts;
  for (size_t start = 0; start < tokens.size(); ++start) {
    std::string ngram;
    for (size_t length = 1; length <= orders && start + length <= tokens.size(); ++length) {
      ngram += (length > 1 ? " " : "") + tokens[start + length - 1];
      ++counts[length - 1][ngram];
    }
  }
  return counts;
}

// Sums over a corpus.
struct Statistics {
  std::array<int64_t, orders> correct{}, total{};
  int64_t systemLength = 0, referenceLength = 0;

  void add(const std::string &system, const std::string &reference) {
    auto systemTokens = tokenize13a(system), referenceTokens = tokenize13a(reference);
    systemLength += int64_t(systemTokens.size());
    referenceLength += int64_t(referenceTokens.size());
    auto systemCounts = countNgrams(systemTokens), referenceCounts = countNgrams(referenceTokens);
    for (size_t order = 0; order < orders; ++order)
      for (const auto &[ngram, count] : systemCounts[order]) {
        total[order] += count;
        auto found = referenceCounts[order].find(ngram);
        if (found != referenceCounts[order].end())
          correct[order] += std::min(count, found->second);
      }
  }
};

} // namespace

Bleu axloom::runtime::corpusBleu(std::span<const std::string> systems,
                                 std::span<const std::string> references) {
  if (systems.size() != references.size())
    throw Error(AXL_ERROR_ARGUMENT,
                concat("BLEU compares ", systems.size(), " outputs with ", references.size(),
                       " references; there must be one "
                       "reference for each output"));
  Statistics sums;
  for (size_t i = 0; i < systems.size(); ++i)
    sums.add(systems[i], references[i]);

  Bleu bleu;
  bleu.systemLength = sums.systemLength;
  bleu.referenceLength = sums.referenceLength;
  if (sums.systemLength >= sums.referenceLength)
    bleu.brevityPenalty = 1;
  else if (sums.systemLength > 0)
    bleu.brevityPenalty = std::exp(1 - double(sums.referenceLength) / double(sums.systemLength));
  // Exponential smoothing: the k-th precision without any match counts as 1 / 2^k matches.
  double smoothing = 1, logarithms = 0;
  bool anyCorrect = sums.correct[0] + sums.correct[1] + sums.correct[2] + sums.correct[3] > 0;
  size_t order = 0;
  for (; order < orders && anyCorrect && sums.total[order] > 0; ++order) {
    double correct = double(sums.correct[order]);
    if (sums.correct[order] == 0) {
      smoothing *= 2;
      correct = 1 / smoothing;
    }
    bleu.precisions[order] = 100 * correct / double(sums.total[order]);
    logarithms += std::log(bleu.precisions[order]);
  }
  // A corpus without any n-gram of some order has no score.
  if (order == orders)
    bleu.score = bleu.brevityPenalty * std::exp(logarithms / orders);
  return bleu;
}

std::string Bleu::text() const {
  char line[160];
  std::snprintf(line, sizeof(line),
                "BLEU %.2f (%.1f/%.1f/%.1f/%.1f, brevity %.3f, length %lld/%lld)", score,
                precisions[0], precisions[1], precisions[2], precisions[3], brevityPenalty,
                static_cast<long long>(systemLength), static_cast<long long>(referenceLength));
  return line;
}
