// Which tensor of another program's file is which parameter of a model, and how its axes lie there.
//
// A table is text, a row a line, that a user can write for any checkpoint:
//   embeddings.word_embeddings.weight = embedding.word.weight
//   layer.*.query.weight = encoder.*.attention.query.weight heads+depth model
//   h.*.c_attn.weight = decoder.*.attention.key.weight model 1/3+heads+depth
//   pooler.** = pooler.**
//   embeddings.position_ids = -
//   - = head.**
// A star stands for the same number on both sides, two stars for the same rest: at the end, on both
// sides or on neither. Behind the parameter stand its axes in the order of the file, joined by +
// where the file has one axis for several; without them they lie as the model declares.
// I/N among them says that the parameter is part I, from 0, of N equal parts of the tensor, each of
// which has such a row. 1/3+heads+depth: the parts follow one another; heads+1/3+depth: they do so
// within each head; 1/3 alone: it is one step along an axis that the parameter does not have.
// Parts of different sizes, as where keys have fewer heads than queries, cannot be said, nor an
// axis of the parameter that is several of the file. TENSOR = - says that the tensor is not for
// this model. - = PARAMETER says that the parameter is not in the file: import leaves its value as
// it is, and export does not write it. Of several rows that are about one, the first counts: what
// comes before "** = **" are the exceptions, and TENSOR = - below the rows of a tensor's parts
// leaves out the other parts. # begins a comment.
//
// Test: tests/runtime/NameTableTest.cpp.
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

  // What an axis of the file consists of: an axis of the parameter, or which of its parts it is.
  struct Factor {
    int32_t axis = -1; // of the parameter; -1: part `index` of `count`
    int32_t index = 0, count = 1;
  };
  // A parameter's place in the file.
  struct Place {
    std::string name;
    std::vector<std::vector<Factor>> axes; // for each axis in the file, from the outermost
  };
  // Throws AXL_ERROR_FORMAT where a row does not list all axes of the parameter, once each, or a
  // part that there cannot be; empty if no row is for it.
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
