// Axes that lie side by side in memory are one dimension only where they do in between, too.

#include "tests/codegen/support/KernelCases.h"

#include <gtest/gtest.h>

using namespace axloom::test;

// Batch and query lie side by side, so do query and model; what is summed has keys between them.
TEST(Collapse, NotWhereAnotherAxisLiesBetween) {
  const std::string scores = "b: B, k: T, m: 6, q: S, f32", keys = "b: B, k: T, m: 6, f32",
                    summed = "b: B, m: 6, q: S, f32";
  for (const std::string kind : {"sum", "max"}) {
    SCOPED_TRACE(kind);
    KernelCheck check(
        {kernelCase(kind, {scores, keys},
                    "%p = axloom.mul %x0, %x1 : T<" + scores + ">, T<" + keys + "> -> T<" + scores +
                        ">\n%y = axloom.reduce \"" + kind + "\" %p over [\"k\"] : T<" + scores +
                        "> -> T<" + summed + ">",
                    {summed}, {"B", "S", "T"},
                    "input_layouts = [#axloom.layout<[b, q, m, k]>, #axloom.layout<[b, k, m]>], "
                    "result_layouts = [#axloom.layout<[b, q, m]>]")});
    check.check(0);
  }
}
