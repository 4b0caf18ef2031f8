// What the tables say of a module: names, orders, extents, initializers, sessions, locations; and
// the errors of modules that no entry point can be made of.

#include "codegen/host/RaggedSizes.h"
#include "tests/codegen/support/Planned.h"
#include "tests/support/SharedBundle.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::test;

static const char *const text = R"(
axloom.size @B max 8
axloom.size @T max 16
axloom.variable "parameter" @w : !axloom.tensor<in: 3, out: 5, f32> order ["out", "in"] init {kind = "normal", mean = 0.0 : f64, stddev = 0.5 : f64} loc("model.cpp":7:3)
axloom.variable "session" @cache : !axloom.tensor<batch: B, key: T, f32> order ["batch", "key"] init {kind = "zeros"}
func.func @echo(%ids: !axloom.tensor<batch: B, i32> {axloom.name = "ids"} loc("model.cpp":9:5))
    -> (!axloom.tensor<batch: B, i32> {axloom.name = "same"}) {
  return %ids : !axloom.tensor<batch: B, i32>
}
func.func @show(%ids: !axloom.tensor<batch: 2*B, i32>)
    -> (!axloom.tensor<batch: B, key: T, f32> {axloom.order = ["key", "batch"]}) {
  %cache = axloom.read @cache : !axloom.tensor<batch: B, key: T, f32>
  return %cache : !axloom.tensor<batch: B, key: T, f32>
})";

TEST(Description, ReadsBackThroughTheCInterface) {
  Planned planned(text, {}, "demo");
  planned.target.features = {"avx2"};
  SharedBundle bundle(planned.bundle());
  const axl_model &model = bundle.model();
  EXPECT_EQ(model.abi_version, AXL_ABI_VERSION);
  EXPECT_STREQ(model.name, "demo");
  EXPECT_STREQ(model.target, "fake");
  EXPECT_STREQ(model.device, "cpu");
  EXPECT_EQ(std::string(model.fingerprint), codegen::fingerprint(planned.module()));
  ASSERT_EQ(model.feature_count, 1);
  EXPECT_STREQ(model.features[0], "avx2");

  ASSERT_EQ(model.symbol_count, 2);
  EXPECT_STREQ(model.symbols[1].name, "T");
  EXPECT_EQ(model.symbols[1].maximum, 16);

  ASSERT_EQ(model.variable_count, 2);
  const axl_variable_info &weight = model.variables[0];
  EXPECT_STREQ(weight.value.name, "w");
  EXPECT_EQ(weight.value.type, AXL_F32);
  ASSERT_EQ(weight.value.rank, 2);
  EXPECT_STREQ(weight.value.axes[0], "out");
  EXPECT_EQ(weight.value.extents[0].factor, 5);
  EXPECT_EQ(weight.value.extents[0].symbols[0], -1);
  EXPECT_EQ(weight.kind, AXL_PARAMETER);
  EXPECT_EQ(weight.initializer, AXL_INIT_NORMAL);
  EXPECT_EQ(weight.numbers[1], 0.5);
  ASSERT_GE(weight.value.location, 0);
  EXPECT_STREQ(model.locations[weight.value.location].file, "model.cpp");
  EXPECT_EQ(model.locations[weight.value.location].line, 7);
  EXPECT_EQ(model.variables[1].kind, AXL_SESSION);

  ASSERT_EQ(model.function_count, 2);
  const axl_function &echo = model.functions[0], &show = model.functions[1];
  EXPECT_STREQ(echo.name, "echo");
  EXPECT_EQ(echo.uses_session, 0);
  ASSERT_EQ(echo.argument_count, 1);
  EXPECT_STREQ(echo.arguments[0].name, "ids");
  EXPECT_EQ(echo.arguments[0].type, AXL_I32);
  EXPECT_EQ(model.locations[echo.arguments[0].location].line, 9);
  EXPECT_EQ(show.uses_session, 1);
  EXPECT_STREQ(show.arguments[0].name, "argument0");
  EXPECT_EQ(show.arguments[0].extents[0].factor, 2);
  EXPECT_EQ(show.arguments[0].extents[0].symbols[0], 0);
  EXPECT_STREQ(show.results[0].axes[0], "key");
}

