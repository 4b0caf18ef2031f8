#include "runtime/train/Signals.h"

#include <atomic>
#include <csignal>
#include <iterator>
#include <mutex>

using namespace axloom::runtime;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};
constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE};
constexpr Clock::duration together = std::chrono::seconds(1);

std::mutex mutex;
int alive = 0;                                // objects; under the mutex
struct sigaction earlier[std::size(handled)]; // from before the first of them; the same

std::atomic<Clock::rep> firstStop{0}; // when it came; 0: none has
std::atomic<Clock::rep> stoodStill{0};
std::atomic<bool> suspendRequested{false};
static_assert(decltype(firstStop)::is_always_lock_free &&
                  decltype(suspendRequested)::is_always_lock_free,
              "handlers use them");

// Sets a handler for a signal, or what the system does with it. One that is ignored stays so:
// whoever started the program meant that, as nohup does.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (struct sigaction old; sigaction(signal, nullptr, &old) != 0 || old.sa_handler != SIG_IGN)
    sigaction(signal, &action, nullptr);
}

void requestStop(int signal) {
  Clock::rep now = Clock::now().time_since_epoch().count(), first = 0;
  bool isFirst = firstStop.compare_exchange_strong(first, now);
  if (isFirst || signal == SIGHUP || now - first < together.count())
    return;
  handle(signal, SIG_DFL);
  std::raise(signal); // acts when this handler ends
}

// Until SIGCONT.
void standStill() {
  Clock::time_point start = Clock::now();
  std::raise(SIGSTOP);
  stoodStill += (Clock::now() - start).count();
}

void requestSuspend(int) {
  if (!suspendRequested.exchange(true))
    return;
  suspendRequested = false;
  standStill();
}

} // namespace

StopSignals::StopSignals() : before(stoodStill) {
  std::lock_guard lock(mutex);
  if (alive++ > 0)
    return;
  firstStop = 0;
  suspendRequested = false;
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], nullptr, &earlier[i]);
  for (int signal : stopping)
    handle(signal, requestStop);
  handle(SIGTSTP, requestSuspend);
  handle(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
  std::lock_guard lock(mutex);
  if (--alive > 0)
    return;
  for (size_t i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], &earlier[i], nullptr);
  if (suspendRequested) // after the last time that anyone asked
    std::raise(SIGTSTP);
}

bool StopSignals::received() { return firstStop != 0; }

void StopSignals::standStillIfAsked() {
  if (suspendRequested.exchange(false))
    standStill();
}

double StopSignals::stoodStillSeconds() const {
  return std::chrono::duration<double>(Clock::duration(stoodStill - before)).count();
}
