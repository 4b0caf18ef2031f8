#include "runtime/checkpoint/Import.h"

#include "runtime/checkpoint/Placement.h"
#include "runtime/checkpoint/Safetensors.h"
#include "runtime/checkpoint/SafetensorsHeader.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

#include <cstring>
#include <map>
#include <set>

using namespace axloom::runtime;

namespace {

// A parameter and where it lies in the file.
struct Link {
  int32_t variable;
  const axl_value *value;
  std::string tensor;
  Placement placement;
};

// The parameters of one tensor of the file; at least one.
using Whole = std::vector<const Link *>;

constexpr size_t shown = 100; // who writes a table of names wants to see many reasons

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
      links.push_back({i, &value, place->name, Placement(value, *place)});
    else if (!table.keeps(value.name))
      without.push_back(concat("no row of the table is for parameter '", value.name,
                               "'; a row '- = ", value.name, "' leaves it alone"));
  }
  return links;
}

// By tensor, in the order in which they come first.
std::vector<Whole> wholesOf(const std::vector<Link> &links) {
  std::vector<Whole> wholes;
  std::map<std::string_view, size_t> places;
  for (const Link &link : links) {
    auto [place, isNew] = places.emplace(link.tensor, wholes.size());
    if (isNew)
      wholes.emplace_back();
    wholes[place->second].push_back(&link);
  }
  return wholes;
}

[[noreturn]] void refuse(const std::string &what, const std::vector<std::string> &reasons) {
  throw Error(AXL_ERROR_CHECKPOINT, what + linesOf(reasons, shown));
}

std::string shapeText(std::span<const int64_t> extents) {
  std::string text = "[";
  for (size_t i = 0; i < extents.size(); ++i)
    text += concat(i ? ", " : "", extents[i]);
  return text + "]";
}

// "[4, 12] of F32": the tensor that a parameter lies in.
std::string tensorText(const Link &link) {
  return concat(shapeText(link.placement.fileExtents()), " of ",
                safetensors::dtypes[size_t(link.value->type)]);
}

// "part 1/3 of ", or nothing if the parameter is all of its tensor.
std::string partText(const Link &link) {
  std::string part = link.placement.part();
  return part.empty() ? "" : concat("part ", part, " of ");
}

// Parts of a tensor that no parameter is. Parameters that cut it in different ways, of which
// nothing is known then, go to `reasons`.
std::vector<std::string> missingParts(const Whole &whole, std::vector<std::string> &reasons) {
  const Link &first = *whole.front();
  std::vector<const Placement *> placements;
  for (const Link *link : whole) {
    placements.push_back(&link->placement);
    if (!link->placement.isCutLike(first.placement) || link->value->type != first.value->type) {
      reasons.push_back(
          concat("parameters '", first.value->name, "' and '", link->value->name, "' cut tensor '",
                 first.tensor, "' in different ways: ", partText(first), tensorText(first),
                 ", and ", partText(*link), tensorText(*link), "; their rows have to agree"));
      return {};
    }
  }
  return Placement::missingParts(placements, shown);
}

// What keeps a tensor from having the parameter.
void compare(const Shards::Stored *stored, const Link &link, const axl_model &model,
             std::vector<std::string> &reasons) {
  if (!stored) {
    reasons.push_back(
        concat("missing in the file: '", link.tensor, "', for parameter '", link.value->name, "'"));
    return;
  }
  const SafetensorsFile::Entry &entry = *stored->entry;
  bool isRead = SafetensorsFile::isReadAs(entry, link.value->type);
  if (!isRead || entry.extents != link.placement.fileExtents()) {
    std::string part = partText(link);
    reasons.push_back(concat("different: '", entry.name, "' is ", shapeText(entry.extents),
                             isRead ? "" : " of " + entry.dtype, " in the file, but should be ",
                             tensorText(link), " for parameter '", link.value->name, "', ",
                             describe(model, *link.value),
                             part.empty() ? "" : concat(", ", part, "it")));
  }
}

