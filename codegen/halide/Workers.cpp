#include "codegen/halide/Workers.h"

#include "codegen/halide/FileInMemory.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace axloom::codegen;

namespace {
struct Running {
  size_t job;
  std::unique_ptr<FileInMemory> output;
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

/// Starts a job with its standard error in that file. Says why the system refuses, if it does.
std::error_code start(const std::function<bool()> &job, const FileInMemory &output, pid_t &child) {
  if (output.error())
    return output.error();
  std::fflush(nullptr);
  child = fork();
  if (child < 0)
    return {errno, std::generic_category()};
  if (child > 0)
    return {};
  dup2(output.descriptor(), STDERR_FILENO);
  bool succeeded = runContained(job);
  std::fflush(nullptr);
  _exit(succeeded ? 0 : 1);
}

/// Calls a function of the system again where a signal has cut it short.
template <class Function> auto uninterrupted(Function call) {
  for (;;)
    if (auto result = call(); result != -1 || errno != EINTR)
      return result;
}

/// Waits for one of the jobs, and for no other child of this process.
void finishOne(std::map<pid_t, Running> &running, std::vector<JobResult> &results) {
  auto ended = running.begin();
  int status = 0;
  siginfo_t info = {};
  // Whichever of ours ends first frees a place; others' children are left to their owners.
  uninterrupted([&] { return waitid(P_ALL, 0, &info, WEXITED | WNOWAIT); });
  if (auto found = running.find(info.si_pid); found != running.end())
    ended = found;
  auto &[child, job] = *ended;
  bool known = uninterrupted([&] { return waitpid(child, &status, 0); }) == child;
  JobResult &result = results[job.job];
  result.output = job.output->contents();
  result.succeeded = known && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!known)
    result.output += "the compiler process left no status";
  else if (WIFSIGNALED(status))
    result.output += "the compiler process was ended by signal " + std::to_string(WTERMSIG(status));
  running.erase(ended);
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
    auto output = std::make_unique<FileInMemory>();
    pid_t child = 0;
    if (std::error_code error = start(jobs[i], *output, child))
      results[i].output = "cannot start a compiler process beside " +
                          std::to_string(running.size()) + " others: " + error.message() +
                          adviceOn(error);
    else
      running[child] = {i, std::move(output)};
  }
  while (!running.empty())
    finishOne(running, results);
  return results;
}

std::string axloom::codegen::adviceOn(std::error_code error) {
  constexpr std::errc limits[] = {std::errc::resource_unavailable_try_again,
                                  std::errc::not_enough_memory, std::errc::too_many_files_open,
                                  std::errc::too_many_files_open_in_system};
  bool isLimit = std::ranges::any_of(limits, [&](std::errc limit) { return error == limit; });
  return isLimit ? "; ask for fewer processes with --jobs" : "";
}
