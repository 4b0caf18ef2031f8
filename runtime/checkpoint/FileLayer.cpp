#include "runtime/checkpoint/FileLayer.h"

#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace axloom::runtime;

int FileLayer::open(const std::string &path, int flags, unsigned mode) {
  return ::open(path.c_str(), flags, mode);
}

int64_t FileLayer::write(int file, const void *bytes, size_t count) {
  return ::write(file, bytes, count);
}

int FileLayer::fchown(int file, unsigned owner, unsigned group) {
  return ::fchown(file, owner, group);
}

int FileLayer::fchmod(int file, unsigned mode) { return ::fchmod(file, mode); }

int FileLayer::fsync(int file) { return ::fsync(file); }

int FileLayer::close(int file) { return ::close(file); }

int FileLayer::rename(const std::string &from, const std::string &to) {
  return ::rename(from.c_str(), to.c_str());
}

int FileLayer::unlink(const std::string &path) { return ::unlink(path.c_str()); }

FileLayer &FileLayer::system() {
  static FileLayer layer;
  return layer;
}
