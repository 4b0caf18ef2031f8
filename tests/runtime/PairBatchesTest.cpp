// Batches: every pair once an epoch, within the budget, padded and masked, in an order that depends
// on seed and epoch alone.
#include "runtime/data/PairBatches.h"
#include "tests/runtime/Expect.h"

#include <set>

using namespace axloom::runtime;
using testing::ElementsAre;

namespace {

// 200 pairs of different lengths; the first source token tells them apart.
TokenPairs makePairs() {
  TokenPairs pairs;
  for (int32_t i = 0; i < 200; ++i) {
    pairs.source.emplace_back(size_t(1 + i * 7 % 23), 4);
    pairs.source.back()[0] = 4 + i;
    pairs.target.emplace_back(size_t(1 + i * 5 % 19), 5);
  }
  return pairs;
}

const Tensor &find(const Batch &batch, std::string_view name) {
  for (const NamedTensor &entry : batch.tensors)
    if (entry.name == name)
      return entry.tensor;
  throw Error(AXL_ERROR_ARGUMENT, concat("no tensor ", name));
}

// The first source token of each row, batch after batch, for one epoch.
std::vector<int32_t> epochOf(PairBatches &batches) {
  std::vector<int32_t> firsts;
  Batch batch;
  for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
    batches.next(batch);
    const Tensor &source = find(batch, "source");
    for (int64_t row = 0; row < source.extent(0); ++row)
      firsts.push_back(source.view<int32_t>()[row * source.extent(1)]);
  }
  return firsts;
}

TEST(PairBatches, PaddingAndMasks) {
  TokenPairs pairs;
  pairs.source = {{7, 8, 9}, {6}};
  pairs.target = {{5, 4}, {8}};
  PairBatches batches(pairs, {.shuffle = false});
  ASSERT_EQ(batches.batchesInEpoch(), 1);
  Batch batch;
  batches.next(batch);
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.tokens, 5);
  EXPECT_THAT(find(batch, "source").extents(), ElementsAre(2, 4));
  EXPECT_THAT(find(batch, "source").view<int32_t>(), ElementsAre(6, 3, 0, 0, 7, 8, 9, 3));
  EXPECT_THAT(find(batch, "source_mask").view<bool>(),
              ElementsAre(true, true, false, false, true, true, true, true));
  EXPECT_THAT(find(batch, "source_length").view<int32_t>(), ElementsAre(2, 4));
  EXPECT_THAT(find(batch, "target_in").view<int32_t>(), ElementsAre(2, 8, 0, 2, 5, 4));
  EXPECT_THAT(find(batch, "target_out").view<int32_t>(), ElementsAre(8, 3, 0, 5, 4, 3));
  EXPECT_THAT(find(batch, "target_mask").view<bool>(),
              ElementsAre(true, true, false, true, true, true));
  EXPECT_THAT(find(batch, "target_length").view<int32_t>(), ElementsAre(2, 3));
}

TEST(PairBatches, PackedPairsHaveNoPadding) {
  TokenPairs pairs;
  pairs.source = {{7, 8, 9}, {6}};
  pairs.target = {{5, 4}, {8}};
  PairBatches batches(pairs, {.layout = PairLayout::Packed, .shuffle = false});
  ASSERT_EQ(batches.batchesInEpoch(), 1);
  Batch batch;
  batches.next(batch);
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.tokens, 5);
  EXPECT_THAT(find(batch, "source").view<int32_t>(), ElementsAre(7, 8, 9, 3, 6, 3));
  EXPECT_THAT(find(batch, "S.lengths").view<int32_t>(), ElementsAre(4, 2));
  EXPECT_THAT(find(batch, "target_in").view<int32_t>(), ElementsAre(2, 5, 4, 2, 8));
  EXPECT_THAT(find(batch, "target_out").view<int32_t>(), ElementsAre(5, 4, 3, 8, 3));
  EXPECT_THAT(find(batch, "T.lengths").view<int32_t>(), ElementsAre(3, 2));
}

TEST(PairBatches, PackedBatchesAreFull) {
  TokenPairs pairs = makePairs();
  PairBatches batches(pairs, {.tokens = 100, .layout = PairLayout::Packed});
  Batch batch;
  for (int epoch = 0; epoch < 3; ++epoch) {
    int64_t sentences = 0, withRoom = 0;
    for (int64_t i = 0, count = batches.batchesInEpoch(); i < count; ++i) {
      batches.next(batch);
      int64_t larger = std::max(find(batch, "source").size(), find(batch, "target_in").size());
      EXPECT_LE(larger, 100);
      withRoom += larger <= 100 - 24; // for the longest sentence
      sentences += batch.sentences;
    }
    EXPECT_EQ(sentences, 200);
    EXPECT_LE(withRoom, 1) << "only what is left over is less";
    EXPECT_EQ(batches.position(), (DataPosition{epoch + 1, 0}));
    batches.seek({epoch + 1, 0}); // epochs may have different numbers of batches
  }
}

TEST(PairBatches, AsTheyCome) {
  TokenPairs pairs = makePairs();
  PairBatches batches(pairs, {.tokens = 100, .layout = PairLayout::AsTheyCome, .shuffle = false});
  Batch batch;
  batches.next(batch);
  // Sources of 2, 9, 16, 23, 7 tokens: the fifth would take five times 23 positions.
  EXPECT_THAT(find(batch, "source").extents(), ElementsAre(4, 23));
}

TEST(PairBatches, EveryPairOnceAnEpoch) {
  TokenPairs pairs = makePairs();
  PairBatches batches(pairs, {.tokens = 128});
  for (int epoch = 0; epoch < 3; ++epoch) {
    auto firsts = epochOf(batches);
    EXPECT_EQ(firsts.size(), 200u);
    EXPECT_EQ(std::set<int32_t>(firsts.begin(), firsts.end()).size(), 200u);
  }
}

