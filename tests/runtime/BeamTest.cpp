// Beam search, with models whose logits follow from the source and all that was said so far: what
// they have heard lies in the session, so that rows that change places wrongly would show.
#include "runtime/decode/Beam.h"
#include "runtime/decode/Greedy.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace axloom::runtime;

namespace {

using Tokens = std::vector<int32_t>;

constexpr int32_t end = 0, a = 1, b = 2, vocabulary = 3, begin = 8, padding = 9;

// The logits of what follows upon tokens said of a source, without begin.
using Answer = std::function<std::vector<float>(const Tokens &source, const Tokens &said)>;

// The fake model with these logits, and with reorder.
class SayingModel {
public:
  explicit SayingModel(Answer logits) {
    answer = std::move(logits);
    parents.clear();
    steps = 0;
    symbols[0].maximum = 128;
    model.symbols = symbols.data();
    model.functions = functions.data();
    model.function_count = int32_t(functions.size());
  }

  axl_model model = fake::model;
  static inline int steps;
  static inline std::vector<Tokens> parents; // of each call of reorder

private:
  enum { Heard = 3, Said = 4 };

  static int32_t *elements(const axl_tensor &tensor) {
    return reinterpret_cast<int32_t *>(reinterpret_cast<char *>(tensor.memory) + tensor.offset);
  }
  static const axl_function &original(std::string_view name) {
    return *std::find_if(fake::model.functions, fake::model.functions + fake::model.function_count,
                         [&](const axl_function &function) { return function.name == name; });
  }
  static int decodeStep(axl_context *context, const axl_tensor *arguments,
                        const axl_tensor *results) {
    ++steps;
    const axl_tensor &heard = *axl_variable(context, Heard), &said = *axl_variable(context, Said);
    int32_t position = *elements(arguments[1]);
    for (int64_t row = 0; row < heard.extent[0]; ++row) {
      int32_t *source = elements(heard) + row * heard.stride[0];
      int32_t *words = elements(said) + row * said.stride[0];
      words[position] = elements(arguments[0])[row];
      std::vector<float> logits = answer({source, std::find(source, source + heard.extent[1], end)},
                                         {words + 1, words + position + 1});
      std::ranges::copy(logits, reinterpret_cast<float *>(elements(results[0])) + row * vocabulary);
    }
    return AXL_OK;
  }
  static int reorder(axl_context *context, const axl_tensor *arguments, const axl_tensor *) {
    const axl_tensor &said = *axl_variable(context, Said);
    int64_t rows = said.extent[0], capacity = said.extent[1];
    const Tokens old(elements(said), elements(said) + rows * capacity);
    const Tokens from(elements(arguments[0]), elements(arguments[0]) + rows);
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(old.begin() + from[size_t(row)] * capacity, capacity,
                  elements(said) + row * capacity);
    parents.push_back(from);
    return AXL_OK;
  }

