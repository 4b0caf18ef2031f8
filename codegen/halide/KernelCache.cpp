#include "codegen/halide/KernelCache.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

using namespace axloom::codegen;
namespace fs = std::filesystem;

static std::string defaultFolder() {
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache)
    return std::string(cache) + "/axloom";
  if (const char *home = std::getenv("HOME"); home && *home)
    return std::string(home) + "/.cache/axloom";
  return (fs::temp_directory_path() / "axloom-cache").string();
}

KernelCache::KernelCache(std::string folder)
    : folder(folder.empty() ? defaultFolder() : std::move(folder)) {}

std::string KernelCache::prepare() const {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return "cannot create the kernel cache '" + folder + "': " + error.message();
  if (access(folder.c_str(), W_OK) != 0)
    return "the kernel cache '" + folder + "' is not writable; choose another folder with --cache";
  return "";
}

std::string KernelCache::pathOf(const std::string &name) const {
  return folder + "/" + name + ".o";
}

bool KernelCache::has(const std::string &name) const {
  std::error_code error;
  return fs::file_size(pathOf(name), error) > 0 && !error;
}

std::string KernelCache::temporaryPathOf(const std::string &name) const {
  return folder + "/" + name + "." + std::to_string(getpid()) + ".tmp.o";
}

bool KernelCache::adopt(const std::string &temporary, const std::string &name) const {
  std::error_code error;
  fs::rename(temporary, pathOf(name), error);
  if (error)
    std::fprintf(stderr, "cannot write '%s' in the kernel cache: %s\n", pathOf(name).c_str(),
                 error.message().c_str());
  return !error;
}
