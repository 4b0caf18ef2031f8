#include "codegen/halide/KernelCache.h"

#include "codegen/CacheFolder.h"

#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Error.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

using namespace axloom::codegen;
namespace fs = std::filesystem;

KernelCache::KernelCache(const std::string &folder) : folder(cacheFolder(folder)) {}

std::string KernelCache::prepare() const {
  const std::string choose = "; choose another folder with --cache";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return "cannot create the kernel cache '" + folder + "': " + error.message() + choose;
  if (access(folder.c_str(), W_OK) != 0)
    return "cannot write to the kernel cache '" + folder +
           "': " + std::generic_category().message(errno) + choose;
  return "";
}

std::string KernelCache::pathOf(const std::string &name) const {
  return folder + "/" + name + ".o";
}

bool KernelCache::has(const std::string &name) const {
  auto object = llvm::object::ObjectFile::createObjectFile(pathOf(name));
  if (object)
    return true;
  llvm::consumeError(object.takeError());
  return false;
}
