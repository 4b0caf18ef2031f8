#include "runtime/decode/Sampler.h"

#include "runtime/Random.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime;
namespace counters = axloom::random; // ::random is the C library's

namespace {

enum Site : uint32_t { TokenSite = 1 };

// Uniform in [0, 1), with all bits of a double.
double draw(uint32_t seed, uint32_t position) {
  auto key = counters::Key::of(seed, position, TokenSite);
  uint64_t high = counters::bits(key, key.start);
  uint64_t low = counters::bits(key, key.start + counters::coordinateFactors[0]);
  return double((high << 21) | (low >> 11)) * 0x1p-53;
}

void require(bool right, const char *what, double found, const char *expected) {
  if (!right)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("sampling with ", what, " ", found, "; it must be ", expected));
}

} // namespace

Sampler::Sampler(const SamplingOptions &options) : options(options) {
  require(options.temperature >= 0 && std::isfinite(options.temperature), "temperature",
          options.temperature, "a number from 0");
  require(options.topK >= 0, "top-k", double(options.topK), "a number from 1, or 0 for all tokens");
  require(options.topP > 0 && options.topP <= 1, "top-p", options.topP, "above 0 and at most 1");
}

// Each token with the exponential of its logit; of them the topK likeliest, sorted, if there is
// such a limit. Returns the sum.
double Sampler::weigh(std::span<const float> logits) {
  checkLogits(logits);
  double largest = *std::max_element(logits.begin(), logits.end());
  kept.clear();
  for (size_t token = 0; token < logits.size(); ++token)
    kept.push_back({int32_t(token), std::exp((logits[token] - largest) / options.temperature)});
  sorted = 0;
  if (options.topK > 0) {
    sortTo(logits, size_t(options.topK));
    kept.resize(sorted);
  }
  double sum = 0;
  for (const Candidate &candidate : kept)
    sum += candidate.probability;
  return sum;
}

// The likeliest of what is not sorted yet, up to so many in all.
void Sampler::sortTo(std::span<const float> logits, size_t count) {
  auto before = [&](const Candidate &a, const Candidate &b) {
    float x = logits[size_t(a.token)], y = logits[size_t(b.token)];
    return x > y || (x == y && a.token < b.token);
  };
  auto begin = kept.begin() + int64_t(sorted);
  sorted = std::min(count, kept.size());
  auto end = kept.begin() + int64_t(sorted);
  std::nth_element(begin, end, kept.end(), before);
  std::sort(begin, end, before);
}

const Sampler::Candidate &Sampler::at(std::span<const float> logits, size_t index) {
  constexpr size_t first = 64, growth = 4;
  if (index >= sorted)
    sortTo(logits, std::max(first, growth * sorted));
  return kept[index];
}

// Leaves the nucleus, of all that weighs `sum`; returns what it weighs.
double Sampler::cut(std::span<const float> logits, double sum) {
  if (options.topP == 1)
    return sum;
  double nucleus = 0;
  size_t size = 0;
  while (size < kept.size() && nucleus < options.topP * sum)
    nucleus += at(logits, size++).probability;
  kept.resize(size);
  sorted = std::min(sorted, size);
  return nucleus;
}

std::span<const Sampler::Candidate> Sampler::candidates(std::span<const float> logits) {
  if (options.temperature == 0) {
    kept = {{likeliest(logits), 1}};
    return kept;
  }
  double sum = cut(logits, weigh(logits));
  sortTo(logits, kept.size());
  for (Candidate &candidate : kept)
    candidate.probability /= sum;
  return kept;
}

int32_t Sampler::operator()(std::span<const float> logits, uint32_t seed, uint32_t position) {
  if (options.temperature == 0)
    return likeliest(logits);
  double left = draw(seed, position) * cut(logits, weigh(logits));
  int32_t drawn = 0;
  for (size_t index = 0; index < kept.size(); ++index) {
    const Candidate &candidate = at(logits, index);
    if (candidate.probability == 0) // and so are all that follow
      break;
    drawn = candidate.token;
    left -= candidate.probability;
    if (left < 0)
      break;
  }
  return drawn;
}

void axloom::runtime::checkLogits(std::span<const float> logits) {
  bool possible = false;
  for (size_t token = 0; token < logits.size(); ++token) {
    if (std::isnan(logits[token]) || logits[token] == INFINITY)
      throw Error(AXL_ERROR_NOT_FINITE,
                  concat("the logit of token ", token, " is ", logits[token],
                         ": the model's numbers have left what f32 holds; is its checkpoint the "
                         "right one?"));
    possible |= std::isfinite(logits[token]);
  }
  if (!possible)
    throw Error(AXL_ERROR_NOT_FINITE, "no token can follow: all logits are minus infinity");
}

int32_t axloom::runtime::likeliest(std::span<const float> logits) {
  checkLogits(logits);
  return int32_t(std::max_element(logits.begin(), logits.end()) - logits.begin());
}