TEST(Description, FingerprintsAreOfTheGraphWithoutItsLines) {
  auto fingerprintWith = [](const std::string &part, const std::string &other) {
    std::string changed = text;
    changed.replace(changed.find(part), part.size(), other);
    return codegen::fingerprint(Planned(changed, {}).module());
  };
  const std::string fingerprint = codegen::fingerprint(Planned(text, {}).module());
  EXPECT_EQ(fingerprintWith("\"model.cpp\":7:3", "\"other.cpp\":8:3"), fingerprint);
  EXPECT_NE(fingerprintWith("stddev = 0.5", "stddev = 0.25"), fingerprint);
}

TEST(Description, RaggedTensorsAreTokensAndLengths) {
  Planned planned(R"(
axloom.size @B max 8
axloom.size @T max 16
func.func @echo(%x: !axloom.tensor<batch: B, model: 4, position: T[batch], f32> {axloom.name = "x", axloom.order = ["batch", "position", "model"]})
    -> (!axloom.tensor<batch: B, model: 4, position: T[batch], f32> {axloom.order = ["batch", "position", "model"]}) {
  return %x : !axloom.tensor<batch: B, model: 4, position: T[batch], f32>
})",
                  {});
  SharedBundle bundle(planned.bundle());
  const axl_model &model = bundle.model();
  ASSERT_EQ(model.symbol_count, 4);
  EXPECT_EQ(model.symbols[1].rule, AXL_SIZE_FREE);
  EXPECT_STREQ(model.symbols[2].name, "longest.T");
  EXPECT_EQ(model.symbols[2].rule, AXL_SIZE_LONGEST);
  EXPECT_EQ(model.symbols[2].lengths[0], 1);
  EXPECT_STREQ(model.symbols[3].name, "total.T");
  EXPECT_EQ(model.symbols[3].rule, AXL_SIZE_TOTAL);
  EXPECT_EQ(model.symbols[3].maximum, 8 * 16);

  const axl_function &echo = model.functions[0];
  ASSERT_EQ(echo.argument_count, 2);
  ASSERT_EQ(echo.arguments[0].rank, 2);
  EXPECT_STREQ(echo.arguments[0].axes[0], "batch.position");
  EXPECT_EQ(echo.arguments[0].extents[0].symbols[0], 3);
  EXPECT_STREQ(echo.arguments[1].name, "T.lengths");
  EXPECT_EQ(echo.arguments[1].type, AXL_I32);
  EXPECT_STREQ(echo.arguments[1].axes[0], "batch");
  ASSERT_EQ(echo.lengths_count, 1);
  EXPECT_EQ(echo.lengths[0].symbol, 1);
  EXPECT_EQ(echo.lengths[0].argument, 1);
}

TEST(Description, LengthsMayBeThereAsNumbersAlone) {
  Planned planned(R"(
axloom.size @B max 8
axloom.size @T max 16
func.func @lengths() -> !axloom.tensor<batch: B, f32> {
  %y = axloom.kernel "lengths"() {input_layouts = [], result_layouts = [#axloom.layout<[batch]>], placements = [#axloom.placement<result 0>]}
      : () -> !axloom.tensor<batch: B, f32> {
    %n = axloom.size_of <T[batch]> entries <B> : !axloom.tensor<batch: B, f32>
    axloom.yield %n : !axloom.tensor<batch: B, f32>
  }
  return %y : !axloom.tensor<batch: B, f32>
})",
                  {{"lengths", {"return 0;", {}, {}, {}, {}}}});
  SharedBundle bundle(planned.bundle());
  const axl_model &model = bundle.model();
  ASSERT_EQ(model.symbol_count, 4);
  EXPECT_STREQ(model.symbols[3].name, "total.T");
  ASSERT_EQ(model.functions[0].argument_count, 1);
  EXPECT_STREQ(model.functions[0].arguments[0].name, "T.lengths");
}

TEST(Description, TotalsHaveRoomForTheMostEntries) {
  Planned planned(R"(
axloom.size @B max 8
axloom.size @T max 16
func.func @few(%x: !axloom.tensor<batch: B, position: T[batch], f32>) -> !axloom.tensor<batch: B, position: T[batch], f32> {
  return %x : !axloom.tensor<batch: B, position: T[batch], f32>
}
func.func @many(%x: !axloom.tensor<batch: 4*B, position: T[batch], f32>) -> !axloom.tensor<batch: 4*B, position: T[batch], f32> {
  return %x : !axloom.tensor<batch: 4*B, position: T[batch], f32>
})",
                  {});
  SharedBundle bundle(planned.bundle());
  const axl_model &model = bundle.model();
  ASSERT_EQ(model.symbol_count, 4);
  EXPECT_STREQ(model.symbols[3].name, "total.T");
  EXPECT_EQ(model.symbols[3].maximum, 4 * 8 * 16);
}

