#include "tests/examples/Process.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace example {
namespace {

constexpr uid_t nobody = 65534;

void redirect(const std::string &path, int flags, int descriptor) {
  int file = open(path.c_str(), flags, 0644);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(126);
}

} // namespace

Process::Process(const std::vector<std::string> &command, const Options &options) {
  std::string input = folder.write("input", options.input);
  std::vector<char *> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);

  pid = fork();
  if (pid != 0)
    return;
  redirect(input, O_RDONLY, STDIN_FILENO);
  redirect(folder.path("output"), O_WRONLY | O_CREAT, STDOUT_FILENO);
  redirect(folder.path("errors"), O_WRONLY | O_CREAT, STDERR_FILENO);
  for (const std::string &variable : options.environment)
    putenv(const_cast<char *>(variable.c_str()));
  if (options.unprivileged && geteuid() == 0) {
    // Opened while every folder on the way may be entered: the checkout may lie in root's home.
    int program = open(arguments[0], O_RDONLY | O_CLOEXEC);
    if (program < 0 || setuid(nobody) != 0)
      _exit(126);
    fexecve(program, arguments.data(), environ);
  }
  execv(arguments[0], arguments.data());
  _exit(127);
}

Process::~Process() {
  if (pid > 0) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
}

void Process::signal(int number) const { kill(pid, number); }

Finished Process::wait() {
  int status = 0;
  waitpid(pid, &status, 0);
  pid = -1;
  Finished finished;
  finished.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  finished.output = axloom::test::readFile(folder.path("output"));
  finished.errors = axloom::test::readFile(folder.path("errors"));
  return finished;
}

Finished runProgram(const std::vector<std::string> &command, const Process::Options &options) {
  return Process(command, options).wait();
}

} // namespace example
