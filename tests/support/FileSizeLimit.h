//===- FileSizeLimit.h - A disk that is full --------------------*- C++ -*-===//
//
// Writing fails in the middle of a file, as it does on a full disk, without one.
//
//===----------------------------------------------------------------------===//

#pragma once

#include <csignal>
#include <sys/resource.h>

namespace axloom::test {
/// While it lives, no file of this process can grow beyond so many bytes.
class FileSizeLimit {
public:
  explicit FileSizeLimit(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit limit{bytes, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit &) = delete;
  FileSizeLimit &operator=(const FileSizeLimit &) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }

private:
  rlimit before{};
  void (*handler)(int);
};
} // namespace axloom::test
