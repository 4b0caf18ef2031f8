#include "runtime/device/ThreadPool.h"

#include "runtime/abi/axloom.h"
#include "runtime/device/HalideHooks.h"
#include "runtime/device/Threads.h"

#include <chrono>
#include <ctime>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

class ThreadPoolTest : public testing::Test {
protected:
  void SetUp() override { installHalideHooks(); } // they count the loops that a thread is in

  // Runs a callable that takes an index and gives a code.
  template <class Task> int run(int from, int count, Task task) {
    auto call = [](void *context, int index, uint8_t *) {
      return (*static_cast<Task *>(context))(index);
    };
    return pool.run(&task, call, from, count, nullptr);
  }

  ThreadPool pool;
};

TEST_F(ThreadPoolTest, RunsEachIterationOnce) {
  for (int threads : {1, 2, 5, 3}) {
    ASSERT_EQ(pool.resize(threads), threads);
    for (int count : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> runs(size_t(count) + 10);
      EXPECT_EQ(run(7, count, [&](int index) { return ++runs[size_t(index)], 0; }), 0);
      for (int i = 0; i < count + 10; ++i)
        EXPECT_EQ(runs[size_t(i)], i >= 7 && i < 7 + count) << i << " of " << count;
    }
  }
}

TEST_F(ThreadPoolTest, SharesALoopAmongAllThreads) {
  pool.resize(3);
  std::atomic<int> here = 0;
  // Ends only if three threads are in it at once.
  run(0, 3, [&](int) {
    for (++here; here < 3;)
      std::this_thread::yield();
    return 0;
  });
  EXPECT_EQ(here, 3);
}

TEST_F(ThreadPoolTest, GivesEachThreadTheSamePartOfEveryLoop) {
  constexpr int threads = 3;
  pool.resize(threads);
  std::mutex mutex;
  std::map<std::thread::id, std::set<int>> firsts; // the iterations that threads begin loops with
  for (int loop = 0; loop < 10; ++loop) {
    std::atomic<int> begun = 0;
    run(0, 300, [&](int index) {
      if (begun >= threads)
        return 0;
      {
        std::lock_guard lock(mutex);
        firsts[std::this_thread::get_id()].insert(index);
      }
      for (++begun; begun < threads;) // nobody takes a second one before all have begun
        std::this_thread::yield();
      return 0;
    });
  }
  std::set<std::set<int>> parts;
  for (const auto &[thread, indices] : firsts)
    parts.insert(indices);
  EXPECT_EQ(parts, (std::set<std::set<int>>{{0}, {100}, {200}}));
  EXPECT_EQ(firsts[std::this_thread::get_id()], std::set{0});
}

TEST_F(ThreadPoolTest, SharesLoopsInsideLoops) {
  pool.resize(4);
  std::atomic<int> here = 0, sum = 0;
  auto inner = [&](int index) {
    for (++here; here < 4;)
      std::this_thread::yield();
    sum += index;
    return 0;
  };
  run(0, 2, [&](int) { return run(0, 100, inner); });
  EXPECT_EQ(sum, 2 * 4950);
}

TEST_F(ThreadPoolTest, RunsLoopsInsideInOrderWhileThoseOutsideAreEnough) {
  constexpr int threads = 2, outer = threads * ThreadPool::enoughIterations;
  pool.resize(threads);
  std::atomic<int> alone = 0;
  run(0, outer, [&](int) {
    auto caller = std::this_thread::get_id();
    std::vector<int> inner;
    std::mutex mutex;
    int code = run(10, 5, [&](int i) {
      std::lock_guard lock(mutex);
      inner.push_back(std::this_thread::get_id() == caller ? i : -1);
      return 0;
    });
    alone += inner == std::vector{10, 11, 12, 13, 14};
    return code;
  });
  EXPECT_GE(alone, outer - threads);
}

