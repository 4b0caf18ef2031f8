// The classes of a classifier: their names, in the order of its outputs, stored a name a line.
//
// Test: tests/runtime/LabelledBatchesTest.cpp
#pragma once

#include "runtime/data/Corpus.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace axloom::runtime {

class Labels {
public:
  // Those of the texts, sorted.
  static Labels of(std::span<const LabelledText> texts);
  // Throws AXL_ERROR_FILE, or AXL_ERROR_FORMAT where there is none, a name is there twice or empty,
  // or the last line was cut off.
  static Labels load(const std::string &path);
  void save(const std::string &path) const; // atomically

  const std::vector<std::string> &names() const { return sorted; }
  int32_t size() const { return int32_t(sorted.size()); }
  // The place of each text's label. Throws AXL_ERROR_DATA where a label is none of these; `file`,
  // which has a text a line, is named with the line; `whose` they are follows.
  std::vector<int32_t> classesOf(std::span<const LabelledText> texts, const std::string &file,
                                 const std::string &whose = "") const;

private:
  explicit Labels(std::vector<std::string> sorted) : sorted(std::move(sorted)) {}

  std::vector<std::string> sorted;
};

} // namespace axloom::runtime
