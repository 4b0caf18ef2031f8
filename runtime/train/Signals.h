// While one of these exists, the first SIGINT, SIGTERM or SIGHUP (a closed terminal) only sets a
// flag, and so does SIGTSTP; the next one acts as usual. A SIGTSTP that nobody has asked for acts
// when this one ends. SIGPIPE does nothing: writing to who has gone fails instead. Signals that
// were ignored before stay ignored.
#pragma once

#include <csignal>
#include <iterator>

namespace axloom::runtime {

class StopSignals {
public:
  StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;
  ~StopSignals();

  // Whether one of the first three has come.
  static bool received();

  // Where SIGTSTP has come, the process stands still here until SIGCONT. Gives the seconds that it
  // did since this was last asked.
  static double standStillIfAsked();

private:
  static constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGPIPE};

  struct sigaction old[std::size(handled)];
};

} // namespace axloom::runtime
