//===- PlanFixture.h - Plans of kernels in text -----------------*- C++ -*-===//

#pragma once

#include "codegen/halide/schedules/Family.h"
#include "tests/codegen/support/KernelCases.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace axloom::test {
class Plan : public testing::Test {
protected:
  Plan() : context(registry()) { context.loadAllAvailableDialects(); }

  /// The kernel, with its plan for the widest target.
  codegen::KernelPlan plan(const KernelCase &entry, bool genericOnly = false) {
    module = mlir::parseSourceString<mlir::ModuleOp>(entry.text, &context);
    EXPECT_TRUE(module) << entry.text;
    module->walk([&](ir::KernelOp op) { kernel = op; });
    codegen::Choices choices;
    auto [family, plan] = codegen::chooseFamily(kernel, target, genericOnly, choices);
    EXPECT_EQ(family->name().str(), plan.family);
    return plan;
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, ir::AxloomDialect>();
    return registry;
  }

  codegen::Target target = *codegen::Target::named("x86-64-avx512");
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  ir::KernelOp kernel;
};
} // namespace axloom::test
