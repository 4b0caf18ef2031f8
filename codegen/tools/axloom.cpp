// axloom: compiles a graph in the textual form of the dialect, from a file or from standard input,
// with the flags that every generator takes.

#include "codegen/driver/Diagnostics.h"
#include "codegen/driver/Flags.h"
#include "ir/Dialect.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <CLI/CLI.hpp>

using namespace axloom;

int main(int argc, char **argv) {
  CLI::App app(
      "Compiles a graph (the text of an axloom module) into an object archive and a header.");
  codegen::Flags flags;
  std::string input = "-";
  codegen::addFlags(app, flags);
  app.add_option("input", input, "File with the graph; - is standard input");
  if (std::optional<int> exit = codegen::parse(app, argc, argv))
    return *exit;

  auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file) {
    llvm::errs() << "error: cannot read '" << input << "': " << file.getError().message() << "\n";
    return 1;
  }
  mlir::MLIRContext context;
  context.loadDialect<ir::AxloomDialect, mlir::func::FuncDialect>();
  codegen::UserDiagnostics diagnostics(&context, llvm::errs());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return 1;
  return codegen::run(*module, flags);
}
