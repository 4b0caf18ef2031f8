#include "codegen/tune/Tuner.h"

#include "codegen/CacheFolder.h"
#include "codegen/Canonical.h"
#include "codegen/tune/ScheduleCache.h"
#include "codegen/tune/Search.h"
#include "passes/Remarks.h"
#include "runtime/device/Threads.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

/// Whether this machine has all that the target's code needs.
static bool runsHere(const Target &target) {
  Target host = Target::host();
  return target.device == host.device && llvm::all_of(target.features, [&](const std::string &f) {
           return llvm::is_contained(host.features, f);
         });
}

/// "contract, add, maximum: <batch: B, model: 512, position: S, f32>"
static std::string wordsFor(ir::KernelOp kernel) {
  std::vector<std::string> names;
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (std::string name = op.getName().stripDialect().str();
        !isa<ir::ConstantOp>(op) && !llvm::is_contained(names, name))
      names.push_back(name);
  std::string type;
  llvm::raw_string_ostream(type) << kernel.getOutputs().front().getType();
  return llvm::join(names, ", ") + ": " +
         StringRef(type).drop_until([](char c) { return c == '<'; }).str();
}

namespace {
/// Launches that share a schedule.
struct Task {
  std::string key;
  Schedule schedule;
  std::vector<size_t> kernels;
  bool isKnown = false; // to the cache
};

/// A call of Tuner::tune.
class Tuning {
public:
  Tuning(ArrayRef<ir::KernelOp> kernels, const SizeValues &sizes, const CompileOptions &options)
      : kernels(kernels), sizes(sizes), cache(cacheFolder(options.cacheFolder)) {}

  std::string readCache() { return cache.read(); }
  void addTasks(ArrayRef<Schedule> schedules);
  LogicalResult measureUnknown(Backend &backend, const Target &target,
                               const CompileOptions &options);
  std::vector<ChoiceValues> values() const;
  void summarize(raw_ostream &os) const;

private:
  std::string keyOf(const Schedule &schedule, ir::KernelOp kernel) const;
  bool isKnown(const Task &task) const;
  std::string nameOf(size_t kernel) const;

  ArrayRef<ir::KernelOp> kernels;
  const SizeValues &sizes;
  ScheduleCache cache;
  std::vector<Task> tasks;
};
} // namespace

std::string Tuning::keyOf(const Schedule &schedule, ir::KernelOp kernel) const {
  auto function = kernel->getParentOfType<func::FuncOp>();
  std::string values = std::to_string(runtime::threadCount());
  for (const std::string &symbol : schedule.symbols)
    values += "," + std::to_string(int64_t(sizes.of(symbol, function)));
  // What was measured beside other usual values says nothing about today's.
  for (const Choice &choice : schedule.choices)
    values += "," + choice.name + "=" + std::to_string(choice.usual);
  return contentHash({schedule.key, values}).substr(0, 24);
}

/// What another version of the compiler has written may name choices that there are no more.
bool Tuning::isKnown(const Task &task) const {
  const TunedKernel *entry = cache.find(task.key);
  return entry && llvm::all_of(entry->choices, [&](const auto &chosen) {
           return llvm::any_of(task.schedule.choices, [&](const Choice &choice) {
             return choice.name == chosen.first && llvm::is_contained(choice.others, chosen.second);
           });
         });
}

void Tuning::addTasks(ArrayRef<Schedule> schedules) {
  for (auto [index, schedule] : llvm::enumerate(schedules)) {
    if (llvm::all_of(schedule.choices, [](const Choice &choice) { return choice.others.empty(); }))
      continue;
    std::string key = keyOf(schedule, kernels[index]);
    auto known = llvm::find_if(tasks, [&](const Task &task) { return task.key == key; });
    if (known != tasks.end()) {
      known->kernels.push_back(index);
      continue;
    }
    tasks.push_back({key, schedule, {index}});
    tasks.back().isKnown = isKnown(tasks.back());
  }
}

