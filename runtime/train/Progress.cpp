#include "runtime/train/Progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace axloom::runtime;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr double terminalInterval = 0.2;
constexpr int barCells = 24;
constexpr const char *clearLine = "\r\033[K";

int widthOf(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar(double fraction) {
  int filled = int(std::lround(std::clamp(fraction, 0.0, 1.0) * barCells));
  return "[" + std::string(size_t(filled), '#') + std::string(size_t(barCells - filled), '.') + "]";
}

} // namespace

std::string axloom::runtime::formatSeconds(double seconds) {
  auto total = int64_t(std::llround(std::max(0.0, seconds)));
  char text[32];
  if (total >= 3600)
    std::snprintf(text, sizeof(text), "%lld:%02d:%02d", static_cast<long long>(total / 3600),
                  int(total / 60 % 60), int(total % 60));
  else
    std::snprintf(text, sizeof(text), "%d:%02d", int(total / 60), int(total % 60));
  return text;
}

std::string axloom::runtime::formatCount(int64_t count) {
  std::string text = std::to_string(count);
  for (int place = int(text.size()) - 3; place > (count < 0 ? 1 : 0); place -= 3)
    text.insert(size_t(place), 1, ',');
  return text;
}

std::string axloom::runtime::formatProgress(const ProgressState &state, int width) {
  std::string text =
      "epoch " + std::to_string(state.epoch + 1) + "  step " + formatCount(state.step);
  char numbers[96];
  if (state.fraction >= 0) {
    std::snprintf(numbers, sizeof(numbers), "  %3.0f %%", 100 * std::min(1.0, state.fraction));
    text += (width > 0 ? "  " + bar(state.fraction) : "") + numbers;
  }
  std::snprintf(numbers, sizeof(numbers), "  loss %.4f  ", state.loss);
  text += numbers + formatCount(int64_t(state.tokensPerSecond)) + " tokens/s";
  if (state.secondsLeft >= 0)
    text += "  " + formatSeconds(state.secondsLeft) + " left";
  if (width > 0 && int(text.size()) > width)
    text.resize(size_t(width));
  return text;
}

Progress::Progress(int file, double plainSeconds)
    : file(file), isTerminal(file >= 0 && isatty(file)),
      interval(isTerminal ? terminalInterval : plainSeconds) {}

Progress::~Progress() {
  if (lineOpen)
    put("\n");
}

void Progress::put(const std::string &text) const {
  size_t done = 0;
  while (file >= 0 && done < text.size()) {
    ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written <= 0)
      return; // a closed terminal must not end the training
    done += size_t(written);
  }
}

void Progress::show(const ProgressState &state) {
  double time = now();
  if (file < 0 || time - lastShown < interval)
    return;
  lastShown = time;
  if (isTerminal)
    put(clearLine + formatProgress(state, widthOf(file) - 1));
  else
    put(formatProgress(state, 0) + "\n");
  lineOpen = isTerminal;
}

void Progress::say(const std::string &line) {
  put((lineOpen ? clearLine : "") + line + "\n");
  lineOpen = false;
  if (isTerminal)
    lastShown = -1e9;
}