  static inline Answer answer;
  static constexpr const char *axes[] = {"batch", "vocabulary"};
  static constexpr axl_extent extents[] = {{1, {0, -1, -1, -1}}, {vocabulary, {-1, -1, -1, -1}}};
  static constexpr axl_value results[] = {{"logits", AXL_F32, 2, axes, extents, nullptr, 0}};
  static constexpr axl_value arguments[] = {{"parent", AXL_I32, 1, axes, extents, nullptr, 0}};
  std::vector<axl_symbol> symbols{fake::model.symbols,
                                  fake::model.symbols + fake::model.symbol_count};
  std::vector<axl_function> functions{
      original("encode"),
      {"decode_step", 2, original("decode_step").arguments, 1, results, 1, 0, decodeStep, 0, 0,
       nullptr},
      {"reorder", 1, arguments, 0, nullptr, 1, 0, reorder, 0, 0, nullptr}};
};

BeamOptions options(int64_t beams, int64_t maximumLength, double lengthPenalty = 0.6) {
  BeamOptions made;
  made.beams = beams;
  made.lengthPenalty = lengthPenalty;
  made.begin = begin;
  made.end = end;
  made.padding = padding;
  made.maximumLength = maximumLength;
  return made;
}

std::vector<Tokens> decode(const SayingModel &saying, const std::vector<Tokens> &sources,
                           const BeamOptions &options) {
  Model model(saying.model);
  return Beam(model, options).decode(sources);
}

// The answer to the empty source.
Tokens decode(const SayingModel &saying, const BeamOptions &options) {
  return decode(saying, {Tokens()}, options)[0];
}

// Any distributions, others for each source and for all that was said.
std::vector<float> anything(const Tokens &source, const Tokens &said) {
  Tokens all = source;
  all.push_back(-1);
  all.insert(all.end(), said.begin(), said.end());
  std::seed_seq seed(all.begin(), all.end());
  std::mt19937 bits(seed);
  std::vector<float> logits(vocabulary);
  for (float &logit : logits)
    logit = float(bits() % 1000) / 250;
  return logits;
}

// Sources of 0 to 5 tokens.
std::vector<Tokens> sources(size_t count) {
  std::vector<Tokens> made(count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < i % 6; ++j)
      made[i].push_back(int32_t(3 + (i * 7 + j) % 5));
  return made;
}

// Logits of these probabilities.
std::vector<float> likely(double ofEnd, double ofA, double ofB) {
  return {float(std::log(ofEnd)), float(std::log(ofA)), float(std::log(ofB))};
}

// The best of all that end within `left` more tokens, and its score.
std::pair<double, Tokens> best(const Answer &answer, const Tokens &source, const Tokens &said,
                               double logProbability, int64_t left, double lengthPenalty) {
  std::pair<double, Tokens> found{-INFINITY, {}};
  if (left == 0)
    return found;
  std::vector<float> logits = answer(source, said);
  double sum = 0;
  for (float logit : logits)
    sum += std::exp(double(logit));
  auto with = [&](int32_t token) {
    return logProbability + double(logits[size_t(token)]) - std::log(sum);
  };
  found = {with(end) / std::pow((6 + double(said.size())) / 6, lengthPenalty), said};
  for (int32_t token : {a, b}) {
    Tokens longer = said;
    longer.push_back(token);
    found = std::max(found, best(answer, source, longer, with(token), left - 1, lengthPenalty));
  }
  return found;
}

TEST(Beam, WideBeamsFindTheBestOfAll) {
  SayingModel saying(anything);
  std::vector<Tokens> asked = sources(24);
  for (double lengthPenalty : {0.0, 0.6, 1.5}) {
    // 31 answers have at most 4 tokens or are such beginnings.
    std::vector<Tokens> found = decode(saying, asked, options(31, 4, lengthPenalty));
    for (size_t i = 0; i < asked.size(); ++i)
      EXPECT_EQ(found[i], best(anything, asked[i], {}, 0, 4, lengthPenalty).second)
          << "source " << i << ", length penalty " << lengthPenalty;
  }
}

TEST(Beam, OneIsGreedy) {
  SayingModel saying(anything);
  Model model(saying.model);
  std::vector<Tokens> asked = sources(40);
  EXPECT_EQ(Beam(model, options(1, 12)).decode(asked),
            Greedy(model, {.begin = begin, .end = end, .padding = padding, .maximumLength = 12})
                .decode(asked));
  EXPECT_THAT(SayingModel::parents, testing::IsEmpty());
}

TEST(Beam, AnswersDependOnTheirSourceAlone) {
  SayingModel saying(anything);
  Model model(saying.model);
  Beam beam(model, options(3, 12));
  std::vector<Tokens> asked = sources(30), together = beam.decode(asked);
  for (size_t i = 0; i < asked.size(); ++i)
    EXPECT_EQ(beam.decode(std::span(&asked[i], 1))[0], together[i]) << "source " << i;
  EXPECT_THAT(together, testing::Contains(testing::Not(testing::IsEmpty())));
  EXPECT_EQ(beam.decode(std::vector<Tokens>{}), std::vector<Tokens>{});
}

TEST(Beam, RowsStayWithTheirSentence) {
  SayingModel saying(anything);
  decode(saying, sources(12), options(3, 12));
  EXPECT_THAT(SayingModel::parents, testing::Not(testing::IsEmpty()));
  for (const Tokens &parents : SayingModel::parents) {
    bool stays = true;
    for (int32_t row = 0; row < int32_t(parents.size()); ++row) {
      EXPECT_EQ(parents[size_t(row)] / 3, row / 3);
      stays &= parents[size_t(row)] == row;
    }
    EXPECT_FALSE(stays) << "nothing was to be moved";
  }
}

// To end at once is likelier than each longer answer, but not for each of its tokens.
TEST(Beam, TheLengthPenaltyDecidesBetweenShortAndLong) {
  SayingModel saying([](const Tokens &, const Tokens &said) {
    if (said.empty())
      return likely(0.48, 0.47, 0.05);
    return said.size() < 2 ? likely(0.01, 0.98, 0.01) : likely(0.98, 0.01, 0.01);
  });
  EXPECT_EQ(decode(saying, options(2, 8, 0)), Tokens());
  EXPECT_EQ(decode(saying, options(2, 8, 0.6)), (Tokens{a, a}));
}

// Others have gone on before it is clear that none becomes better than what has ended at once.
TEST(Beam, WhatHasEndedIsNotLost) {
  SayingModel saying([](const Tokens &, const Tokens &said) {
    return said.empty() ? likely(0.4, 0.35, 0.25) : likely(0.2, 0.4, 0.4);
  });
  EXPECT_EQ(decode(saying, options(3, 8)), Tokens());
  EXPECT_GT(SayingModel::steps, 1);
}

TEST(Beam, EndsAsSoonAsNothingCanBeBetter) {
  SayingModel saying([](const Tokens &, const Tokens &said) {
    return said.size() == 2 ? likely(0.98, 0.01, 0.01) : likely(0.01, 0.98, 0.01);
  });
  EXPECT_EQ(decode(saying, options(3, 16, 0)), (Tokens{a, a}));
  EXPECT_EQ(SayingModel::steps, 3);
}

TEST(Beam, OfEqualOnesTheSmallerTokenComesFirst) {
  SayingModel saying([](const Tokens &, const Tokens &said) {
    return said.size() < 2 ? likely(0.2, 0.4, 0.4) : likely(0.8, 0.1, 0.1);
  });
  EXPECT_EQ(decode(saying, options(4, 8, 5)).front(), a);
}

TEST(Beam, TokensThatNeverFollowTakeNoPlace) {
  SayingModel saying([](const Tokens &, const Tokens &said) {
    return said.size() < 2 ? likely(0, 1, 0) : likely(1, 0, 0);
  });
  EXPECT_EQ(decode(saying, {Tokens(), {3}}, options(4, 8)), (std::vector<Tokens>{{a, a}, {a, a}}));
}

TEST(Beam, AnswersWithoutAnEndStopAtTheMaximumLength) {
  SayingModel saying([](const Tokens &source, const Tokens &) {
    return source.empty() ? likely(0.0001, 0.6, 0.3999) : likely(0.0001, 0.3999, 0.6);
  });
  EXPECT_EQ(decode(saying, {Tokens(), {3, 4}}, options(2, 3)),
            (std::vector<Tokens>{{a, a, a}, {b, b, b}}));
  BeamOptions brief = options(2, 16);
  brief.beyondSource = 1; // than the source, of which the end counts, too
  EXPECT_EQ(decode(saying, {Tokens(), {3, 4}}, brief), (std::vector<Tokens>{{a, a}, {b, b, b, b}}));
}

TEST(Beam, NumbersThatAreNotFiniteAreErrors) {
  SayingModel saying([](const Tokens &, const Tokens &) { return std::vector<float>{0, NAN, 0}; });
  expectError(AXL_ERROR_NOT_FINITE, testing::StartsWith("the logit of token 1 is nan"),
              [&] { decode(saying, options(2, 4)); });
}

TEST(Beam, NeedsASuitableModel) {
  Model model(fake::model);
  expectError(AXL_ERROR_ARGUMENT, "BeamOptions::beams is 0; expected at least 1",
              [&] { Beam(model, options(0, 8)); });
  expectError(AXL_ERROR_ARGUMENT, "BeamOptions::lengthPenalty is -0.5; expected a number from 0",
              [&] { Beam(model, options(4, 8, -0.5)); });
  expectError(AXL_ERROR_SIZE,
              "9 beams were asked for, but model 'fake' was compiled for at most 8 rows in a batch",
              [&] { Beam(model, options(9, 8)); });
  expectError(AXL_ERROR_SIZE, testing::StartsWith("answers of up to 17 tokens were asked for"),
              [&] { Beam(model, options(4, 17)); });
  expectError(AXL_ERROR_ARGUMENT,
              testing::StartsWith("model 'fake' has no function named 'reorder'; it has: "),
              [&] { Beam(model, options(4, 8)); });
  BeamOptions tokens = options(4, 8);
  tokens.reorder = "encode";
  expectError(AXL_ERROR_ARGUMENT,
              "beam search needs 'decode_step' of model 'fake' to have one result, logits, f32 "
              "[batch, vocabulary]",
              [&] { Beam(model, tokens); });
}

} // namespace
