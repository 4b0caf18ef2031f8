#include "codegen/driver/PassTimes.h"

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

namespace {
class PassTimes : public PassInstrumentation {
public:
  explicit PassTimes(llvm::raw_ostream &os) : os(os) {}

  void runBeforePass(Pass *, Operation *) override { start = Clock::now(); }

  void runAfterPass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty()) // what only carries passes on functions has none
      os << "pass " << pass->getArgument() << " ("
         << milliseconds(std::chrono::duration<double>(Clock::now() - start).count()) << ")\n";
  }

private:
  llvm::raw_ostream &os;
  Clock::time_point start;
};
} // namespace

std::unique_ptr<PassInstrumentation> axloom::codegen::printTimes(llvm::raw_ostream &os) {
  return std::make_unique<PassTimes>(os);
}
