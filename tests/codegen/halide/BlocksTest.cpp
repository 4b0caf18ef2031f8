// Kernels that are cut along their outermost dimension, against the interpreter at sizes around a
// block; and kernels that cannot be cut, which the generic family takes.

#include "tests/codegen/support/KernelCases.h"

#include <HalideRuntime.h>
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace axloom::test;

namespace {
struct FamilyCase {
  KernelCase kernel;
  std::string family;
};

/// x0 shifted in a circle `count` times, as %y: each element comes of both parts of the one before.
std::string circularShifts(int count) {
  const std::string whole = "T<b: B, n: 37, f32>", one = "T<b: B, n: 1, f32>",
                    rest = "T<b: B, n: 36, f32>";
  std::string text, x = "%x0";
  for (int i = 1; i <= count; ++i) {
    std::string number = std::to_string(i), y = i == count ? "%y" : "%c" + number;
    text += "    %l" + number + " = axloom.slice " + x + " \"n\" from 36 size 1 : " + whole +
            " -> " + one + "\n    %r" + number + " = axloom.slice " + x +
            " \"n\" from 0 size 36 : " + whole + " -> " + rest + "\n    " + y +
            " = axloom.concat %l" + number + ", %r" + number + " along \"n\" : " + one + ", " +
            rest + " -> " + whole + "\n";
    x = y;
  }
  return text;
}

std::vector<FamilyCase> cases() {
  std::vector<FamilyCase> all;
  auto add = [&](std::string family, KernelCase kernel) {
    all.push_back({std::move(kernel), std::move(family)});
  };
  // One dimension, longer than a block.
  add("blocks", kernelCase("chain", {"m: 300, n: 333, f32", "m: 300, n: 333, f32"}, R"(
    %s = axloom.mul %x0, %x1 : T<m: 300, n: 333, f32>, T<m: 300, n: 333, f32> -> T<m: 300, n: 333, f32>
    %y = axloom.add %s, %x0 : T<m: 300, n: 333, f32>, T<m: 300, n: 333, f32> -> T<m: 300, n: 333, f32>)",
                           {"m: 300, n: 333, f32"}, {}));
  // Compiling would take twice as long for each shift, were none of them kept.
  add("blocks",
      kernelCase("shifts", {"b: B, n: 37, f32"}, circularShifts(14), {"b: B, n: 37, f32"}, {"B"}));
  // Tokens, with something for each position: the index within the block is not the position.
  add("blocks", kernelCase("positions", {"b: B, m: 512, p: S, f32", "m: 512, p: S, f32"}, R"(
    %i = axloom.iota "p" size <S> : T<p: S, i32>
    %f = axloom.cast %i to f32 : T<p: S, i32> -> T<p: S, f32>
    %s = axloom.add %x0, %x1 : T<b: B, m: 512, p: S, f32>, T<m: 512, p: S, f32> -> T<b: B, m: 512, p: S, f32>
    %y = axloom.mul %s, %f : T<b: B, m: 512, p: S, f32>, T<p: S, f32> -> T<b: B, m: 512, p: S, f32>)",
                           {"b: B, m: 512, p: S, f32"}, {"B", "S"},
                           "input_layouts = [#axloom.layout<[b, p, m]>, #axloom.layout<[p, m]>], "
                           "result_layouts = [#axloom.layout<[b, p, m]>]"));
  // Each result overwrites what the other one reads, in several blocks and in vectors that the last
  // elements do not fill; a scalar and a column go to all elements, and types differ.
  add("blocks",
      kernelCase(
          "updates", {"b: B, n: 1333, f32", "b: B, n: 1333, f32", "b: B, f32", "f32"}, R"(
    %s = axloom.add %x0, %x1 : T<b: B, n: 1333, f32>, T<b: B, n: 1333, f32> -> T<b: B, n: 1333, f32>
    %d = axloom.sub %x1, %x0 : T<b: B, n: 1333, f32>, T<b: B, n: 1333, f32> -> T<b: B, n: 1333, f32>
    %e = axloom.mul %d, %x2 : T<b: B, n: 1333, f32>, T<b: B, f32> -> T<b: B, n: 1333, f32>
    %r0 = axloom.mul %s, %x3 : T<b: B, n: 1333, f32>, T<f32> -> T<b: B, n: 1333, f32>
    %r1 = axloom.add %e, %r0 : T<b: B, n: 1333, f32>, T<b: B, n: 1333, f32> -> T<b: B, n: 1333, f32>
    %r2 = axloom.compare "lt" %r0, %r1 : T<b: B, n: 1333, f32>, T<b: B, n: 1333, f32> -> T<b: B, n: 1333, i1>)",
          {"b: B, n: 1333, f32", "b: B, n: 1333, f32", "b: B, n: 1333, i1"}, {"B"},
          "in_place = array<i64: 0, 1, -1>, input_layouts = [#axloom.layout<[b, n]>, "
          "#axloom.layout<[b, n]>, #axloom.layout<[b]>, #axloom.layout<[]>], result_layouts = "
          "[#axloom.layout<[b, n]>, #axloom.layout<[b, n]>, #axloom.layout<[b, n]>]"));
  // The first one is rounded where it lies, before the second one is computed from it.
  const std::string state = "b: B, n: 333, f32", narrow = "b: B, n: 333, bf16";
  add("blocks", kernelCase("rounded_update", {state, state},
                           R"(
    %c = axloom.size_of <B> : T<f32>
    %s = axloom.div %x0, %c : T<)" +
                               state + ">, T<f32> -> T<" + state + R"(>
    %n = axloom.cast %s to bf16 : T<)" +
                               state + "> -> T<" + narrow + R"(>
    %r0 = axloom.cast %n to f32 : T<)" +
                               narrow + "> -> T<" + state + R"(>
    %r1 = axloom.add %x1, %r0 : T<)" +
                               state + ">, T<" + state + "> -> T<" + state + ">",
                           {state, state}, {"B"},
                           "in_place = array<i64: 0, 1>, input_layouts = [#axloom.layout<[n, b]>, "
                           "#axloom.layout<[n, b]>], result_layouts = [#axloom.layout<[n, b]>, "
                           "#axloom.layout<[n, b]>]"));
  // What is compared is kept, also where it lacks an axis, and where it is scattered.
  add("blocks",
      kernelCase(
          "compared", {"b: B, n: 33, f32", "b: B, f32", "b: B, i32"}, R"(
    %i = axloom.cast %x1 to i32 : T<b: B, f32> -> T<b: B, i32>
    %c = axloom.compare "eq" %i, %x2 : T<b: B, i32>, T<b: B, i32> -> T<b: B, i1>
    %r0 = axloom.mul %x0, %x1 : T<b: B, n: 33, f32>, T<b: B, f32> -> T<b: B, n: 33, f32>
    %r1 = axloom.select %c, %r0, %x0 : T<b: B, i1>, T<b: B, n: 33, f32>, T<b: B, n: 33, f32> -> T<b: B, n: 33, f32>)",
          {"b: B, n: 33, f32", "b: B, n: 33, f32"}, {"B"},
          "input_layouts = [#axloom.layout<[b, n]>, #axloom.layout<[b]>, #axloom.layout<[b]>], "
          "result_layouts = [#axloom.layout<[b, n]>, #axloom.layout<[b, n]>]"));
  // Rows are summed within a block.
  add("blocks", kernelCase("rows", {"b: B, m: 100, f32"}, R"(
    %y = axloom.softmax %x0 over "m" : T<b: B, m: 100, f32> -> T<b: B, m: 100, f32>)",
                           {"b: B, m: 100, f32"}, {"B"},
                           "input_layouts = [#axloom.layout<[b, m]>], "
                           "result_layouts = [#axloom.layout<[b, m]>]"));
  // The gradient of an embedding: a block of the vocabulary takes the tokens that fall into it.
  add("blocks", kernelCase("scatter", {"b: B, m: 512, f32", "b: B, i32"}, R"(
    %y = axloom.scatter_add %x0, %x1 along "v" to T<m: 512, v: 200, f32> : T<b: B, m: 512, f32>, T<b: B, i32> -> T<m: 512, v: 200, f32>)",
                           {"m: 512, v: 200, f32"}, {"B"},
                           "input_layouts = [#axloom.layout<[b, m]>, #axloom.layout<[b]>], "
                           "result_layouts = [#axloom.layout<[v, m]>]"));
  all.back().kernel.limit = 200;
  // A table and its moment are updated by what falls into a block of them.
  const std::string table = "m: 512, v: 200, f32";
  add("blocks", kernelCase("scattered_update", {table, table, "b: B, m: 512, f32", "b: B, i32"}, R"(
    %g = axloom.scatter_add %x2, %x3 along "v" to T<m: 512, v: 200, f32> : T<b: B, m: 512, f32>, T<b: B, i32> -> T<m: 512, v: 200, f32>
    %r0 = axloom.add %x0, %g : T<m: 512, v: 200, f32>, T<m: 512, v: 200, f32> -> T<m: 512, v: 200, f32>
    %r1 = axloom.sub %x1, %r0 : T<m: 512, v: 200, f32>, T<m: 512, v: 200, f32> -> T<m: 512, v: 200, f32>)",
                           {table, table}, {"B"},
                           "in_place = array<i64: 0, 1>, input_layouts = [#axloom.layout<[v, m]>, "
                           "#axloom.layout<[v, m]>, #axloom.layout<[b, m]>, #axloom.layout<[b]>], "
                           "result_layouts = [#axloom.layout<[v, m]>, #axloom.layout<[v, m]>]"));
  all.back().kernel.limit = 200;
  // What is scattered comes of what was compared.
  add("blocks", kernelCase("compared_and_scattered", {"v: 200, f32", "b: B, f32", "b: B, i32"}, R"(
    %i = axloom.cast %x1 to i32 : T<b: B, f32> -> T<b: B, i32>
    %c = axloom.compare "eq" %i, %x2 : T<b: B, i32>, T<b: B, i32> -> T<b: B, i1>
    %w = axloom.cast %c to f32 : T<b: B, i1> -> T<b: B, f32>
    %g = axloom.scatter_add %w, %x2 along "v" to T<v: 200, f32> : T<b: B, f32>, T<b: B, i32> -> T<v: 200, f32>
    %r0 = axloom.add %x0, %g : T<v: 200, f32>, T<v: 200, f32> -> T<v: 200, f32>
    %r1 = axloom.mul %r0, %x0 : T<v: 200, f32>, T<v: 200, f32> -> T<v: 200, f32>)",
                           {"v: 200, f32", "v: 200, f32"}, {"B"}));
  // The indices walk no axis that the result lacks: the block into which each falls takes it, and
  // no other. Several blocks, and another axis inside the one that is cut.
  add("blocks", kernelCase("scatter_of_one", {"m: 64, f32", "i32"}, R"(
    %y = axloom.scatter_add %x0, %x1 along "p" to T<m: 64, p: 1000, f32> : T<m: 64, f32>, T<i32> -> T<m: 64, p: 1000, f32>)",
                           {"m: 64, p: 1000, f32"}, {},
                           "input_layouts = [#axloom.layout<[m]>, #axloom.layout<[]>], "
                           "result_layouts = [#axloom.layout<[p, m]>]"));
  add("blocks", kernelCase("scatter_together", {"t: T, f32", "t: T, i32"}, R"(
    %y = axloom.scatter_add %x0, %x1 along "c" to T<c: 5, t: T, f32> : T<t: T, f32>, T<t: T, i32> -> T<c: 5, t: T, f32>)",
                           {"c: 5, t: T, f32"}, {"T"},
                           "input_layouts = [#axloom.layout<[t]>, #axloom.layout<[t]>], "
                           "result_layouts = [#axloom.layout<[c, t]>]"));
  add("blocks",
      kernelCase("scatter_of_columns", {"b: B, m: 48, t: T, f32", "b: B, m: 48, t: T, i32"}, R"(
    %y = axloom.scatter_add %x0, %x1 along "c" to T<c: 5, t: T, f32> : T<b: B, m: 48, t: T, f32>, T<b: B, m: 48, t: T, i32> -> T<c: 5, t: T, f32>)",
                 {"c: 5, t: T, f32"}, {"B", "T"},
                 "input_layouts = [#axloom.layout<[b, t, m]>, #axloom.layout<[b, t, m]>], "
                 "result_layouts = [#axloom.layout<[c, t]>]"));
  // Columns are sums over all rows, several stretches of 64: whole vectors of columns, and some
  // that are none.
  auto columns = [&](const std::string &name, const std::string &n, const std::string &reduction,
                     const std::string &result) {
    std::string x = "b: B, n: " + n + ", f32";
    add("generic",
        kernelCase("columns_" + name, {x, x},
                   "%s = axloom.mul %x0, %x1 : T<" + x + ">, T<" + x + "> -> T<" + x +
                       ">\n%y = axloom." + reduction + " : T<" + x + "> -> T<" + result + ">",
                   {result}, {"B"},
                   "input_layouts = [#axloom.layout<[b, n]>, #axloom.layout<[b, n]>], "
                   "result_layouts = [#axloom.layout<[n]>]"));
    for (int64_t rows : {64, 200})
      all.back().kernel.sizes.push_back({{"B", rows}});
  };
  for (std::string n : {"192", "48", "33"})
    columns(n, n, "reduce \"sum\" %s over [\"b\"]", "n: " + n + ", f32");
  columns("largest", "192", "reduce \"max\" %s over [\"b\"]", "n: 192, f32");
  columns("place_of_largest", "192", "argmax %s over \"b\"", "n: 192, i32");
  return all;
}

