#include "codegen/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include <random>
#include <string>

using namespace axloom;

/// Makes a file beside `path` under a name that no other process has, whichever container it runs
/// in, and opens it.
static std::error_code openBeside(llvm::StringRef path, std::string &name, int &descriptor) {
  std::random_device random;
  for (;;) {
    name = path.str() + "." + std::to_string(random()) + ".tmp";
    std::error_code error =
        llvm::sys::fs::openFileForWrite(name, descriptor, llvm::sys::fs::CD_CreateNew);
    if (error != std::errc::file_exists)
      return error;
  }
}

static std::error_code writeTo(int descriptor, llvm::StringRef bytes) {
  llvm::raw_fd_ostream file(descriptor, /*shouldClose=*/true);
  file << bytes;
  file.close();
  std::error_code error = file.error();
  file.clear_error(); // or the stream ends the program
  return error;
}

std::error_code codegen::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::string temporary;
  int descriptor = -1;
  if (std::error_code error = openBeside(path, temporary, descriptor))
    return error;
  llvm::FileRemover unfinished(temporary);
  if (std::error_code error = writeTo(descriptor, bytes))
    return error;
  std::error_code error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    unfinished.releaseFile();
  return error;
}
