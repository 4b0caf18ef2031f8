#include "codegen/WriteFile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace axloom;

/// Writes to an open file. LLVM's stream ends the program if nobody asks for its error.
static std::error_code writeTo(int descriptor, llvm::StringRef bytes) {
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/false, /*unbuffered=*/true);
  stream << bytes;
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

std::error_code codegen::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%%%");
  if (!temporary)
    return llvm::errorToErrorCode(temporary.takeError());
  std::error_code error = writeTo(temporary->FD, bytes);
  llvm::Error end = error ? temporary->discard() : temporary->keep(path);
  std::error_code atEnd = llvm::errorToErrorCode(std::move(end));
  return error ? error : atEnd;
}