KernelCheck &checks() {
  static KernelCheck all = [] {
    std::vector<KernelCase> kernels;
    for (FamilyCase &entry : cases())
      kernels.push_back(std::move(entry.kernel));
    return KernelCheck(std::move(kernels));
  }();
  return all;
}

class BlocksTest : public testing::TestWithParam<size_t> {};

TEST_P(BlocksTest, MatchesTheInterpreter) {
  EXPECT_EQ(checks().runner(GetParam()).description().family, cases()[GetParam()].family);
  checks().check(GetParam());
}

// A block of sums is as many rows as fit the cache, not as many sums.
TEST(Blocks, AreAsLongAsTheLargestTensorAllows) {
  const std::string x = "b: B, n: 1024, f32";
  KernelCheck check(
      {kernelCase("sums", {x},
                  "%y = axloom.reduce \"sum\" %x0 over [\"n\"] : T<" + x + "> -> T<b: B, f32>",
                  {"b: B, f32"}, {"B"}),
       kernelCase("lookups", {"v: 4096, f32", "b: B, i32"},
                  "%y = axloom.gather %x0, %x1 along \"v\" : T<v: 4096, f32>, T<b: "
                  "B, i32> -> T<b: B, f32>",
                  {"b: B, f32"}, {"B"})},
      {}, *axloom::codegen::Target::named("x86-64"));
  auto chunkOf = [&](size_t index) {
    return check.runner(index).description().loops.front().chunk;
  };
  EXPECT_EQ(chunkOf(0), 16) << "64 kB of rows of 4 kB each";
  EXPECT_EQ(chunkOf(1), 16384) << "the table is the same for all blocks";
  check.check(0);
}