TEST(Description, LengthsAsNumbersAreThoseOfTheTensors) {
  Planned planned(R"(
axloom.size @T max 16
func.func @f(%x: !axloom.tensor<batch: 5, position: T[batch], f32>) -> !axloom.tensor<batch: 2, f32> {
  %n = axloom.size_of <T[batch]> entries <2> : !axloom.tensor<batch: 2, f32>
  return %n : !axloom.tensor<batch: 2, f32>
})",
                  {});
  std::string errors;
  mlir::ScopedDiagnosticHandler handler(
      planned.module().getContext(),
      [&](mlir::Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  EXPECT_TRUE(mlir::failed(codegen::checkRagged(planned.module())));
  EXPECT_EQ(errors, "the ragged size T[batch] is taken for 2 entries, but 'T' has lengths for 5\n");
}

constexpr const char *projection = R"(
axloom.size @B max 8
func.func @project(%x: !axloom.tensor<batch: B, in: 4, f32>, %w: !axloom.tensor<in: 4, out: 6, f32>)
    -> !axloom.tensor<batch: B, out: 6, f32> {
  %y = axloom.kernel "contraction"(%x, %w) {input_layouts = [#axloom.layout<[batch, in]>, #axloom.layout<[in, out]>],
      result_layouts = [#axloom.layout<[batch, out]>], placements = [#axloom.placement<result 0>]}
      : (!axloom.tensor<batch: B, in: 4, f32>, !axloom.tensor<in: 4, out: 6, f32>) -> !axloom.tensor<batch: B, out: 6, f32> {
  ^bb0(%a: !axloom.tensor<batch: B, in: 4, f32>, %b: !axloom.tensor<in: 4, out: 6, f32>):
    %c = axloom.contract %a, %b over ["in"] : !axloom.tensor<batch: B, in: 4, f32>, !axloom.tensor<in: 4, out: 6, f32> -> !axloom.tensor<batch: B, out: 6, f32>
    axloom.yield %c : !axloom.tensor<batch: B, out: 6, f32>
  }
  return %y : !axloom.tensor<batch: B, out: 6, f32>
})";

TEST(Description, KernelsSayHowMuchTheyMultiply) {
  Planned planned(projection, {{"contraction", {"return 0;", {}, {}, {}, {}}}});
  SharedBundle bundle(planned.bundle());
  const axl_kernel &kernel = bundle.model().kernels[0];
  ASSERT_EQ(kernel.product_count, 1);
  EXPECT_EQ(kernel.products[0].multiply_adds.factor, 24);
  EXPECT_EQ(kernel.products[0].multiply_adds.symbols[0], 0);
  EXPECT_EQ(kernel.products[0].multiply_adds.symbols[1], -1);
  EXPECT_EQ(kernel.products[0].factors, AXL_F32);
}

TEST(Description, KernelsFitTheTablesOfTheRuntime) {
  auto errorWith = [](std::vector<std::vector<codegen::Dimension>> scratch) {
    Planned planned(projection, {{"contraction", {"return 0;", {}, {}, {}, std::move(scratch)}}});
    EXPECT_FALSE(planned.compiles());
    return planned.errors;
  };
  EXPECT_EQ(errorWith(std::vector<std::vector<codegen::Dimension>>(62)),
            "works on 65 tensors and 0 scalars; one kernel can have 64 and 32; "
            "pass or declare several of the tensors as one, and take slices of that\n");
  EXPECT_EQ(errorWith({std::vector<codegen::Dimension>(9)}),
            "a tensor of 9 axes would lie in memory between two kernels; it can have at most 8: "
            "merge some of them here\n");
}

static std::string errorOf(const std::string &module,
                           const std::map<std::string, FakeKernel> &kernels = {}) {
  Planned planned(module, kernels);
  EXPECT_FALSE(planned.compiles());
  return planned.errors;
}

TEST(Description, NamesWhatIsWrongWithAModule) {
  EXPECT_EQ(
      errorOf(R"(func.func @f(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x"}) { return })"),
      "axis 'batch' of 'x' has size B, but no size 'B' is declared\n");
  EXPECT_EQ(
      errorOf(
          R"(func.func @f(%x: !axloom.tensor<a:1,b:1,c:1,d:1,e:1,f:1,g:1,h:1,i:1, f32> {axloom.name = "x"}) { return })"),
      "'x' has 9 axes; at most 8 can be passed to a program\n");
}

static const char *const fiveSizes = R"(
axloom.size @S max 4
axloom.size @T max 4
axloom.size @U max 4
axloom.size @V max 4
axloom.size @W max 4
)";

