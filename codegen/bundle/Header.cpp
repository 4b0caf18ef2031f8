#include "codegen/bundle/Header.h"

#include "codegen/bundle/Names.h"

#include "llvm/Support/raw_ostream.h"

using namespace axloom;
using namespace axloom::codegen;

/// `struct Arguments { View<const float> x; // [..] };`
static void writeViews(llvm::raw_ostream &os, const Description &model, llvm::StringRef name,
                       const std::vector<ValueInfo> &values, bool isConst) {
  os << "  struct " << name << " {\n";
  for (const ValueInfo &value : values)
    os << "    axloom::runtime::View<" << (isConst ? "const " : "")
       << elementTypeName(value.type, "axloom::runtime::BFloat16") << "> " << identifier(value.name)
       << "; // " << shapeComment(model, value) << "\n";
  os << "  };\n";
}

/// `const AnyView name[] = {from.x, ...};`, and what stands for an empty array.
static std::string writeArray(llvm::raw_ostream &os, llvm::StringRef name, llvm::StringRef from,
                              const std::vector<ValueInfo> &values) {
  if (values.empty())
    return "nullptr";
  os << "    const axloom::runtime::AnyView " << name << "[] = {";
  llvm::interleaveComma(
      values, os, [&](const ValueInfo &value) { os << from << "." << identifier(value.name); });
  os << "};\n";
  return name.str();
}

static void writeFunction(llvm::raw_ostream &os, const Description &model, size_t index) {
  const FunctionInfo &function = model.functions[index];
  const char *owner = function.usesSession ? "Session &session" : "Model &model";
  os << "\nstruct " << identifier(function.name) << " {\n";
  os << "  static constexpr int32_t index = " << index << ";\n";
  writeViews(os, model, "Arguments", function.arguments, true);
  writeViews(os, model, "Results", function.results, false);
  os << "  // Throws axloom::runtime::Error.\n";
  os << "  static void call(axloom::runtime::" << owner
     << ", [[maybe_unused]] const Arguments &arguments,\n"
     << "                   [[maybe_unused]] const Results &results) {\n";
  std::string in = writeArray(os, "in", "arguments", function.arguments);
  std::string out = writeArray(os, "out", "results", function.results);
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
  for (size_t index = 0; index < model.functions.size(); ++index)
    writeFunction(os, model, index);
  os << "\n} // namespace " << identifier(model.name) << "\n";
  return text;
}
