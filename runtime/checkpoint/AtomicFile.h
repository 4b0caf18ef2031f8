// Writes a file so that it is either all there or as it was before, whatever happens in between:
//   1. write everything to a temporary file of its own in the same folder, <path>.<numbers>.tmp,
//   2. fsync it,
//   3. rename it over the old file,
//   4. fsync the folder.
// Who may read and write the file stays the same as far as the system lets us: only root keeps
// another owner, and only members keep a group. A path that is a link stands for the file that it
// leads to; a device or a folder is refused. Several may write to one path at the same time, also
// in one process: the last commit counts. On any failure the temporary file goes away and Error
// (AXL_ERROR_FILE) says which step failed and why. Tested by tests/runtime/AtomicFileTest.cpp,
// which lets each step fail.
#pragma once

#include "runtime/checkpoint/FileLayer.h"

#include <sys/stat.h>

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
  void keepAccess(const struct stat &before);
  [[noreturn]] void fail(const char *step);

  FileLayer &files;
  std::string path;
  std::string temporary;
  bool isCreated = false; // the temporary file, by this object
  int file = -1;
};

// Removes the file that AtomicFile would write to, if there is one.
void removeFile(const std::string &path, FileLayer &files = FileLayer::system());

// Removes the temporary files that writers of `path` have left which were killed. Nobody may be
// writing there.
void removeTemporaryFiles(const std::string &path);

} // namespace axloom::runtime
