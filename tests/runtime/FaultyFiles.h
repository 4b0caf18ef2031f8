// A file layer whose calls fail when a test says so.
#pragma once

#include "runtime/checkpoint/FileLayer.h"

#include <cerrno>
#include <fcntl.h>

namespace axloom::runtime {

class FaultyFiles : public FileLayer {
public:
  enum Call {
    Open,
    Fchown,
    Fchmod,
    Write,
    Fsync,
    Close,
    Rename,
    OpenFolder,
    FsyncFolder,
    Unlink,
    None
  };

  // The call that fails, with which reason, and after how many bytes for Write.
  Call failing = None;
  int reason = EIO;
  int64_t room = 0;

  int open(const std::string &path, int flags, unsigned mode) override {
    isFolder = flags & O_DIRECTORY;
    return fails(isFolder ? OpenFolder : Open) ? -1 : FileLayer::open(path, flags, mode);
  }
  int fchown(int file, unsigned owner, unsigned group) override {
    return fails(Fchown) ? -1 : FileLayer::fchown(file, owner, group);
  }
  int fchmod(int file, unsigned mode) override {
    return fails(Fchmod) ? -1 : FileLayer::fchmod(file, mode);
  }
  int64_t write(int file, const void *bytes, size_t count) override {
    if (failing != Write)
      return FileLayer::write(file, bytes, count);
    if (room == 0)
      return errno = reason, -1;
    // A disk that fills up takes what it still has room for first.
    int64_t written = FileLayer::write(file, bytes, std::min(count, size_t(room)));
    room -= written;
    return written;
  }
  int fsync(int file) override {
    return fails(isFolder ? FsyncFolder : Fsync) ? -1 : FileLayer::fsync(file);
  }
  int close(int file) override {
    int result = FileLayer::close(file);
    return !isFolder && fails(Close) ? -1 : result;
  }
  int rename(const std::string &from, const std::string &to) override {
    return fails(Rename) ? -1 : FileLayer::rename(from, to);
  }

  int unlink(const std::string &path) override {
    return fails(Unlink) ? -1 : FileLayer::unlink(path);
  }

private:
  bool fails(Call call) {
    if (call == failing)
      errno = reason;
    return call == failing;
  }

  bool isFolder = false; // the file opened last
};

} // namespace axloom::runtime
