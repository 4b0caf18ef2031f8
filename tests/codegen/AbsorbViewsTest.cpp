// Kernels that see their inputs and results through views are those that have them so from the
// start, and stay as they are where memory does not lie so.

#include "codegen/AbsorbViews.h"
#include "codegen/Canonical.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gmock/gmock.h>

using namespace axloom;
using namespace axloom::codegen;
using testing::HasSubstr;

namespace {
/// A kernel of one input and one result.
struct Spelling {
  std::string input, inputLayout, result, resultLayout, body, attributes = {};
};

class AbsorbViews : public testing::Test {
protected:
  AbsorbViews() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, ir::AxloomDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// The canonical text of a kernel, in whose types T is short for !axloom.tensor.
  std::string canonical(const Spelling &kernel) {
    std::string x = "T<" + kernel.input + ", f32>", y = "T<" + kernel.result + ", f32>";
    std::string text = "func.func @f(%a: " + x + ") {\n  %k = axloom.kernel \"pointwise\"(%a) {" +
                       kernel.attributes + "input_layouts = [#axloom.layout<[" +
                       kernel.inputLayout + "]>], result_layouts = [#axloom.layout<[" +
                       kernel.resultLayout + "]>]} : (" + x + ") -> " + y + " {\n  ^bb0(%x: " + x +
                       "):\n" + kernel.body + "\n    axloom.yield %y : " + y + "\n  }\n  return\n}";
    for (size_t place = 0; (place = text.find("T<", place)) != std::string::npos; place += 15)
      text.replace(place, 2, "!axloom.tensor<");
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    ir::KernelOp found;
    module->walk([&](ir::KernelOp op) { found = op; });
    CanonicalKernel result = canonicalize(found);
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*result.module))) << result.text;
    return result.text;
  }

  mlir::MLIRContext context;
};

const Spelling plain = {
    "b: B, d: 4, h: 6", "b, h, d", "b: B, d: 4, h: 6", "b, h, d",
    "%y = axloom.exp %x : T<b: B, d: 4, h: 6, f32> -> T<b: B, d: 4, h: 6, f32>"};

const std::string splits =
    "%s = axloom.split %x \"n\" into [\"h\", \"d\"] inner <4> : T<b: B, n: 24, f32> -> T<b: B, d: "
    "4, h: 6, f32>\n";
std::string expOf(const std::string &name) {
  return "%e = axloom.exp %" + name + " : T<b: B, d: 4, h: 6, f32> -> T<b: B, d: 4, h: 6, f32>\n";
}
const std::string merges =
    "%y = axloom.merge %e [\"h\", \"d\"] into \"n\" : T<b: B, d: 4, h: 6, f32> -> T<b: B, n: 24, "
    "f32>\n";

TEST_F(AbsorbViews, AnInputIsSplitFromTheStart) {
  std::string negated = "%y = axloom.neg %e : T<b: B, d: 4, h: 6, f32> -> T<b: B, d: 4, h: 6, f32>";
  Spelling from = plain, split = plain;
  from.body = expOf("x") + negated;
  split.input = "b: B, n: 24";
  split.inputLayout = "b, n";
  split.body = splits + expOf("s") + negated;
  EXPECT_EQ(canonical(split), canonical(from));
}

TEST_F(AbsorbViews, InputsAndResultsAreMergedWhereTheirAxesLieSo) {
  Spelling whole = {"b: B, n: 24", "b, n", "b: B, n: 24", "b, n",
                    "%y = axloom.exp %x : T<b: B, n: 24, f32> -> T<b: B, n: 24, f32>"};
  Spelling merged = {"b: B, d: 4, h: 6", "b, h, d", "b: B, n: 24", "b, n",
                     "%m = axloom.merge %x [\"h\", \"d\"] into \"n\" : T<b: B, d: 4, h: 6, f32> -> "
                     "T<b: B, n: 24, f32>\n%y = axloom.exp %m : T<b: B, n: 24, f32> -> T<b: B, n: "
                     "24, f32>"};
  EXPECT_EQ(canonical(merged), canonical(whole));
  merged.inputLayout = "h, b, d"; // not one within the other
  EXPECT_THAT(canonical(merged), HasSubstr("axloom.merge"));

  Spelling result = {plain.input, plain.inputLayout, "b: B, n: 24", "b, n",
                     "%e = axloom.exp %x : T<b: B, d: 4, h: 6, f32> -> T<b: B, d: 4, h: 6, f32>\n" +
                         merges};
  EXPECT_EQ(canonical(result), canonical(plain));
}

