// Files are written whole or not at all.

#include "codegen/WriteFile.h"
#include "tests/support/FileSizeLimit.h"
#include "tests/support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

using namespace axloom;
using codegen::writeFile;
using test::readFile;

namespace {
struct WriteFile : testing::Test {
  test::TemporaryFolder folder;
  std::string path = folder.path("kernels");
};

TEST_F(WriteFile, WritesAllBytes) {
  std::string bytes(100'000, '\0');
  bytes.back() = '\n';
  EXPECT_FALSE(writeFile(path, bytes));
  EXPECT_EQ(readFile(path), bytes);
  EXPECT_EQ(folder.list(), "kernels");
}

TEST_F(WriteFile, ReplacesWhatWasThere) {
  EXPECT_FALSE(writeFile(path, "a long one"));
  EXPECT_FALSE(writeFile(path, "short"));
  EXPECT_EQ(readFile(path), "short");
}

TEST_F(WriteFile, TakesAnyName) {
  std::string name = folder.path("100%%%%%%");
  EXPECT_FALSE(writeFile(name, "all"));
  EXPECT_EQ(readFile(name), "all");
}

// Processes of two containers may have one number.
TEST_F(WriteFile, LeavesTheFilesOfOthersAlone) {
  std::string others = path + "." + std::to_string(getpid()) + ".tmp";
  std::ofstream(others) << "half of it";
  EXPECT_FALSE(writeFile(path, "all"));
  EXPECT_EQ(readFile(path), "all");
  EXPECT_EQ(readFile(others), "half of it");
}

TEST_F(WriteFile, KeepsWhatWasThereIfThereIsNoRoom) {
  ASSERT_FALSE(writeFile(path, "before"));
  std::error_code error;
  {
    test::FileSizeLimit limit(4096);
    error = writeFile(path, std::string(100'000, 'x'));
  }
  EXPECT_EQ(error, std::errc::file_too_large);
  EXPECT_EQ(readFile(path), "before");
  EXPECT_EQ(folder.list(), "kernels");
}

TEST_F(WriteFile, SaysWhyAPlaceCannotBeWritten) {
  std::filesystem::create_directory(path);
  EXPECT_EQ(writeFile(path, "x"), std::errc::is_a_directory);
  EXPECT_EQ(folder.list(), "kernels");
  EXPECT_EQ(writeFile(folder.path("no/kernels"), "x"), std::errc::no_such_file_or_directory);
}
} // namespace
