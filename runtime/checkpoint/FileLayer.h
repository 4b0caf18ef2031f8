// The system calls behind writing a file, replaceable so that tests can let any of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace axloom::runtime {

// Functions return what the POSIX calls of the same name do and set errno.
class FileLayer {
public:
  virtual ~FileLayer() = default;

  virtual int open(const std::string &path, int flags, unsigned mode);
  virtual int64_t write(int file, const void *bytes, size_t count);
  virtual int fchown(int file, unsigned owner, unsigned group);
  virtual int fchmod(int file, unsigned mode);
  virtual int fsync(int file);
  virtual int close(int file);
  virtual int rename(const std::string &from, const std::string &to);
  virtual int unlink(const std::string &path);

  static FileLayer &system();
};

} // namespace axloom::runtime
