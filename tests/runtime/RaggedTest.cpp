// A ragged batch: lengths that a call passes, and a kernel that runs for one entry at a time.
#include "runtime/Runtime.h"
#include "runtime/core/Lengths.h"
#include "tests/runtime/Expect.h"

#include <HalideRuntime.h>
#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

using namespace axloom::runtime;

namespace {

// ---- a model that adds up the positions of each entry ----

constexpr int32_t B = 0, S = 1, totalS = 2, longestS = 3;
const axl_symbol symbols[] = {{"B", 8, AXL_SIZE_FREE, {-1}},
                              {"S", 5, AXL_SIZE_FREE, {-1}},
                              {"total.S", 40, AXL_SIZE_TOTAL, {S, -1}},
                              {"longest.S", 5, AXL_SIZE_LONGEST, {S, -1}}};
constexpr axl_extent sized(int32_t symbol) { return {1, {symbol, -1, -1, -1}}; }
constexpr axl_extent two = {2, {-1, -1, -1, -1}};

const char *const packedAxes[] = {"batch.position", "model"};
const axl_extent packedExtents[] = {sized(totalS), two};
const char *const sumAxes[] = {"batch", "model"};
const axl_extent sumExtents[] = {sized(B), two};
const axl_value arguments[] = {{"x", AXL_F32, 2, packedAxes, packedExtents, 0, 0},
                               {"S.lengths", AXL_I32, 1, sumAxes, sumExtents, 0, 0}};
const axl_value results[] = {{"entries", AXL_F32, 2, sumAxes, sumExtents, 0, 0},
                             {"all", AXL_F32, 1, &sumAxes[1], &two, 0, 0}};

float *dataOf(void *buffer) {
  return reinterpret_cast<float *>(static_cast<halide_buffer_t *>(buffer)->host);
}

// x: [1, position, model], entries: [1, model], all: [model], length, start of the loop
int addUp(void **given) {
  auto &x = *static_cast<halide_buffer_t *>(given[0]);
  int32_t length = *static_cast<int32_t *>(given[3]);
  EXPECT_EQ(x.dimensions, 3);
  EXPECT_EQ(x.dim[1].extent, std::max(length, 1)); // what is only read never looks empty
  EXPECT_EQ(x.dim[2].extent, 1);
  EXPECT_EQ(x.dim[2].stride, 2 * length);
  for (int model = 0; model < 2; ++model) {
    float sum = 0;
    for (int position = 0; position < length; ++position)
      sum += dataOf(given[0])[2 * position + model];
    dataOf(given[1])[model] = sum;
    dataOf(given[2])[model] += sum;
  }
  return 0;
}

const axl_operand operands[] = {{"x", AXL_READ, {-1}, {0}, -1},
                                {"entries", AXL_WRITE, {0}, {0}, -1},
                                {"all", AXL_READ | AXL_WRITE | AXL_ZEROED, {-1}, {0}, -1},
                                {"offsets", AXL_READ, {-1}, {0}, -1}};
const int32_t inOrder[] = {0, 1, 2}, offsetOperand[] = {3}, lengthScalar[] = {0};
const axl_ragged_operand raggedOperand{0, 3, 1, {0}};
const axl_ragged ragged{1, offsetOperand, lengthScalar, 1, &raggedOperand};
const axl_loop loop{AXL_SEQUENTIAL, 1};
const axl_block block{addUp, 3, inOrder};
const axl_kernel kernel{"add_up", 1, &loop, 4, operands, 1, &block, 1, -1, &ragged, 0, nullptr};

int enter(axl_context *context, const axl_tensor *in, const axl_tensor *out) {
  EXPECT_EQ(axl_offsets(context, totalS)->extent[0], axl_size(context, B) + 1);
  const axl_tensor tensors[] = {in[0], out[0], out[1], *axl_offsets(context, totalS)};
  const int32_t longest = int32_t(axl_size(context, longestS));
  return axl_launch(context, 0, tensors, 4, &longest, 1);
}

const axl_lengths lengths{S, 1};
const axl_function function{"add_up", 2, arguments, 2, results, 0, 0, enter, -1, 1, &lengths};
const axl_location location{"model.cpp", 7, 1};
const axl_model model = {AXL_ABI_VERSION, "ragged", "00c0ffee", "x86-64-linux",
                         "cpu",           0,        nullptr,    4,
                         symbols,         0,        nullptr,    1,
                         &function,       1,        &kernel,    0,
                         nullptr,         1,        &location};

class Ragged : public testing::Test {
protected:
  // x holds 0, 1, 2, ...
  void call(const std::vector<int32_t> &given, int64_t tokens) {
    Tensor x(AXL_F32, {tokens, 2}), lengths(AXL_I32, {int64_t(given.size())});
    std::iota(x.view<float>().begin(), x.view<float>().end(), 0.f);
    std::copy(given.begin(), given.end(), lengths.view<int32_t>().begin());
    sums.assign(2 * given.size(), 7); // what was there before does not count
    total.assign(2, 7);
    open.call("add_up", {{"x", x}, {"S.lengths", lengths}},
              {{"entries", View<float>(sums.data(), {int64_t(given.size()), 2})},
               {"all", View<float>(total.data(), {2})}});
  }

