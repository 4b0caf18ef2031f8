// The compiled models against what reference.py made with PyTorch. Pretraining: both losses, every
// gradient, what evaluation counts, and the words for hidden places. The classifier: its loss,
// every gradient, and the probabilities of the classes.
#include "runtime/core/Model.h"
#include "bert_small.h"
#include "bert_small_classifier.h"
#include "runtime/checkpoint/Safetensors.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace axloom::runtime;

namespace {

class AgainstPyTorch : public testing::Test {
protected:
  AgainstPyTorch(const axl_model &description, const std::string &name)
      : description(description),
        file(std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/tests/examples/bert/" + name,
             Checksums::Optional),
        model(description) {
    for (const auto &entry : file.entries())
      if (entry.name.starts_with("start."))
        model.writeVariable(entry.name.substr(6), file.read(entry));
  }

  Tensor stored(const std::string &name) const {
    const auto *entry = file.find(name);
    EXPECT_NE(entry, nullptr) << name;
    return file.read(*entry);
  }

  // The results of a function, for the stored batch.
  std::vector<NamedTensor> run(const char *function, std::vector<std::string> names) {
    std::vector<Tensor> tensors;
    for (const std::string &name : names)
      tensors.push_back(stored("batch." + name));
    int32_t seed = 1, steps = 10;
    std::vector<Named> arguments;
    for (size_t i = 0; i < names.size(); ++i)
      arguments.push_back({names[i], tensors[i]});
    if (function == std::string("train_step")) {
      arguments.push_back({"seed", View<const int32_t>(seed)});
      arguments.push_back({"steps", View<const int32_t>(steps)});
    }
    return model.run(function, arguments);
  }

  static void expectNear(const Tensor &found, const Tensor &expected, double factor,
                         const std::string &name) {
    auto ours = found.view<float>(), theirs = expected.view<float>();
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    for (int64_t i = 0; i < int64_t(ours.size()); ++i)
      ASSERT_NEAR(ours[i] * factor, theirs[i], 1e-5 + 1e-4 * std::abs(theirs[i]))
          << name << " at " << i;
  }

  // The loss and the gradients of a training step, for the stored batch.
  void expectStep(std::vector<std::string> names) {
    auto results = run("train_step", std::move(names));
    expectNear(results[0].tensor, stored("loss"), 1, "loss");
    int64_t compared = 0;
    for (const auto &entry : file.entries()) {
      if (!entry.name.starts_with("gradient."))
        continue;
      // After one step, the first moment is the gradient times 1 - beta1.
      std::string name = entry.name.substr(9);
      expectNear(model.variable("adam.first." + name), file.read(entry), 10, name);
      ++compared;
    }
    int64_t parameters = 0;
    for (int32_t i = 0; i < description.variable_count; ++i)
      parameters += description.variables[i].kind == AXL_PARAMETER;
    EXPECT_EQ(compared, parameters);
  }

  const axl_model &description;
  SafetensorsFile file;
  Model model;
};

class BertModel : public AgainstPyTorch {
protected:
  BertModel() : AgainstPyTorch(bert_small_model, "reference.safetensors") {}
};

class BertClassifier : public AgainstPyTorch {
protected:
  BertClassifier() : AgainstPyTorch(bert_small_classifier_model, "classifier.safetensors") {}
};

std::vector<std::string> pairs() { return {"tokens", "segments", "relation", "targets", "labels"}; }

TEST_F(BertModel, LossAndEveryGradientArePyTorchs) { expectStep(pairs()); }

TEST_F(BertModel, EvaluationIsPyTorchs) {
  for (const auto &[name, tensor] : run("evaluate", pairs()))
    expectNear(tensor, stored("evaluate." + name), 1, name);
}

TEST_F(BertModel, WordsForHiddenPlacesArePyTorchs) {
  auto results = run("fill", {"tokens", "segments", "targets"});
  expectNear(results[0].tensor, stored("logits"), 1, "logits");
}

TEST_F(BertClassifier, LossAndEveryGradientArePyTorchs) { expectStep({"tokens", "labels"}); }

TEST_F(BertClassifier, ProbabilitiesOfClassesArePyTorchs) {
  auto results = run("classify", {"tokens"});
  expectNear(results[0].tensor, stored("log_probabilities"), 1, "log_probabilities");
}

} // namespace
