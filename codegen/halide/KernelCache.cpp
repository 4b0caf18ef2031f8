#include "codegen/halide/KernelCache.h"

#include "codegen/CacheFolder.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <unistd.h>

using namespace axloom::codegen;
namespace fs = std::filesystem;

KernelCache::KernelCache(const std::string &folder) : folder(cacheFolder(folder)) {}

std::string KernelCache::prepare() const {
  if (folder.empty())
    return "there is no folder for the kernel cache: neither XDG_CACHE_HOME nor HOME is set, and "
           "user " +
           std::to_string(getuid()) + " has no home; choose a folder with --cache";
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
  auto file = llvm::MemoryBuffer::getFile(pathOf(name));
  if (!file || (*file)->getBufferSize() < sizeof(uint64_t))
    return false;
  llvm::StringRef bytes = (*file)->getBuffer(), object = bytes.drop_back(sizeof(uint64_t));
  return llvm::xxh3_64bits(object) == llvm::support::endian::read64le(object.end());
}

std::string KernelCache::withChecksum(std::string object) {
  char checksum[sizeof(uint64_t)];
  llvm::support::endian::write64le(checksum, llvm::xxh3_64bits(object));
  return object.append(checksum, sizeof(checksum));
}
