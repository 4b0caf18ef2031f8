#include "codegen/driver/Generate.h"

#include "codegen/driver/Flags.h"
#include "frontend/Error.h"
#include "frontend/GraphInternal.h"
#include "frontend/Options.h"
#include "frontend/Program.h"

#include <CLI/CLI.hpp>

using namespace axloom;

/// A line for each option that the model asked for, with the value it has.
static void print(const Options &options) {
  for (const auto &[name, value] : options.known())
    llvm::outs() << name << "=" << value << "\n";
  llvm::outs().flush();
}

int axloom::generate(int argc, char **argv,
                     const std::function<void(Program &, Options &)> &build) {
  CLI::App app("Compiles the model into an object archive and a header.");
  codegen::Flags flags;
  std::vector<std::string> settings;
  codegen::addFlags(app, flags);
  app.add_option("--set", settings, "An option of the model; may be repeated")
      ->allow_extra_args(false)
      ->type_name("OPTION=VALUE");
  bool listOptions = false;
  app.add_flag("--list-options", listOptions, "Print what --set takes, with the value each has");
  if (std::optional<int> exit = codegen::parse(app, argc, argv))
    return *exit;
  try {
    Options options;
    for (const std::string &setting : settings)
      options.set(setting);
    Program program;
    build(program, options);
    options.checkAllUsed();
    if (listOptions) {
      print(options);
      return 0;
    }
    return codegen::run(moduleOf(program), flags);
  } catch (const GraphError &error) {
    llvm::errs() << error.what() << "\n";
  } catch (const OptionError &error) {
    llvm::errs() << error.what() << "\n";
  } catch (const std::exception &error) {
    llvm::errs() << "error: " << error.what() << "\n";
  }
  return 1;
}
