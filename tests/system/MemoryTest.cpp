// Memory of a training step grows linearly with the length of sentences: attention never holds the
// scores of all pairs of positions, where d_k and d_v are whole vectors.
#include "runtime/device/ScratchPool.h"
#include "tests/system/support/Transformer.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace axloom::runtime;
using namespace axloom::test;

namespace {
/// Bytes that a step takes.
struct Memory {
  int64_t arena, scratch;
};
} // namespace

static Memory memoryOfStep(const axl_model &tables, int64_t length) {
  axl_set_threads(2);
  Model model(tables);
  std::vector<int32_t> sentence = randomSentence(size_t(length), 1);
  Tensor source = tokens({sentence}), in = tokens({sentence}), out = tokens({sentence});
  int32_t seed = 1;
  float loss, count;
  model.call(
      "train_step",
      {{"source", source}, {"target_in", in}, {"target_out", out}, {"seed", View<int32_t>(seed)}},
      {{"loss", View<float>(loss)}, {"tokens", View<float>(count)}});
  return {model.arenaBytes(), int64_t(scratchBytes())};
}

/// In a process of its own: scratch memory that a step of another length left in the pool would be
/// counted too. This one has none to hand on, since the test has an executable of its own.
static Memory memoryOfLength(const axl_model &tables, int64_t length) {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::runtime_error("no pipe");
  EXPECT_EQ(scratchBytes(), 0U);
  pid_t child = fork();
  if (child == 0) {
    Memory memory = memoryOfStep(tables, length);
    _exit(write(ends[1], &memory, sizeof memory) == sizeof memory ? 0 : 1);
  }
  close(ends[1]);
  Memory memory{};
  ssize_t count = read(ends[0], &memory, sizeof memory);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(count == sizeof memory && status == 0) << "the step of length " << length << " ended";
  return memory;
}

TEST(Memory, GrowsLinearlyWithLength) {
  CompiledModel model(smallTransformer({"length=2048", "batch=1", "value_depth=16"}));
  Memory last = memoryOfLength(model.tables(), 512);
  for (int64_t length : {1024, 2048}) {
    Memory next = memoryOfLength(model.tables(), length);
    std::printf("length %ld: arena %ld, scratch %ld bytes\n", long(length), long(next.arena),
                long(next.scratch));
    EXPECT_LE(double(next.arena), 2.1 * double(last.arena)) << length;
    // Blocks of scratch come in sizes a fifth apart, so alone they may jump by more.
    EXPECT_LE(double(next.arena + next.scratch), 2.1 * double(last.arena + last.scratch)) << length;
    last = next;
  }
}