TEST(PairBatches, BatchesKeepToTheirBudget) {
  TokenPairs pairs = makePairs();
  PairBatches batches(pairs, {.tokens = 100, .maximumSentences = 12});
  Batch batch;
  int64_t positions = 0, tokens = 0;
  for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
    batches.next(batch);
    EXPECT_LE(find(batch, "source").size(), 100);
    EXPECT_LE(find(batch, "target_in").size(), 100);
    EXPECT_LE(batch.sentences, 12);
    positions += find(batch, "target_in").size();
    tokens += batch.tokens;
  }
  EXPECT_LT(double(positions), 1.1 * double(tokens)) << "too much padding";
}

TEST(PairBatches, APairBeyondTheBudgetIsABatchOfItsOwn) {
  TokenPairs pairs;
  pairs.source = {{4}, std::vector<int32_t>(50, 4), {5}};
  pairs.target = {{4}, {4}, {5}};
  PairBatches batches(pairs, {.tokens = 10, .shuffle = false});
  EXPECT_EQ(batches.batchesInEpoch(), 2);
}

TEST(PairBatches, OrderDependsOnSeedAndEpochAlone) {
  TokenPairs pairs = makePairs();
  PairBatches first(pairs, {.tokens = 128, .seed = 1}), second(pairs, {.tokens = 128, .seed = 1}),
      other(pairs, {.tokens = 128, .seed = 2});
  auto epoch0 = epochOf(first), epoch1 = epochOf(first);
  EXPECT_NE(epoch0, epoch1);
  EXPECT_EQ(epochOf(second), epoch0);
  EXPECT_NE(epochOf(other), epoch0);
  second.seek({1, 0});
  EXPECT_EQ(epochOf(second), epoch1);
}

// Which pairs are together, in one epoch of texts without padding.
std::set<std::set<int32_t>> companiesOf(PairBatches &batches) {
  std::set<std::set<int32_t>> companies;
  Batch batch;
  for (int64_t i = 0, count = batches.batchesInEpoch(); i < count; ++i) {
    batches.next(batch);
    auto source = find(batch, "source").view<int32_t>();
    companies.emplace(source.begin(), source.end());
  }
  return companies;
}

TEST(PairBatches, EachEpochPutsOthersTogether) {
  TokenPairs pairs;
  for (int32_t i = 0; i < 64; ++i) {
    pairs.source.push_back({4 + i});
    pairs.target.push_back({4});
  }
  for (PairLayout layout : {PairLayout::ByLength, PairLayout::AsTheyCome, PairLayout::Packed}) {
    PairBatches batches(pairs, {.tokens = 16, .layout = layout});
    auto before = companiesOf(batches);
    EXPECT_EQ(before.size(), 8u);
    EXPECT_NE(companiesOf(batches), before);
  }
}

TEST(PairBatches, GoesOnWhereItStopped) {
  TokenPairs pairs = makePairs();
  PairBatches all(pairs, {.tokens = 64}), resumed(pairs, {.tokens = 64});
  Batch batch, again;
  int64_t steps = all.batchesInEpoch() + 3;
  for (int64_t i = 0; i < steps; ++i)
    all.next(batch);
  DataPosition position = all.position();
  EXPECT_EQ(position, (DataPosition{1, 3}));
  resumed.seek(position);
  all.next(batch);
  resumed.next(again);
  EXPECT_THAT(find(batch, "source").view<int32_t>(),
              testing::ElementsAreArray(find(again, "source").view<int32_t>()));
}

TEST(PairBatches, ImpossiblePositionsAreErrors) {
  TokenPairs pairs = makePairs();
  PairBatches batches(pairs, {.tokens = 64});
  expectError(AXL_ERROR_DATA,
              concat("cannot go on at batch 1000 of epoch 2: an epoch has ",
                     batches.batchesInEpoch(),
                     " batches; did the corpus or the batch size change?"),
              [&] { batches.seek({2, 1000}); });
}

TEST(PairBatches, IdsOutsideTheVocabularyAreErrors) {
  TokenPairs pairs;
  pairs.source = {{4}, {5, 99}};
  pairs.target = {{4}, {4}};
  expectError(
      AXL_ERROR_DATA,
      "the source of pair 1 has token 99, but the vocabulary has 50 units; was it made with "
      "another vocabulary?",
      [&] { PairBatches(pairs, {.vocabularySize = 50}); });
}

TEST(PairBatches, NoPairsAreAnError) {
  TokenPairs pairs;
  pairs.tooLong = 3;
  expectError(AXL_ERROR_DATA, "there are no sentence pairs to make batches of (3 were too long)",
              [&] { PairBatches(pairs, {}); });
}

TEST(PairBatches, HalfAPairAndNoRoomAreErrors) {
  TokenPairs pairs;
  pairs.source = {{4}, {5}};
  pairs.target = {{4}};
  expectError(AXL_ERROR_DATA,
              "there are 2 source and 1 target sentences; expected one of each in a pair",
              [&] { PairBatches(pairs, {}); });
  pairs.target.push_back({5});
  expectError(AXL_ERROR_ARGUMENT, testing::StartsWith("PairBatchOptions::tokens"),
              [&] { PairBatches(pairs, {.tokens = 0}); });
  expectError(AXL_ERROR_ARGUMENT, testing::StartsWith("PairBatchOptions::maximumSentences"),
              [&] { PairBatches(pairs, {.maximumSentences = -1}); });
}

} // namespace
