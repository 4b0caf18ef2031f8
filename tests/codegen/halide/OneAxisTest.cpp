// Kernels of a group share their code, whatever their shapes, and compute what the interpreter
// does.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom::test;

/// y = x0 - rate * x1
static KernelCase update(const std::string &type, const std::string &layout,
                         std::vector<std::string> symbols = {}) {
  std::string body = "%s = axloom.mul %x2, %x1 : T<f32>, T<" + type + "> -> T<" + type +
                     ">\n%y = axloom.sub %x0, %s : T<" + type + ">, T<" + type + "> -> T<" + type +
                     ">";
  std::string order = "#axloom.layout<[" + layout + "]>";
  return kernelCase("update_" + layout, {type, type, "f32"}, body, {type}, std::move(symbols),
                    "group = 0 : i64, input_layouts = [" + order + ", " + order +
                        ", #axloom.layout<[]>], result_layouts = [" + order + "]");
}

TEST(OneAxis, AllShapesShareTheirCode) {
  KernelCheck check({update("m: 300, n: 333, f32", "n, m"),
                     update("h: 3, m: 5, n: 7, f32", "m, h, n"), update("m: 1, f32", "m"),
                     update("b: B, m: 20, f32", "b, m", {"B"})});
  const axloom::codegen::CompiledKernel &first = check.runner(0).description();
  EXPECT_EQ(first.family, "blocks");
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(check.runner(i).description().name, first.name);
    EXPECT_EQ(check.runner(i).description().operands.front().dimensions.size(), 1u);
    check.check(i);
  }
  EXPECT_EQ(first.operands.front().dimensions.front().size.str(), "99900");
  EXPECT_EQ(check.runner(3).description().scalars.front().size.str(), "20*B");
}
