// The C header of a model without variables: a function that fills axl_host_tensor and calls the
// runtime.

#include "codegen/bundle/Header.h"
#include "codegen/bundle/Names.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace axloom;
using namespace axloom::codegen;

/// The size symbols of a function's arguments and results, in the order of the tables.
static std::set<int32_t> symbolsOf(const FunctionInfo &function) {
  std::set<int32_t> symbols;
  for (const auto *values : {&function.arguments, &function.results})
    for (const ValueInfo &value : *values)
      for (const ExtentInfo &extent : value.extents)
        symbols.insert(extent.symbols.begin(), extent.symbols.end());
  return symbols;
}

namespace {
/// The parameters of a function: size symbols, arguments, results.
struct Parameters {
  Parameters(const Description &model, const FunctionInfo &function)
      : names({"axl_arguments", "axl_results", "axl_host_tensor", "axl_call_kernel",
               model.name + "_model", "int64_t", "int32_t", "uint16_t"}) {
    for (int32_t symbol : symbolsOf(function))
      symbols[symbol] = names.add(model.symbols[symbol].name);
    arguments = names.add(function.arguments);
    results = names.add(function.results);
  }

  Identifiers names;
  std::map<int32_t, std::string> symbols;
  std::vector<std::string> arguments, results;
};
} // namespace

static std::string extentExpression(const Parameters &parameters, const ExtentInfo &extent) {
  std::string text = std::to_string(extent.factor);
  for (int32_t symbol : extent.symbols)
    text += " * " + parameters.symbols.at(symbol);
  return text;
}

/// `axl_host_tensor name[] = {{(void *)x, AXL_F32, 2, {1 * B, 512}}, ...};`
static std::string writeTensors(llvm::raw_ostream &os, const Parameters &parameters,
                                llvm::StringRef name, const std::vector<ValueInfo> &values,
                                const std::vector<std::string> &names) {
  if (values.empty())
    return "0";
  os << "  const axl_host_tensor " << name << "[] = {\n";
  for (auto [value, parameter] : llvm::zip_equal(values, names)) {
    os << "      {(void *)" << parameter << ", " << value.type << ", " << value.axes.size()
       << ", {";
    llvm::interleaveComma(value.extents, os,
                          [&](const ExtentInfo &e) { os << extentExpression(parameters, e); });
    os << (value.extents.empty() ? "0" : "") << "}},\n";
  }
  os << "  };\n";
  return name.str();
}

/// What the caller passes: a line of the comment each, and the parameters.
static void writeSignature(llvm::raw_ostream &os, const Description &model,
                           const FunctionInfo &function, llvm::StringRef name,
                           const Parameters &parameters) {
  std::vector<std::string> declarations;
  for (const auto &[symbol, size] : parameters.symbols)
    declarations.push_back("int64_t " + size);
  os << "\n/* Returns an axl_code; axl_last_error() then says what is wrong.\n";
  for (auto [value, argument] : llvm::zip_equal(function.arguments, parameters.arguments)) {
    os << " *   " << argument << ": " << shapeComment(model, value) << "\n";
    declarations.push_back("const " + elementTypeName(value.type, "uint16_t") + " *" + argument);
  }
  for (auto [value, result] : llvm::zip_equal(function.results, parameters.results)) {
    os << " *   " << result << ": " << shapeComment(model, value) << ", written\n";
    declarations.push_back(elementTypeName(value.type, "uint16_t") + " *" + result);
  }
  os << " */\nstatic inline int " << name << "(";
  llvm::interleaveComma(declarations, os);
  os << (declarations.empty() ? "void) {\n" : ") {\n");
}

static void writeFunction(llvm::raw_ostream &os, const Description &model, size_t index,
                          llvm::StringRef name) {
  const FunctionInfo &function = model.functions[index];
  Parameters parameters(model, function);
  writeSignature(os, model, function, name, parameters);
  std::string in =
      writeTensors(os, parameters, "axl_arguments", function.arguments, parameters.arguments);
  std::string out =
      writeTensors(os, parameters, "axl_results", function.results, parameters.results);
  os << "  return axl_call_kernel(&" << model.name << "_model, " << index << ", " << in << ", "
     << out << ");\n}\n";
}

std::string codegen::kernelHeader(const Description &model) {
  std::string text, guard = "AXLOOM_KERNEL_" + identifier(model.name) + "_H";
  llvm::raw_string_ostream os(text);
  os << "/* '" << model.name << "', compiled by Axloom for " << model.target
     << ". Generated: do not edit. */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include \"runtime/abi/axloom.h\"\n\n#include <stdbool.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "extern const axl_model " << model.name << "_model;\n";
  Identifiers names({model.name + "_model", "axl_call_kernel", "axl_host_tensor"});
  for (size_t index = 0; index < model.functions.size(); ++index) {
    const std::string &name = model.functions[index].name;
    writeFunction(os, model, index,
                  names.add(name == model.name ? identifier(name) : model.name + "_" + name));
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}
