// One row of a batch gives the same bits in any batch, and wherever it stands: kernels as
// decode_step has them, with the batch as the outermost dimension in memory and as the innermost,
// where vectors lie along it and the last rows are beyond the last whole vector.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::test;
using ir::reference::Array;
using ir::reference::Read;
using ir::reference::Sizes;

namespace {
/// Axes lie in memory in the order of their names. `?` is the batch.
struct Row {
  const char *name;
  std::vector<std::string> inputs;
  std::string body, result;
};

const std::vector<Row> &rows() {
  static const std::vector<Row> all = {
      // q[h, d] k[h, key, d]: attention of one query, where no pass makes one op of it
      {"scores",
       {"?: B, d: 16, h: 2, f32", "?: B, d: 16, h: 2, k: S, f32"},
       "%y = axloom.contract %x0, %x1 over [\"d\"] : T<?: B, d: 16, h: 2, f32>, "
       "T<?: B, d: 16, h: 2, k: S, f32> -> T<?: B, h: 2, k: S, f32>",
       "?: B, h: 2, k: S, f32"},
      {"weights",
       {"?: B, h: 2, k: S, f32", "?: B, k: S, i1"},
       "%y = axloom.softmax %x0 mask %x1 over \"k\" : T<?: B, h: 2, k: S, f32>, "
       "T<?: B, k: S, i1> -> T<?: B, h: 2, k: S, f32>",
       "?: B, h: 2, k: S, f32"},
      {"weighted_sum",
       {"?: B, h: 2, k: S, f32", "?: B, h: 2, k: S, v: 12, f32"},
       "%y = axloom.contract %x0, %x1 over [\"k\"] : T<?: B, h: 2, k: S, f32>, "
       "T<?: B, h: 2, k: S, v: 12, f32> -> T<?: B, h: 2, v: 12, f32>",
       "?: B, h: 2, v: 12, f32"},
      // the same as one op, under a decoder's mask
      {"attention",
       {"?: B, d: 16, h: 2, f32", "?: B, d: 16, h: 2, k: S, f32", "?: B, h: 2, k: S, v: 12, f32",
        "?: B, i32"},
       "%i = axloom.iota \"k\" size <S> : T<k: S, i32>\n"
       "%m = axloom.compare \"le\" %i, %x3 : T<k: S, i32>, T<?: B, i32> -> T<?: B, k: S, i1>\n"
       "%y, %l = axloom.attention %x0, %x1, %x2 mask %m depth \"d\" key \"k\" scale 0.25 : "
       "T<?: B, d: 16, h: 2, f32>, T<?: B, d: 16, h: 2, k: S, f32>, "
       "T<?: B, h: 2, k: S, v: 12, f32> mask T<?: B, k: S, i1> -> "
       "T<?: B, h: 2, v: 12, f32>, T<?: B, h: 2, f32>",
       "?: B, h: 2, v: 12, f32"},
      // x w + bias, and the residual normalized
      {"projection",
       {"?: B, m: 32, f32", "m: 32, n: 40, f32", "n: 40, f32"},
       "%z = axloom.contract %x0, %x1 over [\"m\"] : T<?: B, m: 32, f32>, T<m: 32, n: 40, f32> "
       "-> T<?: B, n: 40, f32>\n"
       "%y = axloom.add %z, %x2 : T<?: B, n: 40, f32>, T<n: 40, f32> -> T<?: B, n: 40, f32>",
       "?: B, n: 40, f32"},
      {"layer_norm",
       {"?: B, m: 32, f32", "?: B, m: 32, f32"},
       "%s = axloom.add %x0, %x1 : T<?: B, m: 32, f32>, T<?: B, m: 32, f32> -> T<?: B, m: 32, "
       "f32>\n"
       "%y, %mean, %rstd = axloom.layer_norm %s over \"m\" epsilon 1.0e-5 : <?: B, m: 32, f32> -> "
       "<?: B, m: 32, f32>, <?: B, f32>, <?: B, f32>",
       "?: B, m: 32, f32"},
      // Sums and products that could be taken in another order: x + (r w + bias), normalized.
      {"projection_norm",
       {"?: B, m: 32, f32", "m: 32, n: 48, f32", "n: 48, f32", "?: B, n: 48, f32", "n: 48, f32",
        "n: 48, f32"},
       "%p = axloom.contract %x0, %x1 over [\"m\"] : T<?: B, m: 32, f32>, T<m: 32, n: 48, f32> "
       "-> T<?: B, n: 48, f32>\n"
       "%b = axloom.add %p, %x2 : T<?: B, n: 48, f32>, T<n: 48, f32> -> T<?: B, n: 48, f32>\n"
       "%s = axloom.add %x3, %b : T<?: B, n: 48, f32>, T<?: B, n: 48, f32> -> T<?: B, n: 48, "
       "f32>\n"
       "%y, %mean, %rstd = axloom.layer_norm %s scale %x4 offset %x5 over \"n\" epsilon 1.0e-5 : "
       "<?: B, n: 48, f32> scale T<n: 48, f32> offset T<n: 48, f32> -> <?: B, n: 48, f32>, "
       "<?: B, f32>, <?: B, f32>",
       "?: B, n: 48, f32"},
      // Products that can be added to one another in two ways.
      {"products",
       {"?: B, m: 5, f32", "?: B, m: 5, f32", "?: B, m: 5, f32", "m: 5, f32"},
       "%a = axloom.mul %x0, %x1 : T<?: B, m: 5, f32>, T<?: B, m: 5, f32> -> T<?: B, m: 5, "
       "f32>\n"
       "%b = axloom.mul %x2, %x3 : T<?: B, m: 5, f32>, T<m: 5, f32> -> T<?: B, m: 5, f32>\n"
       "%c = axloom.add %a, %b : T<?: B, m: 5, f32>, T<?: B, m: 5, f32> -> T<?: B, m: 5, f32>\n"
       "%e = axloom.tanh %c : T<?: B, m: 5, f32> -> T<?: B, m: 5, f32>\n"
       "%y = axloom.sub %e, %a : T<?: B, m: 5, f32>, T<?: B, m: 5, f32> -> T<?: B, m: 5, f32>",
       "?: B, m: 5, f32"},
  };
  return all;
}

/// One elementary function of numbers from 0.1 to 2.1, and more arithmetic around it.
Row elementary(const char *op) {
  const std::string type = "T<?: B, m: 5, f32>";
  std::string pair = " : " + type + ", " + type + " -> " + type + "\n";
  return {op,
          {"?: B, m: 5, f32", "?: B, m: 5, f32"},
          "%s = axloom.mul %x0, %x0" + pair + "%t = axloom.mul %x1, %x1" + pair +
              "%a = axloom.add %s, %t" + pair +
              "%c = axloom.constant 0.1 : f32 : T<f32>\n%b = axloom.add %a, %c : " + type +
              ", T<f32> -> " + type + "\n%f = axloom." + op + " %b : " + type + " -> " + type +
              "\n%d = axloom.mul %f, %x0" + pair + "%e = axloom.div %d, %b" + pair +
              "%y = axloom.sub %e, %s" + pair,
          "?: B, m: 5, f32"};
}

std::string withBatch(std::string text, char name) {
  std::replace(text.begin(), text.end(), '?', name);
  return text;
}

KernelCase caseOf(const Row &row, char batch) {
  std::vector<std::string> inputs;
  for (const std::string &input : row.inputs)
    inputs.push_back(withBatch(input, batch));
  return kernelCase(row.name, inputs, withBatch(row.body, batch), {withBatch(row.result, batch)},
                    {"B", "S"});
}

/// `count` rows of a batch.
Array sliced(const Array &whole, llvm::StringRef batch, int64_t from, const Sizes &sizes) {
  if (whole.stride(batch) == 0)
    return whole;
  Array part(whole.space.axes(), sizes);
  Read read(whole, part.space);
  ir::reference::Write write(part, part.space);
  part.space.forEach([&](ir::reference::Point p) { write[p] = read.at(p, batch, from); });
  return part;
}

/// The name of the batch, and the target.
class BatchBits : public testing::TestWithParam<std::tuple<char, std::string>> {};

TEST_P(BatchBits, DoNotDependOnIt) {
  auto [name, targetName] = GetParam();
  const std::string batch(1, name);
  codegen::Target target = *codegen::Target::named(targetName);
  if (!runsHere(target))
    GTEST_SKIP() << "this machine does not run " << targetName;
  std::vector<KernelCase> cases;
  for (const Row &row : rows())
    cases.push_back(caseOf(row, name));
  for (const char *op : {"exp", "log", "sqrt", "rsqrt", "tanh", "erf", "sin", "cos"})
    cases.push_back(caseOf(elementary(op), name));
  KernelCheck check(cases, {}, target);
  constexpr int64_t most = 37;
  for (size_t i = 0; i < cases.size(); ++i)
    for (int64_t keys : {1, 9, 24}) {
      auto sizes = [&](int64_t count) { return Sizes{{{"B", count}, {"S", keys}}, {}}; };
      std::vector<Array> inputs = check.randomInputs(i, sizes(most));
      auto run = [&](int64_t from, int64_t count) {
        std::vector<Array> part;
        for (const Array &input : inputs)
          part.push_back(sliced(input, batch, from, sizes(count)));
        return check.runner(i).run(part, sizes(count)).front();
      };
      std::vector<Array> alone;
      for (int64_t row = 0; row < most; ++row)
        alone.push_back(run(row, 1));
      for (int64_t count : {2, 3, 15, 16, 17, 33})
        for (int64_t from : {int64_t(0), int64_t(1), most - count}) {
          Array together = run(from, count);
          for (int64_t row = 0; row < count; ++row)
            EXPECT_EQ(sliced(together, batch, row, sizes(1)).values, alone[from + row].values)
                << cases[i].name << " with " << keys << " keys: row " << from + row
                << " in a batch of " << count << " from " << from;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Where, BatchBits,
                         testing::Combine(testing::Values('a', 'z'),
                                          testing::Values("x86-64", "x86-64-avx2",
                                                          "x86-64-avx512")),
                         [](const auto &info) {
                           std::string target = std::get<1>(info.param);
                           std::replace(target.begin(), target.end(), '-', '_');
                           return (std::get<0>(info.param) == 'a' ? "Outermost_" : "Innermost_") +
                                  target;
                         });
} // namespace
