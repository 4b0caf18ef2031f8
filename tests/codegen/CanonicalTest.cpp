// Which kernels have one canonical text, and which must not; and what the attributes of a kernel
// say.

#include "codegen/Canonical.h"
#include "codegen/KernelInfo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace axloom;
using namespace axloom::codegen;

namespace {
/// The names and attributes of one kernel, y = relu(x w) + c.
struct Spelling {
  std::string rows = "batch", inner = "in", columns = "out", size = "B";
  std::string line = "model.cpp", constant = "0.0", width = "8", op = "maximum";
  std::string attributes = {};

  std::string text() const {
    std::string x = "!axloom.tensor<" + rows + ": " + size + ", " + inner + ": " + width + ", f32>";
    std::string w = "!axloom.tensor<" + inner + ": " + width + ", " + columns + ": 16, f32>";
    std::string y = "!axloom.tensor<" + rows + ": " + size + ", " + columns + ": 16, f32>";
    return "func.func @f(%a: " + x + ", %b: " + w + ") {\n  %k = axloom.kernel \"contraction\"" +
           "(%a, %b) {" + attributes + "} : (" + x + ", " + w + ") -> " + y +
           " {\n  ^bb0(%x: " + x + ", %w: " + w + "):\n    %z = axloom.contract %x, %w over [\"" +
           inner + "\"] : " + x + ", " + w + " -> " + y + " loc(\"" + line +
           "\":3:4)\n    %c = axloom.constant " + constant +
           " : f32 : !axloom.tensor<f32>\n    %y = axloom." + op + " %z, %c : " + y +
           ", !axloom.tensor<f32> -> " + y + "\n    axloom.yield %y : " + y + "\n  }\n  return\n}";
  }
};

class Canonical : public testing::Test {
protected:
  Canonical() : context(registry()) { context.loadAllAvailableDialects(); }

  ir::KernelOp kernel(const std::string &text) {
    modules.push_back(mlir::parseSourceString<mlir::ModuleOp>(text, &context));
    EXPECT_TRUE(modules.back()) << text;
    ir::KernelOp last;
    modules.back()->walk([&](ir::KernelOp op) { last = op; });
    return last;
  }
  std::string canonical(const Spelling &spelling) {
    return canonicalize(kernel(spelling.text())).text;
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, ir::AxloomDialect>();
    return registry;
  }

  mlir::MLIRContext context;
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

TEST_F(Canonical, NamesAndPlacesDoNotMatter) {
  const std::string text = canonical({});
  EXPECT_EQ(canonical({.rows = "a", .inner = "b", .columns = "c", .size = "Tokens"}), text);
  EXPECT_EQ(canonical({.line = "other.cpp"}), text);
  EXPECT_EQ(canonical({.attributes = "placements = [#axloom.placement<slot 3>]"}),
            canonical({.attributes = "placements = [#axloom.placement<slot 0>]"}));
  EXPECT_EQ(text.find("batch"), std::string::npos) << text;
  EXPECT_EQ(text.find("model.cpp"), std::string::npos) << text;
}

TEST_F(Canonical, WhatIsComputedAndHowItLiesDoes) {
  const std::vector<Spelling> different = {
      {},
      {.constant = "1.0"},
      {.width = "9"},
      {.op = "minimum"},
      {.size = "2*B"},
      {.size = "4"},
      // Random numbers and the order of scalars follow the alphabet of names, so their order does.
      {.rows = "z"},
      {.attributes = "result_layouts = [#axloom.layout<[out, batch]>]"},
      {.attributes = "input_layouts = [#axloom.layout<[batch, in]>, "
                     "#axloom.layout<[out, in]>]"},
      {.attributes = "overwrites = array<i64: 0>"},
  };
  std::map<std::string, size_t> seen;
  for (auto [index, spelling] : llvm::enumerate(different)) {
    auto [other, isNew] = seen.try_emplace(canonical(spelling), index);
    EXPECT_TRUE(isNew) << "kernels " << other->second << " and " << index << " look the same";
  }
}

TEST_F(Canonical, LeavesTheKernelAsItIs) {
  ir::KernelOp original = kernel(Spelling().text());
  std::string before, after;
  llvm::raw_string_ostream(before) << *modules.back();
  canonicalize(original);
  llvm::raw_string_ostream(after) << *modules.back();
  EXPECT_EQ(after, before);
}

// As sha256sum gives it for "2:ab1:c".
TEST(ContentHash, KeepsItsPartsApart) {
  EXPECT_EQ(contentHash({"ab", "c"}),
            "430fb1b4ac43316eca81fab27a1930ab8eff8fef6a1dc7903dce44bbc2790dc5");
  EXPECT_NE(contentHash({"ab", "c"}), contentHash({"a", "bc"}));
  EXPECT_NE(contentHash({"ab", ""}), contentHash({"ab"}));
}

TEST_F(Canonical, AttributesHaveDefaults) {
  ir::KernelOp plain = kernel(Spelling{.rows = "z"}.text());
  auto order = [](ir::LayoutAttr layout) {
    std::vector<std::string> names;
    for (mlir::StringAttr name : layout.getOrder())
      names.push_back(name.str());
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(order(inputLayout(plain, 0)), (Names{"in", "z"}));
  EXPECT_EQ(order(resultLayout(plain, 0)), (Names{"out", "z"}));
  EXPECT_EQ(sizeSymbols(plain), Names{"B"});
  EXPECT_FALSE(isPassedByValue(plain, 1));
  EXPECT_EQ(overwrittenInputs(plain), std::vector<int64_t>{-1});

  ir::KernelOp stated =
      kernel(Spelling{.attributes = "result_layouts = [#axloom.layout<[out, batch]>]"}.text());
  EXPECT_EQ(order(resultLayout(stated, 0)), (Names{"out", "batch"}));
}

// The second kernel is placed where the first one's result lies, so it overwrites that.
TEST_F(Canonical, ResultsInTheSlotOfAnInputOverwriteIt) {
  const std::string type = "!axloom.tensor<n: 4, f32>";
  auto negate = [&](const std::string &name, const std::string &input, int slot) {
    return name + " = axloom.kernel \"pointwise\"(" + input +
           ") {placements = [#axloom.placement<slot " + std::to_string(slot) + ">]} : (" + type +
           ") -> " + type + " {\n^bb0(%x: " + type + "):\n%y = axloom.neg %x : " + type + " -> " +
           type + "\naxloom.yield %y : " + type + "\n}\n";
  };
  auto graph = [&](int slot) {
    return "func.func @f(%a: " + type + ") {\n" + negate("%b", "%a", 1) + negate("%c", "%b", slot) +
           "return\n}";
  };
  EXPECT_EQ(overwrittenInputs(kernel(graph(1))), std::vector<int64_t>{0});
  EXPECT_EQ(overwrittenInputs(kernel(graph(2))), std::vector<int64_t>{-1});
}
} // namespace
