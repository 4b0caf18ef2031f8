// One sentence gives the same bits alone and in any batch, whatever stands beside it and however
// much padding that brings: encoding, the full forward pass, and decoding.
#include "runtime/data/Vocabulary.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {

using Sentence = std::vector<int32_t>;

struct Example {
  Sentence source, target; // the target starts with the begin token
};

Example example(size_t source, size_t target, uint32_t seed) {
  Example made{randomSentence(source, seed), randomSentence(target, seed + 1000)};
  made.target[0] = Vocabulary::begin;
  return made;
}

/// Batches that hold the example at row 0, in the middle or at the end, beside shorter and longer
/// ones.
std::vector<std::pair<std::vector<Example>, size_t>> batchesWith(const Example &one) {
  std::vector<std::pair<std::vector<Example>, size_t>> batches;
  for (size_t size : {1, 2, 3, 5, 16, 17}) {
    std::vector<Example> batch;
    for (size_t i = 0; i < size; ++i)
      batch.push_back(example(1 + (7 * i + size) % 24, 1 + (5 * i + size) % 24, uint32_t(50 + i)));
    size_t row = size / 2;
    batch[row] = one;
    batches.push_back({batch, row});
  }
  return batches;
}

Tensor sources(const std::vector<Example> &batch) {
  std::vector<Sentence> rows;
  for (const Example &one : batch)
    rows.push_back(one.source);
  return tokens(rows);
}

Tensor targets(const std::vector<Example> &batch) {
  std::vector<Sentence> rows;
  for (const Example &one : batch)
    rows.push_back(one.target);
  return tokens(rows);
}

/// Entries `first`, `first` + 1, ... of the axis `axis` at `row` of the outermost axis, for all
/// indices between, in order.
std::vector<float> rowOf(const Tensor &tensor, size_t row, int32_t axis, size_t count) {
  int64_t between = 1, inside = 1;
  for (int32_t a = 1; a < axis; ++a)
    between *= tensor.extent(a);
  for (int32_t a = axis + 1; a < tensor.rank(); ++a)
    inside *= tensor.extent(a);
  std::vector<float> values;
  auto view = tensor.view<float>();
  int64_t length = tensor.extent(axis);
  for (int64_t i = 0; i < between; ++i) {
    auto *start = view.data() + (int64_t(row) * between + i) * length * inside;
    values.insert(values.end(), start, start + int64_t(count) * inside);
  }
  return values;
}

Session encoded(Model &model, const std::vector<Example> &batch) {
  Tensor source = sources(batch);
  Session session(model, {{"B", source.extent(0)}, {"S", source.extent(1)}, {"T", smallLength}});
  session.call("encode", {{"source", source}}, {});
  return session;
}

/// What the decoder needs of the source, in the caller's session.
std::vector<float> memories(Model &model, const std::vector<Example> &batch, size_t row) {
  Session session = encoded(model, batch);
  std::vector<float> values;
  for (const char *name : {"session.source.0.keys", "session.source.0.values",
                           "session.source.1.keys", "session.source.1.values"}) {
    auto memory = rowOf(session.variable(name), row, 2, batch[row].source.size());
    values.insert(values.end(), memory.begin(), memory.end());
  }
  return values;
}

/// The logits of each decoding step, for each row of the batch.
std::vector<std::vector<float>> decodedRows(Model &model, const std::vector<Example> &batch) {
  Session session = encoded(model, batch);
  Tensor target = targets(batch);
  int64_t sentences = target.extent(0), length = target.extent(1);
  std::vector<std::vector<float>> rows(batch.size());
  Tensor token(AXL_I32, {sentences}), logits(AXL_F32, {sentences, smallVocabulary});
  for (int32_t position = 0; position < int32_t(length); ++position) {
    for (int64_t i = 0; i < sentences; ++i)
      token.view<int32_t>()[i] = target.view<int32_t>()[i * length + position];
    session.call("decode_step", {{"token", token}, {"position", View<int32_t>(position)}},
                 {{"logits", logits}});
    for (size_t row = 0; row < batch.size(); ++row) {
      if (size_t(position) >= batch[row].target.size())
        continue;
      auto next = rowOf(logits, row, 1, smallVocabulary);
      rows[row].insert(rows[row].end(), next.begin(), next.end());
    }
  }
  return rows;
}

