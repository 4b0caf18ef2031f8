// A folder that goes away with the test.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace axloom::test {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "axloom-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::filesystem::filesystem_error("cannot make a temporary folder", pattern,
                                              std::error_code(errno, std::generic_category()));
    folder = pattern;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  std::string path() const { return folder.string(); }
  std::string path(const std::string &name) const { return (folder / name).string(); }
  const std::filesystem::path &root() const { return folder; }

  // Names of everything in the folder, sorted and separated by spaces.
  std::string list() const {
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string &name : names)
      text += (text.empty() ? "" : " ") + name;
    return text;
  }

  std::string write(const std::string &name, const std::string &contents) const {
    std::ofstream(folder / name, std::ios::binary) << contents;
    return path(name);
  }

private:
  std::filesystem::path folder;
};

inline std::string readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  return contents.str();
}

} // namespace axloom::test
