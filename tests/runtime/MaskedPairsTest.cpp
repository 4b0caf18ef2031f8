// Pairs of segments with hidden words: what they are made of, how often, and that all of it depends
// on seed and epoch alone.
#include "runtime/data/MaskedPairs.h"
#include "tests/runtime/Expect.h"

#include <algorithm>
#include <set>

using namespace axloom::runtime;
using testing::HasSubstr;

namespace {

constexpr int32_t mask = 4, firstUnit = 5, perDocument = 1000, documentCount = 40;

// Documents of 12 sentences of 3 to 7 tokens. A token says where it stands: its document, and its
// place there.
std::vector<TokenDocument> makeDocuments(int32_t count = documentCount, int32_t sentences = 12) {
  std::vector<TokenDocument> documents;
  for (int32_t d = 0; d < count; ++d) {
    TokenDocument &document = documents.emplace_back();
    int32_t next = perDocument * (d + 1);
    for (int32_t s = 0; s < sentences; ++s) {
      document.emplace_back();
      for (int32_t i = 0; i < 3 + (d + s) % 5; ++i)
        document.back().push_back(next++);
    }
  }
  return documents;
}

MaskedPairOptions makeOptions() {
  MaskedPairOptions options;
  options.pairs = 8;
  options.length = 32;
  options.mask = mask;
  options.firstUnit = firstUnit;
  options.units = perDocument * (documentCount + 1);
  return options;
}

struct Row {
  std::vector<int32_t> tokens, segments, targets; // targets: positions in the row
  std::vector<int32_t> text;                      // tokens as they were before they were hidden
  int32_t relation;
};

std::vector<Row> rowsOf(Batch &batch) {
  const Tensor &tokens = batch.tensor("tokens");
  int64_t longest = tokens.extent(1);
  std::vector<Row> rows;
  for (int64_t i = 0; i < tokens.extent(0); ++i) {
    auto part = [&](const char *name) {
      const int32_t *begin = batch.tensor(name).view<int32_t>().data() + i * longest;
      return std::vector<int32_t>(begin, begin + longest);
    };
    rows.push_back({part("tokens"),
                    part("segments"),
                    {},
                    part("tokens"),
                    batch.tensor("relation").view<int32_t>()[i]});
  }
  auto targets = batch.tensor("targets").view<int32_t>();
  auto labels = batch.tensor("labels").view<int32_t>();
  for (int64_t i = 0; i < int64_t(targets.size()); ++i) {
    Row &row = rows[size_t(targets[i] / longest)];
    row.targets.push_back(int32_t(targets[i] % longest));
    row.text[size_t(row.targets.back())] = labels[i];
  }
  return rows;
}

std::vector<Row> epochOf(MaskedPairs &batches) {
  std::vector<Row> rows;
  Batch batch;
  for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
    batches.next(batch);
    for (Row &row : rowsOf(batch))
      rows.push_back(std::move(row));
  }
  return rows;
}

// The two segments, as they were.
std::pair<std::vector<int32_t>, std::vector<int32_t>> segmentsOf(const Row &row) {
  auto first = std::ranges::find(row.text, Vocabulary::end);
  auto second = std::find(first + 1, row.text.end(), Vocabulary::end);
  return {{row.text.begin() + 1, first}, {first + 1, second}};
}

std::vector<std::vector<int32_t>> tokensOf(const std::vector<Row> &rows) {
  std::vector<std::vector<int32_t>> tokens;
  for (const Row &row : rows)
    tokens.push_back(row.tokens);
  return tokens;
}

TEST(MaskedPairs, SegmentsAreRunningTextWithStartAndSeparators) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairs batches(documents, makeOptions());
  std::vector<Row> rows = epochOf(batches);
  EXPECT_EQ(int64_t(rows.size()), batches.pairs());
  for (const Row &row : rows) {
    EXPECT_EQ(row.text[0], Vocabulary::begin);
    auto [first, second] = segmentsOf(row);
    ASSERT_FALSE(first.empty());
    ASSERT_FALSE(second.empty());
    for (const auto &segment : {first, second})
      for (size_t i = 1; i < segment.size(); ++i)
        EXPECT_EQ(segment[i], segment[i - 1] + 1);
    size_t begin = first.size() + 2, end = begin + second.size() + 1;
    for (size_t i = 0; i < row.tokens.size(); ++i) {
      EXPECT_EQ(row.segments[i], i >= begin && i < end) << i;
      EXPECT_EQ(row.tokens[i] == Vocabulary::padding, i >= end) << i;
    }
  }
}

