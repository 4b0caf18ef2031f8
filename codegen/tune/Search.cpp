#include "codegen/tune/Search.h"

#include "codegen/KernelLimits.h"
#include "codegen/tune/KernelTable.h"
#include "codegen/tune/KernelTensors.h"

#include "llvm/ADT/STLExtras.h"

#include <chrono>
#include <limits>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// What another schedule may take of the time of the usual one.
constexpr double margin = 0.97;

/// All launches take turns, so that what disturbs the machine disturbs all of them: at least so
/// many times, and so long for each.
constexpr int leastTurns = 7, mostTurns = 400;
constexpr double leastSeconds = 0.04;

namespace {
/// Several schedules of one kernel, ready to be launched.
class Contest {
public:
  Contest(ir::KernelOp kernel, std::vector<CompiledKernel> compiled, const SizeValues &sizes)
      : kernel(kernel), compiled(std::move(compiled)), tensors(kernel, this->compiled[0], sizes) {}

  /// Seconds of the fastest launch of each.
  FailureOr<std::vector<double>> run();

private:
  InFlightDiagnostic cannot(const Twine &why) {
    return kernel.emitError("this ") << kernel.getAnchor() << " kernel cannot be measured: " << why;
  }
  FailureOr<std::vector<std::unique_ptr<KernelTable>>> tables(const LoadedCode &code);

  ir::KernelOp kernel;
  std::vector<CompiledKernel> compiled;
  KernelTensors tensors;
};
} // namespace

FailureOr<std::vector<std::unique_ptr<KernelTable>>> Contest::tables(const LoadedCode &code) {
  std::vector<std::unique_ptr<KernelTable>> tables;
  for (const CompiledKernel &entrant : compiled) {
    auto table = KernelTable::make(entrant, code);
    if (!table)
      return cannot(llvm::toString(table.takeError()));
    tables.push_back(std::move(*table));
  }
  return tables;
}

FailureOr<std::vector<double>> Contest::run() {
  if (!tensors.problem.empty())
    return cannot(tensors.problem);
  std::vector<std::string> objects;
  for (const CompiledKernel &entrant : compiled)
    objects.push_back(entrant.object);
  llvm::Expected<LoadedCode> code = LoadedCode::load(objects);
  if (!code)
    return cannot(llvm::toString(code.takeError()));
  auto entrants = tables(*code);
  if (failed(entrants))
    return failure();
  std::vector<double> fastest(entrants->size(), std::numeric_limits<double>::max());
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int turn = 0; turn < leastTurns || elapsed() < leastSeconds * double(entrants->size());
       ++turn) {
    if (turn == mostTurns)
      break;
    for (auto [table, best] : llvm::zip_equal(*entrants, fastest)) {
      std::optional<double> seconds = table->launch(tensors.tensors, tensors.scalars);
      if (!seconds)
        return cannot(axl_last_error());
      best = std::min(best, *seconds);
    }
  }
  return fastest;
}

std::vector<ChoiceValues> codegen::finalists(ArrayRef<ChoiceValues> values,
                                             ArrayRef<double> seconds) {
  std::map<std::string, size_t> best; // of each choice
  for (size_t i = 1; i < values.size(); ++i) {
    auto [found, isFirst] = best.try_emplace(values[i].begin()->first, i);
    if (!isFirst && seconds[i] < seconds[found->second])
      found->second = i;
  }
  std::vector<ChoiceValues> chosen = {values.front()};
  ChoiceValues together;
  for (const auto &[name, index] : best)
    if (seconds[index] < margin * seconds.front()) {
      chosen.push_back(values[index]);
      together.insert(values[index].begin(), values[index].end());
    }
  if (together.size() > 1)
    chosen.push_back(std::move(together));
  return chosen;
}

size_t codegen::winner(ArrayRef<double> seconds) {
  size_t best = llvm::min_element(seconds) - seconds.begin();
  return seconds[best] < margin * seconds.front() ? best : 0;
}

/// The usual values, and each choice changed alone.
static std::vector<ChoiceValues> candidates(ArrayRef<Choice> choices) {
  std::vector<ChoiceValues> values(1);
  for (const Choice &choice : choices)
    for (int64_t other : choice.others)
      values.push_back({{choice.name, other}});
  return values;
}

FailureOr<SearchResult> codegen::search(ir::KernelOp kernel, ArrayRef<Choice> choices,
                                        const SizeValues &sizes, Backend &backend,
                                        const Target &target, const CompileOptions &given) {
  auto measured = [&](const std::vector<ChoiceValues> &values) -> FailureOr<std::vector<double>> {
    CompileOptions options = given;
    options.choices = values;
    auto compiled =
        backend.compile(std::vector<ir::KernelOp>(values.size(), kernel), target, options);
    if (failed(compiled) || failed(checkLimits(kernel, compiled->front())))
      return failure();
    return Contest(kernel, std::move(*compiled), sizes).run();
  };
  std::vector<ChoiceValues> values = candidates(choices);
  auto first = measured(values);
  if (failed(first))
    return failure();
  std::vector<ChoiceValues> last = finalists(values, *first);
  if (last.size() == 1)
    return SearchResult{{}, first->front(), first->front()};
  auto seconds = measured(last);
  if (failed(seconds))
    return failure();
  size_t best = winner(*seconds);
  return SearchResult{last[best], seconds->front(), (*seconds)[best]};
}
