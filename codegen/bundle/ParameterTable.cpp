// The variables of a model as JSON, for tools that read or write its checkpoints.

#include "codegen/bundle/Bundle.h"
#include "runtime/abi/axloom.h"

#include "llvm/Support/JSON.h"

using namespace axloom::codegen;

static const char *elementName(int32_t type) {
  const char *const names[] = {"f32", "bf16", "f64", "i32", "i1"};
  return names[type];
}

static void writeInitializer(llvm::json::OStream &json, const VariableInfo &variable) {
  struct Known {
    const char *name, *first, *second;
  };
  const Known known[] = {{"zeros", nullptr, nullptr},
                         {"ones", nullptr, nullptr},
                         {"constant", "value", nullptr},
                         {"uniform", "low", "high"},
                         {"normal", "mean", "stddev"}};
  const Known &initializer = known[variable.initializer];
  json.attributeObject("initializer", [&] {
    json.attribute("kind", initializer.name);
    if (initializer.first)
      json.attribute(initializer.first, variable.numbers[0]);
    if (initializer.second)
      json.attribute(initializer.second, variable.numbers[1]);
  });
}

std::string axloom::codegen::parameterTable(const Description &model) {
  const char *const kinds[] = {"parameter", "state", "session"};
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, 2);
  json.object([&] {
    json.attribute("model", model.name);
    json.attribute("fingerprint", model.fingerprint);
    json.attribute("target", model.target);
    json.attributeArray("variables", [&] {
      for (const VariableInfo &variable : model.variables)
        json.object([&] {
          json.attribute("name", variable.value.name);
          json.attribute("kind", kinds[variable.kind]);
          json.attribute("type", elementName(variable.value.type));
          json.attributeArray("axes", [&] {
            for (const std::string &axis : variable.value.axes)
              json.value(axis);
          });
          json.attributeArray("extents", [&] {
            for (const ExtentInfo &extent : variable.value.extents)
              if (extent.symbols.empty())
                json.value(extent.factor);
              else
                json.value(model.str(extent));
          });
          writeInitializer(json, variable);
        });
    });
  });
  return text + "\n";
}
