#include "codegen/driver/PassTrace.h"

#include "codegen/driver/LineDiff.h"

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace mlir;
using namespace axloom::codegen;

using Clock = std::chrono::steady_clock;

std::string axloom::codegen::milliseconds(double seconds) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f ms", seconds * 1e3);
  return text;
}

static std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

namespace {
class Trace : public PassInstrumentation {
public:
  Trace(llvm::raw_ostream &os, bool showChanges) : os(os), showChanges(showChanges) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (isAdaptor(pass))
      return;
    if (showChanges)
      before = printed(op);
    start = Clock::now();
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (isAdaptor(pass))
      return;
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    os << "pass " << pass->getArgument() << where(op) << " (" << milliseconds(seconds) << ")";
    if (showChanges) {
      std::string changes = lineDiff(before, printed(op));
      os << (changes.empty() ? ": unchanged" : ":\n" + changes);
    }
    os << "\n";
  }

private:
  /// What only carries passes on functions is none that a user knows.
  static bool isAdaptor(Pass *pass) { return pass->getArgument().empty(); }

  static std::string where(Operation *op) {
    StringAttr name = op->getParentOp()
                          ? op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName())
                          : nullptr;
    return name ? " on @" + name.str() : "";
  }

  llvm::raw_ostream &os;
  bool showChanges;
  std::string before;
  Clock::time_point start;
};
} // namespace

std::unique_ptr<PassInstrumentation> axloom::codegen::printChanges(llvm::raw_ostream &os) {
  return std::make_unique<Trace>(os, true);
}

std::unique_ptr<PassInstrumentation> axloom::codegen::printTimes(llvm::raw_ostream &os) {
  return std::make_unique<Trace>(os, false);
}
