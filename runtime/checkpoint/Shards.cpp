#include "runtime/checkpoint/Shards.h"

#include "runtime/checkpoint/WholeFile.h"
#include "runtime/core/Describe.h"
#include "runtime/core/Error.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

using namespace axloom::runtime;

namespace {

// What may not be looked at counts as there: reading says why.
bool isThere(const std::filesystem::path &path) {
  std::error_code error;
  return std::filesystem::exists(path, error) || error;
}

// The one of a folder's files that says where its tensors are.
std::string mainFileOf(const std::filesystem::path &folder) {
  for (const char *name : {"model.safetensors", "model.safetensors.index.json"})
    if (isThere(folder / name))
      return (folder / name).string();
  throw Error(AXL_ERROR_FILE, concat("folder '", folder.string(), "' has no model.safetensors and ",
                                     "no model.safetensors.index.json"));
}

// The files that an index says its tensors are in.
std::set<std::string> filesOf(const std::string &index) try {
  std::set<std::string> files;
  auto tensors = nlohmann::json::parse(readWhole(index))
                     .at("weight_map")
                     .get<std::map<std::string, std::string>>();
  for (const auto &[tensor, file] : tensors)
    files.insert(file);
  if (files.empty())
    throw Error(AXL_ERROR_FORMAT,
                concat("'", index, "' lists no tensors: its weight_map is empty"));
  return files;
} catch (const nlohmann::json::exception &error) {
  throw Error(AXL_ERROR_FORMAT,
              concat("'", index, "' is no index of safetensors files, which has ",
                     R"({"weight_map": {"TENSOR": "FILE", ...}}: )", error.what()));
}

} // namespace

std::vector<std::string> axloom::runtime::shardsOf(const std::string &path) {
  std::error_code ignored; // reading says why
  if (std::filesystem::is_directory(path, ignored))
    return shardsOf(mainFileOf(path));
  if (!path.ends_with(".json"))
    return {path};
  std::vector<std::string> paths, missing;
  for (const std::string &file : filesOf(path)) {
    std::filesystem::path shard = std::filesystem::path(path).parent_path() / file;
    paths.push_back(shard.string());
    if (!isThere(shard))
      missing.push_back(concat("'", file, "'"));
  }
  if (!missing.empty())
    throw Error(AXL_ERROR_FILE, concat("'", path, "' lists files that are not in its folder; ",
                                       "fetch them, too:", linesOf(missing)));
  return paths;
}

Shards::Shards(std::vector<std::string> paths, std::vector<std::string> &twice)
    : paths(std::move(paths)) {
  for (const std::string &path : this->paths) {
    const SafetensorsFile &file = files.emplace_back(path, Checksums::Optional);
    for (const SafetensorsFile::Entry &entry : file.entries()) {
      auto [first, isNew] = places.emplace(entry.name, all.size());
      if (!isNew)
        twice.push_back(concat("twice: '", entry.name, "' is in '", *all[first->second].path,
                               "' and in '", path, "'; read only one of these files"));
      all.push_back({&path, &file, &entry});
    }
  }
}

const Shards::Stored *Shards::find(std::string_view name) const {
  auto found = places.find(name);
  return found == places.end() ? nullptr : &all[found->second];
}
