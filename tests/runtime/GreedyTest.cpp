// Greedy decoding, with a model that says again what it has heard.
#include "runtime/decode/Greedy.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <algorithm>

using namespace axloom::runtime;

namespace {

using Sentences = std::vector<std::vector<int32_t>>;

// The fake model with a source_mask for encode and for decode_step: which tokens are real.
class MaskedModel {
public:
  MaskedModel()
      : functions(fake::model.functions, fake::model.functions + fake::model.function_count) {
    for (axl_function &function : functions) {
      bool encodes = function.name == std::string_view("encode");
      if (!encodes && function.name != std::string_view("decode_step"))
        continue;
      auto &arguments = encodes ? encodeArguments : stepArguments;
      arguments.assign(function.arguments, function.arguments + function.argument_count);
      arguments.push_back(encodeArguments[0]); // the source's shape
      arguments.back().name = "source_mask";
      arguments.back().type = AXL_I1;
      arguments.back().limits = nullptr;
      function.arguments = arguments.data();
      function.argument_count = int32_t(arguments.size());
      function.entry = encodes ? hearMask : hearMaskAgain;
    }
    model.functions = functions.data();
  }

  axl_model model = fake::model;
  static inline std::vector<std::vector<bool>> heard; // by encode, then by each step

private:
  static const axl_function &original(std::string_view name) {
    return *std::find_if(fake::model.functions, fake::model.functions + fake::model.function_count,
                         [&](const axl_function &function) { return function.name == name; });
  }
  static void hear(const axl_tensor &mask) {
    auto *begin = reinterpret_cast<const bool *>(mask.memory) + mask.offset;
    heard.emplace_back(begin, begin + mask.extent[0] * mask.extent[1]);
  }
  static int hearMask(axl_context *context, const axl_tensor *arguments,
                      const axl_tensor *results) {
    hear(arguments[1]);
    return original("encode").entry(context, arguments, results);
  }
  static int hearMaskAgain(axl_context *context, const axl_tensor *arguments,
                           const axl_tensor *results) {
    hear(arguments[2]);
    return original("decode_step").entry(context, arguments, results);
  }

  std::vector<axl_function> functions;
  std::vector<axl_value> encodeArguments, stepArguments;
};

TEST(Greedy, TellsWhichTokensOfTheSourceAreReal) {
  MaskedModel masked;
  Model model(masked.model);
  MaskedModel::heard.clear();
  Sentences sources{{5, 6}, {}};
  EXPECT_EQ(Greedy(model, {.maximumLength = 8}).decode(sources), sources);
  const std::vector<bool> real = {true, false, false, true, true, true}; // with the end of each
  ASSERT_EQ(MaskedModel::heard.size(), 4u); // encode, and three steps of the longer one
  for (const std::vector<bool> &mask : MaskedModel::heard)
    EXPECT_EQ(mask, real);
}

TEST(Greedy, AnswersComeInTheOrderOfTheSources) {
  Model model(fake::model);
  Greedy greedy(model, {.maximumLength = 8, .sentences = 2});
  Sentences sources{{5, 6, 7, 8}, {9}, {4, 4}, {8, 7, 6, 5, 4}, {}};
  EXPECT_EQ(greedy.decode(sources), sources);
}

TEST(Greedy, TakesNoMoreSentencesAtOnceThanTheModel) {
  Model model(fake::model); // at most 8
  Sentences sources(20, {5, 6});
  EXPECT_EQ(Greedy(model, {.maximumLength = 8}).decode(sources), sources);
}

TEST(Greedy, StopsAtTheMaximumLength) {
  Model model(fake::model);
  Greedy greedy(model, {.maximumLength = 3});
  EXPECT_EQ(greedy.decode(Sentences{{5, 6, 7, 8, 9}, {4}}), (Sentences{{5, 6, 7}, {4}}));
}

TEST(Greedy, CanBeUsedAgain) {
  Model model(fake::model);
  Greedy greedy(model, {.maximumLength = 8});
  EXPECT_EQ(greedy.decode(Sentences{{5}}), (Sentences{{5}}));
  EXPECT_EQ(greedy.decode(Sentences{{6, 7}, {8}}), (Sentences{{6, 7}, {8}}));
  EXPECT_EQ(greedy.decode(Sentences{}), Sentences{});
}

TEST(Greedy, SourcesThatAreTooLongAreErrors) {
  Model model(fake::model);
  Greedy greedy(model, {.maximumLength = 8});
  expectError(AXL_ERROR_SIZE,
              "size S of a session of model 'fake' is 21; it must be at least 0 and at most 16",
              [&] { greedy.decode(Sentences{std::vector<int32_t>(20, 4)}); });
}

TEST(Greedy, AnswersLongerThanTheModelAllowsAreErrors) {
  Model model(fake::model);
  expectError(
      AXL_ERROR_SIZE,
      "answers of up to 17 tokens were asked for, but model 'fake' was compiled for at most "
      "16 (size T)",
      [&] { Greedy(model, {.maximumLength = 17}); });
}

TEST(Greedy, NeedsASuitableModel) {
  Model model(fake::model);
  expectError(AXL_ERROR_ARGUMENT, "GreedyOptions::sentences is 0; expected at least 1",
              [&] { Greedy(model, {.maximumLength = 8, .sentences = 0}); });
  expectError(AXL_ERROR_ARGUMENT,
              "greedy decoding needs 'scale' of model 'fake' to have one result: the next token, "
              "i32 [batch], or logits, f32 [batch, vocabulary]",
              [&] { Greedy(model, {.step = "scale", .maximumLength = 8}); });
}

} // namespace
