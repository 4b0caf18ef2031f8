#include "codegen/driver/Flags.h"

#include "codegen/driver/CheckGradients.h"
#include "codegen/driver/Diagnostics.h"
#include "codegen/driver/KeepFunctions.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <sstream>

using namespace mlir;
using namespace axloom;
using namespace axloom::codegen;

static std::string joined(llvm::ArrayRef<std::string> names) { return llvm::join(names, ", "); }

static std::vector<std::string> stages() {
  std::vector<std::string> names;
  for (const StageName &stage : stageNames)
    names.emplace_back(stage.name);
  return names;
}

static std::vector<std::string> optimizations() {
  std::vector<std::string> names;
  for (StringRef name : passes::optimizations())
    names.push_back(name.str());
  return names;
}

static std::vector<std::string> precisions() { return {"f32", "bf16"}; }

/// A check of numbers above 0. CLI11's own lets "nan" pass.
static CLI::Validator positive() {
  auto problem = [](std::string &text) -> std::string {
    double value;
    if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0)
      return "";
    return "'" + text + "' is not a number above 0";
  };
  return CLI::Validator(problem, "");
}

static void addExplain(CLI::App &app, Flags &flags) {
  CLI::App *explain = app.add_subcommand(
      "explain", "Where time and memory will go, and why ops were put together or not");
  explain->fallthrough(); // all other flags go on to mean the same
  explain->callback([&flags] { flags.emit = "explain"; });
  Question &question = flags.question;
  explain
      ->add_option("--sizes", question.sizes,
                   "Values of the size symbols, for numbers instead of formulas: B=32,S=64")
      ->delimiter(',')
      ->allow_extra_args(false) // what follows is the graph
      ->type_name("A=N,B=M");
  explain->add_option("--line", question.line, "Only what comes from this line of source")
      ->type_name("FILE:NUMBER");
  explain
      ->add_option("--peak", question.machine.gflops,
                   "What the machine computes at most; measured if it is not given")
      ->type_name("GFLOP/s")
      ->check(positive());
  explain
      ->add_option("--peak-bf16", question.machine.bf16Gflops,
                   "The same where factors are bf16; measured if it is not given")
      ->type_name("GFLOP/s")
      ->check(positive());
  explain
      ->add_option("--bandwidth", question.machine.bandwidth,
                   "What it reads from memory at most; measured if it is not given")
      ->type_name("GB/s")
      ->check(positive());
}

/// Reads what is between commas; there may be nothing.
static auto listTo(std::optional<std::vector<std::string>> &list) {
  return [&list](const std::string &text) {
    SmallVector<StringRef> parts;
    StringRef(text).split(parts, ',', -1, /*KeepEmpty=*/false);
    list.emplace(parts.begin(), parts.end());
  };
}

static void addTune(CLI::App &app, Flags &flags) {
  app.add_option_function<std::string>(
         "--tune", listTo(flags.tune),
         "Measure on this machine which tiles and blocks are fastest at these sizes, unless the "
         "cache knows; no values for a program without sizes")
      ->expected(0, 1) // a program without sizes needs no values
      ->check([](const std::string &sizes) -> std::string {
        bool isList = sizes.empty() || sizes.find('=') != std::string::npos;
        return isList ? ""
                      : "'" + sizes +
                            "' has no values of sizes, as in B=32,S=64; where there are "
                            "none, write --tune= or put it last";
      })
      ->type_name("A=N,B=M");
}

void codegen::addFlags(CLI::App &app, Flags &flags) {
  addExplain(app, flags);
  app.add_option("--output", flags.output,
                 "Folder for lib<name>.a, <name>.h, <name>.json, <name>.txt")
      ->type_name("DIR");
  app.add_option("--name", flags.name, "Name of the model, an identifier")->type_name("N");
  app.add_option("--target", flags.target, "Machine to compile for: " + joined(Target::names()))
      ->type_name("T");
  app.add_option("--precision", flags.precision,
                 "Factors of matrix products: " + joined(precisions()) +
                     "; sums and variables stay f32")
      ->type_name("P");
  app.add_option("--emit", flags.emit, "Stage to print, or bundle: " + joined(stages()))
      ->type_name("STAGE");
  app.add_option_function<std::string>(
         "--functions", listTo(flags.functions),
         "Functions to compile, with the variables that they read or write; all if not given")
      ->expected(0, 1) // what there are to name is said where all mistakes are
      ->type_name("A,B");
  app.add_option("--disable", flags.disable,
                 "Optimizations to leave out: " + joined(optimizations()))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  app.add_flag_callback(
      "--list-optimizations",
      [] {
        llvm::outs() << llvm::join(optimizations(), "\n") << "\n";
        llvm::outs().flush();
        throw CLI::Success();
      },
      "Print what --disable takes, a name a line");
  app.add_option("--stop-after", flags.stopAfter,
                 "Last pass to run; prints the graph: " + joined(passes::passNames()))
      ->type_name("PASS");
  app.add_option("--memory-budget", flags.memoryBudget,
                 "Bytes that the results between kernels may take at some sizes, as in "
                 "1.5G@B=32,S=64; values are computed again instead of kept until they fit")
      ->type_name("BYTES@SIZES");
  addTune(app, flags);
  app.add_option("--cache", flags.cache,
                 "Folder where compiled kernels and tuned schedules are kept between runs; else "
                 "$XDG_CACHE_HOME/axloom or ~/.cache/axloom")
      ->type_name("DIR");
  app.add_option("--jobs", flags.jobs,
                 "Kernels to compile at the same time; 0: as many as there are cores")
      ->type_name("N");
  app.add_flag("--kernel", flags.kernel, "Write a header in C, for a model without variables");
  app.add_flag("--check-gradients", flags.checkGradients,
               "Compare gradients with finite differences, in the reference interpreter; compiles "
               "nothing. Give the model small sizes");
  app.add_flag("--print-changes", flags.printChanges, "Print what each pass changes");
  app.add_flag("--time", flags.time, "Print how long passes and stages take");
}

