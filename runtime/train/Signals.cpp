#include "runtime/train/Signals.h"

using namespace axloom::runtime;

namespace {

volatile std::sig_atomic_t stopRequested = 0;

void requestStop(int) {
  stopRequested = 1;
  struct sigaction plain{};
  plain.sa_handler = SIG_DFL;
  sigaction(SIGINT, &plain, nullptr);
  sigaction(SIGTERM, &plain, nullptr);
}

} // namespace

StopSignals::StopSignals() {
  stopRequested = 0;
  struct sigaction action{};
  action.sa_handler = requestStop;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &oldInterrupt);
  sigaction(SIGTERM, &action, &oldTerminate);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &oldInterrupt, nullptr);
  sigaction(SIGTERM, &oldTerminate, nullptr);
}

bool StopSignals::received() { return stopRequested != 0; }