TEST_F(ThreadPoolTest, SharesLoopsInsideOnceNothingIsLeftOutside) {
  constexpr int threads = 2, outer = threads * ThreadPool::enoughIterations;
  pool.resize(threads);
  std::atomic<int> begun = 0, here = 0;
  run(0, outer, [&](int) {
    if (++begun < outer)
      return 0;
    return run(0, 2, [&](int) { // the last one ends only if both threads are in its loop
      for (++here; here < 2;)
        std::this_thread::yield();
      return 0;
    });
  });
  EXPECT_EQ(here, 2);
}

TEST_F(ThreadPoolTest, ALoopInsideThatFailsEndsThoseOutside) {
  pool.resize(2);
  std::atomic<int> begun = 0;
  auto outer = [&](int) {
    ++begun;
    return run(0, 5, [](int index) { return index == 1 ? -3 : 0; });
  };
  EXPECT_EQ(run(0, 1000, outer), -3);
  EXPECT_LE(begun, 2) << "one for each thread";
}

TEST_F(ThreadPoolTest, ServesSeveralCallersAtOnce) {
  pool.resize(2);
  std::atomic<int64_t> sum = 0;
  auto caller = [&] {
    for (int i = 0; i < 500; ++i)
      run(0, 20, [&](int outer) { return run(0, outer, [&](int) { return ++sum, 0; }); });
  };
  {
    std::jthread first(caller), second(caller), third(caller);
  }
  EXPECT_EQ(sum, 3 * 500 * 190);
}

TEST_F(ThreadPoolTest, GivesTheCodeOfATaskThatFailed) {
  for (int threads : {1, 3}) {
    pool.resize(threads);
    std::atomic<int> runs = 0;
    EXPECT_EQ(run(0, 100'000, [&](int index) { return ++runs, index % 1000 == 10 ? -7 : 0; }), -7);
    EXPECT_LT(runs, 100'000) << "the rest was not left out";
    EXPECT_EQ(run(0, 10, [](int) { return 0; }), 0) << "a failure stays with its loop";
  }
}

TEST_F(ThreadPoolTest, WakesThreadsThatSleep) {
  pool.resize(2);
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<int> here = 0;
    run(0, 2, [&](int) {
      for (++here; here < 2;)
        std::this_thread::yield();
      return 0;
    });
  }
}

TEST_F(ThreadPoolTest, SleepsWhenNothingHappens) {
  pool.resize(4);
  run(0, 100, [](int) { return 0; });
  std::clock_t start = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds, 0.1) << "of processor time while all should be asleep";
}

TEST(Threads, AChildOfAForkHasItsOwn) {
  auto meet = [] { // ends only if three threads are in the loop at once
    std::atomic<int> here = 0;
    parallelFor(3, [&](int64_t) {
      for (++here; here < 3;)
        std::this_thread::yield();
    });
  };
  axl_set_threads(3);
  meet();
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);
    meet();
    _exit(0);
  }
  meet();
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  axl_set_threads(0);
}

TEST(Threads, AControlGroupMayHaveAQuota) {
  auto processors = [](const char *quota) {
    std::istringstream file(quota);
    return processorsOf(file);
  };
  EXPECT_EQ(processors("200000 100000\n"), 2);
  EXPECT_EQ(processors("150000 100000\n"), 2);
  EXPECT_EQ(processors("5000 100000\n"), 1);
  EXPECT_GT(processors("max 100000\n"), 1000000);
  EXPECT_GT(processors(""), 1000000); // no such file
}

TEST_F(ThreadPoolTest, KnowsWhoIsInsideALoop) {
  pool.resize(2);
  EXPECT_FALSE(insideParallelLoop());
  std::atomic<int> inside = 0;
  run(0, 10, [&](int) { return inside += insideParallelLoop(), 0; });
  EXPECT_EQ(inside, 10);
  EXPECT_FALSE(insideParallelLoop());
}

} // namespace
