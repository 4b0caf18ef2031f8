#include "ir/CustomOps.h"

using namespace mlir;
using namespace axloom::ir;

/// Functions cannot be compared; where they are written can.
bool CustomDefinition::sameAs(const CustomDefinition &other) const {
  auto text = [](const CustomDefinition &x) { return x.body ? x.body->text() : std::string(); };
  return name == other.name && elements == other.elements && location == other.location &&
         text(*this) == text(other);
}

LogicalResult CustomOps::add(CustomDefinition definition) {
  std::string name = definition.name;
  auto known = definitions.find(name);
  if (known != definitions.end())
    return success(known->second.sameAs(definition));
  definitions.emplace(std::move(name), std::move(definition));
  return success();
}

const CustomDefinition *CustomOps::find(StringRef name) const {
  auto found = definitions.find(name.str());
  return found == definitions.end() ? nullptr : &found->second;
}