std::vector<float> decoded(Model &model, const std::vector<Example> &batch, size_t row) {
  return decodedRows(model, batch)[row];
}

std::vector<float> forward(Model &model, const std::vector<Example> &batch, size_t row) {
  Tensor source = sources(batch), target = targets(batch);
  Tensor logits(AXL_F32, {int64_t(batch.size()), target.extent(1), smallVocabulary});
  model.call("forward", {{"source", source}, {"target_in", target}}, {{"logits", logits}});
  return rowOf(logits, row, 1, batch[row].target.size());
}

} // namespace

/// Expects the same bits of a sentence from any batch.
template <class Function> static void expectSameBits(Function function) {
  Model model(compiledTransformer());
  for (size_t length : {1, 7, 17, 24}) {
    Example one = example(length, 25 - length, 9);
    std::vector<float> alone = function(model, {one}, 0);
    for (auto &[batch, row] : batchesWith(one))
      EXPECT_TRUE(sameBits(function(model, batch, row), alone))
          << "length " << length << " in a batch of " << batch.size();
  }
}

TEST(Batch, TheForwardPassDoesNotDependOnIt) { expectSameBits(forward); }

TEST(Batch, EncodingDoesNotDependOnIt) { expectSameBits(memories); }

TEST(Batch, DecodingDoesNotDependOnIt) { expectSameBits(decoded); }

// Every row of batches that end in the middle of a vector, at its end and behind it.
TEST(Batch, DecodingEachRowDoesNotDependOnIt) {
  for (uint32_t seed : {1, 2, 3}) {
    Model model(compiledTransformer(), seed);
    std::vector<Example> batch;
    std::vector<std::vector<float>> alone;
    for (uint32_t i = 0; i < 17; ++i) {
      batch.push_back(example(1 + (5 * i + seed) % 24, 1 + (7 * i + seed) % 24, 100 * seed + i));
      alone.push_back(decoded(model, {batch.back()}, 0));
    }
    for (size_t size : {2, 3, 16, 17})
      for (size_t first = 0; first + size <= batch.size(); first += size) {
        auto rows = decodedRows(model, {batch.begin() + std::ptrdiff_t(first),
                                        batch.begin() + std::ptrdiff_t(first + size)});
        for (size_t row = 0; row < size; ++row)
          EXPECT_TRUE(sameBits(rows[row], alone[first + row]))
              << "seed " << seed << ", row " << row << " of " << size << " from " << first;
      }
  }
}

// Both compute the same numbers in another order, so the logits agree up to rounding and the
// tokens, whose logits are much farther apart, are the same.
TEST(Batch, DecodingWithTheCacheGivesTheTokensOfTheForwardPass) {
  Model model(compiledTransformer());
  std::vector<Example> batch;
  for (uint32_t i = 0; i < 16; ++i)
    batch.push_back(example(1 + i, 24 - i, i));
  for (size_t row = 0; row < batch.size(); ++row) {
    std::vector<float> whole = forward(model, batch, row), steps = decoded(model, batch, row);
    ASSERT_EQ(steps.size(), whole.size());
    for (size_t at = 0; at < whole.size(); at += smallVocabulary) {
      auto best = [&](const std::vector<float> &logits) {
        auto start = logits.begin() + std::ptrdiff_t(at);
        return std::max_element(start, start + smallVocabulary) - start;
      };
      EXPECT_EQ(best(steps), best(whole)) << "row " << row << ", position " << at / smallVocabulary;
    }
    for (size_t i = 0; i < whole.size(); ++i)
      ASSERT_NEAR(steps[i], whole[i], 1e-5) << "row " << row;
  }
}