/// As profiles have it.
std::string Tuning::nameOf(size_t index) const {
  ir::KernelOp kernel = kernels[index];
  auto function = kernel->getParentOfType<func::FuncOp>();
  auto all = function.getOps<ir::KernelOp>();
  auto place = std::distance(all.begin(), llvm::find(all, kernel));
  return passes::kernelName(function, unsigned(place), kernel.getAnchor());
}

LogicalResult Tuning::measureUnknown(Backend &backend, const Target &target,
                                     const CompileOptions &options) {
  auto count = llvm::count_if(tasks, [](const Task &task) { return !task.isKnown; });
  auto start = std::chrono::steady_clock::now();
  int64_t done = 0;
  for (const Task &task : tasks) {
    if (task.isKnown)
      continue;
    size_t first = task.kernels.front();
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    llvm::errs() << "tuning kernel " << done + 1 << " of " << count << ", " << nameOf(first);
    if (done > 0)
      llvm::errs() << llvm::format("; about %.0f s left",
                                   elapsed.count() / double(done) * double(count - done));
    llvm::errs() << "\n";
    ir::KernelOp kernel = kernels[first];
    auto found = search(kernel, task.schedule.choices, sizes, backend, target, options);
    if (failed(found))
      return failure();
    TunedKernel entry{.kernel = wordsFor(kernel),
                      .family = task.schedule.family,
                      .target = target.name,
                      .sizes = sizes.str(),
                      .threads = runtime::threadCount(),
                      .choices = found->choices,
                      .usualNanoseconds = int64_t(1e9 * found->usualSeconds),
                      .bestNanoseconds = int64_t(1e9 * found->bestSeconds)};
    if (std::string problem = cache.add(task.key, std::move(entry)); !problem.empty())
      return mlir::emitError(UnknownLoc::get(kernel.getContext()), problem);
    ++done;
  }
  return success();
}

std::vector<ChoiceValues> Tuning::values() const {
  std::vector<ChoiceValues> values(kernels.size());
  for (const Task &task : tasks)
    for (size_t kernel : task.kernels)
      values[kernel] = cache.find(task.key)->choices;
  return values;
}

void Tuning::summarize(raw_ostream &os) const {
  auto measured = llvm::count_if(tasks, [](const Task &task) { return !task.isKnown; });
  os << "schedules of " << tasks.size() << " kernels, " << measured << " of them measured now, on "
     << runtime::threadCount() << " threads" << (sizes.str().empty() ? "" : " with " + sizes.str())
     << "; kept in '" << cache.path() << "'\n";
  if (!tasks.empty())
    os << "   usual ms    best ms  launches  first of them, and what is chosen\n";
  for (const Task &task : tasks) {
    const TunedKernel &entry = *cache.find(task.key);
    os << llvm::format("%11.4f%11.4f%10zu  ", 1e-6 * double(entry.usualNanoseconds),
                       1e-6 * double(entry.bestNanoseconds), task.kernels.size())
       << nameOf(task.kernels.front()) << ": "
       << (entry.choices.empty() ? "the usual" : toString(entry.choices)) << "\n";
  }
}

FailureOr<std::vector<ChoiceValues>> Tuner::tune(ArrayRef<ir::KernelOp> kernels) {
  if (kernels.empty())
    return std::vector<ChoiceValues>();
  auto problem = [&](const std::string &text) {
    return mlir::emitError(UnknownLoc::get(ir::KernelOp(kernels.front()).getContext()), text);
  };
  if (!runsHere(target))
    return problem("--tune measures on this machine, which cannot run code for " + target.name +
                   "; tune on such a machine, or for --target host (" + Target::host().name + ")");
  try {
    runtime::startHost();
  } catch (const std::exception &error) { // AXLOOM_THREADS is no number
    return problem(error.what());
  }
  Tuning tuning(kernels, sizes, options);
  if (std::string damage = tuning.readCache(); !damage.empty())
    return problem(damage);
  auto schedules = backend.schedules(kernels, target, options);
  if (failed(schedules))
    return failure();
  tuning.addTasks(*schedules);
  if (failed(tuning.measureUnknown(backend, target, options)))
    return failure();
  tuning.summarize(llvm::errs());
  return tuning.values();
}
