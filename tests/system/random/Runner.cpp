#include "tests/system/random/Runner.h"

#include "tests/system/random/Generator.h"
#include "tests/system/random/Reducer.h"

#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>

using namespace axloom::test;

namespace {
struct Settings {
  uint64_t seed = 1;
  int count = 50;
  double seconds = 1e9;
  bool print = false;
  GeneratorOptions generator;
};
} // namespace

static void printSizes(const axloom::ir::reference::Sizes &sizes) {
  fmt::print("sizes:");
  for (auto &[symbol, extent] : sizes.symbols)
    fmt::print(" {} = {}", symbol, extent);
  for (auto &[symbol, lengths] : sizes.lengths) {
    fmt::print(", lengths {} = [", symbol);
    for (int64_t length : lengths)
      fmt::print(" {}", length);
    fmt::print(" ]");
  }
  fmt::print("\n");
}

/// The options that bring a program back.
static std::string again(uint64_t seed, const Settings &settings) {
  return fmt::format("--seed {} --count 1{}{}", seed, settings.generator.ragged ? " --ragged" : "",
                     settings.generator.wide ? " --wide" : "");
}

/// Says what fails, makes it small, and says how to see it again.
static void report(Graphs &graphs, Executor &executor, Program program, Tolerance tolerance,
                   const std::string &what, uint64_t seed, const Settings &settings) {
  fmt::print("seed {} fails: {}\n", seed, what);
  fmt::print("reducing a program of {} ops ...\n", program.ops().size());
  Program small = reduce(std::move(program), disagrees(graphs, executor, tolerance));
  fmt::print("{}", print(*small.module));
  printSizes(small.inputs.sizes);
  fmt::print("{}\n", findDisagreement(graphs, executor, small, tolerance));
  fmt::print("again: {}\n\n", again(seed, settings));
}

static int run(const Settings &settings, const MakeExecutor &makeExecutor, Tolerance tolerance) {
  auto start = std::chrono::steady_clock::now();
  int done = 0, failures = 0;
  for (; done < settings.count; ++done) {
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (elapsed.count() > settings.seconds)
      break;
    uint64_t seed = settings.seed + static_cast<uint64_t>(done);
    // Says which program it was if the compiler crashes.
    llvm::PrettyStackTraceFormat crash("in the program of %s", again(seed, settings).c_str());
    Graphs graphs;
    std::unique_ptr<Executor> executor = makeExecutor(graphs);
    Program program = generate(graphs, seed, settings.generator);
    if (settings.print)
      fmt::print("// seed {}\n{}", seed, print(*program.module));
    std::string what = findDisagreement(graphs, *executor, program, tolerance);
    if (what.empty())
      continue;
    ++failures;
    report(graphs, *executor, std::move(program), tolerance, what, seed, settings);
  }
  fmt::print("{} programs from seed {}: {} fail\n", done, settings.seed, failures);
  return failures == 0 ? 0 : 1;
}

int axloom::test::runRandomGraphs(int argc, char **argv, const MakeExecutor &makeExecutor,
                                  Tolerance tolerance) {
  llvm::EnablePrettyStackTrace();
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  Settings settings;
  CLI::App app("Runs random programs and compares them with the reference interpreter.");
  app.add_option("--seed", settings.seed, "the first seed");
  app.add_option("--count", settings.count, "how many programs");
  app.add_option("--seconds", settings.seconds, "stop early after this time");
  app.add_flag("--ragged", settings.generator.ragged, "positions have lengths of their own");
  app.add_flag("--wide", settings.generator.wide,
               "axes are longer than a vector, some than a tile");
  app.add_flag("--print", settings.print, "print each program");
  CLI11_PARSE(app, argc, argv);
  // A layer_norm of a long row of equal numbers shows how their sum is rounded, times ten.
  if (settings.generator.wide)
    tolerance.value *= 10;
  return run(settings, makeExecutor, tolerance);
}
