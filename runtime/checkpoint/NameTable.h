// Which tensor of another program's file is which parameter of a model, and how its axes lie there.
//
// A table is text, a row a line, that a user can write for any checkpoint:
//   embeddings.word_embeddings.weight = embedding.word.weight
//   layer.*.query.weight = encoder.*.attention.query.weight heads+depth model
//   pooler.** = pooler.**
//   embeddings.position_ids = -
//   - = head.**
// A star stands for the same number on both sides, two stars for the same rest: at the end, on both
// sides or on neither. Behind the parameter stand its axes in the order of the file, joined by +
// where the file has one axis for several; without them they lie as the model declares.
// TENSOR = - says that the tensor is not for this model. - = PARAMETER says that the parameter is
// not in the file: import leaves its value as it is, and export does not write it. Of several rows
// that are about one, the first counts: what comes before "** = **" are the exceptions. # begins a
// comment.
//
// Test: tests/runtime/ImportTest.cpp.
#pragma once

#include "runtime/abi/axloom.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace axloom::runtime {

class NameTable {
public:
  // `origin` is what messages call the text, e.g. its file. Throws AXL_ERROR_FORMAT with the line.
  static NameTable parse(std::string_view text, const std::string &origin);
  // Throws AXL_ERROR_FILE, too.
  static NameTable load(const std::string &path);

  // A parameter's place in the file.
  struct Place {
    std::string name;
    std::vector<std::vector<int32_t>> axes; // of the parameter, for each axis in the file
  };
  // Throws AXL_ERROR_FORMAT where a row does not list all axes of the parameter, once each; empty
  // if no row is for it.
  std::optional<Place> placeOf(const axl_value &parameter) const;

  // Whether a row says that a tensor of the file is not for the model.
  bool leavesOut(std::string_view name) const;
  // Whether a row says that a parameter is not in the file.
  bool keeps(std::string_view parameter) const;

private:
  struct Row {
    int64_t line;
    std::string file, parameter; // may hold stars; "-": not there
    std::vector<std::vector<std::string>> axes;

    bool leavesOut(std::string_view name) const;
  };

  Place place(const Row &row, const std::string &name, const axl_value &parameter) const;

  std::string origin;
  std::vector<Row> rows;
};

} // namespace axloom::runtime