  void expectLengthError(const std::string &message, const std::vector<int32_t> &given,
                         int64_t tokens, axl_code code = AXL_ERROR_SIZE) {
    expectError(code, message, [&] { call(given, tokens); });
  }

  Model open{model};
  std::vector<float> sums, total;
};

TEST_F(Ragged, EachEntryIsADenseProblem) {
  call({2, 1, 3}, 6);
  EXPECT_THAT(sums, testing::ElementsAre(0 + 2, 1 + 3, 4, 5, 6 + 8 + 10, 7 + 9 + 11));
  EXPECT_THAT(total, testing::ElementsAre(30, 36));
}

TEST_F(Ragged, EntriesMayBeEmpty) {
  call({0, 2, 0}, 2);
  EXPECT_THAT(sums, testing::ElementsAre(0, 0, 2, 4, 0, 0));
  EXPECT_THAT(total, testing::ElementsAre(2, 4));
  call({0}, 0);
  EXPECT_THAT(total, testing::ElementsAre(0, 0));
}

TEST_F(Ragged, SumsOfNoEntriesAreZero) {
  call({}, 0);
  EXPECT_TRUE(sums.empty());
  EXPECT_THAT(total, testing::ElementsAre(0, 0));
}

TEST_F(Ragged, ChecksLengths) {
  expectLengthError("add_up of model 'ragged': argument 'S.lengths' has -1 as element 1; lengths "
                    "of S must be at least 0 and at most 5 (model.cpp:7)",
                    {2, -1}, 1);
  expectLengthError("add_up of model 'ragged': argument 'S.lengths' has 6 as element 0; lengths of "
                    "S must be at least 0 and at most 5 (model.cpp:7)",
                    {6}, 6);
}

TEST_F(Ragged, ResultsNeedMemoryOfTheirOwn) {
  Tensor x(AXL_F32, {2, 2}), lengths(AXL_I32, {1}), shared(AXL_F32, {2});
  lengths.view<int32_t>()[0] = 2;
  float *sums = shared.view<float>().data();
  expectError(AXL_ERROR_ARGUMENT,
              "add_up of model 'ragged': result 'all' was given memory that result 'entries' has; "
              "give each result memory of its own (model.cpp:7)",
              [&] {
                open.call("add_up", {{"x", x}, {"S.lengths", lengths}},
                          {{"entries", View<float>(sums, {1, 2})}, {"all", shared}});
              });
}

TEST_F(Ragged, ProductsOfLengthsMayBeBeyondAllNumbers) {
  axl_symbol large[std::size(symbols)];
  std::copy(std::begin(symbols), std::end(symbols), large);
  large[S].maximum = std::numeric_limits<int32_t>::max();
  std::fill_n(large[totalS].lengths, AXL_MAX_FACTORS, S);
  axl_model changed = model;
  changed.symbols = large;
  int32_t length = 1 << 16; // of which the fourth power is 0 in 64 bits
  std::vector<int64_t> sizes(std::size(symbols), -1);
  const AnyView given[] = {View<float>(nullptr, {0, 2}), View<int32_t>(&length, {1})};
  expectError(AXL_ERROR_SIZE, testing::HasSubstr("makes a batch of more than 2^31 - 1 elements"),
              [&] { deriveRaggedSizes(changed, function, given, sizes, nullptr); });
}

// The size follows from 2 S, which is looked at last.
TEST_F(Ragged, ChecksLengthsAgainstSizesThatAreInferred) {
  const axl_extent twice = {2, {S, -1, -1, -1}};
  const axl_value given[] = {{"x", AXL_F32, 1, sumAxes, &twice, 0, 0}, arguments[1]};
  axl_function added = function;
  added.name = "check";
  added.arguments = given;
  added.result_count = 0;
  added.entry = [](axl_context *, const axl_tensor *, const axl_tensor *) { return int(AXL_OK); };
  axl_model changed = model;
  changed.functions = &added;
  Model checked(changed);
  Tensor x(AXL_F32, {4}), lengths(AXL_I32, {1});
  lengths.view<int32_t>()[0] = 2;
  checked.call("check", {{"x", x}, {"S.lengths", lengths}}, {});
  lengths.view<int32_t>()[0] = 3;
  expectError(
      AXL_ERROR_SIZE,
      testing::HasSubstr("has 3 as element 0; lengths of S must be at least 0 and at most 2"),
      [&] { checked.call("check", {{"x", x}, {"S.lengths", lengths}}, {}); });
}

TEST_F(Ragged, ChecksWhatLengthsAre) {
  Tensor x(AXL_F32, {3, 2}), flags(AXL_I1, {2});
  expectError(AXL_ERROR_ARGUMENT,
              "add_up of model 'ragged': argument 'S.lengths' must be i32 [batch: B], but a tensor "
              "of i1 [2] was passed (model.cpp:7)",
              [&] { open.run("add_up", {{"x", x}, {"S.lengths", flags}}); });
}

TEST_F(Ragged, ChecksThatTensorsHoldAsManyTokensAsTheLengthsSay) {
  expectLengthError(
      "add_up of model 'ragged': axis 'batch.position' of argument 'x' must have size "
      "total.S = 3, the sum of the lengths, but a tensor of f32 [4, 2] was passed "
      "(model.cpp:7)",
      {2, 1}, 4, AXL_ERROR_ARGUMENT);
}

} // namespace
