// While one of these exists, the first SIGINT or SIGTERM only sets a flag, and so does SIGTSTP; the
// next one acts as usual. A SIGTSTP that nobody has asked for acts when this one ends. Signals that
// were ignored before stay ignored.
#pragma once

#include <csignal>

namespace axloom::runtime {

class StopSignals {
public:
  StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;
  ~StopSignals();

  // Whether SIGINT or SIGTERM has come.
  static bool received();

  // Where SIGTSTP has come, the process stands still here until SIGCONT. Gives the seconds that it
  // did.
  static double standStillIfAsked();

private:
  struct sigaction oldInterrupt, oldTerminate, oldSuspend;
};

} // namespace axloom::runtime
