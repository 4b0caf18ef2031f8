#include "passes/Report.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cctype>
#include <chrono>

using namespace mlir;
using namespace axloom;

using Clock = std::chrono::steady_clock;

struct passes::Snapshot {
  std::string text;
  Clock::time_point time;
};

std::shared_ptr<passes::Snapshot> passes::makeSnapshot() { return std::make_shared<Snapshot>(); }

/// The line without the numbers of its values: `%12 = axloom.exp %3` becomes `% = axloom.exp %`.
static std::string withoutNumbers(StringRef line) {
  std::string text;
  bool inName = false;
  for (char c : line) {
    inName = c == '%' || (inName && (std::isalnum(static_cast<unsigned char>(c)) || c == '_'));
    if (!inName || c == '%')
      text += c;
  }
  return text;
}

/// Prints the lines of `text` that `other` lacks; says whether there are any.
static bool printMissing(StringRef text, StringRef other, char mark) {
  SmallVector<StringRef> lines, otherLines;
  text.split(lines, '\n', -1, false);
  other.split(otherLines, '\n', -1, false);
  llvm::StringMap<int> known;
  for (StringRef line : otherLines)
    ++known[withoutNumbers(line)];
  bool any = false;
  for (StringRef line : lines)
    if (known[withoutNumbers(line)]-- <= 0) {
      llvm::errs() << mark << ' ' << line << '\n';
      any = true;
    }
  return any;
}

namespace {
struct Report : PassWrapper<Report, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Report)
  Report(std::shared_ptr<passes::Snapshot> snapshot, StringRef passName)
      : snapshot(std::move(snapshot)), passName(passName) {}
  StringRef getArgument() const final { return "report"; }
  StringRef getDescription() const final { return "says what the pass before changed"; }

  void runOnOperation() final {
    double milliseconds =
        std::chrono::duration<double, std::milli>(Clock::now() - snapshot->time).count();
    std::string text;
    llvm::raw_string_ostream(text) << getOperation();
    if (!passName.empty()) {
      bool changed = printMissing(snapshot->text, text, '-');
      changed |= printMissing(text, snapshot->text, '+');
      llvm::errs() << passName << (changed ? ": changed as above (" : ": unchanged (")
                   << llvm::format("%.1f", milliseconds) << " ms)\n";
    }
    snapshot->text = std::move(text);
    snapshot->time = Clock::now();
  }

  std::shared_ptr<passes::Snapshot> snapshot;
  std::string passName;
};
} // namespace

std::unique_ptr<Pass> passes::createReport(std::shared_ptr<Snapshot> snapshot, StringRef passName) {
  return std::make_unique<Report>(std::move(snapshot), passName);
}
