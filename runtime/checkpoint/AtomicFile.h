// Writes a file so that it is either all there or as it was before, whatever happens in between:
//   1. write everything to a temporary file in the same folder,
//   2. fsync it,
//   3. rename it over the old file,
//   4. fsync the folder.
// A path that is a link stands for the file that it leads to; a device or a folder is refused.
// On any failure the temporary file goes away and Error (AXL_ERROR_FILE) says which step failed and
// why. Tested by tests/runtime/AtomicFileTest.cpp, which lets each step fail.
#pragma once

#include "runtime/checkpoint/FileLayer.h"

namespace axloom::runtime {

class AtomicFile {
public:
  explicit AtomicFile(const std::string &given, FileLayer &files = FileLayer::system());
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;
  ~AtomicFile(); // without commit: the file is as before

  void write(const void *bytes, size_t count);
  void commit();

private:
  [[noreturn]] void fail(const char *step);

  FileLayer &files;
  std::string path;
  std::string temporary;
  int file = -1;
};

} // namespace axloom::runtime