// What keeps the files from being the model's, tensor by tensor.
void compare(const Shards &shards, const std::vector<Link> &links, const Model &model,
             const NameTable &table, std::vector<std::string> &reasons) {
  for (const Link &link : links)
    compare(shards.find(link.tensor), link, model.description(), reasons);
  std::set<std::string_view> used;
  for (const Whole &whole : wholesOf(links)) {
    const std::string &name = whole.front()->tensor;
    used.insert(name);
    const Shards::Stored *stored = shards.find(name);
    for (const std::string &part : missingParts(whole, reasons))
      if (stored && !table.leavesOut(name))
        reasons.push_back(concat("left over: part ", part, " of '", name, "', ",
                                 shapeText(stored->entry->extents), "; a row '", name,
                                 " = -' below those of its parts leaves it out"));
  }
  for (const Shards::Stored &stored : shards.tensors())
    if (const std::string &name = stored.entry->name;
        !used.contains(name) && !table.leavesOut(name))
      reasons.push_back(concat("left over: '", name, "', ", shapeText(stored.entry->extents),
                               "; a row '", name, " = -' leaves it out"));
}

// The tensor with all of its parts. Parameters that are the same part but differ go to `reasons`.
Tensor assemble(const Whole &whole, const Model &model, std::vector<std::string> &reasons) {
  const Link &first = *whole.front();
  Tensor tensor(first.value->type, first.placement.fileExtents());
  std::map<std::string, const Link *> written; // by part
  for (const Link *link : whole) {
    Tensor value = model.variable(link->value->name);
    auto [same, isNew] = written.emplace(link->placement.part(), link);
    if (isNew) {
      link->placement.scatter(value, tensor);
      continue;
    }
    Tensor copy;
    AnyView other = link->placement.gather(tensor, copy);
    if (std::memcmp(value.data(), other.data(), size_t(value.bytes())) != 0)
      reasons.push_back(concat("parameters '", same->second->value->name, "' and '",
                               link->value->name, "' are both ", partText(*link), "tensor '",
                               link->tensor, "' of the file, but have different values"));
  }
  return tensor;
}

} // namespace

std::vector<std::string> axloom::runtime::importParameters(Model &model,
                                                           const std::vector<std::string> &files,
                                                           const NameTable &table) {
  const char *name = model.description().name;
  if (files.empty())
    throw Error(AXL_ERROR_ARGUMENT,
                concat("no file was given for the parameters of model '", name, "'"));
  std::vector<std::string> reasons;
  Shards shards(files, reasons);
  std::vector<Link> links = linksOf(model, table, reasons);
  compare(shards, links, model, table, reasons);
  if (!reasons.empty())
    refuse(files.size() == 1 ? concat("'", files[0], "' does not fit model '", name, "':")
                             : concat("'", files[0], "' and ", files.size() - 1,
                                      " more do not fit model '", name, "':"),
           reasons);
  std::vector<std::string> names;
  for (const Whole &whole : wholesOf(links)) { // all fit; from here on only reading can fail
    const Link &first = *whole.front();
    Tensor tensor = shards.find(first.tensor)->read(first.value->type);
    for (const Link *link : whole) {
      Tensor copy;
      model.writeVariable(link->variable, link->placement.gather(tensor, copy));
      names.emplace_back(link->value->name);
    }
  }
  return names;
}

void axloom::runtime::exportParameters(const Model &model, const std::string &path,
                                       const NameTable &table, FileLayer &files) {
  std::string what =
      concat("model '", model.description().name, "' cannot be written to '", path, "':");
  std::vector<std::string> reasons;
  std::vector<Link> links = linksOf(model, table, reasons);
  std::vector<Whole> wholes = wholesOf(links);
  for (const Whole &whole : wholes)
    for (const std::string &part : missingParts(whole, reasons))
      reasons.push_back(concat("no parameter is part ", part, " of tensor '", whole.front()->tensor,
                               "' of the file, which can only be written whole"));
  if (!reasons.empty())
    refuse(what, reasons);
  std::vector<Tensor> values;
  std::vector<Named> named;
  for (const Whole &whole : wholes) {
    values.push_back(assemble(whole, model, reasons));
    named.push_back({whole.front()->tensor, values.back()});
  }
  if (!reasons.empty())
    refuse(what, reasons);
  // Programs that say of which framework a file's tensors are refuse those that do not.
  writeSafetensors(path, named, {{"format", "pt"}}, files);
}