std::atomic<int> asked; // for scratch memory, how often

void *countScratch(void *, size_t bytes) {
  ++asked;
  return std::aligned_alloc(128, llvm::alignTo(bytes, 128));
}

// Also where the last vector is not full. With memory of its own for each vector, which had to be
// asked for, the activations of a language model took four times as long.
TEST(Blocks, ComputeVectorsOfSeveralResultsWithoutScratch) {
  const std::string x = "b: B, p: S, f32";
  KernelCheck check(
      {kernelCase("several", {x},
                  "%r0 = axloom.tanh %x0 : T<" + x + "> -> T<" + x + ">\n" +
                      "%r1 = axloom.mul %r0, %r0 : T<" + x + ">, T<" + x + "> -> T<" + x + ">",
                  {x, x}, {"B", "S"})},
      {}, axloom::codegen::Target::host());
  auto *usual = halide_set_custom_malloc(countScratch);
  auto *usualFree = halide_set_custom_free([](void *, void *memory) { std::free(memory); });
  asked = 0;
  check.check(0);
  halide_set_custom_malloc(usual);
  halide_set_custom_free(usualFree);
  EXPECT_EQ(asked, 0);
}

// Each target's compiler has to load what a vector needs before any of it is overwritten.
class Updates : public testing::TestWithParam<std::string> {};

TEST_P(Updates, OverwriteWhatTheyRead) {
  auto target = *axloom::codegen::Target::named(GetParam());
  if (!runsHere(target))
    GTEST_SKIP() << "this machine does not run " << GetParam();
  std::vector<KernelCase> kernels;
  for (FamilyCase &entry : cases())
    kernels.push_back(std::move(entry.kernel));
  checkNamed(kernels, {"updates", "scattered_update"}, target);
}

INSTANTIATE_TEST_SUITE_P(All, Updates, testing::Values("x86-64", "x86-64-avx2"),
                         [](const auto &info) { return info.param == "x86-64" ? "sse" : "avx2"; });

INSTANTIATE_TEST_SUITE_P(All, BlocksTest, testing::Range<size_t>(0, cases().size()),
                         [](const auto &info) { return cases()[info.param].kernel.name; });
} // namespace
