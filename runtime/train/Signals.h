// While one of these exists, the first SIGINT, SIGTERM or SIGHUP (a closed terminal) only sets a
// flag, and so does SIGTSTP; the next one acts as usual. Those that follow within a second belong
// to the first, since whoever closes a terminal or ends a program often sends several, and so does
// any further SIGHUP. A SIGTSTP that nobody has asked for acts when the last of these ends. SIGPIPE
// does nothing: writing to who has gone fails instead. Signals that were ignored before stay
// ignored. Several may exist at once, in any threads: a signal is meant for all of them.
#pragma once

#include <chrono>

namespace axloom::runtime {

class StopSignals {
public:
  StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;
  ~StopSignals();

  // Whether one of the first three has come.
  static bool received();

  // Where SIGTSTP has come, the process stands still here until SIGCONT.
  static void standStillIfAsked();

  // For how long the process has stood still since this exists, in seconds.
  double stoodStillSeconds() const;

private:
  std::chrono::steady_clock::rep before; // how long it had stood still
};

} // namespace axloom::runtime
