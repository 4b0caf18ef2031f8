// Published weights in one safetensors file or in several, its shards, which are read as one.
//
//   importParameters(model, shardsOf("weights"), table);
//
// Test: tests/runtime/ImportTest.cpp.
#pragma once

#include "runtime/checkpoint/Safetensors.h"

#include <deque>

namespace axloom::runtime {

// The files that hold the tensors of `path`: of a folder, those of its model.safetensors or else of
// its model.safetensors.index.json; of an index (*.json), all that it lists, from its folder; of
// any other path, this one. Throws AXL_ERROR_FILE where one of them is not there, AXL_ERROR_FORMAT
// where an index is none.
std::vector<std::string> shardsOf(const std::string &path);

class Shards {
public:
  struct Stored {
    const std::string *path;
    const SafetensorsFile *file;
    const SafetensorsFile::Entry *entry;

    Tensor read(int32_t type) const { return file->read(*entry, type); }
  };

  // Throws as SafetensorsFile does. The names of tensors that two files have go to `twice`, each
  // with both.
  Shards(std::vector<std::string> paths, std::vector<std::string> &twice);

  const std::vector<Stored> &tensors() const { return all; } // file by file
  const Stored *find(std::string_view name) const;           // or null

private:
  std::vector<std::string> paths;
  std::deque<SafetensorsFile> files;
  std::vector<Stored> all;
  std::map<std::string_view, size_t> places; // in `all`
};

} // namespace axloom::runtime
