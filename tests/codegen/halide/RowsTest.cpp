// Rows: the same token gives the same bits whatever the batch around it, and what is broken in one
// stays there.

#include "tests/codegen/support/KernelCases.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace axloom::test;
using axloom::ir::reference::Array;
using axloom::ir::reference::Sizes;

namespace {
TEST(SameBits, SoftmaxOverAPaddedRow) {
  // Row 0 has 9 visible keys; the rest of a longer row is hidden, and must change nothing.
  KernelCheck check({kernelCase("softmax", {"b: B, k: S, f32", "b: B, k: S, i1"},
                                "%y = axloom.softmax %x0 mask %x1 over \"k\" : T<b: B, k: S, f32>, "
                                "T<b: B, k: S, i1> -> T<b: B, k: S, f32>",
                                {"b: B, k: S, f32"}, {"B", "S"})});
  std::vector<double> bits;
  for (int64_t length : {9, 16, 37}) {
    Sizes sizes{{{"B", 3}, {"S", length}}, {}};
    std::vector<Array> inputs = check.randomInputs(0, sizes);
    for (int64_t k = 0; k < length; ++k) {
      inputs[0].values[k] = k < 9 ? float(0.37f * k - 1.1f * (k % 3)) : 5.0;
      inputs[1].values[k] = k < 9;
    }
    std::vector<Array> results = check.runner(0).run(inputs, sizes);
    std::vector<double> row(results[0].values.begin(), results[0].values.begin() + 9);
    if (bits.empty())
      bits = row;
    EXPECT_EQ(row, bits) << "length " << length;
  }
}

// A total that is no number is none of a row with nothing visible.
TEST(Rows, NotANumberSpoilsTheSoftmaxOfItsRow) {
  const std::string x = "b: B, k: S, f32";
  KernelCheck check({kernelCase("softmax", {x},
                                "%y = axloom.softmax %x0 over \"k\" : T<" + x + "> -> T<" + x + ">",
                                {x}, {"B", "S"})});
  constexpr int64_t length = 37;
  Sizes sizes{{{"B", 2}, {"S", length}}, {}};
  for (double broken : {double(NAN), double(INFINITY)}) {
    std::vector<Array> inputs = check.randomInputs(0, sizes);
    inputs[0].values[5] = broken;
    std::vector<double> y = check.runner(0).run(inputs, sizes)[0].values;
    for (int64_t k = 0; k < 2 * length; ++k)
      EXPECT_EQ(std::isnan(y[size_t(k)]), k < length) << k << " of a row with " << broken;
  }
}
} // namespace
