// The example's Transformer as a graph. (What it computes is tested against PyTorch in
// tests/system.)
#include "tests/frontend/Build.h"

#include "examples/translate/model.h"
#include "frontend/GraphInternal.h"

#include "mlir/IR/Verifier.h"

namespace axloom {
namespace {

class TranslateModel : public testing::Test {
protected:
  void build(const std::vector<std::string> &settings) {
    for (const std::string &setting : settings)
      options.set(setting);
    translate::build(program, options);
    options.checkAllUsed();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(moduleOf(program))));
  }

  /// How many elements the parameters have whose names begin so.
  std::int64_t elements(const std::string &prefix = "") {
    std::int64_t sum = 0;
    for (const AnyVariable &parameter : program.parameters()) {
      if (parameter.name().compare(0, prefix.size(), prefix) != 0)
        continue;
      std::int64_t product = 1;
      for (const auto &[axis, size] : graph::shapeOf(parameter.node(), Where::current()).axes)
        product *= size.constant();
      sum += product;
    }
    return sum;
  }

  /// How many ops of one kind a function has.
  template <class Op> int count(const std::string &function) {
    int n = 0;
    moduleOf(program).lookupSymbol<mlir::func::FuncOp>(function).walk([&](Op) { ++n; });
    return n;
  }

  std::string signature(const std::string &function) {
    std::string text = program.print();
    std::size_t begin = text.find("func.func @" + function);
    text = text.substr(begin, text.find('\n', begin) - begin);
    for (std::string noise : {"!axloom.tensor", "axloom.", "func.func "})
      for (std::size_t at; (at = text.find(noise)) != std::string::npos;)
        text.erase(at, noise.size());
    return text;
  }

  Program program;
  Options options;
};

TEST_F(TranslateModel, HasThePapersSizesByDefault) {
  build({});
  constexpr std::int64_t d = 512, ff = 2048, vocabulary = 37000;
  constexpr std::int64_t attention = 4 * d * d, norm = 2 * d;
  constexpr std::int64_t feedForward = 2 * d * ff + ff + d;
  EXPECT_EQ(elements("embedding."), vocabulary * d) << "one table for all";
  EXPECT_EQ(elements("encoder."), 6 * (attention + feedForward + 2 * norm));
  EXPECT_EQ(elements("decoder."), 6 * (2 * attention + feedForward + 3 * norm));
  EXPECT_EQ(elements(), elements("embedding.") + elements("encoder.") + elements("decoder."));
}

TEST_F(TranslateModel, TheHiddenLayerIsAMultipleOfTheWidth) {
  build({"width=32", "heads=2", "hidden_multiplier=3", "taps=5", "layers=1"});
  EXPECT_EQ(elements("encoder.0.feed_forward.inner"), 5 * 32 * 96 + 96);
  EXPECT_EQ(elements("decoder.0.feed_forward.inner"), 32 * 96 + 96);
}

TEST_F(TranslateModel, OffersTheFunctionsThatProgramsCall) {
  build({"layers=1"});
  EXPECT_EQ(
      signature("train_step"),
      R"(@train_step(%arg0: <batch: B, source: S, i32> {name = "source", order = ["batch", "source"]}, %arg1: <batch: B, target: T, i32> {name = "target_in", order = ["batch", "target"]}, %arg2: <batch: B, target: T, i32> {name = "target_out", order = ["batch", "target"]}, %arg3: <i32> {name = "seed", order = []}) -> (<f32> {name = "loss", order = []}, <f32> {name = "tokens", order = []}) {)");
  EXPECT_EQ(
      signature("evaluate"),
      R"(@evaluate(%arg0: <batch: B, source: S, i32> {name = "source", order = ["batch", "source"]}, %arg1: <batch: B, target: T, i32> {name = "target_in", order = ["batch", "target"]}, %arg2: <batch: B, target: T, i32> {name = "target_out", order = ["batch", "target"]}) -> (<f32> {name = "loss", order = []}, <f32> {name = "tokens", order = []}) {)");
  EXPECT_EQ(
      signature("forward"),
      R"(@forward(%arg0: <batch: B, source: S, i32> {name = "source", order = ["batch", "source"]}, %arg1: <batch: B, target: T, i32> {name = "target_in", order = ["batch", "target"]}) -> (<batch: B, target: T, vocabulary: 37000, f32> {name = "logits", order = ["batch", "target", "vocabulary"]}) {)");
  EXPECT_EQ(
      signature("attention"),
      R"(@attention(%arg0: <batch: B, source: S, i32> {name = "source", order = ["batch", "source"]}, %arg1: <batch: B, target: T, i32> {name = "target_in", order = ["batch", "target"]}) -> (<batch: B, heads: 8, key: S, source: S, f32> {name = "encoder.0", order = ["batch", "heads", "source", "key"]}, <batch: B, heads: 8, key: T, target: T, f32> {name = "decoder.0", order = ["batch", "heads", "target", "key"]}, <batch: B, heads: 8, source: S, target: T, f32> {name = "cross.0", order = ["batch", "heads", "target", "source"]}) {)");
  EXPECT_EQ(
      signature("encode"),
      R"(@encode(%arg0: <batch: B, source: S, i32> {name = "source", order = ["batch", "source"]}) {)");
  EXPECT_EQ(
      signature("decode_step"),
      R"(@decode_step(%arg0: <batch: B, i32> {name = "token", order = ["batch"]}, %arg1: <i32> {name = "position", order = []}) -> (<batch: B, vocabulary: 37000, f32> {name = "logits", order = ["batch", "vocabulary"]}) {)");
}

