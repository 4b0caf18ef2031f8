// Fine-tuning: what a classifier takes of a pretraining checkpoint, and what it says of one that
// does not fit.
#include "bert_small.h"
#include "bert_small_classifier.h"
#include "examples/bert/app/Programs.h"
#include "examples/bert/app/Text.h"
#include "runtime/checkpoint/Checkpoint.h"
#include "runtime/checkpoint/Import.h"
#include "runtime/checkpoint/Safetensors.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/TemporaryFolder.h"

#include <cstdlib>
#include <cstring>

using namespace axloom::runtime;
using testing::AllOf;
using testing::HasSubstr;

namespace {

std::string names() {
  return std::string(std::getenv("AXLOOM_SOURCE_DIR")) + "/examples/bert/encoder.names";
}

bool sameBits(const Tensor &a, const Tensor &b) {
  return a.bytes() == b.bytes() && std::memcmp(a.data(), b.data(), size_t(a.bytes())) == 0;
}

bool begins(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

TEST(FineTune, TakesExactlyTheEncoder) {
  TemporaryFolder folder;
  std::string path = folder.path("checkpoint.safetensors");
  Model pretrained(bert_small_model, /*seed=*/5);
  saveCheckpoint(pretrained, {}, path);
  Model before(bert_small_classifier_model, 6), classifier(bert_small_classifier_model, 6);
  importParameters(classifier, path, NameTable::load(names()));
  int64_t taken = 0;
  for (int32_t i = 0; i < bert_small_classifier_model.variable_count; ++i) {
    std::string name = bert_small_classifier_model.variables[i].value.name;
    bool isEncoder = begins(name, {"embedding.", "encoder.", "pooler."});
    Tensor found = classifier.variable(name);
    EXPECT_TRUE(sameBits(found, (isEncoder ? pretrained : before).variable(name))) << name;
    taken += isEncoder;
  }
  EXPECT_EQ(taken, 3 + 2 + 2 * 16 + 2); // tables, their norm, two layers, the pooler
}

TEST(FineTune, ListsWhatIsMissingLeftOverOrOfAnotherShape) {
  TemporaryFolder folder;
  std::string path = folder.path("checkpoint.safetensors");
  Model pretrained(bert_small_model);
  Tensor word = pretrained.variable("embedding.word.weight"), bias(AXL_F32, {7});
  std::vector<Named> tensors = {{"embedding.word.weight", bias}, {"other.weight", word}};
  writeSafetensors(path, tensors, {});
  Model classifier(bert_small_classifier_model);
  expectError(AXL_ERROR_CHECKPOINT,
              AllOf(HasSubstr("different: 'embedding.word.weight' is [7] in the file, but should "
                              "be [50, 16]"),
                    HasSubstr("missing in the file: 'encoder.1.feed_forward.outer.bias'"),
                    HasSubstr("left over: 'other.weight', [50, 16]"),
                    testing::Not(HasSubstr("head."))),
              [&] { importParameters(classifier, path, NameTable::load(names())); });
}

// Texts whose label is the word that most of them have.
std::string labelledTexts(int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += i % 2 ? "first\taba abb aba bab\n" : "second\tcdc ccd cdc dcd\n";
  return text;
}

TEST(FineTune, ComparesBothKinds) {
  TemporaryFolder folder;
  for (const char *split : {"train.tsv", "valid.tsv", "test.tsv"})
    folder.write(split, labelledTexts(40));
  std::filesystem::create_directory(folder.root() / "model");
  std::vector<Document> documents;
  for (int i = 0; i < 60; ++i)
    documents.push_back({"aba abb bab baa efe", "cdc ccd dcd ddc fef", "eef ffe fee efe aba cdc"});
  example::learnVocabulary(documents, 50, folder.path("model/vocabulary.model"));
  saveCheckpoint(Model(bert_small_model), {}, folder.path("model/checkpoint.safetensors"));

  std::vector<std::string> words = {"bert_finetune",
                                    "--data",
                                    folder.root().string(),
                                    "--pretrained",
                                    folder.path("model"),
                                    "--names",
                                    names(),
                                    "--steps",
                                    "30",
                                    "--seeds",
                                    "2",
                                    "--batch-texts",
                                    "8"};
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  int status =
      example::runFineTune(bert_small_classifier_model, int(arguments.size()), arguments.data());
  std::string output = testing::internal::GetCapturedStdout();
  ASSERT_EQ(status, 0);
  EXPECT_THAT(output, AllOf(HasSubstr("seed 2, 30 steps from the pretrained encoder: test accuracy "
                                      "100.00 %"),
                            HasSubstr("mean difference "), HasSubstr(" over 2 seeds")));
}

} // namespace
