#include "examples/common/RunFolder.h"

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
      words(path + "/vocabulary.txt"), labels(path + "/labels.txt"),
      checkpoint(path + "/checkpoint.safetensors"), history(path + "/history.jsonl"),
      curve(path + "/loss.png"), confusion(path + "/confusion.png") {}

void RunFolder::prepare() const {
  std::error_code error;
  files::create_directories(path, error);
  if (error)
    fail(path, "cannot be made", error.message());
  if (access(path.c_str(), W_OK | X_OK) != 0)
    fail(path, "cannot be written to", std::strerror(errno));
}

std::string RunFolder::setAside() const {
  // A run is its checkpoint with all that belongs to it. It is moved last: a process that ends
  // halfway leaves a checkpoint here, and the next one moves the rest.
  std::string previous = path + "/previous", moving = previous + ".moving";
  std::error_code error;
  auto move = [&](const std::string &from, const std::string &to) {
    if (!error && files::exists(from))
      files::rename(from, to, error);
  };
  auto moved = [&](const std::string &file) {
    return moving + "/" + files::path(file).filename().string();
  };
  if (!files::exists(checkpoint, error) && !files::exists(moved(checkpoint), error))
    return "";
  if (files::exists(checkpoint, error)) {
    files::create_directories(moving, error);
    for (const std::string &file :
         {vocabulary, words, labels, history, curve, confusion, checkpoint})
      move(file, moved(file));
  }
  if (!error)
    files::remove_all(previous, error);
  move(moving, previous);
  if (error)
    fail(previous, "cannot take the files of the earlier run", error.message());
  return previous;
}

} // namespace example
