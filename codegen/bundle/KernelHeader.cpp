// The C header of a model without variables: a function that fills axl_host_tensor and calls the
// runtime.

#include "codegen/bundle/Header.h"
#include "codegen/bundle/Names.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace axloom;
using namespace axloom::codegen;

/// The size symbols of a function's arguments and results, in the order of the tables.
static std::vector<int32_t> symbolsOf(const FunctionInfo &function) {
  llvm::SmallSetVector<int32_t, 4> found;
  for (const auto *values : {&function.arguments, &function.results})
    for (const ValueInfo &value : *values)
      for (const ExtentInfo &extent : value.extents)
        found.insert(extent.symbols.begin(), extent.symbols.end());
  std::vector<int32_t> symbols(found.begin(), found.end());
  llvm::sort(symbols);
  return symbols;
}

static std::string extentExpression(const Description &model, const ExtentInfo &extent) {
  std::string text = std::to_string(extent.factor);
  for (int32_t symbol : extent.symbols)
    text += " * " + identifier(model.symbols[symbol].name);
  return text;
}

/// `axl_host_tensor name[] = {{(void *)x, AXL_F32, 2, {1 * B, 512}}, ...};`
static std::string writeTensors(llvm::raw_ostream &os, const Description &model,
                                llvm::StringRef name, const std::vector<ValueInfo> &values) {
  if (values.empty())
    return "0";
  os << "  const axl_host_tensor " << name << "[] = {\n";
  for (const ValueInfo &value : values) {
    os << "      {(void *)" << identifier(value.name) << ", " << value.type << ", "
       << value.axes.size() << ", {";
    llvm::interleaveComma(value.extents, os,
                          [&](const ExtentInfo &e) { os << extentExpression(model, e); });
    os << (value.extents.empty() ? "0" : "") << "}},\n";
  }
  os << "  };\n";
  return name.str();
}

static std::string functionName(const Description &model, const FunctionInfo &function) {
  return identifier(function.name == model.name ? model.name : model.name + "_" + function.name);
}

static void writeFunction(llvm::raw_ostream &os, const Description &model, size_t index) {
  const FunctionInfo &function = model.functions[index];
  os << "\n/* Returns an axl_code; axl_last_error() then says what is wrong.\n";
  for (const ValueInfo &value : function.arguments)
    os << " *   " << identifier(value.name) << ": " << shapeComment(model, value) << "\n";
  for (const ValueInfo &value : function.results)
    os << " *   " << identifier(value.name) << ": " << shapeComment(model, value) << ", written\n";
  os << " */\nstatic inline int " << functionName(model, function) << "(";
  std::vector<std::string> parameters;
  for (int32_t symbol : symbolsOf(function))
    parameters.push_back("int64_t " + identifier(model.symbols[symbol].name));
  for (const ValueInfo &value : function.arguments)
    parameters.push_back("const " + elementTypeName(value.type, "uint16_t") + " *" +
                         identifier(value.name));
  for (const ValueInfo &value : function.results)
    parameters.push_back(elementTypeName(value.type, "uint16_t") + " *" + identifier(value.name));
  llvm::interleaveComma(parameters, os);
  os << (parameters.empty() ? "void) {\n" : ") {\n");
  std::string in = writeTensors(os, model, "axl_arguments", function.arguments);
  std::string out = writeTensors(os, model, "axl_results", function.results);
  os << "  return axl_call_kernel(&" << model.name << "_model, " << index << ", " << in << ", "
     << out << ");\n}\n";
}

std::string codegen::kernelHeader(const Description &model) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* '" << model.name << "', compiled by Axloom for " << model.target
     << ". Generated: do not edit. */\n"
     << "#ifndef AXLOOM_KERNEL_" << llvm::StringRef(identifier(model.name)).upper() << "_H\n"
     << "#define AXLOOM_KERNEL_" << llvm::StringRef(identifier(model.name)).upper() << "_H\n\n"
     << "#include \"runtime/abi/axloom.h\"\n\n#include <stdbool.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "extern const axl_model " << model.name << "_model;\n";
  for (size_t index = 0; index < model.functions.size(); ++index)
    writeFunction(os, model, index);
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}
