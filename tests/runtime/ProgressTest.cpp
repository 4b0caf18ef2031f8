// What a user sees during a long run: on a terminal, and in a file.
#include "runtime/train/Progress.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <pty.h>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

ProgressState makeState() { return {0.41, 161, 1, 12345, 3.21449, 5210.7}; }

// Until the end: a terminal hands over what was written in pieces. The other side must be closed.
std::string readAll(int file) {
  std::string text;
  char part[4096];
  for (ssize_t size; (size = read(file, part, sizeof part)) > 0;)
    text.append(part, size_t(size));
  return text;
}

TEST(Progress, Numbers) {
  EXPECT_EQ(formatSeconds(7.4), "0:07");
  EXPECT_EQ(formatSeconds(750), "12:30");
  EXPECT_EQ(formatSeconds(3723), "1:02:03");
  EXPECT_EQ(formatSeconds(-1), "0:00");
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1234567), "1,234,567");
  EXPECT_EQ(formatCount(-1234), "-1,234");
}

TEST(Progress, Lines) {
  EXPECT_EQ(formatProgress(makeState(), 200),
            "epoch 2  step 12,345  [##########..............]   41 %  loss 3.2145  5,210 tokens/s  "
            "2:41 left");
  EXPECT_EQ(formatProgress(makeState(), 0),
            "epoch 2  step 12,345   41 %  loss 3.2145  5,210 tokens/s  2:41 left");
  EXPECT_EQ(formatProgress(makeState(), 30), "epoch 2  step 12,345  [#######");
  EXPECT_EQ(formatProgress({-1, -1, 0, 5, 1, 2}, 200), "epoch 1  step 5  loss 1.0000  2 tokens/s");
}

TEST(Progress, PlainLinesInAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    Progress progress(ends[1], 1000);
    progress.show(makeState());
    progress.show(makeState()); // too early
    progress.say("saved");
  }
  close(ends[1]);
  EXPECT_EQ(readAll(ends[0]), formatProgress(makeState(), 0) + "\nsaved\n");
  close(ends[0]);
}

TEST(Progress, OneLineOnATerminal) {
  int master, terminal;
  winsize size{24, 60, 0, 0};
  ASSERT_EQ(openpty(&master, &terminal, nullptr, nullptr, &size), 0);
  {
    Progress progress(terminal, 1000);
    progress.show(makeState());
    progress.say("saved");
    progress.show(makeState());
  }
  std::string line = "\r\033[K" + formatProgress(makeState(), 59);
  close(terminal);
  EXPECT_EQ(readAll(master), line + "\r\033[Ksaved\r\n" + line + "\r\n");
  close(master);
}

TEST(Progress, SilenceAndClosedPipes) {
  Progress(-1, 0).show(makeState());
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[1]);
  Progress(ends[1], 0).show(makeState()); // no longer open
  close(ends[0]);
}

} // namespace