TEST_F(AbsorbViews, WhatIsOverwrittenHasOneViewOnBothSides) {
  Spelling both = {"b: B, n: 24", "b, n", "b: B, n: 24", "b, n", splits + expOf("s") + merges};
  EXPECT_EQ(canonical(both), canonical(plain));
  both.attributes = "overwrites = array<i64: 0>, ";
  EXPECT_THAT(canonical(both), HasSubstr("axloom.split"));
}

TEST_F(AbsorbViews, WhatOverwritesIsRenamed) {
  Spelling renamed = plain;
  renamed.result = "b: B, d: 4, g: 6";
  renamed.resultLayout = "b, g, d";
  renamed.body = expOf("x") + "%y = axloom.rename %e \"h\" to \"g\" : T<b: B, d: 4, h: 6, f32> -> "
                              "T<b: B, d: 4, g: 6, f32>";
  EXPECT_EQ(canonical(renamed), canonical(plain));
  renamed.input = renamed.result;
  renamed.inputLayout = renamed.resultLayout;
  renamed.body =
      "%x0 = axloom.rename %x \"g\" to \"h\" : T<b: B, d: 4, g: 6, f32> -> T<b: B, d: 4, "
      "h: 6, f32>\n" +
      expOf("x0") +
      "%y = axloom.rename %e \"h\" to \"g\" : T<b: B, d: 4, h: 6, f32> -> T<b: B, d: 4, "
      "g: 6, f32>";
  Spelling overwritten = plain;
  overwritten.attributes = renamed.attributes = "overwrites = array<i64: 0>, ";
  EXPECT_EQ(canonical(renamed), canonical(overwritten));
}

TEST_F(AbsorbViews, SlicesThatAttentionReadsAreSplitTogether) {
  auto attention = [](const std::string &first) {
    auto part = [](const std::string &name, const std::string &start, const std::string &key,
                   const std::string &depth) {
      std::string axis =
          key == "q" ? ""
                     : "%" + name + "2 = axloom.rename %" + name + "1 \"q\" to \"k\" : T<" + depth +
                           ": 4, h: 2, q: 5, f32> -> T<" + depth + ": 4, h: 2, k: 5, f32>\n";
      return "%" + name + "0 = axloom.slice %x \"n\" from " + start +
             " size 8 : T<n: 24, q: 5, f32> -> T<n: 8, q: 5, f32>\n%" + name +
             "1 = axloom.split %" + name + "0 \"n\" into [\"h\", \"" + depth +
             "\"] inner <4> : T<n: 8, q: 5, f32> -> T<" + depth + ": 4, h: 2, q: 5, f32>\n" + axis;
    };
    return part("q", first, "q", "d") + part("k", "8", "k", "d") + part("v", "16", "k", "e") +
           "%y, %rows = axloom.attention %q1, %k2, %v2 depth \"d\" key \"k\" scale 0.5 : T<d: 4, "
           "h: "
           "2, q: 5, f32>, T<d: 4, h: 2, k: 5, f32>, T<e: 4, h: 2, k: 5, f32> -> T<e: 4, h: 2, q: "
           "5, f32>, T<h: 2, q: 5, f32>";
  };
  Spelling kernel = {"n: 24, q: 5", "q, n", "e: 4, h: 2, q: 5", "q, h, e", attention("0")};
  std::string text = canonical(kernel);
  EXPECT_THAT(text, testing::Not(HasSubstr("axloom.split")));
  EXPECT_THAT(text, HasSubstr("from 4 size 2"));
  kernel.body = attention("2"); // half a head
  EXPECT_THAT(canonical(kernel), HasSubstr("axloom.split"));
}
} // namespace
