#include "runtime/data/Labels.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <set>

using namespace axloom::runtime;

Labels Labels::of(std::span<const LabelledText> texts) {
  std::set<std::string> found;
  for (const LabelledText &text : texts)
    found.insert(text.label);
  return Labels({found.begin(), found.end()});
}

Labels Labels::load(const std::string &path) {
  std::string contents = readWhole(path, "; it is written when training starts");
  if (!contents.ends_with('\n'))
    throw Error(AXL_ERROR_FORMAT,
                concat("'", path, "' ", contents.empty() ? "is empty" : "ends within a line",
                       "; expected labels, a line each: it is damaged, train anew"));
  std::vector<std::string> names;
  for (std::string_view rest = contents; !rest.empty();) {
    std::string_view line = takeLine(rest);
    if (line.empty() || (!names.empty() && names.back() >= line))
      throw Error(AXL_ERROR_FORMAT,
                  concat(path, ":", names.size() + 1,
                         ": expected labels in order, a line each, found '", line, "'"));
    names.emplace_back(line);
  }
  return Labels(std::move(names));
}

void Labels::save(const std::string &path) const {
  AtomicFile file(path);
  for (const std::string &name : sorted) {
    std::string line = name + "\n";
    file.write(line.data(), line.size());
  }
  file.commit();
}

std::vector<int32_t> Labels::classesOf(std::span<const LabelledText> texts, const std::string &file,
                                       const std::string &whose) const {
  std::vector<int32_t> classes;
  for (const LabelledText &text : texts) {
    auto found = std::ranges::lower_bound(sorted, text.label);
    if (found == sorted.end() || *found != text.label)
      throw Error(AXL_ERROR_DATA, concat(file, ":", classes.size() + 1, ": the label '", text.label,
                                         "' is none of the ", sorted.size(), " labels", whose));
    classes.push_back(int32_t(found - sorted.begin()));
  }
  return classes;
}
