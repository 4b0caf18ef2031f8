// Sizes may be 0, and tokens may be hidden: what is made of nothing is 0, and the largest of
// nothing is the lowest number.
#include "frontend/Axloom.h"
#include "frontend/GraphInternal.h"
#include "frontend/train/Loss.h"
#include "runtime/Runtime.h"
#include "tests/support/CompiledExecutor.h"

#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>

using namespace axloom;
using testing::Each;

namespace {
struct Batch : Axis<"batch"> {};
struct Position : Axis<"position"> {};
struct Key : Axis<"key"> {};
struct Model : Axis<"model"> {};
struct Latent : Axis<"latent"> {};
struct Vocabulary : Axis<"vocabulary"> {};

constexpr int64_t model = 10, vocabulary = 37;

void addFunctions(Program &program) {
  Size B = program.size("B", 9), S = program.size("S", 40);
  auto table = program.parameter<Vocabulary, Model>("table", init::normal(0, 1), vocabulary, model);
  program.function("loss", [&](Function &f) {
    auto x = f.argument<float, Batch, Position, Model>("x", B, S, model);
    auto labels = f.argument<int, Batch, Position>("labels", B, S);
    auto real = f.argument<bool, Batch, Position>("real", B, S);
    auto logits = contract<Model>(x, table);
    f.result<>("loss", train::tokenLoss<Vocabulary, Batch, Position>(logits, labels, real).sum);
  });
  program.function("pool", [&](Function &f) {
    auto q = f.argument<float, Latent, Model>("q", 4, model);
    auto k = f.argument<float, Batch, Key, Model>("k", B, S, model);
    auto weights = softmax<Key>(contract<Model>(q, k));
    f.result<Batch, Latent, Model>("y", contract<Key>(weights, k));
  });
  program.function("extremes", [&](Function &f) {
    auto x = f.argument<float, Batch, Position>("x", B, S);
    f.result<Batch>("largest", max<Position>(x));
    f.result<Batch>("smallest", min<Position>(x));
    f.result<Batch>("place", argmax<Position>(x));
  });
}

class Empty : public testing::Test {
protected:
  float loss(const runtime::Tensor &x, const runtime::Tensor &real) {
    runtime::Tensor labels = runtime::Tensor::of<int32_t>({x.extents()[0], x.extents()[1]});
    std::ranges::fill(labels.view<int32_t>(), 5);
    auto results = compiled.run("loss", {{"x", x}, {"labels", labels}, {"real", real}});
    return results.at(0).tensor.view<float>()[0];
  }

  struct Functions : Program {
    Functions() { addFunctions(*this); }
  } program;
  test::CompiledExecutor executor;
  runtime::Model compiled{executor.compile(moduleOf(program))->model()};
};
} // namespace

TEST_F(Empty, TheLossOfNoTokens) {
  const std::pair<int64_t, int64_t> sizes[] = {{0, 3}, {2, 0}, {0, 0}};
  for (auto [texts, tokens] : sizes)
    EXPECT_EQ(loss(runtime::Tensor::of<float>({texts, tokens, model}),
                   runtime::Tensor::of<bool>({texts, tokens})),
              0)
        << texts << " texts of " << tokens << " tokens";
}

TEST_F(Empty, HiddenTokensMayBeNoNumbers) {
  runtime::Tensor x = runtime::Tensor::of<float>({2, 3, model}),
                  real = runtime::Tensor::of<bool>({2, 3});
  std::ranges::fill(x.view<float>(), 0.25f);
  std::ranges::fill(real.view<bool>(), true);
  real.view<bool>()[4] = false;
  float expected = loss(x, real);
  for (size_t i = 0; i < model; ++i)
    x.view<float>()[4 * model + i] = NAN;
  EXPECT_EQ(loss(x, real), expected);
  EXPECT_GT(expected, 0);
}

TEST_F(Empty, AttentionOverNoKeys) {
  runtime::Tensor q = runtime::Tensor::of<float>({4, model}),
                  k = runtime::Tensor::of<float>({3, 0, model});
  std::ranges::fill(q.view<float>(), 1.0f);
  auto results = compiled.run("pool", {{"q", q}, {"k", k}});
  EXPECT_THAT(results.at(0).tensor.extents(), testing::ElementsAre(3, 4, model));
  EXPECT_THAT(results.at(0).tensor.view<float>(), Each(0));
}

TEST_F(Empty, TheLargestOfNothingIsTheLowestNumber) {
  auto results = compiled.run("extremes", {{"x", runtime::Tensor::of<float>({3, 0})}});
  for (const runtime::NamedTensor &result : results)
    EXPECT_THAT(result.tensor.extents(), testing::ElementsAre(3)) << result.name;
  EXPECT_THAT(results.at(0).tensor.view<float>(), Each(std::numeric_limits<float>::lowest()));
  EXPECT_THAT(results.at(1).tensor.view<float>(), Each(std::numeric_limits<float>::max()));
  EXPECT_THAT(results.at(2).tensor.view<int32_t>(), Each(0));
}
