// Everything that can be chosen for small kernels: right by the interpreter, and with the bits of
// the usual schedule, whatever the batch.

#include "codegen/halide/HalideBackend.h"
#include "tests/codegen/support/KernelCases.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;
using ir::reference::Array;
using ir::reference::Sizes;
using testing::UnorderedElementsAreArray;

namespace {
struct Kernel {
  KernelCase entry;
  std::vector<std::string> choices;
  /// The result that is compared bit by bit: of sums over all tokens, the order may be chosen.
  size_t perToken = 0;
};

const char *const layouts = "input_layouts = [#axloom.layout<[b, m]>, #axloom.layout<[n, m]>], "
                            "result_layouts = [#axloom.layout<[b, n]>]";

KernelCase sized(KernelCase entry, const std::vector<int64_t> &batches) {
  entry.sizes.clear();
  for (int64_t batch : batches)
    entry.sizes.push_back({{"B", batch}});
  entry.tolerance = 1e-4;
  return entry;
}

/// y[b, n] = x w, exp
Kernel contraction() {
  return {sized(kernelCase(
                    "contraction", {"b: B, m: 20, f32", "m: 20, n: 1100, f32"},
                    "%z = axloom.contract %x0, %x1 over [\"m\"] : T<b: B, m: 20, f32>, T<m: 20, n: "
                    "1100, f32> -> T<b: B, n: 1100, f32>\n"
                    "%y = axloom.exp %z : T<b: B, n: 1100, f32> -> T<b: B, n: 1100, f32>",
                    {"b: B, n: 1100, f32"}, {"B"}, layouts),
                {1, 11, 130}),
          {"tile rows", "tiles of a block", "columns of a block"}};
}

/// Rows that lie innermost are packed, as whole vectors or half ones.
Kernel packedRows() {
  return {sized(kernelCase("packed_rows", {"b: B, m: 50, f32", "b: B, n: 40, f32"},
                           "%y = axloom.contract %x0, %x1 over [\"b\"] : T<b: B, m: 50, f32>, "
                           "T<b: B, n: 40, f32> -> T<m: 50, n: 40, f32>",
                           {"m: 50, n: 40, f32"}, {"B"},
                           "input_layouts = [#axloom.layout<[b, m]>, #axloom.layout<[b, n]>], "
                           "result_layouts = [#axloom.layout<[m, n]>]"),
                {1, 19}),
          {"tile rows", "tiles of a block"}};
}

Kernel feedForward() {
  const std::string wide = "T<b: B, h: 800, f32>", narrow = "T<b: B, m: 24, f32>";
  return {sized(kernelCase("feed_forward",
                           {"b: B, m: 24, f32", "h: 800, m: 24, f32", "h: 800, m: 24, f32"},
                           "%u = axloom.contract %x0, %x1 over [\"m\"] : " + narrow +
                               ", T<h: 800, m: 24, f32> -> " + wide +
                               "\n%c = axloom.constant 0.0 : f32 : T<f32>\n"
                               "%a = axloom.maximum %u, %c : " +
                               wide + ", T<f32> -> " + wide +
                               "\n%z = axloom.contract %a, %x2 over [\"h\"] : " + wide +
                               ", T<h: 800, m: 24, f32> -> " + narrow +
                               "\n%y = axloom.add %z, %x0 : " + narrow + ", " + narrow + " -> " +
                               narrow,
                           {"b: B, m: 24, f32"}, {"B"},
                           "input_layouts = [#axloom.layout<[b, m]>, #axloom.layout<[h, m]>, "
                           "#axloom.layout<[m, h]>], result_layouts = [#axloom.layout<[b, m]>]"),
                {1, 13, 300}),
          {"tile rows", "kilobytes of hidden values"}};
}

Kernel block() {
  return {sized(kernelCase("softmax", {"b: B, m: 1000, f32"},
                           "%y = axloom.softmax %x0 over \"m\" : T<b: B, m: 1000, f32> -> "
                           "T<b: B, m: 1000, f32>",
                           {"b: B, m: 1000, f32"}, {"B"}),
                {1, 45}),
          {"kilobytes of a block"}};
}

/// Three products, with rows in chunks.
Kernel loss() {
  return {
      sized(kernelCase("loss", {"b: B, m: 12, f32", "c: 20, m: 12, f32", "b: B, i32", "b: B, f32"},
                       "%y:3 = axloom.linear_cross_entropy %x0, %x1, %x2, %x3 model \"m\" "
                       "classes \"c\" smoothing 0.1 : T<b: B, m: 12, f32>, T<c: 20, m: 12, "
                       "f32>, T<b: B, i32>, T<b: B, f32> -> T<f32>, T<b: B, m: 12, f32>, "
                       "T<c: 20, m: 12, f32>",
                       {"f32", "b: B, m: 12, f32", "c: 20, m: 12, f32"}, {"B"},
                       "input_layouts = [#axloom.layout<[b, m]>, #axloom.layout<[c, m]>, "
                       "#axloom.layout<[b]>, #axloom.layout<[b]>], result_layouts = "
                       "[#axloom.layout<[]>, #axloom.layout<[b, m]>, #axloom.layout<[c, m]>]"),
            {1, 600}),
      {"tile rows", "tiles of a block", "rows of a chunk"},
      /*perToken=*/1};
}

/// Rows of a batch, taken out of an array that has them outermost.
Array rowsOf(const Array &whole, int64_t from, int64_t count) {
  if (whole.stride("b") == 0)
    return whole;
  Array part(whole.space.axes(), Sizes{{{"B", count}}, {}});
  auto first = whole.values.begin() + from * whole.stride("b");
  part.values.assign(first, first + count * whole.stride("b"));
  return part;
}

/// A third of the rows gives what all of them give together.
void checkBatches(KernelRunner &runner, const std::vector<Array> &inputs, const Array &whole,
                  int64_t batch) {
  const int64_t count = (batch + 2) / 3;
  for (int64_t from : {int64_t(0), batch - count}) {
    std::vector<Array> part;
    for (const Array &input : inputs)
      part.push_back(rowsOf(input, from, count));
    EXPECT_EQ(runner.run(part, Sizes{{{"B", count}}, {}}).front().values,
              rowsOf(whole, from, count).values)
        << count << " rows of " << batch << " from " << from;
  }
}

using Case = std::pair<Kernel, std::string>;

class Candidates : public testing::TestWithParam<Case> {};

TEST_P(Candidates, AreRightAndGiveTheSameBits) {
  const auto &[kernel, targetName] = GetParam();
  Target target = *Target::named(targetName);
  if (!runsHere(target))
    GTEST_SKIP() << "this machine does not run " << targetName;
  if (!isMultipliedFast(kernel.entry))
    GTEST_SKIP() << "this machine has no products of bf16 that are faster";
  KernelCheck usual({kernel.entry}, {}, target);
  auto schedules = createHalideBackend()->schedules({usual.kernel(0)}, target, {});
  ASSERT_TRUE(succeeded(schedules));
  std::vector<std::string> names;
  std::vector<KernelCase> cases;
  CompileOptions options;
  for (const Choice &choice : schedules->front().choices) {
    if (!choice.others.empty())
      names.push_back(choice.name);
    for (int64_t other : choice.others) {
      options.choices.push_back({{choice.name, other}});
      cases.push_back(kernel.entry);
      cases.back().name += " with " + toString(options.choices.back());
    }
  }
  EXPECT_THAT(names, UnorderedElementsAreArray(kernel.choices));
  KernelCheck check(cases, options, target);
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].name);
    EXPECT_EQ(check.runner(i).description().choices, options.choices[i]);
    EXPECT_NE(check.runner(i).description().name, usual.runner(0).description().name);
    check.check(i);
    for (const auto &symbols : kernel.entry.sizes) {
      Sizes sizes{symbols, {}};
      std::vector<Array> inputs = check.randomInputs(i, sizes);
      Array expected = usual.runner(0).run(inputs, sizes)[kernel.perToken],
            found = check.runner(i).run(inputs, sizes)[kernel.perToken];
      EXPECT_EQ(found.values, expected.values);
      if (kernel.perToken == 0 && found.stride("b") != 0)
        checkBatches(check.runner(i), inputs, found, symbols.at("B"));
    }
  }
}

/// The same with factors of bf16, where the machine multiplies such.
Kernel rounded(Kernel kernel) {
  kernel.entry = withRoundedFactors(kernel.entry, /*tolerance=*/3e-2);
  return kernel;
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, Candidates,
    testing::Values(Case{contraction(), "host"}, Case{contraction(), "x86-64-avx2"},
                    Case{rounded(contraction()), "host"}, Case{packedRows(), "host"},
                    Case{packedRows(), "x86-64-avx2"}, Case{feedForward(), "host"},
                    Case{rounded(feedForward()), "host"}, Case{block(), "host"},
                    Case{loss(), "host"}),
    [](const auto &info) {
      return info.param.first.entry.name + (info.param.second == "host" ? "" : "_avx2");
    });
} // namespace
