// Sampling: which tokens can be drawn, with which probabilities, and that draws follow them.
#include "runtime/decode/Sampler.h"
#include "tests/runtime/Expect.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace axloom::runtime;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Logits of these probabilities.
std::vector<float> logitsOf(std::initializer_list<double> probabilities) {
  std::vector<float> logits;
  for (double probability : probabilities)
    logits.push_back(float(std::log(probability)));
  return logits;
}

std::vector<int32_t> tokens(std::span<const Sampler::Candidate> candidates) {
  std::vector<int32_t> ids;
  for (const Sampler::Candidate &candidate : candidates)
    ids.push_back(candidate.token);
  return ids;
}

void expectProbabilities(const SamplingOptions &options, const std::vector<float> &logits,
                         std::initializer_list<std::pair<int32_t, double>> expected) {
  Sampler sampler(options);
  auto found = sampler.candidates(logits);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].token, expected.begin()[i].first);
    EXPECT_NEAR(found[i].probability, expected.begin()[i].second, 1e-7);
  }
}

// Pearson's chi-square of many draws against the candidates' probabilities, which have to be all
// that is drawn.
double chiSquare(const SamplingOptions &options, const std::vector<float> &logits, uint32_t seed,
                 int draws) {
  Sampler sampler(options);
  std::vector<int> counts(logits.size());
  for (int position = 0; position < draws; ++position)
    ++counts[size_t(sampler(logits, seed, uint32_t(position)))];
  double sum = 0;
  int seen = 0;
  for (const Sampler::Candidate &candidate : sampler.candidates(logits)) {
    double expected = candidate.probability * draws, count = counts[size_t(candidate.token)];
    sum += (count - expected) * (count - expected) / expected;
    seen += int(count);
  }
  EXPECT_EQ(seen, draws) << "something was drawn that no candidate is";
  return sum;
}

class SamplerTest : public testing::Test {
protected:
  const std::vector<float> five = logitsOf({0.1, 0.4, 0.05, 0.25, 0.2});
};

TEST_F(SamplerTest, WithoutLimitsProbabilitiesAreTheSoftmax) {
  expectProbabilities({}, five, {{1, 0.4}, {3, 0.25}, {4, 0.2}, {0, 0.1}, {2, 0.05}});
}

TEST_F(SamplerTest, TemperatureSharpensAndFlattens) {
  double sum = 0.4 * 0.4 + 0.25 * 0.25 + 0.2 * 0.2 + 0.1 * 0.1 + 0.05 * 0.05;
  expectProbabilities(
      {.temperature = 0.5}, five,
      {{1, 0.16 / sum}, {3, 0.0625 / sum}, {4, 0.04 / sum}, {0, 0.01 / sum}, {2, 0.0025 / sum}});
  Sampler flat({.temperature = 1e6});
  for (const Sampler::Candidate &candidate : flat.candidates(five))
    EXPECT_NEAR(candidate.probability, 0.2, 1e-5);
}

TEST_F(SamplerTest, TopKKeepsTheLikeliest) {
  expectProbabilities({.topK = 2}, five, {{1, 0.4 / 0.65}, {3, 0.25 / 0.65}});
  EXPECT_EQ(Sampler({.topK = 9}).candidates(five).size(), 5u);
}

TEST_F(SamplerTest, TopPKeepsTheFewestThatHaveTheShare) {
  for (auto [share, size] : {std::pair(0.01, 1u),
                             {0.39, 1u},
                             {0.41, 2u},
                             {0.64, 2u},
                             {0.66, 3u},
                             {0.84, 3u},
                             {0.86, 4u},
                             {0.96, 5u},
                             {1.0, 5u}})
    EXPECT_EQ(Sampler({.topP = share}).candidates(five).size(), size) << share;
  expectProbabilities({.topP = 0.5}, five, {{1, 0.4 / 0.65}, {3, 0.25 / 0.65}});
}

TEST_F(SamplerTest, TopPSharesOutWhatTopKLeaves) {
  // Of 0.4, 0.25 and 0.2 the first two have 0.76.
  EXPECT_THAT(tokens(Sampler({.topK = 3, .topP = 0.75}).candidates(five)), ElementsAre(1, 3));
  EXPECT_THAT(tokens(Sampler({.topK = 3, .topP = 0.77}).candidates(five)), ElementsAre(1, 3, 4));
}

TEST_F(SamplerTest, OfEqualTokensTheSmallerIdComesFirst) {
  std::vector<float> ties = {1, 2, 2, 0, 2};
  EXPECT_THAT(tokens(Sampler({.topK = 2}).candidates(ties)), ElementsAre(1, 2));
  EXPECT_THAT(tokens(Sampler({.topP = 0.1}).candidates(ties)), ElementsAre(1));
  EXPECT_THAT(tokens(Sampler({.temperature = 0}).candidates(ties)), ElementsAre(1));
  EXPECT_EQ(likeliest(ties), 1);
}

TEST_F(SamplerTest, AllOfALargeVocabularyAreInOrder) {
  std::vector<float> logits;
  for (int token = 0; token < 5000; ++token)
    logits.push_back(float(token * 37 % 1000) / 100); // each value five times
  auto before = [&](int32_t a, int32_t b) {
    return logits[size_t(a)] > logits[size_t(b)] ||
           (logits[size_t(a)] == logits[size_t(b)] && a < b);
  };
  for (const SamplingOptions &options :
       {SamplingOptions{}, {.topP = 0.999}, {.topK = 700}, {.topK = 4000, .topP = 0.9}}) {
    std::vector<int32_t> found = tokens(Sampler(options).candidates(logits));
    EXPECT_GT(found.size(), 600u);
    EXPECT_TRUE(std::ranges::is_sorted(found, before));
  }
}

