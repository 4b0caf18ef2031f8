// A ragged batch runs compiled, on the CPU and on a device with memory of its own, and every real
// token gets the bits that it gets in a padded batch. Gradients agree up to the order of sums over
// tokens.
#include "codegen/mock/MockDevice.h"
#include "tests/runtime/Expect.h"
#include "tests/system/support/RaggedModel.h"
#include "tests/system/support/Transformer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace axloom;
using namespace axloom::runtime;
using namespace axloom::test;

namespace {

using Lengths = std::vector<int64_t>;

const axl_model &padded() {
  static CompiledModel model(encoderDecoder(Padding::Padded));
  return model.tables();
}

const axl_model &ragged() {
  static CompiledModel model(encoderDecoder(Padding::Ragged));
  return model.tables();
}

/// Sentences of these lengths.
std::vector<std::vector<int32_t>> sentences(const Lengths &lengths, uint32_t seed) {
  std::vector<std::vector<int32_t>> rows;
  for (int64_t length : lengths)
    rows.push_back(randomSentence(size_t(length), seed++));
  return rows;
}

Tensor packed(const std::vector<std::vector<int32_t>> &rows) {
  std::vector<int32_t> all;
  for (const auto &row : rows)
    all.insert(all.end(), row.begin(), row.end());
  Tensor tensor(AXL_I32, {int64_t(all.size())});
  std::copy(all.begin(), all.end(), tensor.view<int32_t>().begin());
  return tensor;
}

Tensor lengthsOf(const Lengths &lengths) {
  Tensor tensor(AXL_I32, {int64_t(lengths.size())});
  std::copy(lengths.begin(), lengths.end(), tensor.view<int32_t>().begin());
  return tensor;
}

/// The rows of real tokens, one after the other.
std::vector<float> realRows(const Tensor &tensor, const Lengths &lengths) {
  int64_t row = tensor.rank() == 3 ? tensor.extent(2) : 1;
  std::vector<float> rows;
  for (size_t entry = 0; entry < lengths.size(); ++entry) {
    const float *start = tensor.view<float>().data() + int64_t(entry) * tensor.extent(1) * row;
    rows.insert(rows.end(), start, start + lengths[entry] * row);
  }
  return rows;
}

std::vector<float> allOf(const Tensor &tensor) {
  auto view = tensor.view<float>();
  return {view.begin(), view.end()};
}

struct Batch {
  Lengths source, target;
};

struct Arguments {
  explicit Arguments(const Batch &batch)
      : source(sentences(batch.source, 1)), target(sentences(batch.target, 100)),
        labels(sentences(batch.target, 200)), batch(batch) {}

  std::vector<NamedTensor> run(Model &model, const char *function, Padding padding) const {
    if (padding == Padding::Padded)
      return model.run(
          function,
          {{"source", tokens(source)}, {"target", tokens(target)}, {"labels", tokens(labels)}});
    return model.run(function, {{"source", packed(source)},
                                {"target", packed(target)},
                                {"labels", packed(labels)},
                                {"S.lengths", lengthsOf(batch.source)},
                                {"T.lengths", lengthsOf(batch.target)}});
  }

  std::vector<std::vector<int32_t>> source, target, labels;
  Batch batch;
};

std::vector<Batch> batches() {
  return {{{1}, {1}},
          {{0, 0}, {0, 0}},
          {{}, {}},
          {{2, 7}, {7, 2}},
          {{1, 2, 7, 17, 63, 64, 65}, {65, 17, 1, 64, 7, 2, 63}},
          {{17, 17, 17}, {5, 5, 5}},
          {{80, 1, 80, 3}, {1, 80, 2, 80}},
          {{9, 0, 4}, {3, 0, 6}},
          {{0, 5, 0}, {2, 0, 4}}};
}

std::vector<std::string> variables() {
  std::vector<std::string> names;
  for (int32_t i = 0; i < ragged().variable_count; ++i)
    names.push_back(ragged().variables[i].value.name);
  return names;
}

/// How far numbers of f32 may be apart that come of sums in another order.
constexpr float rounding = 2e-5F;

/// By how much a variable differs from that of a new model.
std::vector<float> changeOf(const Model &model, const std::string &name) {
  std::vector<float> change = allOf(model.variable(name));
  std::vector<float> first = allOf(Model(model.description(), model.seed()).variable(name));
  std::ranges::transform(change, first, change.begin(), std::minus());
  return change;
}

void expectSameChanges(const Model &found, const Model &expected) {
  for (const std::string &name : variables())
    EXPECT_LE(distance(changeOf(found, name), changeOf(expected, name), 0.01F), rounding) << name;
}

} // namespace

