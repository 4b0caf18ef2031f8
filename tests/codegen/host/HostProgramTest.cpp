// Host programs of hand-written planned modules, run through the runtime: descriptors, scalars,
// slots, scratch, loops, copies, writes in place, errors of contradictory plans.

#include "runtime/Runtime.h"
#include "tests/codegen/support/Planned.h"
#include "tests/support/SharedBundle.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::test;
using runtime::Model;
using runtime::Tensor;
using runtime::View;

static std::vector<float> values(const Tensor &tensor) {
  View<const float> view = tensor.view<float>();
  return {view.begin(), view.end()};
}

/// A tensor of counting numbers.
static Tensor counting(std::initializer_list<int64_t> extents) {
  Tensor tensor = Tensor::of<float>(extents);
  View<float> view = tensor.view<float>();
  for (int64_t i = 0; i < view.size(); ++i)
    view[i] = float(i);
  return tensor;
}

// x: [model, batch] at entry; scaled: [model, batch] in slot 1; y: [batch, model] for the caller.
static const char *const scaleText = R"(
axloom.size @B max 64
axloom.variable "parameter" @gain : !axloom.tensor<model: 2, f32> order ["model"] init {kind = "constant", value = 3.0 : f64}
func.func @apply(%x: !axloom.tensor<batch: B, model: 2, f32> {axloom.name = "x", axloom.order = ["model", "batch"]})
    -> (!axloom.tensor<batch: B, model: 2, f32> {axloom.name = "y", axloom.order = ["batch", "model"]})
    attributes {axloom.slots = [#axloom.size<4>, #axloom.size<8*B>, #axloom.size<12>],
                axloom.below = [array<i64>, array<i64: 0>, array<i64>]} {
  %gain = axloom.read @gain : !axloom.tensor<model: 2, f32>
  %offset = axloom.constant 100.0 : f32 : !axloom.tensor<f32>
  %scaled = axloom.kernel "scale"(%x, %offset, %gain) {by_value = array<i64: 1>,
      input_layouts = [#axloom.layout<[model, batch]>, #axloom.layout<[]>, #axloom.layout<[model]>],
      result_layouts = [#axloom.layout<[model, batch]>], placements = [#axloom.placement<slot 1>]}
      : (!axloom.tensor<batch: B, model: 2, f32>, !axloom.tensor<f32>, !axloom.tensor<model: 2, f32>)
      -> !axloom.tensor<batch: B, model: 2, f32> {
  ^bb0(%a: !axloom.tensor<batch: B, model: 2, f32>, %b: !axloom.tensor<f32>, %c: !axloom.tensor<model: 2, f32>):
    axloom.yield %a : !axloom.tensor<batch: B, model: 2, f32>
  }
  return %scaled : !axloom.tensor<batch: B, model: 2, f32>
})";

// scaled[model, batch] = x[model, batch] * gain[model] + offset + B / 8
static const FakeKernel scaleKernel = {R"(
  for (int m = 0; m < DIM(2, 1).extent; ++m)
    for (int b = 0; b < DIM(2, 0).extent; ++b)
      DATA(float, 2)[m * DIM(2, 1).stride + b] =
          DATA(float, 0)[m * DIM(0, 1).stride + b] * DATA(float, 1)[m] + REAL(3) + SCALAR(4) / 8.0f;
  return 0;)",
                                       {"B"},
                                       {},
                                       {},
                                       {}};

TEST(HostProgram, LaunchesKernelsAndReordersResults) {
  Planned planned(scaleText, {{"scale", scaleKernel}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  auto results = model.run("apply", {{"x", counting({2, 3})}});
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].name, "y");
  // x is [[0, 1, 2], [3, 4, 5]] over [model, batch].
  EXPECT_THAT(values(results[0].tensor),
              testing::ElementsAre(100.375, 109.375, 103.375, 112.375, 106.375, 115.375));
}

TEST(HostProgram, ServesAllSizesWithOneArenaThatGrows) {
  Planned planned(scaleText, {{"scale", scaleKernel}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  model.run("apply", {{"x", counting({2, 1})}});
  // Slot 0: 4 bytes; slot 1, behind it: 8; slot 2 lies where slot 0 does. All are rounded up to 64.
  EXPECT_EQ(model.arenaBytes(), 128);
  model.run("apply", {{"x", counting({2, 64})}});
  EXPECT_EQ(model.arenaBytes(), 64 + 512);
}

TEST(HostProgram, RefusesSizesBeyondTheirMaximum) {
  Planned planned(scaleText, {{"scale", scaleKernel}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  try {
    model.run("apply", {{"x", counting({2, 65})}});
    FAIL() << "65 is beyond the maximum of 64";
  } catch (const runtime::Error &error) {
    EXPECT_EQ(error.code(), AXL_ERROR_SIZE);
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("'x'"), testing::HasSubstr("'batch'"),
                               testing::HasSubstr("65"), testing::HasSubstr("64")));
  }
}

// Adds up x along batch with a chunk loop, partial sums in scratch; also returns the argument and
// the old count.
static const char *const statefulText = R"(
axloom.size @B max 1000
axloom.variable "state" @count : !axloom.tensor<model: 2, f32> order ["model"] init {kind = "zeros"}
axloom.variable "state" @last : !axloom.tensor<model: 2, f32> order ["model"] init {kind = "zeros"}
func.func @step(%x: !axloom.tensor<model: 2, f32> {axloom.name = "x", axloom.order = ["model"]})
    -> (!axloom.tensor<model: 2, f32> {axloom.name = "old", axloom.order = ["model"]},
        !axloom.tensor<model: 2, f32> {axloom.name = "echo", axloom.order = ["model"]},
        !axloom.tensor<model: 2, f32> {axloom.name = "sum", axloom.order = ["model"]})
    attributes {axloom.slots = [], axloom.below = []} {
  %count = axloom.read @count : !axloom.tensor<model: 2, f32>
  %sum, %new = axloom.kernel "accumulate"(%x, %count) {
      input_layouts = [#axloom.layout<[model]>, #axloom.layout<[model]>],
      result_layouts = [#axloom.layout<[model]>, #axloom.layout<[model]>],
      placements = [#axloom.placement<result 2>, #axloom.placement<variable @count>]}
      : (!axloom.tensor<model: 2, f32>, !axloom.tensor<model: 2, f32>)
      -> (!axloom.tensor<model: 2, f32>, !axloom.tensor<model: 2, f32>) {
  ^bb0(%a: !axloom.tensor<model: 2, f32>, %b: !axloom.tensor<model: 2, f32>):
    axloom.yield %a, %b : !axloom.tensor<model: 2, f32>, !axloom.tensor<model: 2, f32>
  }
  axloom.write @count, %new : !axloom.tensor<model: 2, f32>
  axloom.write @last, %x : !axloom.tensor<model: 2, f32>
  return %count, %x, %sum : !axloom.tensor<model: 2, f32>, !axloom.tensor<model: 2, f32>, !axloom.tensor<model: 2, f32>
})";

TEST(HostProgram, WritesVariablesInPlaceAndCopiesTheRest) {
  FakeKernel accumulate{R"(
    for (int m = 0; m < 2; ++m)
      DATA(float, 2)[m] = DATA(float, 3)[m] = DATA(float, 0)[m] + DATA(float, 1)[m];
    return 0;)",
                        {},
                        {},
                        {},
                        {}};
  Planned planned(statefulText, {{"accumulate", accumulate}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  Tensor x = counting({2});
  model.run("step", {{"x", x}});
  auto results = model.run("step", {{"x", x}});
  EXPECT_THAT(values(results[0].tensor), testing::ElementsAre(0, 1));
  EXPECT_THAT(values(results[1].tensor), testing::ElementsAre(0, 1));
  EXPECT_THAT(values(results[2].tensor), testing::ElementsAre(0, 2));
  EXPECT_THAT(values(model.variable("count")), testing::ElementsAre(0, 2));
  EXPECT_THAT(values(model.variable("last")), testing::ElementsAre(0, 1));
}

static const char *const sumText = R"(
axloom.size @B max 1000
func.func @sum(%x: !axloom.tensor<batch: B, f32> {axloom.name = "x", axloom.order = ["batch"]})
    -> (!axloom.tensor<batch: B, f32> {axloom.name = "y", axloom.order = ["batch"]}) attributes {axloom.slots = [], axloom.below = []} {
  %y = axloom.kernel "chunked"(%x) {input_layouts = [#axloom.layout<[batch]>], result_layouts = [#axloom.layout<[batch]>],
      placements = [#axloom.placement<result 0>]} : (!axloom.tensor<batch: B, f32>) -> !axloom.tensor<batch: B, f32> {
  ^bb0(%a: !axloom.tensor<batch: B, f32>):
    axloom.yield %a : !axloom.tensor<batch: B, f32>
  }
  return %y : !axloom.tensor<batch: B, f32>
})";

TEST(HostProgram, GivesKernelsScratchFromTheArenaAndRunsTheirLoops) {
  // y = x + where its chunk starts, by way of a scratch of [ceil(B / 4), 4].
  FakeKernel chunked{R"(
    for (int i = 0; i < DIM(0, 0).extent; ++i) DATA(float, 2)[i] = DATA(float, 0)[i];
    for (int i = 0; i < DIM(0, 0).extent; ++i) DATA(float, 1)[i] = DATA(float, 2)[i] + SCALAR(3);
    return 0;)",
                     {},
                     {{false, 4}},
                     {{0}, {0}, {-1}},
                     {}};
  mlir::MLIRContext sizes;
  sizes.loadDialect<ir::AxloomDialect>();
  chunked.scratch = {{{ir::SizeAttr::symbol(&sizes, "B"), 4}, {ir::SizeAttr::fixed(&sizes, 4)}}};
  Planned planned(sumText, {{"chunked", chunked}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  runtime::Tensor x = counting({6});
  EXPECT_THAT(values(model.run("sum", {{"x", x}})[0].tensor),
              testing::ElementsAre(0, 1, 2, 3, 8, 9));
  EXPECT_EQ(model.arenaBytes(), 64);
}

// Two updates of one group, and between them a kernel that reads what both have yet to write.
static const char *const groupText = R"(
axloom.variable "state" @a : !axloom.tensor<model: 2, f32> order ["model"] init {kind = "ones"}
axloom.variable "state" @b : !axloom.tensor<model: 3, f32> order ["model"] init {kind = "ones"}
axloom.variable "state" @seen : !axloom.tensor<model: 2, f32> order ["model"] init {kind = "zeros"}
func.func @step() attributes {axloom.slots = [], axloom.below = []} {
  %a = axloom.read @a : !axloom.tensor<model: 2, f32>
  %b = axloom.read @b : !axloom.tensor<model: 3, f32>
  %new_a = axloom.kernel "increment"(%a) {group = 0 : i64, in_place = array<i64: 0>,
      input_layouts = [#axloom.layout<[model]>], result_layouts = [#axloom.layout<[model]>],
      placements = [#axloom.placement<variable @a>]}
      : (!axloom.tensor<model: 2, f32>) -> !axloom.tensor<model: 2, f32> {
  ^bb0(%x: !axloom.tensor<model: 2, f32>):
    axloom.yield %x : !axloom.tensor<model: 2, f32>
  }
  %sum = axloom.kernel "first_of_both"(%a, %b) {
      input_layouts = [#axloom.layout<[model]>, #axloom.layout<[model]>],
      result_layouts = [#axloom.layout<[model]>], placements = [#axloom.placement<variable @seen>]}
      : (!axloom.tensor<model: 2, f32>, !axloom.tensor<model: 3, f32>) -> !axloom.tensor<model: 2, f32> {
  ^bb0(%x: !axloom.tensor<model: 2, f32>, %y: !axloom.tensor<model: 3, f32>):
    axloom.yield %x : !axloom.tensor<model: 2, f32>
  }
  %new_b = axloom.kernel "increment"(%b) {group = 0 : i64, in_place = array<i64: 0>,
      input_layouts = [#axloom.layout<[model]>], result_layouts = [#axloom.layout<[model]>],
      placements = [#axloom.placement<variable @b>]}
      : (!axloom.tensor<model: 3, f32>) -> !axloom.tensor<model: 3, f32> {
  ^bb0(%x: !axloom.tensor<model: 3, f32>):
    axloom.yield %x : !axloom.tensor<model: 3, f32>
  }
  axloom.write @a, %new_a : !axloom.tensor<model: 2, f32>
  axloom.write @b, %new_b : !axloom.tensor<model: 3, f32>
  axloom.write @seen, %sum : !axloom.tensor<model: 2, f32>
  return
})";

TEST(HostProgram, KernelsOfAGroupRunTogetherWhereTheLastStands) {
  FakeKernel increment{R"(
    for (int i = 0; i < DIM(1, 0).extent; ++i) DATA(float, 1)[i] = DATA(float, 0)[i] + 1;
    return 0;)",
                       {},
                       {},
                       {},
                       {}};
  FakeKernel firstOfBoth{"DATA(float, 2)[0] = DATA(float, 0)[0];\n"
                         "DATA(float, 2)[1] = DATA(float, 1)[0]; return 0;",
                         {},
                         {},
                         {},
                         {}};
  Planned planned(groupText, {{"increment", increment}, {"first_of_both", firstOfBoth}});
  SharedBundle bundle(planned.bundle());
  Model model(bundle.model());
  model.run("step", {});
  EXPECT_THAT(values(model.variable("seen")), testing::ElementsAre(1, 1));
  EXPECT_THAT(values(model.variable("a")), testing::ElementsAre(2, 2));
  EXPECT_THAT(values(model.variable("b")), testing::ElementsAre(2, 2, 2));
}

TEST(HostProgram, SameModuleSameBytes) {
  Planned first(scaleText, {{"scale", scaleKernel}}), second(scaleText, {{"scale", scaleKernel}});
  codegen::Bundle a = first.bundle(), b = second.bundle();
  EXPECT_EQ(a.archive, b.archive);
  EXPECT_EQ(a.header, b.header);
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.report, b.report);
}

TEST(HostProgram, SaysWhatTheMachineLacksBeforeAnythingRuns) {
  Planned planned(scaleText, {{"scale", scaleKernel}});
  planned.target.features = {"avx2", "amx-fp16-of-the-future"};
  SharedBundle bundle(planned.bundle());
  try {
    Model model(bundle.model());
    FAIL() << "no machine has this feature";
  } catch (const runtime::Error &error) {
    EXPECT_EQ(error.code(), AXL_ERROR_CPU);
    EXPECT_THAT(error.what(), testing::HasSubstr("amx-fp16-of-the-future"));
  }
}

/// `text` with one thing replaced.
static std::string with(std::string text, const std::string &what, const std::string &replacement) {
  size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), replacement);
}

TEST(HostProgram, RefusesPlansThatContradictThemselves) {
  auto errorOf = [](const std::string &text) {
    Planned planned(text, {{"scale", scaleKernel}});
    EXPECT_FALSE(planned.compiles());
    return planned.errors;
  };
  EXPECT_EQ(errorOf(with(scaleText, "placements = [#axloom.placement<slot 1>]",
                         "placements = [#axloom.placement<slot 3>]")),
            "places a result in slot 3, but its function has 3\n");
  EXPECT_EQ(errorOf(with(scaleText, "<[model, batch]>, #axloom.layout<[]>",
                         "<[batch, model]>, #axloom.layout<[]>")),
            "expects input 0 as #axloom.layout<[batch, model]>, but it lies as "
            "#axloom.layout<[model, batch]>\n");
  EXPECT_EQ(errorOf(with(scaleText, "<slot 1>", "<result 0>")),
            "writes #axloom.layout<[model, batch]> into memory whose declared order is "
            "#axloom.layout<[batch, model]>\n");
  EXPECT_EQ(errorOf(with(scaleText, "<slot 1>", "<variable @gain>")),
            "writes #axloom.layout<[model, batch]> into memory whose declared order is "
            "#axloom.layout<[model]>\n");
}
