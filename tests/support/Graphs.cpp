#include "tests/support/Graphs.h"

#include "ir/Ragged.h"
#include "passes/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::test;

static std::string describe(Diagnostic &diagnostic) {
  std::string text;
  if (auto place = llvm::dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
    text = std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) + ": ";
  return text + diagnostic.str() + "\n";
}

Graphs::Graphs() {
  DialectRegistry registry;
  registry.insert<ir::AxloomDialect, func::FuncDialect>();
  ir::reference::registerModels(registry);
  mlir = std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  mlir->loadAllAvailableDialects();
  static bool once = (passes::registerPasses(), true);
  (void)once;
  handler = std::make_unique<ScopedDiagnosticHandler>(mlir.get(), [this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      errors += describe(diagnostic);
    return success();
  });
}

OwningOpRef<ModuleOp> Graphs::parse(StringRef text) {
  return parseSourceString<ModuleOp>(text, ParserConfig(mlir.get()));
}

ir::NamedTensorType Graphs::type(StringRef text) {
  Type type = parseType(("!axloom.tensor<" + text + ">").str(), mlir.get());
  return llvm::dyn_cast_or_null<ir::NamedTensorType>(type);
}

LogicalResult Graphs::run(ModuleOp module, StringRef passes) {
  PassManager manager(mlir.get());
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (failed(parsePassPipeline(passes, manager, stream)))
    return module.emitError(problem);
  return manager.run(module);
}

std::string Graphs::takeErrors() { return std::exchange(errors, ""); }

func::FuncOp axloom::test::functionOf(ModuleOp module, StringRef name) {
  return llvm::cast<func::FuncOp>(module.lookupSymbol(name));
}

ArrayAttr axloom::test::declaredOrder(Type type) {
  auto tensor = llvm::cast<ir::NamedTensorType>(type);
  SmallVector<StringAttr> names;
  for (const ir::Axis &axis : tensor.getAxes())
    names.push_back(axis.name);
  SmallVector<StringAttr> order = ir::raggedFirst(names, tensor);
  return ArrayAttr::get(type.getContext(), SmallVector<Attribute>(order.begin(), order.end()));
}

std::string axloom::test::print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}
