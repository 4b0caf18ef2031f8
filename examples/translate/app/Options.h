// The command lines of the two programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace example {

struct TrainerOptions {
  std::string data;              // folder of train.tsv, valid.tsv, test.tsv
  std::string folder = "model";  // of vocabulary, checkpoint, history and curve
  std::optional<double> minutes; // of training; none: 15, or no limit if `steps` is given
  int64_t steps = 0;             // in all; 0: no limit
  std::optional<uint32_t> seed;
  int threads = 0; // 0: all that the machine has
  int64_t batchTokens = 2048;
  bool resume = false;
  bool shuffleSources = false;

  // Seconds of training; 0: no limit in time.
  double seconds() const { return 60 * minutes.value_or(steps > 0 ? 0 : 15); }
  // --minutes 0: only evaluate the checkpoint.
  bool trains() const { return minutes != 0.0; }
  bool usesCheckpoint() const { return resume || !trains(); }
};

struct TranslateOptions {
  std::string folder = "model";
  int threads = 0;
  std::vector<std::string> texts; // empty: lines of standard input
};

// Parse the command line. If there is nothing left to do (--help, or a mistake, which is then
// printed), the result is empty and `status` is what main should return.
std::optional<TrainerOptions> parseTrainer(int argc, char **argv, int &status);
std::optional<TranslateOptions> parseTranslate(int argc, char **argv, int &status);

} // namespace example
