#include "runtime/checkpoint/Import.h"

#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SafetensorsHeader.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <set>

using namespace axloom::runtime;

namespace {

// A parameter and where it lies in the file.
struct Link {
  int32_t variable;
  NameTable::Place place;
  std::vector<int64_t> extents; // in the model's order
  std::vector<int64_t> fileExtents;
};

Link linkOf(int32_t variable, const axl_value &value, NameTable::Place place) {
  Link link{.variable = variable, .place = std::move(place), .extents = {}, .fileExtents = {}};
  for (int32_t axis = 0; axis < value.rank; ++axis)
    link.extents.push_back(value.extents[axis].factor);
  for (const auto &group : link.place.axes)
    link.fileExtents.push_back(
        std::accumulate(group.begin(), group.end(), int64_t(1),
                        [&](int64_t n, int32_t axis) { return n * link.extents[size_t(axis)]; }));
  return link;
}

// The parameters that the table has a place for; the names of those it says nothing about go to
// `without`.
std::vector<Link> linksOf(const Model &model, const NameTable &table,
                          std::vector<std::string> &without) {
  std::vector<Link> links;
  const axl_model &description = model.description();
  for (int32_t i = 0; i < description.variable_count; ++i) {
    const axl_value &value = description.variables[i].value;
    if (description.variables[i].kind != AXL_PARAMETER)
      continue;
    if (auto place = table.placeOf(value))
      links.push_back(linkOf(i, value, std::move(*place)));
    else if (!table.keeps(value.name))
      without.push_back(concat("no row of the table is for parameter '", value.name,
                               "'; a row '- = ", value.name, "' leaves it alone"));
  }
  return links;
}

// Copies elements between the model's order and the file's.
void reorder(const Link &link, const Tensor &from, Tensor &to, bool toModel) {
  std::vector<int32_t> order; // the model's axes as they follow one another in the file
  for (const auto &group : link.place.axes)
    order.insert(order.end(), group.begin(), group.end());
  std::vector<int64_t> stride(order.size()), index(order.size());
  for (int64_t axis = int64_t(order.size()) - 1, size = 1; axis >= 0; --axis) {
    stride[size_t(axis)] = size; // in the model
    size *= link.extents[size_t(axis)];
  }
  const int64_t bytes = elementSize(from.type());
  auto *source = static_cast<const std::byte *>(from.data());
  auto *target = static_cast<std::byte *>(to.data());
  for (int64_t inFile = 0; inFile < from.size(); ++inFile) {
    int64_t inModel = 0, rest = inFile;
    for (size_t i = order.size(); i-- > 0; rest /= link.extents[size_t(order[i])])
      inModel += rest % link.extents[size_t(order[i])] * stride[size_t(order[i])];
    std::memcpy(target + bytes * (toModel ? inModel : inFile),
                source + bytes * (toModel ? inFile : inModel), size_t(bytes));
  }
}

[[noreturn]] void refuse(const std::string &what, const std::vector<std::string> &reasons) {
  constexpr size_t shown = 100; // who writes a table of names wants to see many of them
  throw Error(AXL_ERROR_CHECKPOINT, what + linesOf(reasons, shown));
}

std::string shapeText(std::span<const int64_t> extents) {
  std::string text = "[";
  for (size_t i = 0; i < extents.size(); ++i)
    text += concat(i ? ", " : "", extents[i]);
  return text + "]";
}

// What keeps the file from being the model's, tensor by tensor.
void compare(const SafetensorsFile &file, const std::vector<Link> &links, const Model &model,
             const NameTable &table, std::vector<std::string> &reasons) {
  std::set<std::string> used;
  for (const Link &link : links) {
    const axl_value &value = model.description().variables[link.variable].value;
    const SafetensorsFile::Entry *entry = file.find(link.place.name);
    used.insert(link.place.name);
    if (!entry)
      reasons.push_back(
          concat("missing in the file: '", link.place.name, "', for parameter '", value.name, "'"));
    else if (entry->type != value.type || entry->extents != link.fileExtents)
      reasons.push_back(concat("different: '", entry->name, "' is ", shapeText(entry->extents),
                               entry->type == value.type ? "" : " of " + entry->dtype,
                               " in the file, but should be ", shapeText(link.fileExtents), " of ",
                               safetensors::dtypes[size_t(value.type)], " for parameter '",
                               value.name, "', ", describe(model.description(), value)));
  }
  for (const auto &entry : file.entries())
    if (!used.count(entry.name) && !table.leavesOut(entry.name))
      reasons.push_back(concat("left over: '", entry.name, "', ", shapeText(entry.extents),
                               "; a row '", entry.name, " = -' leaves it out"));
}

const char *nameOf(const Model &model, const Link &link) {
  return model.description().variables[link.variable].value.name;
}

// The same shape and bits.
bool areEqual(const Tensor &a, const Tensor &b) {
  return std::ranges::equal(a.extents(), b.extents()) &&
         std::memcmp(a.data(), b.data(), size_t(a.bytes())) == 0;
}

} // namespace

std::vector<std::string> axloom::runtime::importParameters(Model &model, const std::string &path,
                                                           const NameTable &table) {
  SafetensorsFile file(path, Checksums::Optional);
  std::vector<std::string> reasons;
  std::vector<Link> links = linksOf(model, table, reasons);
  compare(file, links, model, table, reasons);
  if (!reasons.empty())
    refuse(concat("'", path, "' does not fit model '", model.description().name, "':"), reasons);
  std::vector<Tensor> values;
  for (const Link &link : links) { // all are read before the first one is set
    Tensor stored = file.read(*file.find(link.place.name));
    values.emplace_back(stored.type(), link.extents);
    reorder(link, stored, values.back(), /*toModel=*/true);
  }
  std::vector<std::string> names;
  for (size_t i = 0; i < links.size(); ++i) {
    model.writeVariable(links[i].variable, values[i]);
    names.emplace_back(nameOf(model, links[i]));
  }
  return names;
}

void axloom::runtime::exportParameters(const Model &model, const std::string &path,
                                       const NameTable &table, FileLayer &files) {
  std::vector<std::string> reasons;
  std::vector<Link> links = linksOf(model, table, reasons);
  std::string what =
      concat("model '", model.description().name, "' cannot be written to '", path, "':");
  if (!reasons.empty())
    refuse(what, reasons);
  std::vector<Tensor> values;
  std::vector<Named> named;
  std::map<std::string, size_t> written; // the link that a tensor comes from, by name
  values.reserve(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    const Link &link = links[i];
    Tensor value = model.variable(nameOf(model, link));
    values.emplace_back(value.type(), link.fileExtents);
    reorder(link, value, values.back(), /*toModel=*/false);
    auto [first, isNew] = written.emplace(link.place.name, i);
    if (isNew)
      named.push_back({link.place.name, values.back()});
    else if (!areEqual(values[first->second], values.back()))
      reasons.push_back(concat("parameters '", nameOf(model, links[first->second]), "' and '",
                               nameOf(model, link), "' are both tensor '", link.place.name,
                               "' of the file, but have different values"));
  }
  if (!reasons.empty())
    refuse(what, reasons);
  // Programs that say of which framework a file's tensors are refuse those that do not.
  writeSafetensors(path, named, {{"format", "pt"}}, files);
}
