// Windows of running text: every token is predicted once an epoch, of what stands before it.
#include "runtime/data/WindowBatches.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <numeric>
#include <set>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

// 4, 5, 6, ...: each token says where it stands.
std::vector<int32_t> makeStream(size_t tokens) {
  std::vector<int32_t> stream(tokens);
  std::iota(stream.begin(), stream.end(), 4);
  return stream;
}

// tokens_out of one epoch, batch after batch, without padding.
std::vector<int32_t> predictedIn(WindowBatches &batches) {
  std::vector<int32_t> predicted;
  Batch batch;
  for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
    batches.next(batch);
    for (int32_t token : batch.tensor("tokens_out").view<int32_t>())
      if (token != Vocabulary::padding)
        predicted.push_back(token);
  }
  return predicted;
}

TEST(WindowBatches, WindowsFollowOneAnotherAndTheLastIsPadded) {
  std::vector<int32_t> stream = makeStream(8);
  WindowBatches batches(stream, {.length = 3, .tokens = 6, .shuffle = false});
  ASSERT_EQ(batches.batchesInEpoch(), 2);
  Batch batch;
  batches.next(batch);
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.tokens, 6);
  EXPECT_THAT(batch.tensor("tokens_in").extents(), ElementsAre(2, 3));
  EXPECT_THAT(batch.tensor("tokens_in").view<int32_t>(), ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_THAT(batch.tensor("tokens_out").view<int32_t>(), ElementsAre(5, 6, 7, 8, 9, 10));
  batches.next(batch);
  EXPECT_EQ(batch.sentences, 1);
  EXPECT_EQ(batch.tokens, 1);
  EXPECT_THAT(batch.tensor("tokens_in").view<int32_t>(), ElementsAre(10, 0, 0));
  EXPECT_THAT(batch.tensor("tokens_out").view<int32_t>(), ElementsAre(11, 0, 0));
}

TEST(WindowBatches, AShortTextIsOneWindow) {
  std::vector<int32_t> stream = makeStream(3);
  WindowBatches batches(stream, {.length = 100, .tokens = 10});
  EXPECT_EQ(batches.batchesInEpoch(), 1);
  Batch batch;
  batches.next(batch);
  EXPECT_THAT(batch.tensor("tokens_in").view<int32_t>(), ElementsAre(4, 5));
}

TEST(WindowBatches, EachTokenIsPredictedOnceAnEpoch) {
  std::vector<int32_t> stream = makeStream(1000);
  WindowBatches batches(stream, {.length = 7, .tokens = 100});
  for (int epoch = 0; epoch < 3; ++epoch) {
    std::vector<int32_t> predicted = predictedIn(batches);
    EXPECT_FALSE(std::is_sorted(predicted.begin(), predicted.end()));
    std::sort(predicted.begin(), predicted.end());
    EXPECT_THAT(predicted, ElementsAreArray(stream.begin() + 1, stream.end()));
  }
}

TEST(WindowBatches, OrderDependsOnSeedAndEpochAlone) {
  std::vector<int32_t> stream = makeStream(1000);
  WindowBatches first(stream, {.length = 7, .seed = 1}), second(stream, {.length = 7, .seed = 1}),
      other(stream, {.length = 7, .seed = 2});
  auto epoch0 = predictedIn(first), epoch1 = predictedIn(first);
  EXPECT_NE(epoch0, epoch1);
  EXPECT_NE(predictedIn(other), epoch0);
  second.seek({1, 0});
  EXPECT_EQ(predictedIn(second), epoch1);
}

TEST(WindowBatches, GoesOnWhereItStopped) {
  std::vector<int32_t> stream = makeStream(1000);
  WindowBatches all(stream, {.length = 7, .tokens = 70}),
      resumed(stream, {.length = 7, .tokens = 70});
  Batch batch, again;
  int64_t steps = all.batchesInEpoch() + 3;
  for (int64_t i = 0; i < steps; ++i)
    all.next(batch);
  EXPECT_EQ(all.position(), (DataPosition{1, 3}));
  resumed.seek(all.position());
  all.next(batch);
  resumed.next(again);
  EXPECT_THAT(batch.tensor("tokens_in").view<int32_t>(),
              ElementsAreArray(again.tensor("tokens_in").view<int32_t>()));
}

TEST(WindowBatches, ImpossiblePositionsAreErrors) {
  std::vector<int32_t> stream = makeStream(100);
  WindowBatches batches(stream, {.length = 10, .tokens = 10});
  expectError(AXL_ERROR_DATA,
              "cannot go on at batch 10 of epoch 2: an epoch has 10 batches; did the corpus or the "
              "batch size change?",
              [&] { batches.seek({2, 10}); });
}

TEST(WindowBatches, NoTextIsAnError) {
  std::vector<int32_t> stream = {Vocabulary::end};
  expectError(AXL_ERROR_DATA,
              "there is no text to make batches of: it has 1 tokens, and two are the least",
              [&] { WindowBatches(stream, {}); });
}

TEST(WindowBatches, NoPositionsAreAnError) {
  std::vector<int32_t> stream = makeStream(8);
  expectError(AXL_ERROR_ARGUMENT, "WindowBatchOptions::length is 0; expected at least 1",
              [&] { WindowBatches(stream, {.length = 0}); });
}

TEST(WindowBatches, DocumentsStandBetweenEnds) {
  TemporaryFolder folder;
  std::vector<std::string_view> lines(20, "one two three four");
  Vocabulary::learn(lines, 24, folder.path("v"));
  Vocabulary vocabulary = Vocabulary::load(folder.path("v"));
  std::vector<Document> documents = {{"one two", "three"}, {"four"}};
  std::vector<int32_t> stream = tokenStream(documents, vocabulary);
  std::vector<size_t> ends;
  for (size_t i = 0; i < stream.size(); ++i)
    if (stream[i] == Vocabulary::end)
      ends.push_back(i);
  ASSERT_EQ(ends.size(), 3u);
  EXPECT_EQ(ends.front(), 0u);
  EXPECT_EQ(ends.back(), stream.size() - 1);
  EXPECT_EQ(vocabulary.decode(std::span(stream).first(ends[1])), "one two three");
  EXPECT_EQ(vocabulary.decode(std::span(stream).subspan(ends[1])), "four");
}

} // namespace