TEST_F(TranslateModel, DropsOutEachSubLayerAndTheEmbeddings) {
  build({"layers=3"});
  EXPECT_EQ(count<ir::RandomOp>("train_step"), 1 + 3 * 2 + 1 + 3 * 3);
  for (std::string function : {"evaluate", "forward", "attention", "encode", "decode_step"})
    EXPECT_EQ(count<ir::RandomOp>(function), 0) << function;
}

TEST_F(TranslateModel, MayDropOutAttentionWeightsToo) {
  build({"layers=3", "attention_dropout=0.1"});
  EXPECT_EQ(count<ir::RandomOp>("train_step"), 1 + 3 * 3 + 1 + 3 * 5);
}

TEST_F(TranslateModel, TrainingAssignsEachParameterAndItsMoments) {
  build({"layers=1"});
  int parameters = static_cast<int>(program.parameters().size());
  EXPECT_EQ(count<ir::WriteOp>("train_step"), 3 * parameters + 1);
  EXPECT_EQ(count<ir::GradientOp>("train_step"), 1);
}

TEST_F(TranslateModel, DecodingUpdatesTwoCachesALayer) {
  build({"layers=2"});
  EXPECT_EQ(count<ir::UpdateOp>("decode_step"), 4);
  EXPECT_EQ(count<ir::WriteOp>("decode_step"), 4);
  EXPECT_EQ(count<ir::WriteOp>("encode"), 5) << "keys and values of each layer, and the mask";
}

TEST_F(TranslateModel, ValuesMayBeDeeperThanKeys) {
  build({"layers=1", "width=32", "heads=2", "depth=8", "value_depth=24", "hidden=64"});
  EXPECT_EQ(elements("encoder.0.attention."), 2 * 32 * 2 * 8 + 2 * 32 * 2 * 24 + 2 * 32);
}

TEST_F(TranslateModel, DepthIsAShareOfTheWidth) {
  build({"layers=1", "width=96", "heads=3"});
  EXPECT_EQ(elements("encoder.0.attention.query."), 96 * 3 * 32);
}

TEST_F(TranslateModel, PositionsMayBeLearned) {
  build({"layers=1", "width=32", "heads=2", "positions=learned", "length=40"});
  EXPECT_EQ(elements("encoder.embedding.positions."), 40 * 32);
  EXPECT_EQ(count<ir::SinOp>("forward"), 0);
}

TEST_F(TranslateModel, TablesMayBeSeparate) {
  build({"layers=1", "width=32", "heads=2", "shared=false", "vocabulary=100"});
  EXPECT_EQ(elements("projection."), 100 * 32);
  EXPECT_EQ(elements("encoder.embedding."), 100 * 32);
  EXPECT_EQ(elements("decoder.embedding."), 100 * 32);
}

TEST_F(TranslateModel, RefusesPositionsThatItDoesNotKnow) {
  EXPECT_THROW(build({"positions=rotary"}), OptionError);
}

} // namespace
} // namespace axloom
