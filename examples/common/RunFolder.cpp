#include "examples/common/RunFolder.h"

#include "runtime/checkpoint/AtomicFile.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <tuple>
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

[[noreturn]] void failInUse(const std::string &path, int lock) {
  char text[32];
  ssize_t count = pread(lock, text, sizeof(text), 0);
  long process = 0;
  std::from_chars(text, text + std::max<ssize_t>(count, 0), process);
  throw Error(AXL_ERROR_FILE,
              concat("the folder '", path, "' is in use by another run",
                     process > 0 ? concat(" (process ", process, ")") : "",
                     ". Wait until it has ended, or choose another one with --checkpoint"));
}

// Locks a folder for as long as the file stays open, and leaves the number of the process there for
// those that come later. Null where the file system has no locks.
std::shared_ptr<std::FILE> lockFolder(const std::string &path) {
  int lock = open((path + "/.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (lock < 0)
    fail(path, "cannot be written to", std::strerror(errno));
  if (flock(lock, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      failInUse(path, lock);
    close(lock);
    return nullptr;
  }
  std::string process = concat(getpid(), "\n");
  std::ignore = ftruncate(lock, 0);
  std::ignore = pwrite(lock, process.data(), process.size(), 0);
  return {fdopen(lock, "r+"), [](std::FILE *file) { std::fclose(file); }};
}

// All files of a run, the checkpoint last.
std::array<std::string, 7> filesOf(const RunFolder &folder) {
  return {folder.vocabulary, folder.words,     folder.labels,    folder.history,
          folder.curve,      folder.confusion, folder.checkpoint};
}

} // namespace

RunFolder::RunFolder(std::string folder)
    : path(std::move(folder)), vocabulary(path + "/vocabulary.model"),
      words(path + "/vocabulary.txt"), labels(path + "/labels.txt"),
      checkpoint(path + "/checkpoint.safetensors"), history(path + "/history.jsonl"),
      curve(path + "/loss.png"), confusion(path + "/confusion.png") {}

void RunFolder::prepare() {
  std::error_code error;
  files::create_directories(path, error);
  if (error)
    fail(path, "cannot be made", error.message());
  if (access(path.c_str(), W_OK | X_OK) != 0)
    fail(path, "cannot be written to", std::strerror(errno));
  lock = lockFolder(path);
  if (lock)
    for (const std::string &file : filesOf(*this))
      axloom::runtime::removeTemporaryFiles(file);
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
    for (const std::string &file : filesOf(*this))
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
