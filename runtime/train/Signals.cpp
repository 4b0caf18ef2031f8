#include "runtime/train/Signals.h"

#include <atomic>
#include <chrono>

using namespace axloom::runtime;

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stopRequested = 0, suspendRequested = 0;
std::atomic<Clock::duration> stoodStill;
static_assert(decltype(stoodStill)::is_always_lock_free, "handlers use it");

// Sets a handler for a signal, or what the system does with it. One that is ignored stays so:
// whoever started the program meant that, as nohup does.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (struct sigaction old; sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_IGN)
    sigaction(signal, &action, nullptr);
}

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};

void requestStop(int) {
  stopRequested = 1;
  for (int signal : stopping)
    handle(signal, SIG_DFL);
}

// Until SIGCONT.
void standStill() {
  Clock::time_point start = Clock::now();
  std::raise(SIGSTOP);
  stoodStill = stoodStill.load() + (Clock::now() - start);
}

void requestSuspend(int) {
  if (!suspendRequested) {
    suspendRequested = 1;
    return;
  }
  suspendRequested = 0;
  standStill();
}

} // namespace

StopSignals::StopSignals() {
  stopRequested = 0;
  suspendRequested = 0;
  stoodStill = Clock::duration::zero();
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], nullptr, &old[i]);
  for (int signal : stopping)
    handle(signal, requestStop);
  handle(SIGTSTP, requestSuspend);
  handle(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &old[i], nullptr);
  if (suspendRequested) // after the last time that anyone asked
    std::raise(SIGTSTP);
}

bool StopSignals::received() { return stopRequested != 0; }

double StopSignals::standStillIfAsked() {
  if (suspendRequested) {
    suspendRequested = 0;
    standStill();
  }
  return std::chrono::duration<double>(stoodStill.exchange(Clock::duration::zero())).count();
}
