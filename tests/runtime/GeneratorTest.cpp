// Going on with texts, with a model that counts: after each token it says the next larger one.
#include "runtime/decode/Generator.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FakeModel.h"

#include <algorithm>

using namespace axloom::runtime;
using testing::ElementsAre;
using testing::Pair;

namespace {

// ---- the model ----

constexpr int64_t vocabulary = 20, capacity = 8;

// Tokens that the functions were called with, and where they stand in their texts.
std::vector<std::pair<int32_t, int32_t>> prefilled, heard;

template <class T> T *dataOf(const axl_tensor &tensor) {
  return reinterpret_cast<T *>(reinterpret_cast<char *>(tensor.memory) + tensor.offset);
}

int prefill(axl_context *, const axl_tensor *arguments, const axl_tensor *) {
  const axl_tensor &tokens = arguments[0];
  for (int64_t i = 0; i < tokens.extent[0] * tokens.extent[1]; ++i)
    prefilled.emplace_back(dataOf<int32_t>(tokens)[i], int32_t(i % tokens.extent[1]));
  return AXL_OK;
}

int count(axl_context *context, const axl_tensor *arguments, const axl_tensor *results) {
  for (int64_t row = 0; row < arguments[0].extent[0]; ++row) {
    int32_t token = dataOf<int32_t>(arguments[0])[row];
    int32_t position = dataOf<int32_t>(arguments[1])[row];
    heard.emplace_back(token, position);
    EXPECT_LT(position, axl_variable(context, 0)->extent[1]);
    float *logits = dataOf<float>(results[0]) + row * vocabulary;
    std::fill_n(logits, vocabulary, 0.f);
    logits[token + 1] = 1;
  }
  return AXL_OK;
}

constexpr axl_extent sized(int32_t symbol) { return {1, {symbol, -1, -1, -1}}; }

enum { B, S, P };
const axl_symbol symbols[] = {{"B", 4, AXL_SIZE_FREE, {}},
                              {"S", capacity, AXL_SIZE_FREE, {}},
                              {"P", capacity, AXL_SIZE_FREE, {}}};
const char *const axes[] = {"batch", "position"}, *const logitAxes[] = {"batch", "token"};
const axl_extent texts[] = {sized(B), sized(S)}, cache[] = {sized(B), sized(P)},
                 logitExtents[] = {sized(B), {vocabulary, {-1, -1, -1, -1}}};
const axl_variable_info keys{
    {"keys", AXL_F32, 2, axes, cache, nullptr, -1}, AXL_SESSION, AXL_INIT_ZEROS, {}};
const axl_value beginnings{"tokens_in", AXL_I32, 2, axes, texts, nullptr, -1};
const axl_value stepArguments[] = {{"token", AXL_I32, 1, axes, texts, nullptr, -1},
                                   {"position", AXL_I32, 1, axes, texts, nullptr, -1}};
const axl_value logits{"logits", AXL_F32, 2, logitAxes, logitExtents, nullptr, -1};
const axl_function functions[] = {
    {"prefill", 1, &beginnings, 0, nullptr, 1, 0, prefill, -1, 0, nullptr},
    {"decode_step", 2, stepArguments, 1, &logits, 1, 0, count, -1, 0, nullptr}};
const axl_model counter = {AXL_ABI_VERSION, "counter", "0",     "x86-64-linux",
                           "cpu",           0,         nullptr, 3,
                           symbols,         1,         &keys,   2,
                           functions,       0,         nullptr, 0,
                           nullptr,         0,         nullptr};

// ---- the tests ----

using Texts = std::vector<std::vector<int32_t>>;

Texts generate(const Texts &beginnings, const GeneratorOptions &options,
               const Listener &listener = {}) {
  prefilled.clear();
  heard.clear();
  std::vector<Prompt> prompts;
  for (const std::vector<int32_t> &beginning : beginnings)
    prompts.push_back({beginning});
  Model model(counter);
  return Generator(model, options).generate(prompts, listener);
}

// What follows these prompts, up to the token 9.
Texts generate(const Texts &beginnings, int64_t tokens = 0) {
  return generate(beginnings, {.ends = {9}, .tokens = tokens, .sampling = {.temperature = 0}});
}

TEST(Generator, HearsWhatItSaysUpToTheEnd) {
  EXPECT_EQ(generate({{4, 5}}), (Texts{{6, 7, 8}}));
  EXPECT_THAT(prefilled, ElementsAre(Pair(4, 0)));
  EXPECT_THAT(heard, ElementsAre(Pair(5, 1), Pair(6, 2), Pair(7, 3), Pair(8, 4)));
}

TEST(Generator, APromptOfOneTokenIsAllThatIsHeardFirst) {
  EXPECT_EQ(generate({{7}}), (Texts{{8}}));
  EXPECT_TRUE(prefilled.empty());
  EXPECT_THAT(heard, ElementsAre(Pair(7, 0), Pair(8, 1)));
}

TEST(Generator, SaysAsManyTokensAsAskedFor) {
  EXPECT_EQ(generate({{4, 5}}, 2), (Texts{{6, 7}}));
  EXPECT_THAT(heard, ElementsAre(Pair(5, 1), Pair(6, 2)));
}

TEST(Generator, EachTextHasPositionsOfItsOwn) {
  EXPECT_EQ(generate({{3, 4, 5}, {7}, {2}}, 2), (Texts{{6, 7}, {8}, {3, 4}}));
  EXPECT_THAT(heard, testing::IsSupersetOf(
                         {Pair(5, 2), Pair(6, 3), Pair(7, 0), Pair(8, 1), Pair(2, 0), Pair(3, 1)}));
}

TEST(Generator, TakesNoMoreTextsAtOnceThanTheModel) {
  EXPECT_EQ(generate(Texts(10, {6})), Texts(10, {7, 8})); // at most 4
}

TEST(Generator, SaysAsMuchAsThereIsRoomFor) {
  EXPECT_EQ(generate({std::vector<int32_t>(capacity, 4)}), (Texts{{5}}));
  EXPECT_EQ(generate({std::vector<int32_t>(capacity - 1, 4)}), (Texts{{5, 6}}));
  EXPECT_EQ(generate({{0, 0}}, capacity - 1), (Texts{{1, 2, 3, 4, 5, 6, 7}}));
}

TEST(Generator, TheFirstOfSeveralEndsIsTheEnd) {
  SamplingOptions greedy{.temperature = 0};
  EXPECT_EQ(generate({{4, 5}, {6}}, {.ends = {9, 7}, .sampling = greedy}), (Texts{{6}, {}}));
  EXPECT_EQ(generate({{7}}, {.ends = {9, 7}, .sampling = greedy}), (Texts{{8}}));
  EXPECT_EQ(generate({{8}}, {.ends = {}, .tokens = 3, .sampling = greedy}), (Texts{{9, 10, 11}}));
}

// The logits of those that it may say are all the same after 5.
TEST(Generator, SaysOnlyUnitsThatThereAre) {
  SamplingOptions greedy{.temperature = 0};
  EXPECT_EQ(generate({{4}}, {.ends = {}, .units = 6, .tokens = 3, .sampling = greedy}),
            (Texts{{5, 0, 1}}));
  EXPECT_EQ(generate({{4}}, {.ends = {}, .units = vocabulary + 1, .tokens = 3, .sampling = greedy}),
            (Texts{{5, 6, 7}}));
}

// Each token before the next one is made, with the number of its prompt; the shortest prompt is
// the first of the batch.
TEST(Generator, AListenerHearsWhatIsSaid) {
  std::vector<std::pair<size_t, int32_t>> told;
  std::vector<size_t> steps; // that were made before
  GeneratorOptions options{.ends = {9}, .tokens = 2, .sampling = {.temperature = 0}};
  generate({{3, 4, 5}, {8}}, options, [&](size_t prompt, int32_t token) {
    told.emplace_back(prompt, token);
    steps.push_back(heard.size() / 2);
  });
  EXPECT_THAT(told, ElementsAre(Pair(0, 6), Pair(0, 7))); // the other one ends at once
  EXPECT_THAT(steps, ElementsAre(1, 2));
}

TEST(Generator, PromptsThatDoNotFitAreErrors) {
  expectError(AXL_ERROR_SIZE,
              "prompt 2 has 9 tokens, but model 'counter' was compiled for 8 positions",
              [] { generate({{4}, std::vector<int32_t>(capacity + 1, 4)}); });
  expectError(AXL_ERROR_SIZE,
              "prompt 1 has 2 tokens, and 8 more were asked for, but model 'counter' was compiled "
              "for 8 positions",
              [] { generate({{0, 0}}, capacity); });
}

TEST(Generator, EmptyPromptsAreErrors) {
  expectError(AXL_ERROR_ARGUMENT,
              "prompt 2 is empty; a text needs at least one token to go on from",
              [] { generate({{4}, {}}); });
}

TEST(Generator, NeedsASuitableModel) {
  Model model(fake::model);
  expectError(AXL_ERROR_ARGUMENT,
              "generating text needs 'decode_step' of model 'fake' to have an argument 'position', "
              "i32 [batch], and one result, logits, f32 [batch, vocabulary]",
              [&] { Generator(model, {}); });
}

} // namespace