TEST(MaskedPairs, RelationsAreTrueAndHalfAndHalf) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairs batches(documents, makeOptions());
  int64_t unrelated = 0, total = 0, lengths[2] = {};
  for (int epoch = 0; epoch < 10; ++epoch)
    for (const Row &row : epochOf(batches)) {
      auto [first, second] = segmentsOf(row);
      bool sameDocument = first[0] / perDocument == second[0] / perDocument;
      EXPECT_EQ(sameDocument, row.relation == 0);
      // What was taken away to make both fit lies between them.
      if (row.relation == 0 && first.size() + second.size() < 29) {
        EXPECT_EQ(second.front(), first.back() + 1);
      }
      unrelated += row.relation;
      lengths[row.relation] += int64_t(second.size());
      ++total;
    }
  EXPECT_GT(total, 1000);
  EXPECT_NEAR(double(unrelated) / double(total), 0.5, 0.05);
  // The length of the second segment does not tell.
  double related = double(lengths[0]) / double(total - unrelated);
  EXPECT_NEAR(double(lengths[1]) / double(unrelated) / related, 1, 0.1);
}

TEST(MaskedPairs, TargetsAreFifteenPercentAndHiddenEightOneOne) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairs batches(documents, makeOptions());
  int64_t hidden = 0, kept = 0, total = 0;
  for (int epoch = 0; epoch < 10; ++epoch)
    for (const Row &row : epochOf(batches)) {
      auto [first, second] = segmentsOf(row);
      size_t ordinary = first.size() + second.size();
      EXPECT_EQ(row.targets.size(), std::max<size_t>(1, (ordinary * 15 + 50) / 100));
      EXPECT_TRUE(std::ranges::is_sorted(row.targets));
      EXPECT_EQ(std::set(row.targets.begin(), row.targets.end()).size(), row.targets.size());
      for (int32_t place : row.targets) {
        int32_t was = row.text[size_t(place)], is = row.tokens[size_t(place)];
        EXPECT_GE(was, perDocument); // no start, separator or padding
        EXPECT_TRUE(is == mask || is >= firstUnit);
        hidden += is == mask;
        kept += is == was;
        ++total;
      }
    }
  EXPECT_GT(total, 3500);
  EXPECT_NEAR(double(hidden) / double(total), 0.8, 0.02);
  EXPECT_NEAR(double(kept) / double(total), 0.1, 0.02); // the other tenth is any unit
}

TEST(MaskedPairs, EveryEpochHasTheSamePassagesAndOtherMasks) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairs batches(documents, makeOptions());
  // Documents of first segments, as often as they come: where a passage begins may be cut off.
  auto origins = [](const std::vector<Row> &rows) {
    std::multiset<int32_t> found;
    for (const Row &row : rows)
      found.insert(row.text[1] / perDocument);
    return found;
  };
  std::vector<Row> first = epochOf(batches), second = epochOf(batches);
  EXPECT_EQ(origins(first), origins(second));
  for (int32_t document = 1; document <= documentCount; ++document)
    EXPECT_TRUE(origins(first).contains(document)) << document;
  EXPECT_NE(tokensOf(first), tokensOf(second));
}

// Documents of two sentences are a passage each, here eight of each of five lengths.
TEST(MaskedPairs, PassagesOfOneLengthAndBatchesAreShuffled) {
  std::vector<TokenDocument> documents = makeDocuments(documentCount, 2);
  MaskedPairOptions options = makeOptions();
  options.pairs = 4;
  MaskedPairs batches(documents, options);
  std::vector<size_t> lengths;
  std::set<std::set<int32_t>> companies[2]; // which documents are together, in two epochs
  Batch batch;
  for (auto &epoch : companies)
    for (int64_t i = 0; i < batches.batchesInEpoch(); ++i) {
      batches.next(batch);
      std::set<int32_t> company;
      for (const Row &row : rowsOf(batch))
        company.insert(row.text[1] / perDocument);
      const TokenDocument &first = documents[size_t(*company.begin() - 1)];
      lengths.push_back(first[0].size() + first[1].size());
      epoch.insert(company);
    }
  EXPECT_FALSE(std::is_sorted(lengths.begin(), lengths.begin() + batches.batchesInEpoch()));
  EXPECT_NE(companies[0], companies[1]);
}

