#include "codegen/halide/Workers.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace axloom::codegen;

namespace {
struct Running {
  size_t job;
  std::FILE *output;
};

/// While it lives, this process learns how its children end, though whoever started it may have
/// it ignore that.
class ChildrenMatter {
public:
  ChildrenMatter() {
    sigaction(SIGCHLD, nullptr, &before);
    if (before.sa_handler == SIG_IGN)
      std::signal(SIGCHLD, SIG_DFL);
  }
  ChildrenMatter(const ChildrenMatter &) = delete;
  ChildrenMatter &operator=(const ChildrenMatter &) = delete;
  ~ChildrenMatter() { sigaction(SIGCHLD, &before, nullptr); }

private:
  struct sigaction before{};
};

/// No exception leaves a job: the child would go on with what its parent is doing.
bool runContained(const std::function<bool()> &job) noexcept {
  try {
    return job();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "an exception of an unknown kind\n");
  }
  return false;
}

std::string cannotStart(const char *what, int error, size_t running) {
  return "cannot start a compiler process beside " + std::to_string(running) + " others: cannot " +
         what + ": " + std::generic_category().message(error) + "; ask for fewer with --jobs";
}

/// Starts a job with its standard error in a file that has no name. Returns 0 where the system
/// refuses.
pid_t start(const std::function<bool()> &job, std::FILE *output) {
  std::fflush(nullptr);
  pid_t child = fork();
  if (child != 0)
    return child < 0 ? 0 : child;
  dup2(fileno(output), STDERR_FILENO);
  bool succeeded = runContained(job);
  std::fflush(nullptr);
  _exit(succeeded ? 0 : 1);
}

std::string contents(std::FILE *file) {
  std::string text;
  std::fseek(file, 0, SEEK_SET);
  char buffer[4096];
  while (size_t count = std::fread(buffer, 1, sizeof buffer, file))
    text.append(buffer, count);
  return text;
}

/// Calls a function of the system again where a signal has cut it short.
template <class Function> auto uninterrupted(Function call) {
  for (;;)
    if (auto result = call(); result != -1 || errno != EINTR)
      return result;
}

/// Waits for one of the jobs, and for no other child of this process.
void finishOne(std::map<pid_t, Running> &running, std::vector<JobResult> &results) {
  pid_t child = running.begin()->first;
  Running job = running.begin()->second;
  int status = 0;
  siginfo_t info = {};
  // Whichever of ours ends first frees a place; others' children are left to their owners.
  uninterrupted([&] { return waitid(P_ALL, 0, &info, WEXITED | WNOWAIT); });
  if (auto found = running.find(info.si_pid); found != running.end()) {
    child = found->first;
    job = found->second;
  }
  bool known = uninterrupted([&] { return waitpid(child, &status, 0); }) == child;
  JobResult &result = results[job.job];
  result.output = contents(job.output);
  result.succeeded = known && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!known)
    result.output += "the compiler process left no status";
  else if (WIFSIGNALED(status))
    result.output += "the compiler process was ended by signal " + std::to_string(WTERMSIG(status));
  std::fclose(job.output);
  running.erase(child);
}
} // namespace

std::vector<JobResult>
axloom::codegen::runInProcesses(const std::vector<std::function<bool()>> &jobs, unsigned limit) {
  if (limit == 0)
    limit = std::max(1u, std::thread::hardware_concurrency());
  ChildrenMatter matter;
  std::vector<JobResult> results(jobs.size());
  std::map<pid_t, Running> running;
  for (size_t i = 0; i < jobs.size(); ++i) {
    while (running.size() >= limit)
      finishOne(running, results);
    std::FILE *output = std::tmpfile();
    pid_t child = output ? start(jobs[i], output) : 0;
    if (child == 0) {
      results[i].output =
          cannotStart(output ? "fork" : "open a temporary file", errno, running.size());
      if (output)
        std::fclose(output);
      continue;
    }
    running[child] = {i, output};
  }
  while (!running.empty())
    finishOne(running, results);
  return results;
}
