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

// Moves those files of a run that there are from one folder to another.
std::error_code moveFiles(const RunFolder &run, const std::string &from, const std::string &to) {
  std::error_code error;
  for (const std::string &file : filesOf(run)) {
    std::string name = "/" + files::path(file).filename().string();
    if (!error && files::exists(from + name))
      files::rename(from + name, to + name, error);
  }
  return error;
}

// Where the files of an earlier run are put together before they replace those of `previous`.
std::string movingFolder(const RunFolder &run) { return run.path + "/previous.moving"; }

// Brings back what setAside has moved if the process ended on the way: a run is its checkpoint with
// all that belongs to it, and nobody has written to its place yet.
void undoMove(const RunFolder &run) {
  std::string moving = movingFolder(run);
  if (!files::exists(moving))
    return;
  std::error_code error = moveFiles(run, moving, run.path);
  if (!error)
    files::remove(moving, error);
  if (error)
    fail(run.path, concat("cannot take back the files in '", moving, "'").c_str(), error.message());
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
  undoMove(*this);
  if (lock)
    for (const std::string &file : filesOf(*this))
      axloom::runtime::removeTemporaryFiles(file);
}

std::string RunFolder::setAside() const {
  std::string previous = path + "/previous", moving = movingFolder(*this);
  std::error_code error;
  if (!files::exists(checkpoint, error))
    return "";
  std::shared_ptr<std::FILE> others; // a run may go on in the folder that is to be replaced
  if (files::exists(previous, error))
    others = lockFolder(previous);
  files::create_directories(moving, error);
  if (!error)
    error = moveFiles(*this, path, moving);
  if (!error)
    files::remove_all(previous, error);
  if (!error)
    files::rename(moving, previous, error);
  if (error)
    fail(previous, "cannot take the files of the earlier run", error.message());
  return previous;
}

} // namespace example
