#include "runtime/core/Describe.h"

#include "runtime/core/Error.h"

#include <algorithm>

using namespace axloom::runtime;

std::string axloom::runtime::describe(const axl_model &model, const axl_extent &extent) {
  std::string text;
  if (extent.factor != 1 || extent.symbols[0] < 0)
    text = std::to_string(extent.factor);
  for (int32_t symbol : extent.symbols) {
    if (symbol < 0)
      break;
    text += text.empty() ? "" : "*";
    text += model.symbols[symbol].name;
  }
  return text;
}

std::string axloom::runtime::describe(const axl_model &model, const axl_value &value) {
  std::string text = std::string(elementName(value.type)) + " [";
  for (int32_t axis = 0; axis < value.rank; ++axis)
    text += concat(axis ? ", " : "", value.axes[axis], ": ", describe(model, value.extents[axis]));
  return text + "]";
}

std::string axloom::runtime::describe(const AnyView &view) {
  std::string text = std::string(elementName(view.type())) + " [";
  for (int32_t axis = 0; axis < view.rank(); ++axis)
    text += concat(axis ? ", " : "", view.extent(axis));
  return text + "]";
}

std::string axloom::runtime::describe(const axl_model &model, const axl_function &function) {
  return concat(function.name, " of model '", model.name, "'");
}

std::string axloom::runtime::place(const axl_model &model, int32_t location) {
  if (location < 0 || location >= model.location_count)
    return "";
  const axl_location &found = model.locations[location];
  return concat(" (", found.file, ":", found.line, ")");
}

std::string axloom::runtime::linesOf(std::span<const std::string> entries, size_t shown) {
  std::string text;
  for (const std::string &entry : entries.first(std::min(shown, entries.size())))
    text += "\n  " + entry;
  if (entries.size() > shown)
    text += concat("\n  and ", entries.size() - shown, " more");
  return text;
}