TEST(MaskedPairs, DependOnTheSeedAlone) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairOptions options = makeOptions();
  MaskedPairs batches(documents, options), again(documents, options);
  options.seed = 2;
  MaskedPairs other(documents, options);
  auto rows = tokensOf(epochOf(batches));
  EXPECT_EQ(tokensOf(epochOf(again)), rows);
  EXPECT_NE(tokensOf(epochOf(other)), rows);
}

TEST(MaskedPairs, GoOnFromASavedPosition) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairs batches(documents, makeOptions()), resumed(documents, makeOptions());
  Batch batch, expected;
  for (int64_t i = 0; i < batches.batchesInEpoch() + 5; ++i)
    batches.next(batch);
  DataPosition position = batches.position();
  EXPECT_EQ(position, (DataPosition{1, 5}));
  batches.next(expected);
  resumed.seek(position);
  resumed.next(batch);
  for (const char *name : {"tokens", "segments", "relation", "targets", "labels"})
    EXPECT_TRUE(std::ranges::equal(batch.tensor(name).view<int32_t>(),
                                   expected.tensor(name).view<int32_t>()))
        << name;
}

TEST(MaskedPairs, WithoutShufflingAllEpochsAreTheSame) {
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairOptions options = makeOptions();
  options.shuffle = false;
  MaskedPairs batches(documents, options);
  auto rows = tokensOf(epochOf(batches));
  EXPECT_EQ(tokensOf(epochOf(batches)), rows);
}

TEST(MaskedPairs, ShortensWhatDoesNotFitAndCountsIt) {
  std::vector<TokenDocument> documents = makeDocuments(4, 4);
  std::vector<int32_t> &sentence = documents[1][2];
  while (sentence.size() < 100)
    sentence.push_back(sentence.back() + 1);
  documents.push_back({{7}});
  documents.emplace_back();
  MaskedPairs batches(documents, makeOptions());
  EXPECT_EQ(batches.longSentences(), 1);
  EXPECT_EQ(batches.shortDocuments(), 2);
  for (int epoch = 0; epoch < 5; ++epoch)
    for (const Row &row : epochOf(batches)) {
      EXPECT_LE(row.tokens.size(), 32U);
      EXPECT_EQ(std::ranges::count(row.text, Vocabulary::end), 2);
      EXPECT_EQ(std::ranges::count(row.text, 7), 0);
    }
}

TEST(MaskedPairs, Errors) {
  std::vector<TokenDocument> one = makeDocuments(1);
  one.push_back({{7, 8}});
  expectError(AXL_ERROR_DATA,
              HasSubstr("pairs of segments need at least two documents of two sentences, but there "
                        "is 1; a sentence a line, and a blank line between documents"),
              [&] { MaskedPairs(one, makeOptions()); });
  std::vector<TokenDocument> documents = makeDocuments();
  MaskedPairOptions options = makeOptions();
  options.units = 1000;
  expectError(AXL_ERROR_DATA, HasSubstr("has token 1000, but the vocabulary has 1000 units"),
              [&] { MaskedPairs(documents, options); });
  options = makeOptions();
  documents[2][1].clear();
  expectError(AXL_ERROR_DATA, "document 2 has a sentence without tokens: leave it out",
              [&] { MaskedPairs(documents, options); });
  options.firstUnit = options.units;
  expectError(AXL_ERROR_ARGUMENT,
              "the mask is unit 4 and unit 41000 the first that may stand in for a token; both "
              "must be units of the vocabulary, 0 to 40999",
              [&] { MaskedPairs(documents, options); });
  options.firstUnit = firstUnit;
  options.mask = -1;
  expectError(AXL_ERROR_ARGUMENT, HasSubstr("the mask is unit -1"),
              [&] { MaskedPairs(documents, options); });
  options.length = 4;
  expectError(AXL_ERROR_ARGUMENT, HasSubstr("a pair has at least 5 tokens, but the length is 4"),
              [&] { MaskedPairs(documents, options); });
  options.pairs = 0;
  expectError(AXL_ERROR_ARGUMENT, "MaskedPairOptions::pairs is 0; expected at least 1",
              [&] { MaskedPairs(documents, options); });
}

} // namespace