TEST(Ragged, RealTokensHaveTheBitsOfThePaddedBatch) {
  Model dense(padded(), 3), sparse(ragged(), 3);
  for (const Batch &batch : batches()) {
    Arguments arguments(batch);
    auto expected = arguments.run(dense, "evaluate", Padding::Padded);
    auto found = arguments.run(sparse, "evaluate", Padding::Ragged);
    const Lengths *lengths[] = {&batch.source, &batch.target, &batch.target};
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(sameBits(realRows(expected[i].tensor, *lengths[i]), allOf(found[i].tensor)))
          << found[i].name << " of " << batch.source.size() << " sentences";
    float loss = expected[3].tensor.view<float>()[0];
    EXPECT_NEAR(found[3].tensor.view<float>()[0], loss, 1e-6 * (1 + loss));
  }
}

TEST(Ragged, ASentenceHasTheSameBitsAloneAndInABatch) {
  Model model(ragged(), 3);
  Batch together{{1, 2, 7, 17, 63, 64, 65}, {65, 17, 1, 64, 7, 2, 63}};
  auto all = Arguments(together).run(model, "evaluate", Padding::Ragged);
  int64_t start = 0;
  for (size_t i = 0; i < together.source.size(); ++i) {
    Arguments one({{together.source[i]}, {together.target[i]}});
    one.source = {sentences(together.source, 1)[i]};
    one.target = {sentences(together.target, 100)[i]};
    auto alone = one.run(model, "evaluate", Padding::Ragged);
    std::vector<float> logits = allOf(all[1].tensor);
    int64_t count = together.target[i] * raggedVocabulary;
    EXPECT_TRUE(sameBits({logits.data() + start, size_t(count)}, allOf(alone[1].tensor)))
        << "sentence " << i;
    start += count;
  }
}

TEST(Ragged, GradientsAgreeWithThePaddedBatch) {
  for (const Batch &batch : batches()) {
    SCOPED_TRACE(std::to_string(batch.source.size()) + " sentences");
    Model dense(padded(), 3), sparse(ragged(), 3);
    Arguments arguments(batch);
    arguments.run(dense, "descend", Padding::Padded);
    arguments.run(sparse, "descend", Padding::Ragged);
    expectSameChanges(sparse, dense);
  }
}

TEST(Ragged, ThreadsChangeNoBit) {
  Arguments arguments({{1, 2, 7, 17, 63, 64, 65}, {65, 17, 1, 64, 7, 2, 63}});
  std::vector<std::vector<std::vector<float>>> left; // by each number of threads
  for (int threads : {1, 2, 3}) {
    axl_set_threads(threads);
    Model model(ragged(), 3);
    left.push_back({allOf(arguments.run(model, "descend", Padding::Ragged)[0].tensor)});
    for (const std::string &name : variables())
      left.back().push_back(allOf(model.variable(name)));
  }
  axl_set_threads(0);
  for (size_t i = 0; i < left[0].size(); ++i) {
    SCOPED_TRACE(i == 0 ? "loss" : variables()[i - 1]);
    EXPECT_TRUE(sameBits(left[0][i], left[1][i]));
    EXPECT_TRUE(sameBits(left[0][i], left[2][i]));
  }
}

TEST(Ragged, RunsOnADeviceWithMemoryOfItsOwn) {
  codegen::mockDevice();
  CompiledModel mock(encoderDecoder(Padding::Ragged), {}, *codegen::Target::named("mock"));
  for (const Batch &batch : batches()) {
    SCOPED_TRACE(std::to_string(batch.source.size()) + " sentences");
    Model onMock(mock.tables(), 3), onHost(ragged(), 3);
    Arguments arguments(batch);
    for (const char *function : {"evaluate", "descend"}) {
      auto found = arguments.run(onMock, function, Padding::Ragged);
      auto expected = arguments.run(onHost, function, Padding::Ragged);
      for (size_t i = 0; i < expected.size(); ++i)
        EXPECT_LE(distance(allOf(found[i].tensor), allOf(expected[i].tensor), 1), rounding)
            << found[i].name;
    }
    expectSameChanges(onMock, onHost);
  }
}

TEST(Ragged, IndicesPickATokenOfEachSentence) {
  CompiledModel picking(R"(
    axloom.size @B max 8
    axloom.size @S max 8
    func.func @pick(
        %x: !axloom.tensor<batch: B, model: 2, position: S[batch], f32>
            {axloom.name = "x", axloom.order = ["batch", "position", "model"]},
        %place: !axloom.tensor<batch: B, i32> {axloom.name = "place"})
        -> (!axloom.tensor<batch: B, model: 2, f32>
            {axloom.name = "y", axloom.order = ["batch", "model"]}) {
      %y = axloom.gather %x, %place along "position"
          : !axloom.tensor<batch: B, model: 2, position: S[batch], f32>,
            !axloom.tensor<batch: B, i32> -> !axloom.tensor<batch: B, model: 2, f32>
      return %y : !axloom.tensor<batch: B, model: 2, f32>
    })");
  Model model(picking.tables(), 1);
  Tensor x(AXL_F32, {5, 2}), place(AXL_I32, {4});
  std::iota(x.view<float>().begin(), x.view<float>().end(), 1.0F);
  std::ranges::copy(Lengths{2, 0, 1, 0}, place.view<int32_t>().begin());
  std::vector<float> found(8, 7);
  model.call("pick", {{"x", x}, {"place", place}, {"S.lengths", lengthsOf({3, 0, 2, 0})}},
             {{"y", View<float>(found.data(), {4, 2})}});
  // Empty sentences have no token, and the one behind the last is nobody's.
  EXPECT_EQ(found, (std::vector<float>{5, 6, 0, 0, 9, 10, 0, 0}));
  place.view<int32_t>().data()[1] = 3;
  expectError(AXL_ERROR_ARGUMENT,
              testing::HasSubstr(
                  "'place' has 3 as element 1; values must be at least 0 and below longest.S = 3"),
              [&] {
                model.run("pick",
                          {{"x", x}, {"place", place}, {"S.lengths", lengthsOf({3, 0, 2, 0})}});
              });
}

