// The real model, compiled at a small size: the whole way from the graph to translations.
#include "examples/translate/app/Attention.h"
#include "examples/translate/app/Data.h"
#include "examples/translate/app/Translator.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "tests/examples/AttentionRows.h"
#include "tests/examples/translate/RunTest.h"
#include "tests/runtime/DecodePng.h"
#include "translate_small.h"

#include <array>
#include <filesystem>
#include <gmock/gmock.h>

using namespace example;
using axloom::runtime::Model;
using axloom::runtime::Tensor;
using axloom::test::readFile;

namespace {

class SmallModelTest : public RunTest {
protected:
  // Parameters and state of the checkpoint, as bytes.
  std::string tensors() const {
    Model model(translate_small_model);
    axloom::runtime::loadCheckpoint(model, checkpoint());
    std::string bytes;
    for (int32_t i = 0; i < translate_small_model.variable_count; ++i) {
      if (translate_small_model.variables[i].kind == AXL_SESSION)
        continue;
      Tensor tensor = model.variable(translate_small_model.variables[i].value.name);
      bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
    }
    return bytes;
  }
};

TEST_F(SmallModelTest, LearnsToTranslate) {
  Finished trained = train({"--steps", "400", "--batch-tokens", "512"});
  ASSERT_EQ(trained.status, 0) << trained.errors;
  EXPECT_LT(numberAfter(trained.output, "validation perplexity "), 1.5);
  EXPECT_GT(numberAfter(trained.output, "test BLEU "), 80);
  Finished beams = train({"--minutes", "0", "--beams", "4"});
  EXPECT_GT(numberAfter(beams.output, "test BLEU "), 80) << beams.errors;

  // What stands beside a text does not change its translation.
  axl_set_threads(2);
  ModelShape shape = shapeOf(translate_small_model);
  Model model(translate_small_model);
  axloom::runtime::loadCheckpoint(model, checkpoint());
  auto vocabulary = loadVocabulary(toy.model + "/vocabulary.model", shape.vocabulary);
  std::vector<std::string> texts;
  for (const auto &pair : readCorpus(toy.data).test)
    texts.push_back(pair.source);
  for (int64_t beams : {1, 4}) {
    Translator translator(model, vocabulary, beams);
    std::vector<Translation> together = translator.translate(texts);
    for (size_t i = 0; i < texts.size(); ++i)
      EXPECT_EQ(translator.translate(std::span(&texts[i], 1))[0].text, together[i].text);
  }
}

// Two pairs, of which the first is padded.
TEST_F(SmallModelTest, AttentionWeightsSumToOneOverWhatIsVisible) {
  Model model(translate_small_model);
  Tensor source = Tensor::of<int32_t>({2, 5}), target = Tensor::of<int32_t>({2, 4});
  std::ranges::copy(std::array{9, 8, 3, 0, 0, 7, 6, 5, 4, 3}, source.view<int32_t>().data());
  std::ranges::copy(std::array{2, 9, 0, 0, 2, 9, 8, 7}, target.view<int32_t>().data());
  auto results = model.run("attention", {{"source", source}, {"target_in", target}});
  ASSERT_EQ(results.size(), 3u);
  auto ofSource = [](int64_t text, int64_t) { return text == 0 ? 3 : 5; };
  expectRows(results[0], ofSource);
  expectRows(results[1], [](int64_t text, int64_t query) {
    return std::min<int64_t>(text == 0 ? 2 : 4, query + 1);
  });
  expectRows(results[2], ofSource);
}

TEST_F(SmallModelTest, DrawsWhatItLooksAt) {
  ASSERT_EQ(train({"--steps", "20", "--batch-tokens", "512"}).status, 0);
  std::string text = readCorpus(toy.data).test[0].source, folder = toy.model + "/maps/of it";
  Finished plain = translate({text}), drawn = translate({"--attention", folder, text});
  EXPECT_EQ(drawn.status, 0) << drawn.errors;
  EXPECT_EQ(drawn.output, plain.output);
  for (const char *name : {"encoder", "decoder", "cross"}) {
    auto picture = axloom::runtime::decodePng(readFile(folder + "/" + name + ".png"));
    EXPECT_GT(picture.columns, 400u) << name;
    EXPECT_GT(picture.rows, 200u) << name;
  }

  // A translation that found no end is as long as the model takes.
  ModelShape shape = shapeOf(translate_small_model);
  Model model(translate_small_model);
  auto vocabulary = loadVocabulary(toy.model + "/vocabulary.model", shape.vocabulary);
  Translation endless;
  endless.source = {9, 8};
  endless.target.assign(24, 7);
  drawAttention(model, vocabulary, endless, folder + "/endless");
  EXPECT_TRUE(std::filesystem::exists(folder + "/endless/cross.png"));

  Finished failed = translate({"--attention", checkpoint(), text});
  EXPECT_EQ(failed.status, 1);
  EXPECT_THAT(failed.errors, testing::HasSubstr("cannot make the folder '" + checkpoint()));
  Finished empty = translate({"--attention", folder + "/none", ""});
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.errors, testing::HasSubstr("there is nothing to read in the text"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/none"));
}

TEST_F(SmallModelTest, TheSourceMatters) {
  Finished straight = train({"--steps", "200", "--batch-tokens", "512"});
  Finished shuffled = train({"--steps", "200", "--batch-tokens", "512", "--shuffle-sources"});
  // The targets are uniform over 21 words: without the source the perplexity stays near that.
  EXPECT_LT(numberAfter(straight.output, "validation perplexity ") * 4,
            numberAfter(shuffled.output, "validation perplexity "));
}

TEST_F(SmallModelTest, ResumingGivesTheSameBits) {
  ASSERT_EQ(train({"--steps", "40", "--batch-tokens", "512"}).status, 0);
  std::string straight = tensors();
  ASSERT_EQ(train({"--steps", "15", "--batch-tokens", "512"}).status, 0);
  EXPECT_NE(tensors(), straight);
  Finished resumed = train({"--steps", "40", "--batch-tokens", "512", "--resume"});
  ASSERT_EQ(resumed.status, 0) << resumed.errors;
  EXPECT_EQ(tensors(), straight);
}

TEST_F(SmallModelTest, ThreadsDoNotMatterAndSeedsDo) {
  ASSERT_EQ(train({"--steps", "20", "--batch-tokens", "512", "--threads", "1"}).status, 0);
  std::string one = tensors();
  ASSERT_EQ(train({"--steps", "20", "--batch-tokens", "512", "--threads", "2"}).status, 0);
  EXPECT_EQ(tensors(), one);
  ASSERT_EQ(train({"--steps", "20", "--batch-tokens", "512", "--seed", "2"}).status, 0);
  EXPECT_NE(tensors(), one);
}

} // namespace
