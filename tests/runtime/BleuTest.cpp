// BLEU against sacrebleu's own results, stored in bleu/cases.json (made by bleu/make_cases.py).
#include "runtime/metrics/Bleu.h"
#include "tests/runtime/Expect.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace axloom::runtime;

namespace {

const nlohmann::json &cases() {
  static const auto parsed = [] {
    std::string root = std::getenv("AXLOOM_SOURCE_DIR");
    std::ifstream file(root + "/tests/runtime/bleu/cases.json");
    return nlohmann::json::parse(file);
  }();
  return parsed;
}

TEST(Bleu, TokensAreThoseOf13a) {
  ASSERT_GT(cases()["tokens"].size(), 20u);
  for (const auto &entry : cases()["tokens"])
    EXPECT_EQ(tokenize13a(entry["text"].get<std::string>()),
              entry["tokens"].get<std::vector<std::string>>())
        << entry["text"];
}

TEST(Bleu, ScoresAreThoseOfSacrebleu) {
  ASSERT_GT(cases()["corpora"].size(), 10u);
  for (const auto &entry : cases()["corpora"]) {
    SCOPED_TRACE(entry["name"]);
    auto systems = entry["systems"].get<std::vector<std::string>>();
    auto references = entry["references"].get<std::vector<std::string>>();
    Bleu bleu = corpusBleu(systems, references);
    EXPECT_NEAR(bleu.score, entry["score"].get<double>(), 1e-6);
    EXPECT_NEAR(bleu.brevityPenalty, entry["brevity"].get<double>(), 1e-9);
    EXPECT_EQ(bleu.systemLength, entry["system_length"].get<int64_t>());
    EXPECT_EQ(bleu.referenceLength, entry["reference_length"].get<int64_t>());
    for (size_t order = 0; order < 4; ++order)
      EXPECT_NEAR(bleu.precisions[order], entry["precisions"][order].get<double>(), 1e-9);
  }
}

// sacrebleu's penalty is 1 wherever outputs are not shorter than references.
TEST(Bleu, NothingIsNotShorterThanNothing) {
  std::vector<std::string> nothing{""}, something{"ein Satz"};
  EXPECT_EQ(corpusBleu(nothing, nothing).brevityPenalty, 1);
  EXPECT_EQ(corpusBleu(nothing, something).brevityPenalty, 0);
}

TEST(Bleu, TextShowsAllNumbers) {
  std::vector<std::string> same{"ein Satz mit fünf Wörtern"};
  EXPECT_EQ(corpusBleu(same, same).text(),
            "BLEU 100.00 (100.0/100.0/100.0/100.0, brevity 1.000, length 5/5)");
}

TEST(Bleu, NeedsAReferenceForEachOutput) {
  std::vector<std::string> two{"a", "b"}, one{"a"};
  expectError(AXL_ERROR_ARGUMENT,
              "BLEU compares 2 outputs with 1 references; there must be one reference for each "
              "output",
              [&] { corpusBleu(two, one); });
}

} // namespace
