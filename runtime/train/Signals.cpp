#include "runtime/train/Signals.h"

#include <chrono>
#include <initializer_list>

using namespace axloom::runtime;

namespace {

volatile std::sig_atomic_t stopRequested = 0, suspendRequested = 0;

// Sets a handler for some signals, or what the system does with them. Those that are ignored stay
// so: whoever started the program meant that, as nohup does.
void handle(std::initializer_list<int> signals, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  for (int signal : signals)
    if (struct sigaction old; sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
}

void requestStop(int) {
  stopRequested = 1;
  handle({SIGINT, SIGTERM}, SIG_DFL);
}

void requestSuspend(int) {
  suspendRequested = 1;
  handle({SIGTSTP}, SIG_DFL);
}

} // namespace

StopSignals::StopSignals() {
  stopRequested = suspendRequested = 0;
  sigaction(SIGINT, nullptr, &oldInterrupt);
  sigaction(SIGTERM, nullptr, &oldTerminate);
  sigaction(SIGTSTP, nullptr, &oldSuspend);
  handle({SIGINT, SIGTERM}, requestStop);
  handle({SIGTSTP}, requestSuspend);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &oldInterrupt, nullptr);
  sigaction(SIGTERM, &oldTerminate, nullptr);
  sigaction(SIGTSTP, &oldSuspend, nullptr);
  if (suspendRequested) // after the last time that anyone asked
    std::raise(SIGTSTP);
}

bool StopSignals::received() { return stopRequested != 0; }

double StopSignals::standStillIfAsked() {
  if (!suspendRequested)
    return 0;
  auto start = std::chrono::steady_clock::now();
  std::raise(SIGSTOP);
  suspendRequested = 0;
  handle({SIGTSTP}, requestSuspend);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
