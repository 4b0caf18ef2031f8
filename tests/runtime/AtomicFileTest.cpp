// A file that is all there or as it was before, whichever step fails.
#include "runtime/checkpoint/AtomicFile.h"
#include "tests/runtime/Expect.h"
#include "tests/runtime/FaultyFiles.h"
#include "tests/support/TemporaryFolder.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

void writeTo(const std::string &path, const std::string &contents,
             FileLayer &files = FileLayer::system()) {
  AtomicFile file(path, files);
  file.write(contents.data(), contents.size());
  file.commit();
}

TEST(AtomicFile, WritesAndReplaces) {
  TemporaryFolder folder;
  writeTo(folder.path("a"), "first");
  writeTo(folder.path("a"), "second");
  EXPECT_EQ(readFile(folder.path("a")), "second");
  EXPECT_EQ(folder.list(), "a");
}

TEST(AtomicFile, WhoMayUseItStaysTheSame) {
  TemporaryFolder folder;
  mode_t mask = umask(022);
  writeTo(folder.path("a"), "first");
  for (auto mode : {std::filesystem::perms(0600), std::filesystem::perms(0664)}) {
    std::filesystem::permissions(folder.path("a"), mode);
    writeTo(folder.path("a"), "second");
    EXPECT_EQ(std::filesystem::status(folder.path("a")).permissions(), mode);
  }
  umask(mask);
}

TEST(AtomicFile, RootKeepsTheOwner) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  TemporaryFolder folder;
  folder.write("a", "old");
  ASSERT_EQ(chown(folder.path("a").c_str(), 1234, 5678), 0);
  writeTo(folder.path("a"), "new");
  struct stat found;
  ASSERT_EQ(stat(folder.path("a").c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, 1234u);
  EXPECT_EQ(found.st_gid, 5678u);
}

TEST(AtomicFile, AGroupThatCannotStayGivesItsAccessToNoOther) {
  TemporaryFolder folder;
  folder.write("a", "old");
  std::filesystem::permissions(folder.path("a"), std::filesystem::perms(0664));
  FaultyFiles files;
  files.failing = FaultyFiles::Fchown;
  files.reason = EPERM;
  writeTo(folder.path("a"), "new", files);
  EXPECT_EQ(std::filesystem::status(folder.path("a")).permissions(), std::filesystem::perms(0604));
}

TEST(AtomicFile, AFileSystemWithoutModesIsEnough) {
  TemporaryFolder folder;
  folder.write("a", "old");
  FaultyFiles files;
  files.failing = FaultyFiles::Fchmod;
  files.reason = EPERM;
  writeTo(folder.path("a"), "new", files);
  EXPECT_EQ(readFile(folder.path("a")), "new");
}

TEST(AtomicFile, FollowsLinks) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("far"));
  folder.write("far/a", "first");
  std::filesystem::create_symlink("far/a", folder.path("link"));
  std::filesystem::create_symlink("far/b", folder.path("loose"));
  writeTo(folder.path("link"), "second");
  writeTo(folder.path("loose"), "new");
  EXPECT_EQ(readFile(folder.path("far/a")), "second");
  EXPECT_EQ(readFile(folder.path("far/b")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("loose")));
}

