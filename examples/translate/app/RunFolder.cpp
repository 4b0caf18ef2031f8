#include "examples/translate/app/RunFolder.h"

#include "runtime/core/Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace files = std::filesystem;
using axloom::runtime::concat;
using axloom::runtime::Error;

namespace example {
namespace {

[[noreturn]] void fail(const std::string &path, const char *what, const std::string &reason) {
  throw Error(AXL_ERROR_FILE, concat("the folder '", path, "' ", what, ": ", reason,
                                     ". Choose another one with --checkpoint"));
}

} // namespace

RunFolder::RunFolder(std::string folder)
    : path(std::move(folder)), vocabulary(path + "/vocabulary.model"),
      checkpoint(path + "/checkpoint.safetensors"), history(path + "/history.jsonl"),
      curve(path + "/loss.png") {}

void RunFolder::prepare() const {
  std::error_code error;
  files::create_directories(path, error);
  if (error)
    fail(path, "cannot be made", error.message());
  if (access(path.c_str(), W_OK | X_OK) != 0)
    fail(path, "cannot be written to", std::strerror(errno));
}

std::string RunFolder::setAside() const {
  std::string previous = path + "/previous";
  bool moved = false;
  // The checkpoint goes first: it is worthless beside another run's vocabulary.
  for (const std::string &file : {checkpoint, vocabulary, history, curve}) {
    std::error_code error;
    if (!files::exists(file, error))
      continue;
    files::create_directories(previous, error);
    if (!error)
      files::rename(file, previous / files::path(file).filename(), error);
    if (error)
      fail(previous, "cannot take the files of the earlier run", error.message());
    moved = true;
  }
  return moved ? previous : "";
}

} // namespace example
