#include "codegen/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace axloom;

static std::error_code writeNew(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error)
    return error;
  file << bytes;
  file.close();
  error = file.error();
  file.clear_error(); // or the stream ends the program
  return error;
}

std::error_code codegen::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  std::string temporary =
      path.str() + "." + std::to_string(llvm::sys::Process::getProcessId()) + ".tmp";
  llvm::FileRemover unfinished(temporary);
  if (std::error_code error = writeNew(temporary, bytes))
    return error;
  std::error_code error = llvm::sys::fs::rename(temporary, path);
  if (!error)
    unfinished.releaseFile();
  return error;
}
