// While one of these exists, the first SIGINT or SIGTERM only sets a flag; the next one ends the
// program as usual.
#pragma once

#include <csignal>

namespace axloom::runtime {

class StopSignals {
public:
  StopSignals();
  StopSignals(const StopSignals &) = delete;
  StopSignals &operator=(const StopSignals &) = delete;
  ~StopSignals();

  // Whether one has come.
  static bool received();

private:
  struct sigaction oldInterrupt, oldTerminate;
};

} // namespace axloom::runtime
