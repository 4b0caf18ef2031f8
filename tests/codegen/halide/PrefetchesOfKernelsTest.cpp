// What kernels ask of the memory before they need it, seen in their objects.

#include "codegen/halide/HalideBackend.h"
#include "tests/codegen/support/KernelCases.h"
#include "tests/support/TemporaryFolder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <fstream>
#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

namespace {

/// How many instructions of an object ask for memory ahead of time (prefetcht0).
size_t prefetchesIn(const std::string &object) {
  size_t count = 0;
  for (size_t i = 0; i + 2 < object.size(); ++i)
    count += object[i] == '\x0f' && object[i + 1] == '\x18' && (object[i + 2] & 0x38) == 8;
  return count;
}

class PrefetchesOfKernels : public testing::Test {
protected:
  PrefetchesOfKernels() : context(registry()) { context.loadAllAvailableDialects(); }

  size_t prefetches(const KernelCase &entry, const Target &target) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(entry.text, &context);
    ir::KernelOp kernel;
    module->walk([&](ir::KernelOp op) { kernel = op; });
    TemporaryFolder folder; // one cache for all would take targets of one name for the same
    auto compiled =
        createHalideBackend()->compile({kernel}, target, {.cacheFolder = folder.path()});
    EXPECT_TRUE(succeeded(compiled));
    std::ifstream object(compiled->front().object, std::ios::binary);
    return prefetchesIn({std::istreambuf_iterator<char>(object), {}});
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, ir::AxloomDialect>();
    return registry;
  }

  mlir::MLIRContext context;
  const Target avx2 = *Target::named("x86-64-avx2"),
               sapphireRapids = *Target::named("x86-64-sapphire-rapids");
};

std::string layouts(const std::string &of, const std::vector<std::string> &orders) {
  std::string text;
  for (const std::string &order : orders)
    text += (text.empty() ? "" : ", ") + ("#axloom.layout<[" + order + "]>");
  return of + "_layouts = [" + text + "]";
}

KernelCase product(const std::string &left, const std::string &right, const std::string &over,
                   const std::string &result, const std::vector<std::string> &inputs,
                   const std::string &order) {
  return kernelCase("product", {left, right},
                    "%y = axloom.contract %x0, %x1 over [" + over + "] : T<" + left + ">, T<" +
                        right + "> -> T<" + result + ">",
                    {result}, {"B", "S"},
                    layouts("input", inputs) + ", " + layouts("result", {order}));
}

} // namespace

// Tiles of AVX2 have 6 rows of a line each. Nothing else is asked for.
TEST_F(PrefetchesOfKernels, ProductsAskForTheirResults) {
  KernelCase forward = product("b: B, m: 64, p: S, f32", "m: 64, n: 64, f32", "\"m\"",
                               "b: B, n: 64, p: S, f32", {"b, p, m", "m, n"}, "b, p, n");
  EXPECT_EQ(prefetches(forward, avx2), 6u);
}

// Both operands are packed, stretch by stretch; each adds to what the one before has summed.
TEST_F(PrefetchesOfKernels, StretchesAskForEarlierSums) {
  KernelCase gradient =
      product("b: B, m: 512, p: S, f32", "b: B, n: 512, p: S, f32", "\"b\", \"p\"",
              "m: 512, n: 512, f32", {"b, p, m", "b, p, n"}, "m, n");
  EXPECT_GE(prefetches(gradient, avx2), 6u);
}

// Two lines of a row some terms ahead, and a share of the next panel.
TEST_F(PrefetchesOfKernels, ProductsAskForPanelsWhereTheTargetSaysSo) {
  KernelCase forward = product("b: B, m: 2048, p: S, f32", "m: 2048, n: 512, f32", "\"m\"",
                               "b: B, n: 512, p: S, f32", {"b, p, m", "m, n"}, "b, p, n");
  Target without = sapphireRapids;
  without.traits.termsAhead = 0;
  EXPECT_GE(prefetches(forward, sapphireRapids), prefetches(forward, without) + 3);
}

// Forward, rows of queries and of keys; backward, also those of values, of results and their
// gradients, and what earlier blocks have summed of two results.
TEST_F(PrefetchesOfKernels, AttentionAsksForRowsAhead) {
  const std::string q = "b: B, d: 64, h: 8, q: S, f32", k = "b: B, d: 64, h: 8, k: T, f32",
                    v = "b: B, e: 64, h: 8, k: T, f32", y = "b: B, e: 64, h: 8, q: S, f32",
                    rows = "b: B, h: 8, q: S, f32", sizes = " depth \"d\" key \"k\" scale 0.125 : ",
                    operands = "T<" + q + ">, T<" + k + ">, T<" + v + ">",
                    results = "T<" + y + ">, T<" + rows + ">";
  KernelCase forward =
      kernelCase("forward", {q, k, v},
                 "%y:2 = axloom.attention %x0, %x1, %x2" + sizes + operands + " -> " + results,
                 {y, rows}, {"B", "S", "T"},
                 layouts("input", {"b, q, h, d", "b, k, h, d", "b, k, h, e"}) + ", " +
                     layouts("result", {"b, q, h, e", "b, q, h"}));
  KernelCase backward = kernelCase(
      "backward", {q, k, v, y, rows, y},
      "%y:3 = axloom.attention_gradient %x0, %x1, %x2 output %x3 log2sumexp %x4 gradient %x5" +
          sizes + operands + ", " + results + ", T<" + y + "> -> " + operands,
      {q, k, v}, {"B", "S", "T"},
      layouts("input",
              {"b, q, h, d", "b, k, h, d", "b, k, h, e", "b, q, h, e", "b, q, h", "b, q, h, e"}) +
          ", " + layouts("result", {"b, q, h, d", "b, k, h, d", "b, k, h, e"}));
  EXPECT_GE(prefetches(forward, avx2), 10u);
  constexpr size_t rowsAhead = 18, written = 2 * 4; // lines of a tile of dk, and of one of dv
  EXPECT_GE(prefetches(backward, avx2), rowsAhead + written);
}
