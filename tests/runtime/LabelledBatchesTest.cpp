// Labelled texts, from their file to batches.
#include "runtime/data/LabelledBatches.h"
#include "runtime/data/Labels.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <algorithm>
#include <set>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::ElementsAre;

namespace {

std::vector<LabelledText> textsWith(std::initializer_list<const char *> labels) {
  std::vector<LabelledText> texts;
  for (const char *label : labels)
    texts.push_back({label, "a text"});
  return texts;
}

TEST(Labels, AreSortedAndStored) {
  TemporaryFolder folder;
  Labels labels = Labels::of(textsWith({"video", "games", "video", "math"}));
  EXPECT_THAT(labels.names(), ElementsAre("games", "math", "video"));
  labels.save(folder.path("labels.txt"));
  EXPECT_EQ(readFile(folder.path("labels.txt")), "games\nmath\nvideo\n");
  EXPECT_EQ(Labels::load(folder.path("labels.txt")).names(), labels.names());
  EXPECT_THAT(labels.classesOf(textsWith({"math", "games"}), "a.tsv"), ElementsAre(1, 0));
}

TEST(Labels, UnknownOnesAreNamedWithTheirLine) {
  Labels labels = Labels::of(textsWith({"games", "math"}));
  expectError(
      AXL_ERROR_DATA, "valid.tsv:2: the label 'mathematics' is none of the 2 labels of a test",
      [&] { labels.classesOf(textsWith({"math", "mathematics"}), "valid.tsv", " of a test"); });
}

TEST(Labels, DamagedFilesAreErrors) {
  TemporaryFolder folder;
  expectError(AXL_ERROR_FILE,
              "cannot read '" + folder.path("none") +
                  "': No such file or directory; it is written when training starts",
              [&] { Labels::load(folder.path("none")); });
  for (const char *text : {"b\na\n", "a\na\n"}) {
    std::string path = folder.write("labels.txt", text);
    expectError(AXL_ERROR_FORMAT, path + ":2: expected labels in order, a line each, found 'a'",
                [&] { Labels::load(path); });
  }
  for (auto [text, problem] :
       {std::pair("", "is empty"), std::pair("games\nma", "ends within a line")}) {
    std::string path = folder.write("labels.txt", text);
    expectError(AXL_ERROR_FORMAT,
                concat("'", path, "' ", problem,
                       "; expected labels, a line each: it is damaged, train anew"),
                [&] { Labels::load(path); });
  }
}

TEST(LabelledBatches, PaddingAndLabels) {
  LabelledTokens texts{.texts = {{7, 8, 9}, {6}, {5, 4}}, .labels = {2, 0, 1}};
  LabelledBatches batches(texts, {.texts = 2, .shuffle = false});
  ASSERT_EQ(batches.batchesInEpoch(), 2);
  Batch batch;
  batches.next(batch);
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.tokens, 3);
  EXPECT_EQ(batch.labels, 2);
  EXPECT_THAT(batch.tensor("tokens").extents(), ElementsAre(2, 2));
  EXPECT_THAT(batch.tensor("tokens").view<int32_t>(), ElementsAre(6, 0, 5, 4));
  EXPECT_THAT(batch.tensor("labels").view<int32_t>(), ElementsAre(0, 1));
  batches.next(batch);
  EXPECT_THAT(batch.tensor("tokens").view<int32_t>(), ElementsAre(7, 8, 9));
  EXPECT_THAT(batch.tensor("labels").view<int32_t>(), ElementsAre(2));
  EXPECT_EQ(batches.position(), (DataPosition{1, 0}));
}

// 230 texts of 1 to 40 tokens, mixed; labels tell them apart.
LabelledTokens mixedTexts() {
  LabelledTokens texts;
  for (int32_t i = 0; i < 230; ++i) {
    texts.texts.emplace_back(size_t(1 + i * 17 % 40), 4);
    texts.labels.push_back(i);
  }
  return texts;
}

// The labels of each batch of an epoch.
std::vector<std::vector<int32_t>> epochOf(LabelledBatches &batches) {
  std::vector<std::vector<int32_t>> found;
  Batch batch;
  for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
    batches.next(batch);
    auto labels = batch.tensor("labels").view<int32_t>();
    found.emplace_back(labels.begin(), labels.end());
  }
  return found;
}

