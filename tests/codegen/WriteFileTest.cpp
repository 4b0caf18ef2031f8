// Files are written whole or not at all. A limit on the size of files stands for a full disk.

#include "codegen/WriteFile.h"
#include "tests/runtime/TemporaryFolder.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <sys/resource.h>

using namespace axloom;
using codegen::writeFile;

namespace {
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

struct WriteFile : testing::Test {
  runtime::TemporaryFolder folder;
  std::string path = folder.path("kernels");

  std::string contents() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(WriteFile, WritesAllBytes) {
  std::string bytes(100'000, '\0');
  bytes.back() = '\n';
  EXPECT_FALSE(writeFile(path, bytes));
  EXPECT_EQ(contents(), bytes);
  EXPECT_EQ(folder.list(), "kernels");
}

TEST_F(WriteFile, ReplacesWhatWasThere) {
  EXPECT_FALSE(writeFile(path, "a long one"));
  EXPECT_FALSE(writeFile(path, "short"));
  EXPECT_EQ(contents(), "short");
}

TEST_F(WriteFile, KeepsWhatWasThereIfThereIsNoRoom) {
  ASSERT_FALSE(writeFile(path, "before"));
  std::error_code error;
  {
    FileSizeLimit limit(4096);
    error = writeFile(path, std::string(100'000, 'x'));
  }
  EXPECT_EQ(error, std::errc::file_too_large);
  EXPECT_EQ(contents(), "before");
  EXPECT_EQ(folder.list(), "kernels");
}

TEST_F(WriteFile, SaysWhyAPlaceCannotBeWritten) {
  std::filesystem::create_directory(path);
  EXPECT_EQ(writeFile(path, "x"), std::errc::is_a_directory);
  EXPECT_EQ(folder.list(), "kernels");
  EXPECT_EQ(writeFile(folder.path("no/kernels"), "x"), std::errc::no_such_file_or_directory);
}
} // namespace
