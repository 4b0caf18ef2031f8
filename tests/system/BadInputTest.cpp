// Bad input to real compiled programs: tokens that no table has, numbers that overflow, checkpoints
// that are damaged or of another model. Each is an error that says what and where, and nothing is
// lost.
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/core/Error.h"
#include "runtime/data/PairBatches.h"
#include "runtime/train/Trainer.h"
#include "tests/support/TemporaryFolder.h"
#include "tests/system/support/Transformer.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

namespace {

template <class Function>
void expectError(axl_code code, const testing::Matcher<std::string> &message, Function function) {
  try {
    function();
    ADD_FAILURE() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(std::string(error.what()), message);
  }
}

TokenPairs sentencePairs() {
  TokenPairs pairs;
  for (uint32_t i = 0; i < 20; ++i) {
    pairs.source.push_back(randomSentence(1 + i, i));
    pairs.target.push_back(randomSentence(20 - i, 100 + i));
  }
  return pairs;
}

class BadInput : public testing::Test {
protected:
  void train(Model &model, int64_t steps) {
    PairBatches batches(pairs, {.tokens = 100, .maximumSentences = 16, .seed = 5});
    TrainOptions options;
    options.steps = steps;
    options.progress = -1;
    options.checkpoint = checkpoint;
    axloom::runtime::train(model, batches, {}, options);
  }

  /// All parameters, as bytes.
  static std::string parameters(const Model &model) {
    std::string bytes;
    const axl_model &tables = compiledTransformer();
    for (int32_t i = 0; i < tables.variable_count; ++i)
      if (tables.variables[i].kind == AXL_PARAMETER) {
        Tensor tensor = model.variable(tables.variables[i].value.name);
        bytes.append(static_cast<const char *>(tensor.data()), size_t(tensor.bytes()));
      }
    return bytes;
  }

  static std::string contents(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
  std::string checkpoint = folder.path() + "/checkpoint.safetensors";
  TokenPairs pairs = sentencePairs();
};

TEST_F(BadInput, ATokenOutsideTheVocabulary) {
  Model model(compiledTransformer());
  for (std::string argument : {"source", "target_in", "target_out"})
    for (int32_t wrong : {-1, int32_t(smallVocabulary)}) {
      auto given = [&](const std::string &name) {
        return tokens({{5, name == argument ? wrong : 6}});
      };
      Tensor source = given("source"), in = given("target_in"), out = given("target_out");
      float loss = 7, count = 7;
      expectError(AXL_ERROR_ARGUMENT,
                  AllOf(HasSubstr("argument '" + argument + "' has " + std::to_string(wrong)),
                        HasSubstr("at least 0 and below 40"), HasSubstr("model.cpp:")),
                  [&] {
                    model.call("evaluate",
                               {{"source", source}, {"target_in", in}, {"target_out", out}},
                               {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
                  });
      EXPECT_EQ(loss, 7) << "nothing may run";
    }
}

// The parameters are finite, their products are not: the first tensor that overflows is named, with
// the line of the model that asked for it, and the last good checkpoint stays.
TEST_F(BadInput, ALossThatIsNotFinite) {
  Model model(compiledTransformer());
  train(model, 3);
  const std::string good = contents(checkpoint);
  Tensor weight = model.variable("encoder.1.feed_forward.inner.weight");
  for (float &value : weight.view<float>())
    value = 3e38F;
  model.writeVariable("encoder.1.feed_forward.inner.weight", weight);
  expectError(AXL_ERROR_NOT_FINITE,
              AllOf(HasSubstr("the loss of step 1 is"), HasSubstr("it began in step 1"),
                    HasSubstr("train_step of model 'small'"), HasSubstr("not finite at ["),
                    HasSubstr("written by kernel 'train_step."),
                    ContainsRegex("\\([^()]*model\\.cpp:[0-9]+\\)")),
              [&] { train(model, 6); });
  EXPECT_EQ(contents(checkpoint), good);
}

TEST_F(BadInput, ACheckpointThatIsTruncatedOrHasAFlippedByte) {
  Model saved(compiledTransformer(), 1), model(compiledTransformer(), 2);
  saveCheckpoint(saved, {}, checkpoint);
  const std::string good = contents(checkpoint), before = parameters(model);
  auto expectRefused = [&](const std::string &bytes, const std::string &what) {
    std::ofstream(checkpoint, std::ios::binary) << bytes;
    expectError(AXL_ERROR_FORMAT, HasSubstr(checkpoint),
                [&] { loadCheckpoint(model, checkpoint); });
    EXPECT_EQ(parameters(model), before) << what;
  };
  for (size_t length : {size_t(0), size_t(7), good.size() / 2, good.size() - 1})
    expectRefused(good.substr(0, length), "length " + std::to_string(length));
  for (size_t at = 0; at < good.size(); at += 1 + good.size() / 40) {
    std::string bad = good;
    bad[at] = char(bad[at] ^ 4);
    expectRefused(bad, "byte " + std::to_string(at));
  }
}

// The kernels of one layer are those of two: this compiles little.
TEST_F(BadInput, ACheckpointOfAnotherModel) {
  CompiledModel shallow(smallTransformer({"layers=1"}));
  saveCheckpoint(Model(shallow.tables()), {}, checkpoint);
  Model model(compiledTransformer(), 2);
  const std::string before = parameters(model);
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr(checkpoint),
                    HasSubstr("missing in the file: 'encoder.1.feed_forward.inner.weight', f32 "
                              "[hidden: 48, model: 32]")),
              [&] { loadCheckpoint(model, checkpoint); });
  EXPECT_EQ(parameters(model), before);
}

TEST_F(BadInput, AMachineWithoutAFeatureOfTheTarget) {
  axl_model tables = compiledTransformer();
  std::vector<const char *> features(tables.features, tables.features + tables.feature_count);
  features.push_back("avx1024");
  tables.features = features.data();
  tables.feature_count = int32_t(features.size());
  expectError(AXL_ERROR_CPU, HasSubstr("avx1024"), [&] { Model model(tables); });
}

} // namespace
