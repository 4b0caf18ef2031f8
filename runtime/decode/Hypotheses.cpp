#include "runtime/decode/Hypotheses.h"

#include "runtime/decode/Sampler.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;

namespace {

// The logarithm of the sum of exponentials, at least the largest logit: no probability is above 1.
double logSum(std::span<const float> logits, float largest) {
  double sum = 0;
  for (float logit : logits)
    sum += std::exp(logit - largest);
  return largest + std::log(sum);
}

} // namespace

Hypotheses::Hypotheses(const SearchOptions &options)
    : options(options), beginnings{Hypothesis{{options.begin}}}, bestScore(-INFINITY),
      places(options.beams) {}

double Hypotheses::score(double logProbability, int64_t tokens) const {
  return logProbability / std::pow((5 + double(tokens)) / 6, options.lengthPenalty);
}

// The likeliest tokens after this beginning, as many as there are places. Logits say which they
// are, since sums may round different ones to the same.
void Hypotheses::consider(size_t beginning, std::span<const float> logits) {
  checkLogits(logits);
  likeliest.clear(); // falling, and of equal ones the smaller id first
  auto isAhead = [&](float logit, int32_t token) { return logit > logits[size_t(token)]; };
  for (size_t token = 0; token < logits.size(); ++token) {
    float logit = logits[token];
    bool isFull = int64_t(likeliest.size()) == places;
    if (logit == -INFINITY || (isFull && !isAhead(logit, likeliest.back())))
      continue;
    if (isFull)
      likeliest.pop_back();
    likeliest.insert(std::upper_bound(likeliest.begin(), likeliest.end(), logit, isAhead),
                     int32_t(token));
  }
  double whole = logSum(logits, logits[size_t(likeliest.front())]),
         before = beginnings[beginning].logProbability;
  for (int32_t token : likeliest)
    candidates.push_back({before + (logits[size_t(token)] - whole), beginning, token});
}

void Hypotheses::keep(const Candidate &candidate, std::vector<Hypothesis> &next) {
  const std::vector<int32_t> &tokens = beginnings[candidate.parent].tokens;
  if (candidate.token != options.end) {
    next.push_back({tokens, candidate.logProbability, candidate.parent});
    next.back().tokens.push_back(candidate.token);
    return;
  }
  --places;
  double ended = score(candidate.logProbability, length);
  if (ended > bestScore) {
    best.tokens = tokens;
    bestScore = ended;
  }
}

void Hypotheses::extend(std::span<const std::span<const float>> logits) {
  ++length;
  candidates.clear();
  for (size_t beginning = 0; beginning < beginnings.size(); ++beginning)
    consider(beginning, logits[beginning]);
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto &a, const auto &b) {
    return a.logProbability > b.logProbability;
  });
  candidates.resize(std::min(candidates.size(), size_t(places)));
  std::vector<Hypothesis> next;
  for (const Candidate &candidate : candidates)
    keep(candidate, next);
  beginnings = std::move(next);

  if (length == options.limit && bestScore == -INFINITY)
    best = beginnings.front();
  if (length == options.limit || beginnings.empty() ||
      score(beginnings.front().logProbability, options.limit) <= bestScore)
    beginnings.clear();
}