std::optional<int> codegen::parse(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0) { // --help
      std::ostringstream text;
      int status = app.exit(error, text);
      llvm::outs() << text.str(); // which notices what cannot be written
      return status;
    }
    llvm::errs() << "error: " << error.what() << "; --help lists the flags\n";
    return 1;
  }
}

static const StageName *stageNamed(StringRef name) {
  const auto *found =
      llvm::find_if(stageNames, [&](const StageName &stage) { return stage.name == name.str(); });
  return found == stageNames.end() ? nullptr : found;
}

static bool isIdentifier(StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// The options of the passes, or what is wrong with them.
static std::string readPassOptions(const Flags &flags, passes::PipelineOptions &options) {
  options.disabled = flags.disable;
  options.brainFloatFactors = flags.precision == "bf16";
  options.stopAfter = flags.stopAfter;
  options.report = flags.printChanges;
  if (!flags.memoryBudget.empty())
    if (std::string problem = passes::MemoryBudget::parse(flags.memoryBudget, options.memoryBudget);
        !problem.empty())
      return problem;
  return passes::problemWith(options);
}

/// Whether NAME.h would hide a header of the C library, which others include, from those who search
/// the bundle's folder first.
static bool hidesHeader(llvm::StringRef name) {
  constexpr llvm::StringLiteral headers =
      "alloca assert complex ctype dirent dlfcn elf endian errno error features fcntl fenv "
      "float glob grp iconv inttypes langinfo libgen limits link locale malloc math memory "
      "netdb poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign "
      "stdarg stdatomic stdbool stddef stdint stdio stdlib string strings syslog termios "
      "tgmath threads time uchar ucontext unistd utime wait wchar wctype wordexp";
  return llvm::is_contained(llvm::split(headers, ' '), name);
}

/// What is wrong with the flags, as a sentence for the user; empty if nothing is.
static std::string problemWith(const Flags &flags) {
  if (!stageNamed(flags.emit))
    return "--emit is '" + flags.emit + "', expected one of " + joined(stages());
  if (!Target::named(flags.target))
    return "--target is '" + flags.target + "', expected one of " + joined(Target::names());
  if (!llvm::is_contained(precisions(), flags.precision))
    return "--precision is '" + flags.precision + "', expected one of " + joined(precisions());
  if (!isIdentifier(flags.name))
    return "--name is '" + flags.name +
           "', expected letters, digits and underscores, with no digit first";
  if (flags.name == "axl")
    return "--name is 'axl', which names of the runtime begin with; choose another name";
  if (hidesHeader(flags.name))
    return "--name is '" + flags.name + "', but " + flags.name +
           ".h is a header of the C library, which includes would no longer find; choose another "
           "name";
  if (std::string problem = problemWithLine(flags.question.line); !problem.empty())
    return problem;
  passes::PipelineOptions options;
  return readPassOptions(flags, options);
}

static CompilerOptions compilerOptions(const Flags &flags) {
  CompilerOptions options;
  options.name = flags.name;
  options.target = *Target::named(flags.target);
  readPassOptions(flags, options.passes);
  options.kernels.cacheFolder = flags.cache;
  options.kernels.jobs = flags.jobs;
  options.question = flags.question;
  options.tune = flags.tune;
  options.headerForC = flags.kernel;
  options.time = flags.time;
  return options;
}

int codegen::run(ModuleOp module, const Flags &flags) {
  if (std::string problem = problemWith(flags); !problem.empty()) {
    llvm::errs() << "error: " << problem << "\n";
    return 1;
  }
  if (module.getOps<func::FuncOp>().empty()) {
    llvm::errs() << "error: the program has no function, so there is nothing to compile\n";
    return 1;
  }
  if (flags.functions)
    if (std::string problem = keepFunctions(module, *flags.functions); !problem.empty()) {
      llvm::errs() << "error: " << problem << "\n";
      return 1;
    }
  if (flags.checkGradients) {
    GradientReport report = checkGradients(module);
    llvm::raw_ostream &os = report.problem.empty() ? llvm::outs() : llvm::errs();
    os << report.text();
    os.flush();
    return report.passed() ? 0 : 1;
  }
  UserDiagnostics diagnostics(module.getContext(), llvm::errs());
  CompilerOptions options = compilerOptions(flags);
  if (options.passes.brainFloatFactors && options.target.traits.brainFloatFactors == 0)
    llvm::errs() << "note: " << options.target.name
                 << " has no products of bf16 that are faster, so factors stay f32\n";
  std::unique_ptr<Backend> backend = createBackend(options.target);
  Compiler compiler(options, *backend);
  Stage stage = flags.stopAfter.empty() ? stageNamed(flags.emit)->stage : Stage::Planned;
  if (stage != Stage::Bundle) {
    FailureOr<std::string> text = compiler.print(module, stage);
    if (failed(text))
      return 1;
    llvm::outs() << *text;
    llvm::outs().flush();
    return 0;
  }
  if (flags.kernel && !module.getOps<ir::VariableOp>().empty()) {
    llvm::errs() << "error: --kernel is for a function without variables, but the model has '"
                 << (*module.getOps<ir::VariableOp>().begin()).getSymName()
                 << "'; use axloom_add_model\n";
    return 1;
  }
  FailureOr<Bundle> bundle = compiler.compile(module);
  if (failed(bundle))
    return 1;
  if (std::string problem = write(*bundle, flags.output); !problem.empty()) {
    llvm::errs() << "error: " << problem << "\n";
    return 1;
  }
  return 0;
}