TEST_F(SamplerTest, TemperatureZeroAndTopOneAreGreedy) {
  Sampler zero({.temperature = 0}), one({.topK = 1}), narrow({.topP = 1e-9});
  for (uint32_t position = 0; position < 200; ++position) {
    EXPECT_EQ(zero(five, 1, position), 1);
    EXPECT_EQ(one(five, 1, position), 1);
    EXPECT_EQ(narrow(five, 1, position), 1);
  }
}

// 99.9 % of all chi-squares of four degrees of freedom are below 18.5.
TEST_F(SamplerTest, DrawsFollowTheProbabilities) {
  for (uint32_t seed : {1u, 2u, 3u}) {
    EXPECT_LT(chiSquare({}, five, seed, 20000), 18.5) << seed;
    EXPECT_LT(chiSquare({.temperature = 2}, five, seed, 20000), 18.5) << seed;
    EXPECT_LT(chiSquare({.temperature = 0.5}, five, seed, 20000), 18.5) << seed;
    EXPECT_LT(chiSquare({.topK = 3}, five, seed, 20000), 13.9) << seed;   // two
    EXPECT_LT(chiSquare({.topP = 0.9}, five, seed, 20000), 16.3) << seed; // three
  }
}

// The same over seeds, as of many samples of one prompt: 127 degrees of freedom, 181.
TEST_F(SamplerTest, SeedsAreIndependent) {
  std::vector<float> logits(128, 0.0f);
  Sampler sampler({});
  std::vector<int> counts(logits.size());
  const int draws = 40000;
  for (int seed = 0; seed < draws; ++seed)
    ++counts[size_t(sampler(logits, uint32_t(seed), 7))];
  double sum = 0, expected = double(draws) / 128;
  for (int count : counts)
    sum += (count - expected) * (count - expected) / expected;
  EXPECT_LT(sum, 181);
}

TEST_F(SamplerTest, RareTokensAreDrawnAsRarely) {
  std::vector<float> logits = {0, float(std::log(1e-3))};
  Sampler sampler({});
  int rare = 0;
  for (uint32_t position = 0; position < 200000; ++position)
    rare += sampler(logits, 5, position);
  EXPECT_NEAR(rare, 200, 60); // four standard deviations
}

TEST_F(SamplerTest, SeedAndPositionDecide) {
  Sampler first({}), second({});
  std::vector<int32_t> a, b, other;
  for (uint32_t position = 0; position < 50; ++position) {
    a.push_back(first(five, 1, position));
    other.push_back(first(five, 2, position));
  }
  for (uint32_t position = 50; position-- > 0;)
    b.insert(b.begin(), second(five, 1, position));
  EXPECT_EQ(a, b);
  EXPECT_NE(a, other);
}

TEST_F(SamplerTest, WhatIsMinusInfinityIsNeverDrawn) {
  std::vector<float> logits = {-infinity, 0, -infinity, 0};
  Sampler sampler({});
  for (uint32_t position = 0; position < 1000; ++position)
    EXPECT_EQ(sampler(logits, 1, position) % 2, 1);
}

TEST_F(SamplerTest, LargeLogitsDoNotOverflow) {
  expectProbabilities({.temperature = 1e-30}, {3e38f, -3e38f}, {{0, 1}, {1, 0}});
}

TEST_F(SamplerTest, LogitsThatAreNotFiniteAreErrors) {
  for (double temperature : {0.0, 1.0}) {
    Sampler sampler({.temperature = temperature});
    expectError(AXL_ERROR_NOT_FINITE, HasSubstr("the logit of token 1 is nan"),
                [&] { sampler(std::vector<float>{0, std::nanf(""), 0}, 1, 0); });
    expectError(AXL_ERROR_NOT_FINITE, HasSubstr("the logit of token 2 is inf"),
                [&] { sampler(std::vector<float>{0, 0, infinity}, 1, 0); });
    expectError(AXL_ERROR_NOT_FINITE, "no token can follow: all logits are minus infinity",
                [&] { sampler(std::vector<float>{-infinity, -infinity}, 1, 0); });
  }
}

TEST_F(SamplerTest, OptionsThatMeanNothingAreErrors) {
  expectError(AXL_ERROR_ARGUMENT, "sampling with temperature -0.5; it must be a number from 0",
              [] { Sampler({.temperature = -0.5}); });
  expectError(AXL_ERROR_ARGUMENT, "sampling with temperature nan; it must be a number from 0",
              [] { Sampler({.temperature = std::nan("")}); });
  expectError(AXL_ERROR_ARGUMENT,
              "sampling with top-k -1; it must be a number from 1, or 0 for all tokens",
              [] { Sampler({.topK = -1}); });
  for (double share : {0.0, -0.1, 1.1})
    expectError(AXL_ERROR_ARGUMENT,
                concat("sampling with top-p ", share, "; it must be above 0 and at most 1"),
                [&] { Sampler({.topP = share}); });
}

} // namespace
