#include "tests/codegen/support/KernelCases.h"

#include <regex>

using namespace axloom;
using namespace axloom::test;

KernelCase test::kernelCase(std::string name, std::vector<std::string> inputs, std::string body,
                            std::vector<std::string> results, std::vector<std::string> symbols,
                            std::string attributes) {
  std::string parameters, operands, inputTypes, blockArguments, resultTypes, yielded;
  auto comma = [](std::string &list) { list += list.empty() ? "" : ", "; };
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string type = "!axloom.tensor<" + inputs[i] + ">";
    for (std::string *list : {&parameters, &operands, &inputTypes, &blockArguments})
      comma(*list);
    parameters += "%p" + std::to_string(i) + ": " + type;
    operands += "%p" + std::to_string(i);
    inputTypes += type;
    blockArguments += "%x" + std::to_string(i) + ": " + type;
  }
  std::string many = body.find("%r0 =") == std::string::npos ? "%y#" : "%r";
  for (size_t i = 0; i < results.size(); ++i) {
    comma(resultTypes);
    comma(yielded);
    resultTypes += "!axloom.tensor<" + results[i] + ">";
    yielded += results.size() == 1 ? "%y" : many + std::to_string(i);
  }
  KernelCase entry;
  entry.name = name;
  std::string bound = results.size() == 1 ? "%k" : "%k:" + std::to_string(results.size());
  entry.text = "func.func @f(" + parameters + ") {\n  " + bound + " = axloom.kernel \"test\"(" +
               operands + ") {" + attributes + "} : (" + inputTypes + ") -> (" + resultTypes +
               ") {\n  ^bb0(" + blockArguments + "):\n" + body + "\n    axloom.yield " + yielded +
               " : " + resultTypes + "\n  }\n  return\n}\n";
  size_t place;
  while ((place = entry.text.find("T<")) != std::string::npos)
    entry.text.replace(place, 2, "!axloom.tensor<");
  entry.sizes = oddSizes(symbols);
  return entry;
}

std::string test::replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t place = 0; (place = text.find(from, place)) != std::string::npos; place += to.size())
    text.replace(place, from.size(), to);
  return text;
}

static const std::string rounded = "{factors = bf16}";

KernelCase test::withRoundedFactors(KernelCase entry, double tolerance) {
  static const std::regex products(
      R"((contract [^:]*\]|linear_cross_entropy [^:]*|attention(?:_gradient)? [^:]*) :)");
  entry.name += "_bf16";
  entry.text = std::regex_replace(entry.text, products, "$1 " + rounded + " :");
  entry.tolerance = tolerance;
  return entry;
}

bool test::isMultipliedFast(const KernelCase &entry) {
  return entry.text.find(rounded) == std::string::npos ||
         codegen::Target::host().traits.brainFloatFactors > 0;
}
