#include "codegen/bundle/Header.h"

#include "codegen/bundle/Names.h"

#include "llvm/Support/raw_ostream.h"

using namespace axloom;
using namespace axloom::codegen;

namespace {
/// Arguments or results of a function, with the names of their views.
struct Views {
  Views(llvm::StringRef type, const std::vector<ValueInfo> &values)
      : type(type), values(values), names(Identifiers({type, "axloom", "int32_t"}).add(values)) {}

  llvm::StringRef type; // of the struct that holds them
  const std::vector<ValueInfo> &values;
  std::vector<std::string> names;
};
} // namespace

/// `struct Arguments { View<const float> x; // [..] };`
static void writeViews(llvm::raw_ostream &os, const Description &model, const Views &views,
                       bool isConst) {
  os << "  struct " << views.type << " {\n";
  for (auto [value, name] : llvm::zip_equal(views.values, views.names))
    os << "    axloom::runtime::View<" << (isConst ? "const " : "")
       << elementTypeName(value.type, "axloom::runtime::BFloat16") << "> " << name << "; // "
       << shapeComment(model, value) << "\n";
  os << "  };\n";
}

/// `const AnyView name[] = {from.x, ...};`, and what stands for an empty array.
static std::string writeArray(llvm::raw_ostream &os, llvm::StringRef name, llvm::StringRef from,
                              const Views &views) {
  if (views.names.empty())
    return "nullptr";
  os << "    const axloom::runtime::AnyView " << name << "[] = {";
  llvm::interleaveComma(views.names, os,
                        [&](const std::string &view) { os << from << "." << view; });
  os << "};\n";
  return name.str();
}

static void writeFunction(llvm::raw_ostream &os, const Description &model, size_t index,
                          llvm::StringRef name) {
  const FunctionInfo &function = model.functions[index];
  Views arguments("Arguments", function.arguments), results("Results", function.results);
  const char *owner = function.usesSession ? "Session &session" : "Model &model";
  os << "\nstruct " << name << " {\n";
  os << "  static constexpr int32_t index = " << index << ";\n";
  writeViews(os, model, arguments, true);
  writeViews(os, model, results, false);
  os << "  // Throws axloom::runtime::Error.\n";
  os << "  static void call(axloom::runtime::" << owner
     << ", [[maybe_unused]] const Arguments &arguments,\n"
     << "                   [[maybe_unused]] const Results &results) {\n";
  std::string in = writeArray(os, "in", "arguments", arguments);
  std::string out = writeArray(os, "out", "results", results);
  os << "    " << (function.usesSession ? "session" : "model") << ".call(index, " << in << ", "
     << out << ");\n";
  os << "  }\n};\n";
}

std::string codegen::modelHeader(const Description &model) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// The model '" << model.name << "', compiled by Axloom for " << model.target
     << ". Generated: do not edit.\n"
     << sizesComment(model) << "#pragma once\n\n#include \"runtime/Runtime.h\"\n\n"
     << "extern \"C\" const axl_model " << model.name << "_model;\n\n"
     << "namespace " << identifier(model.name) << " {\n";
  // What the structs of functions use.
  Identifiers names({"axloom", "int32_t", "index", "Arguments", "Results", "call"});
  for (size_t index = 0; index < model.functions.size(); ++index)
    writeFunction(os, model, index, names.add(model.functions[index].name));
  os << "\n} // namespace " << identifier(model.name) << "\n";
  return text;
}
