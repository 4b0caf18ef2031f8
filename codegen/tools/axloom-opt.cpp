// axloom-opt: reads graph IR, runs the passes given as flags, prints the result (for lit tests).

#include "ir/Dialect.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<axloom::ir::AxloomDialect, mlir::func::FuncDialect>();
  axloom::passes::registerPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Axloom's graph optimizer\n", registry));
}
