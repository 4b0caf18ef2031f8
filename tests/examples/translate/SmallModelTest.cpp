// The real model, compiled at a small size: the whole way from the graph to translations.
#include "examples/translate/app/Data.h"
#include "examples/translate/app/Translator.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "tests/examples/translate/RunTest.h"
#include "translate_small.h"

#include <gmock/gmock.h>

using namespace example;
using axloom::runtime::Model;
using axloom::runtime::Tensor;

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

  // What stands beside a text does not change its translation.
  axl_set_threads(2);
  ModelShape shape = shapeOf(translate_small_model);
  Model model(translate_small_model);
  axloom::runtime::loadCheckpoint(model, checkpoint());
  auto vocabulary = loadVocabulary(toy.model + "/vocabulary.model", shape);
  Translator translator(model, vocabulary);
  std::vector<std::string> texts;
  for (const auto &pair : readCorpus(toy.data).test)
    texts.push_back(pair.source);
  std::vector<Translation> together = translator.translate(texts);
  for (size_t i = 0; i < texts.size(); ++i)
    EXPECT_EQ(translator.translate(std::span(&texts[i], 1))[0].text, together[i].text);
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
