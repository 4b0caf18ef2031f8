#include "tests/codegen/support/Planned.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;
using namespace axloom::test;

Planned::Planned(llvm::StringRef text, std::map<std::string, FakeKernel> kernels, std::string name)
    : backend(objects.path(), std::move(kernels)), name(std::move(name)) {
  target.name = "fake";
  context.loadDialect<ir::AxloomDialect, func::FuncDialect>();
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  parsed = parseSourceString<ModuleOp>(text, &context, "model.cpp");
  if (!parsed)
    llvm::report_fatal_error(llvm::StringRef("the test's module does not parse: " + errors));
}

FailureOr<Bundle> Planned::assembled(bool headerForC) {
  context.printOpOnDiagnostic(false);
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { errors += diagnostic.str() + "\n"; });
  auto compiled = backend.compile(kernelsOf(*parsed), target, {});
  auto model = describe(*parsed, name, target, *compiled);
  if (failed(model))
    return failure();
  model->fingerprint = fingerprint(*parsed);
  return assemble(*parsed, *model, headerForC);
}

Bundle Planned::bundle(bool headerForC) {
  FailureOr<Bundle> result = assembled(headerForC);
  if (failed(result))
    llvm::report_fatal_error(llvm::StringRef("the test's module does not compile: " + errors));
  return std::move(*result);
}

bool Planned::compiles() { return succeeded(assembled(false)); }