TEST(LabelledBatches, EveryEpochHasEveryTextOnceInAsManyBatches) {
  LabelledTokens texts = mixedTexts();
  LabelledBatches batches(texts, {.texts = 8, .window = 6});
  // Four windows of 48, cut into six batches each, and one of 38.
  EXPECT_EQ(batches.batchesInEpoch(), 4 * 6 + 5);
  std::vector<std::vector<int32_t>> before;
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto found = epochOf(batches);
    std::set<int32_t> labels;
    for (const auto &batch : found) {
      EXPECT_LE(batch.size(), 8u);
      labels.insert(batch.begin(), batch.end());
    }
    EXPECT_EQ(labels.size(), 230u);
    EXPECT_NE(found, before);
    before = found;
  }
  EXPECT_EQ(batches.position(), (DataPosition{3, 0}));
}

// Even where a window holds all.
TEST(LabelledBatches, TextsOfOneLengthAndBatchesAreShuffled) {
  LabelledTokens texts = mixedTexts();
  LabelledBatches batches(texts, {.texts = 8, .window = 100});
  std::vector<int64_t> widths;
  std::set<std::set<int32_t>> companies[2]; // which texts are together, in two epochs
  Batch batch;
  for (auto &epoch : companies)
    for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
      batches.next(batch);
      widths.push_back(batch.tensor("tokens").extent(1));
      auto labels = batch.tensor("labels").view<int32_t>();
      epoch.emplace(labels.begin(), labels.end());
    }
  EXPECT_FALSE(std::is_sorted(widths.begin(), widths.begin() + batches.batchesInEpoch()));
  EXPECT_NE(companies[0], companies[1]);
}

TEST(LabelledBatches, LargerWindowsHaveLessPadding) {
  LabelledTokens texts = mixedTexts();
  auto positions = [&](int64_t window) {
    LabelledBatches batches(texts, {.texts = 8, .window = window});
    Batch batch;
    int64_t sum = 0;
    for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
      batches.next(batch);
      sum += batch.tensor("tokens").size();
    }
    return double(sum);
  };
  EXPECT_GT(positions(1), 1.5 * positions(8));
  EXPECT_GT(positions(8), positions(100));
}

TEST(LabelledBatches, GoesOnWhereItStopped) {
  LabelledTokens texts = mixedTexts();
  LabelledBatchOptions options{.texts = 8, .window = 6, .seed = 3};
  LabelledBatches all(texts, options), resumed(texts, options);
  epochOf(all);
  Batch batch;
  all.next(batch);
  resumed.seek(all.position());
  EXPECT_EQ(epochOf(resumed), epochOf(all));
  options.seed = 4;
  LabelledBatches other(texts, options);
  other.seek(all.position());
  EXPECT_NE(epochOf(other), epochOf(all));
}

TEST(LabelledBatches, EmptyBatchesAreErrors) {
  LabelledTokens texts{{{4}, {5}}, {0, 1}};
  expectError(AXL_ERROR_ARGUMENT, "LabelledBatchOptions::texts is 0; expected at least 1",
              [&] { LabelledBatches(texts, {.texts = 0}); });
  expectError(AXL_ERROR_ARGUMENT, "LabelledBatchOptions::window is -1; expected at least 1",
              [&] { LabelledBatches(texts, {.window = -1}); });
}

TEST(LabelledBatches, WhatDoesNotFitTheModelIsAnError) {
  auto expectRefused = [](const LabelledTokens &texts, const std::string &message) {
    expectError(AXL_ERROR_DATA, message,
                [&] { LabelledBatches(texts, {.vocabularySize = 50, .classes = 2}); });
  };
  expectRefused({{{4}, {5}}, {0, 2}}, "text 1 has label 2, but there are 2 classes");
  expectRefused({{{4}, {5}}, {0, -1}}, "text 1 has label -1, but there are 2 classes");
  expectRefused({{{4, 50}}, {0}}, "text 0 has token 50, but the vocabulary has 50 units; was it "
                                  "made with another vocabulary?");
  expectRefused({{{4}, {}}, {0, 0}}, "text 1 has no token");
  expectRefused({{}, {}}, "there are 0 texts and 0 labels to make batches of");
}

} // namespace