TEST(AtomicFile, ReplacesOnlyFiles) {
  TemporaryFolder folder;
  for (const std::string &path : {folder.path(), std::string("/dev/null")})
    expectError(AXL_ERROR_FILE,
                concat("cannot write '", path, "': it is no regular file; choose another path"),
                [&] { writeTo(path, "new"); });
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(AtomicFile, WithoutCommitNothingChanges) {
  TemporaryFolder folder;
  folder.write("a", "old");
  {
    AtomicFile file(folder.path("a"));
    file.write("new", 3);
  }
  EXPECT_EQ(readFile(folder.path("a")), "old");
  EXPECT_EQ(folder.list(), "a");
}

TEST(AtomicFile, TwoThreadsWriteToOnePath) {
  TemporaryFolder folder;
  auto contentsOf = [](char letter) { return std::string(100'000, letter); };
  auto writeOften = [&](char letter) {
    for (int time = 0; time < 100; ++time)
      writeTo(folder.path("a"), contentsOf(letter));
  };
  std::thread other([&] { EXPECT_NO_THROW(writeOften('b')); });
  EXPECT_NO_THROW(writeOften('a'));
  other.join();
  EXPECT_THAT(readFile(folder.path("a")), testing::AnyOf(contentsOf('a'), contentsOf('b')));
  EXPECT_EQ(folder.list(), "a");
}

// Where the first temporary file that is asked for belongs to someone else.
class TakenName : public FileLayer {
public:
  int open(const std::string &path, int flags, unsigned mode) override {
    if (taken.empty())
      std::ofstream(taken = path) << "of someone else";
    return FileLayer::open(path, flags, mode);
  }
  std::string taken;
};

TEST(AtomicFile, LeavesTemporaryFilesOfOthersAlone) {
  TemporaryFolder folder;
  TakenName files;
  writeTo(folder.path("a"), "new", files);
  EXPECT_EQ(readFile(folder.path("a")), "new");
  EXPECT_EQ(readFile(files.taken), "of someone else");
}

TEST(AtomicFile, WhatKilledWritersHaveLeftCanBeRemoved) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("far"));
  std::filesystem::create_symlink("far/b", folder.path("link"));
  for (const char *name : {"a", "a.12.3.tmp", "a.12.tmp", "a.tmp", "a.b.12.3.tmp", "a.12.3.tmp.x",
                           "b.12.3.tmp", "far/b.12.3.tmp"})
    folder.write(name, "");
  removeTemporaryFiles(folder.path("a"));
  EXPECT_EQ(folder.list(), "a a.12.3.tmp.x a.b.12.3.tmp a.tmp b.12.3.tmp far link");
  removeTemporaryFiles(folder.path("link"));
  EXPECT_FALSE(std::filesystem::exists(folder.path("far/b.12.3.tmp")));
  removeTemporaryFiles(folder.path("no/a"));
}

struct Step {
  FaultyFiles::Call call;
  const char *words;
};

class FailingStep : public testing::TestWithParam<Step> {};

TEST_P(FailingStep, KeepsTheOldFileAndLeavesNothingBehind) {
  TemporaryFolder folder;
  folder.write("a", "old");
  FaultyFiles files;
  files.failing = GetParam().call;
  files.room = 2;
  expectError(AXL_ERROR_FILE,
              concat("cannot write '", folder.path("a"), "': failed to ", GetParam().words,
                     ": Input/output error. What was stored there before is unchanged"),
              [&] { writeTo(folder.path("a"), "new contents", files); });
  EXPECT_EQ(readFile(folder.path("a")), "old");
  EXPECT_EQ(folder.list(), "a");
}

INSTANTIATE_TEST_SUITE_P(AtomicFile, FailingStep,
                         testing::Values(Step{FaultyFiles::Open, "create the temporary file"},
                                         Step{FaultyFiles::Write, "write the data"},
                                         Step{FaultyFiles::Fsync,
                                              "bring the data to the disk (fsync)"},
                                         Step{FaultyFiles::Close, "close the temporary file"},
                                         Step{FaultyFiles::Rename, "rename the temporary file"}));

TEST(AtomicFile, SaysWhenOnlyTheFolderCouldNotBeSynced) {
  TemporaryFolder folder;
  FaultyFiles files;
  files.failing = FaultyFiles::FsyncFolder;
  expectError(AXL_ERROR_FILE,
              concat("'", folder.path("a"),
                     "' is written, but its folder could not be brought to "
                     "the disk (fsync): Input/output error"),
              [&] { writeTo(folder.path("a"), "new", files); });
  EXPECT_EQ(readFile(folder.path("a")), "new");
}

TEST(AtomicFile, AFolderThatCannotBeReadIsEnough) {
  TemporaryFolder folder;
  FaultyFiles files;
  files.failing = FaultyFiles::OpenFolder;
  files.reason = EACCES;
  writeTo(folder.path("a"), "new", files);
  EXPECT_EQ(readFile(folder.path("a")), "new");
}

TEST(AtomicFile, SaysWhatToDoOnAFullDisk) {
  TemporaryFolder folder;
  FaultyFiles files;
  files.failing = FaultyFiles::Write;
  files.reason = ENOSPC;
  expectError(AXL_ERROR_FILE,
              concat("cannot write '", folder.path("a"),
                     "': failed to write the data: No space left "
                     "on device; make room on this disk. What was stored there before is "
                     "unchanged"),
              [&] { writeTo(folder.path("a"), "new", files); });
}

TEST(AtomicFile, SaysThatTheFolderMustExist) {
  TemporaryFolder folder;
  expectError(AXL_ERROR_FILE,
              concat("cannot write '", folder.path("no/a"),
                     "': failed to create the temporary "
                     "file: No such file or directory; the folder '",
                     folder.path("no"), "' must exist. What was stored there before is unchanged"),
              [&] { writeTo(folder.path("no/a"), "new"); });
}

TEST(AtomicFile, AFolderWithoutPermission) {
  TemporaryFolder folder;
  folder.write("a", "old");
  std::filesystem::permissions(folder.root(), std::filesystem::perms(0555));
  // Permissions do not stop the superuser: a child without privileges tries.
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    constexpr unsigned nobody = 65534;
    if (geteuid() == 0 && setuid(nobody) != 0)
      _exit(3);
    try {
      writeTo(folder.path("a"), "new");
    } catch (const Error &error) {
      std::string expected =
          concat("Permission denied; the folder '", folder.root().string(), "' must be writable");
      _exit(std::string(error.what()).find(expected) != std::string::npos ? 0 : 1);
    }
    _exit(2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(readFile(folder.path("a")), "old");
  std::filesystem::permissions(folder.root(), std::filesystem::perms(0755));
}

TEST(AtomicFile, ARealDiskThatIsFull) {
  TemporaryFolder folder;
  std::string disk = folder.path("disk");
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "no permission to mount a small disk; the injected faults above cover it";
  writeTo(disk + "/a", "old");
  expectError(AXL_ERROR_FILE, HasSubstr("No space left on device; make room on this disk"),
              [&] { writeTo(disk + "/a", std::string(1 << 20, 'x')); });
  EXPECT_EQ(readFile(disk + "/a"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(disk), {}), 1);
  umount(disk.c_str());
}

} // namespace
