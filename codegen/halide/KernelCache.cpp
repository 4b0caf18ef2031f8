#include "codegen/halide/KernelCache.h"

#include "codegen/CacheFolder.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace axloom::codegen;
namespace fs = std::filesystem;

KernelCache::KernelCache(const std::string &folder) : folder(cacheFolder(folder)) {}

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
