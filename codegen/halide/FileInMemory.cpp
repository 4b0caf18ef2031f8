#include "codegen/halide/FileInMemory.h"

#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

using namespace axloom::codegen;

FileInMemory::FileInMemory() : number(memfd_create("axloom", MFD_CLOEXEC)) {
  if (number < 0)
    problem = std::error_code(errno, std::generic_category());
}

FileInMemory::~FileInMemory() {
  if (number >= 0)
    close(number);
}

std::string FileInMemory::contents() const {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = pread(number, buffer, sizeof buffer, off_t(text.size()))) > 0;)
    text.append(buffer, size_t(count));
  return text;
}
