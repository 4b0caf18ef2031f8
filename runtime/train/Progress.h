// Shows where a long run stands: on a terminal one line that is written over and over, with a bar
// and an estimate; elsewhere a plain line now and then.
#pragma once

#include <cstdint>
#include <string>

namespace axloom::runtime {

struct ProgressState {
  double fraction = -1; // done, 0 to 1; below 0: no end in sight
  double secondsLeft = -1;
  int64_t epoch = 0;
  int64_t step = 0;
  double loss = 0;
  double tokensPerSecond = 0;
};

class Progress {
public:
  // file: a descriptor, -1 for silence. plainSeconds: between lines where no terminal is.
  Progress(int file, double plainSeconds);
  ~Progress(); // ends the line on a terminal

  // Shows the state if enough time has gone by since the last one.
  void show(const ProgressState &state);
  // A line that stays.
  void say(const std::string &line);

private:
  void put(const std::string &text) const;

  int file;
  bool isTerminal;
  double interval;
  double lastShown = -1e9;
  bool lineOpen = false;
};

// "epoch 2  step 1,250  [######....]  41 %  loss 3.214  5,210 tokens/s  2:41 left", at most `width`
// characters long; 0: any length, and without the bar.
std::string formatProgress(const ProgressState &state, int width);

// "0:07", "12:30", "1:02:03"
std::string formatSeconds(double seconds);

// "1,234,567"
std::string formatCount(int64_t count);

} // namespace axloom::runtime