/// What is wrong with a tensor of these axes between two kernels.
static std::string errorBetweenKernels(const std::string &axes, const std::string &order) {
  return errorOf(std::string(fiveSizes) + "!x = !axloom.tensor<f32>\n!y = !axloom.tensor<" + axes +
                     ", f32>" +
                     R"(
func.func @f(%x: !x) {
  %y = axloom.kernel "spread"(%x) {input_layouts = [#axloom.layout<[]>], placements = [#axloom.placement<slot 0>],
      result_layouts = [#axloom.layout<[)" +
                     order + R"(]>]} : (!x) -> !y {
  ^bb0(%a: !x):
    %b = axloom.broadcast %a to !y : !x -> !y
    axloom.yield %b : !y
  }
  return
})",
                 {{"spread", {"return 0;", {}, {}, {}, {}}}});
}

TEST(Description, FourSymbolsHaveRoomInASizeAndFourLengthsInATotal) {
  EXPECT_EQ(
      errorOf(
          std::string(fiveSizes) +
          R"(func.func @f(%x: !axloom.tensor<batch: 2, s: S[batch], t: T[batch], u: U[batch], v: V[batch], w: W[batch], f32> {axloom.name = "x"}) { return })"),
      "'x' has 5 axes that are ragged over 'batch'; at most 4 can be in one tensor\n");
  EXPECT_EQ(errorBetweenKernels("batch: 2, s: S[batch], t: T[batch], u: U[batch], v: V[batch], w: "
                                "W[batch]",
                                "batch, s, t, u, v, w"),
            "a tensor of 5 ragged axes would lie in memory between two kernels; it can have at "
            "most 4: give some of them a padded size\n");
  EXPECT_EQ(errorBetweenKernels("batch: S*T*U*V*W, s: S[batch]", "batch, s"),
            "axis 'batch', which 'S' is ragged over, has size S*T*U*V*W; at most 4 symbols can be "
            "in one\n");
  EXPECT_EQ(errorOf(std::string(fiveSizes) + R"(
!table = !axloom.tensor<vocab: S*T*U*V*W, f32>
func.func @f(%ids: !axloom.tensor<batch: 2, i32> {axloom.name = "ids"}, %table: !table) {
  %y = axloom.gather %table, %ids along "vocab" : !table, !axloom.tensor<batch: 2, i32> -> !axloom.tensor<batch: 2, f32>
  return
})"),
            "an axis that 'ids' picks from has size S*T*U*V*W; at most 4 symbols can be in "
            "one\n");
}
