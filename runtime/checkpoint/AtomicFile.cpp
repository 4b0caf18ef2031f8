#include "runtime/checkpoint/AtomicFile.h"

#include "runtime/core/Error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

std::string folderOf(const std::string &path) {
  size_t slash = path.rfind('/');
  if (slash == std::string::npos)
    return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

constexpr std::string_view ending = ".tmp";

// Whether a temporary file of the file `name` may be called so.
bool isTemporary(std::string_view candidate, std::string_view name) {
  if (!candidate.starts_with(name) || !candidate.ends_with(ending) ||
      candidate.size() <= name.size() + ending.size())
    return false;
  candidate.remove_prefix(name.size());
  candidate.remove_suffix(ending.size());
  return candidate[0] == '.' && candidate.find_first_not_of(".0123456789") == std::string::npos;
}

} // namespace

// What a rename to `path` should replace: the file that links lead to, not a link. Throws where
// there is something that no file should replace, such as a device.
static std::string replaceable(const std::string &path) {
  constexpr int mostLinks = 40; // as the system follows
  std::error_code error;
  std::filesystem::path target = path;
  for (int links = 0; links < mostLinks && std::filesystem::is_symlink(target, error); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  std::filesystem::file_status found = std::filesystem::status(target, error);
  if (std::filesystem::exists(found) && !std::filesystem::is_regular_file(found))
    throw Error(AXL_ERROR_FILE,
                concat("cannot write '", path, "': it is no regular file; choose another path"));
  return target.string();
}

// What stands there now, if anything does: owner, group and who may read and write it.
static std::optional<struct stat> statusOf(const std::string &path) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 ? std::optional(found) : std::nullopt;
}

// Two writers of one path, in one program or in two, must not share a temporary file.
AtomicFile::AtomicFile(const std::string &given, FileLayer &files)
    : files(files), path(replaceable(given)) {
  static std::atomic<uint64_t> number = 0;
  const std::optional<struct stat> before = statusOf(path);
  const unsigned mode = before ? before->st_mode & 0777 : 0666;
  do {
    temporary = concat(path, ".", ::getpid(), ".", ++number, ending);
    file = files.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  } while (file < 0 && errno == EEXIST);
  if (file < 0)
    fail("create the temporary file");
  isCreated = true;
  if (before)
    keepAccess(*before);
}

// Only root may give files away, and others give them only to groups of their own; then the group
// that it has instead is not to read it. The umask is for new files; a file system without modes
// refuses, and needs none.
void AtomicFile::keepAccess(const struct stat &before) {
  constexpr unsigned same = -1, ofGroup = 0070;
  unsigned mode = before.st_mode & 0777;
  if (files.fchown(file, before.st_uid, before.st_gid) != 0 &&
      files.fchown(file, same, before.st_gid) != 0)
    mode &= ~ofGroup;
  files.fchmod(file, mode);
}

AtomicFile::~AtomicFile() {
  if (file < 0)
    return;
  files.close(file);
  files.unlink(temporary);
}

void AtomicFile::fail(const char *step) {
  int reason = errno;
  if (file >= 0) {
    files.close(file);
    file = -1;
  }
  if (isCreated)
    files.unlink(temporary);
  std::string hint;
  if (reason == ENOSPC || reason == EDQUOT)
    hint = "; make room on this disk";
  else if (reason == EACCES || reason == EROFS || reason == EPERM)
    hint = concat("; the folder '", folderOf(path), "' must be writable");
  else if (reason == ENOENT)
    hint = concat("; the folder '", folderOf(path), "' must exist");
  throw Error(AXL_ERROR_FILE,
              concat("cannot write '", path, "': failed to ", step, ": ", std::strerror(reason),
                     hint, ". What was stored there before is unchanged"));
}

void AtomicFile::write(const void *bytes, size_t count) {
  auto *next = static_cast<const char *>(bytes);
  while (count > 0) {
    int64_t written = files.write(file, next, count);
    if (written < 0 && errno == EINTR)
      continue;
    if (written == 0)
      errno = ENOSPC;
    if (written <= 0)
      fail("write the data");
    next += written;
    count -= size_t(written);
  }
}

void AtomicFile::commit() {
  if (files.fsync(file) != 0)
    fail("bring the data to the disk (fsync)");
  int closing = file;
  file = -1;
  if (files.close(closing) != 0)
    fail("close the temporary file");
  if (files.rename(temporary, path) != 0)
    fail("rename the temporary file");
  int folder = files.open(folderOf(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (folder < 0)
    return; // a folder that may be written but not read: the rename has happened all the same
  int synced = files.fsync(folder);
  int reason = errno;
  files.close(folder);
  if (synced != 0 && reason != EINVAL)
    throw Error(AXL_ERROR_FILE, concat("'", path,
                                       "' is written, but its folder could not be "
                                       "brought to the disk (fsync): ",
                                       std::strerror(reason)));
}

void axloom::runtime::removeFile(const std::string &path, FileLayer &files) {
  if (files.unlink(replaceable(path)) != 0 && errno != ENOENT)
    throw Error(AXL_ERROR_FILE, concat("cannot remove '", path, "': ", std::strerror(errno)));
}

void axloom::runtime::removeTemporaryFiles(const std::string &path) {
  const std::filesystem::path target = replaceable(path);
  std::error_code ignored;
  for (const auto &entry : std::filesystem::directory_iterator(folderOf(target), ignored))
    if (isTemporary(entry.path().filename().native(), target.filename().native()))
      std::filesystem::remove(entry, ignored);
}
