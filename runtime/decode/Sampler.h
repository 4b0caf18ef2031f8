// Draws the next token of a text from logits: temperature, the k likeliest, the nucleus (Holtzman
// et al. 2020). Test: tests/runtime/SamplerTest.cpp, against the exact distributions
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace axloom::runtime {

struct SamplingOptions {
  double temperature = 1; // logits are divided by it; 0: always the likeliest token
  int64_t topK = 0;       // only so many of the likeliest tokens; 0: all
  double topP = 1;        // then only the fewest of the likeliest that have this share together
};

class Sampler {
public:
  struct Candidate {
    int32_t token;
    double probability;
  };

  // Throws AXL_ERROR_ARGUMENT for options that mean nothing.
  explicit Sampler(const SamplingOptions &options);

  // What can be drawn: the likeliest first, of equal ones the smaller id first, so that ties are
  // cut in the same place everywhere. Valid until the next call. Logits that are not finite throw
  // AXL_ERROR_NOT_FINITE, but for minus infinity, which is never drawn.
  std::span<const Candidate> candidates(std::span<const float> logits);

  // Draws a token. The same seed, position and logits always give the same one.
  int32_t operator()(std::span<const float> logits, uint32_t seed, uint32_t position);

private:
  double weigh(std::span<const float> logits);
  double cut(std::span<const float> logits, double sum);
  const Candidate &at(std::span<const float> logits, size_t index);
  void sortTo(std::span<const float> logits, size_t count);

  SamplingOptions options;
  std::vector<Candidate> kept;
  size_t sorted = 0; // of `kept`: to draw takes few of them, and there may be 100,000
};

// Throws as above if no token can be told to follow upon these.
void checkLogits(std::span<const float> logits);

// The token with the largest logit, of equal ones the smallest id; throws as above.
int32_t likeliest(std::span<const float> logits);

} // namespace axloom::runtime
