// The list of cases is complete: every op of the dialect has one and a meaning, its text is read
// back, and each case can be interpreted at all sizes that tests run it with.

#include "tests/support/OpCases.h"
#include "ir/Interfaces.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

/// Ops that are no computation, and the test that covers each.
static bool coveredElsewhere(StringRef op) {
  return llvm::StringSwitch<bool>(op)
      .Case("custom", true)   // tests/ir/CustomOpTest.cpp, with definitions of its own
      .Case("size", true)     // declared in every case with a symbol
      .Case("variable", true) // in the cases of read and write
      .Case("gradient", true) // tests/ir/GradientTest.cpp
      .Case("yield", true)    // in the case of kernel
      .Default(false);
}

TEST(OpCases, NoOpIsMissing) {
  Graphs graphs;
  std::set<std::string> covered;
  for (const OpCase &opCase : opCases())
    covered.insert(opCase.op);
  for (RegisteredOperationName op : graphs.context().getRegisteredOperationsByDialect("axloom")) {
    StringRef name = op.stripDialect();
    EXPECT_TRUE(coveredElsewhere(name) || covered.count(name.str()))
        << "op '" << name.str() << "' has no case in tests/support/*Cases.cpp";
  }
}

TEST(OpCases, NoOpIsWithoutAMeaning) {
  Graphs graphs;
  for (RegisteredOperationName op : graphs.context().getRegisteredOperationsByDialect("axloom")) {
    bool isDeclaration = llvm::is_contained({"size", "variable", "yield"}, op.stripDialect());
    EXPECT_TRUE(isDeclaration || op.hasInterface<ir::ReferenceOpInterface>())
        << "op '" << op.stripDialect().str() << "' has no semantics in ir/reference/";
  }
}

TEST(OpCases, EachComesBackFromItsText) {
  Graphs graphs;
  for (const OpCase &opCase : opCases()) {
    std::string text = print(*build(graphs, opCase));
    OwningOpRef<ModuleOp> again = graphs.parse(text);
    ASSERT_TRUE(again) << graphs.takeErrors() << text;
    EXPECT_EQ(print(*again), text);
  }
}

TEST(OpCases, EachHoldsTheOpItIsListedUnder) {
  Graphs graphs;
  for (const OpCase &opCase : opCases()) {
    OwningOpRef<ModuleOp> module = build(graphs, opCase);
    bool found = false;
    module->walk([&](Operation *op) { found |= op->getName().stripDialect() == opCase.op; });
    EXPECT_TRUE(found) << opCase.op << ": " << opCase.name;
  }
}

class EachOpCase : public testing::TestWithParam<size_t> {};

TEST_P(EachOpCase, VerifiesAndHasFiniteResults) {
  Graphs graphs;
  Random random(GetParam());
  const OpCase &opCase = opCases()[GetParam()];
  OwningOpRef<ModuleOp> module = build(graphs, opCase);
  ASSERT_TRUE(succeeded(verify(*module))) << graphs.takeErrors() << print(*module);
  func::FuncOp function = functionOf(*module, "f");
  for (const ir::reference::Sizes &sizes : sizesFor(function, random)) {
    auto outputs = ir::reference::interpret(function, inputsFor(opCase, function, sizes, random));
    ASSERT_TRUE(succeeded(outputs)) << graphs.takeErrors();
    for (const ir::reference::Array &result : outputs->results)
      for (double value : result.values)
        ASSERT_TRUE(std::isfinite(value)) << print(*module);
  }
}

INSTANTIATE_TEST_SUITE_P(All, EachOpCase, testing::Range<size_t>(0, opCases().size()), caseName);