TEST(Ragged, SumsOfIndicesAloneCountTokens) {
  CompiledModel counting(R"(
    axloom.size @B max 8
    axloom.size @S max 8
    func.func @count(%x: !axloom.tensor<batch: B, position: S[batch], f32>
            {axloom.name = "x", axloom.order = ["batch", "position"]})
        -> (!axloom.tensor<f32> {axloom.name = "n"}, !axloom.tensor<f32> {axloom.name = "sum"},
            !axloom.tensor<f32> {axloom.name = "twice"}) {
      %i = axloom.iota "position" size <S[batch]> entries <B> : <batch: B, position: S[batch], i32>
      %f = axloom.cast %i to f32 : <batch: B, position: S[batch], i32> -> <batch: B, position: S[batch], f32>
      %n = axloom.reduce "sum" %f over ["batch", "position"] : <batch: B, position: S[batch], f32> -> <f32>
      %sum = axloom.reduce "sum" %x over ["batch", "position"] : <batch: B, position: S[batch], f32> -> <f32>
      %lengths = axloom.size_of <S[batch]> entries <B> : <batch: B, f32>
      %all = axloom.reduce "sum" %lengths over ["batch"] : <batch: B, f32> -> <f32>
      %two = axloom.constant 2.0 : f32 : <f32>
      %twice = axloom.mul %all, %two : <f32>, <f32> -> <f32>
      return %n, %sum, %twice : !axloom.tensor<f32>, !axloom.tensor<f32>, !axloom.tensor<f32>
    })");
  Model model(counting.tables(), 1);
  for (const auto &[lengths, expected] :
       {std::pair(Lengths{3, 0, 4}, 9.0F), std::pair(Lengths{0, 0}, 0.0F),
        std::pair(Lengths{}, 0.0F)}) {
    int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), int64_t(0));
    std::vector<float> ones(size_t(tokens), 1.0F); // an empty one has no memory
    View<const float> x(ones.data(), {tokens});
    float count = 7, sum = 7, twice = 7;
    model.call(
        "count", {{"x", x}, {"S.lengths", lengthsOf(lengths)}},
        {{"n", View<float>(count)}, {"sum", View<float>(sum)}, {"twice", View<float>(twice)}});
    EXPECT_EQ(count, expected) << tokens;
    EXPECT_EQ(sum, float(tokens));
    EXPECT_EQ(twice, float(2 * tokens));
  }
}

TEST(Ragged, SumsOfBrainFloatsAreRoundedOnce) {
  CompiledModel adding(R"(
    axloom.size @B max 1024
    axloom.size @S max 8
    func.func @add(%x: !axloom.tensor<batch: B, position: S[batch], bf16>
            {axloom.name = "x", axloom.order = ["batch", "position"]})
        -> (!axloom.tensor<bf16> {axloom.name = "sum"}) {
      %i = axloom.iota "position" size <S[batch]> entries <B> : <batch: B, position: S[batch], i32>
      %place = axloom.cast %i to bf16 : <batch: B, position: S[batch], i32> -> <batch: B, position: S[batch], bf16>
      %y = axloom.mul %x, %place : <batch: B, position: S[batch], bf16>, <batch: B, position: S[batch], bf16> -> <batch: B, position: S[batch], bf16>
      %sum = axloom.reduce "sum" %y over ["batch", "position"] : <batch: B, position: S[batch], bf16> -> <bf16>
      return %sum : !axloom.tensor<bf16>
    })");
  Model model(adding.tables(), 1);
  // Each entry adds 1. A sum that is rounded to 8 bits on the way would stay at 256.
  std::vector<BFloat16> ones(2 * 600, BFloat16(1.0F));
  BFloat16 sum(7.0F);
  model.call(
      "add",
      {{"x", View<const BFloat16>(ones.data(), {1200})}, {"S.lengths", lengthsOf(Lengths(600, 2))}},
      {{"sum", View<BFloat16>(sum)}});
  EXPECT_EQ(float(sum), 600.0F);
}
