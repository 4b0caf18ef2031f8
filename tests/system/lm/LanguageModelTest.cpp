// The decoder-only language model, as in GPT-2 and as in Llama, against PyTorch in double
// precision: logits, losses, gradients, ten steps of Adam; and a step with the cache against all
// positions at once.
#include "examples/lm/model.h"
#include "frontend/Axloom.h"
#include "tests/support/CompiledExecutor.h"
#include "tests/system/pytorch/ModelCheck.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;
using axloom::runtime::Model;
using axloom::runtime::Session;
using HostTensor = axloom::runtime::Tensor;

namespace {
constexpr int64_t vocabulary = 23, places = 12;

std::string graphWith(const std::vector<std::string> &settings) {
  Options options;
  for (const char *option : {"layers=2", "width=16", "heads=2", "hidden=32", "vocabulary=23",
                             "length=12", "warmup=10", "dropout=0", "attention_dropout=0"})
    options.set(option);
  for (const std::string &option : settings)
    options.set(option);
  Program program;
  lm::build(program, options);
  options.checkAllUsed();
  return program.print();
}

DumpedModel dumped(const std::string &dump, const std::vector<std::string> &settings) {
  return {graphWith(settings),
          "lm/" + dump + ".safetensors",
          {{"B", {"tokens_in", 0}}, {"S", {"tokens_in", 1}}, {"T", {"tokens_in", 1}}}};
}

const std::vector<std::string> asInLlama = {"family=llama", "heads=4", "key_heads=2", "hidden=24",
                                            "rotary_base=500"};

/// The models of lm.py and llama.py. Neither has biases in attention: the softmax does not see a
/// bias of the keys, whose gradient is rounding alone, and Adam would make whole steps of it.
std::vector<DumpedModel> dumpedModels() {
  return {dumped("lm", {"attention_bias=false"}), dumped("llama", asInLlama)};
}

/// All logits of a text: [position, vocabulary].
std::vector<float> allAtOnce(Model &model, const std::vector<int32_t> &text) {
  HostTensor logits(AXL_F32, {1, int64_t(text.size()), vocabulary});
  model.call("forward", {{"tokens_in", tokens({text})}}, {{"logits", logits}});
  return {logits.view<float>().begin(), logits.view<float>().end()};
}

void expectNear(std::span<const float> a, std::span<const float> b, const std::string &where) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 2e-5) << where << ", token " << i;
}

/// Texts of different lengths: the first `heard` tokens of each by prefill, the others step by
/// step, each text at a position of its own.
void expectStepsAreForward(const axl_model &tables, int64_t heard) {
  Model model(tables, 3);
  std::vector<std::vector<int32_t>> texts = {{3, 7, 9, 4, 12, 20, 8, 5}, {6, 5, 4, 3}, {22, 21, 3}};
  std::vector<std::vector<float>> expected;
  for (const auto &text : texts)
    expected.push_back(allAtOnce(model, text));
  Session session(model, {{"B", 3}, {"T", places}});
  // What is prefilled of a text ends before its last token; its padding lies in the cache, too.
  std::vector<int32_t> position(texts.size());
  std::vector<std::vector<int32_t>> beginnings;
  for (size_t row = 0; row < texts.size(); ++row) {
    position[row] = int32_t(std::min(heard, int64_t(texts[row].size()) - 1));
    beginnings.emplace_back(texts[row].begin(), texts[row].begin() + position[row]);
  }
  if (heard > 0)
    session.call("prefill", {{"tokens_in", tokens(beginnings)}}, {});
  for (int step = 0; step < 8; ++step) {
    HostTensor token(AXL_I32, {3}), place(AXL_I32, {3}), logits(AXL_F32, {3, vocabulary});
    for (size_t row = 0; row < texts.size(); ++row) {
      token.view<int32_t>()[int64_t(row)] = texts[row][size_t(position[row])];
      place.view<int32_t>()[int64_t(row)] = position[row];
    }
    session.call("decode_step", {{"token", token}, {"position", place}}, {{"logits", logits}});
    for (size_t row = 0; row < texts.size(); ++row) {
      expectNear({logits.view<float>().data() + row * vocabulary, size_t(vocabulary)},
                 {expected[row].data() + position[row] * vocabulary, size_t(vocabulary)},
                 "text " + std::to_string(row) + ", position " + std::to_string(position[row]));
      position[row] = std::min(position[row] + 1, int32_t(texts[row].size()) - 1);
    }
  }
}
} // namespace

TEST(LanguageModel, InterpretedIsPyTorch) {
  Graphs graphs;
  InterpreterExecutor interpreter(graphs);
  for (const DumpedModel &model : dumpedModels()) {
    SCOPED_TRACE(model.dump);
    expectResults(graphs, interpreter, model, "forward", Tolerance{1e-6});
    expectPyTorch(graphs, interpreter, model, ModelTolerances::inDouble());
  }
}

TEST(LanguageModel, CompiledIsPyTorch) {
  Graphs graphs;
  CompiledExecutor compiled;
  for (const DumpedModel &model : dumpedModels()) {
    SCOPED_TRACE(model.dump);
    expectResults(graphs, compiled, model, "forward", Tolerance::f32());
    expectPyTorch(graphs, compiled, model, ModelTolerances::inFloat());
  }
}

TEST(LanguageModel, AStepWithTheCacheIsForward) {
  CompiledModel model(graphWith({}));
  for (int64_t heard : {0, 1, 2, 6})
    expectStepsAreForward(model.tables(), heard);
}

TEST(LanguageModel, TheSameWithTheOtherOptions) {
  const std::vector<std::string> others = {"positions=sinusoidal", "norm=after", "activation=relu",
                                           "tied=false"};
  for (const auto &settings : {others, asInLlama}) {
    CompiledModel model(graphWith(settings));
    for (int64_t heard : {0, 3})
      expectStepsAreForward(model.tables(), heard);
  }
}

TEST(LanguageModel, DefaultsAreGpt2) {
  Options options;
  Program program;
  lm::build(program, options);
  int64_t elements = 0;
  for (const AnyVariable &parameter : program.parameters()) {
    int64_t product = 1;
    for (const auto &[axis, size] : graph::shapeOf(parameter.node(), Where::current()).axes)
      product *= size.constant();
    elements += product;
  }
  EXPECT_EQ(elements, 124439808);
}

TEST(LanguageModel, UnknownOptionsAreErrors) {
  try {
    graphWith({"layer=3"});
    FAIL() << "nothing was thrown";
  } catch (const OptionError &error) {
    EXPECT_NE(std::string(error.what()).find("layer"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("layers"), std::string::npos) << error.what();
  }
  EXPECT_THROW(graphWith({"norm=sometimes"}), OptionError);
}
