#include "codegen/driver/Diagnostics.h"

#include "ir/SourceLines.h"

#include <utility>

using namespace mlir;
using namespace axloom::codegen;

std::string axloom::codegen::placeOf(Location location) {
  std::string text;
  if (FileLineColLoc file = ir::filePlace(location))
    llvm::raw_string_ostream(text)
        << file.getFilename().getValue() << ":" << file.getLine() << ":" << file.getColumn();
  return text;
}

/// The same before a message.
static std::string place(Location location) {
  std::string text = axloom::codegen::placeOf(location);
  return text.empty() ? text : text + ": ";
}

static llvm::StringRef severity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error: ";
  case DiagnosticSeverity::Warning:
    return "warning: ";
  default:
    return "note: ";
  }
}

UserDiagnostics::UserDiagnostics(MLIRContext *context, llvm::raw_ostream &os)
    : ScopedDiagnosticHandler(context) {
  context->printOpOnDiagnostic(false);
  setHandler([&os, last = std::string()](Diagnostic &diagnostic) mutable {
    std::string where = place(diagnostic.getLocation());
    // A second error at one place is a consequence of the first.
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !where.empty() &&
        std::exchange(last, where) == where)
      return success();
    os << where << severity(diagnostic.getSeverity()) << diagnostic.str() << "\n";
    for (Diagnostic &note : diagnostic.getNotes())
      os << "  " << place(note.getLocation()) << "note: " << note.str() << "\n";
    return success();
  });
}
