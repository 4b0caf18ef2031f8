// A log of a training run: one JSON object a line, for loss curves.
//   {"step": 20, "epoch": 0, "seconds": 1.5, "loss": 7.2, "tokens_per_second": 4100, "rate": 1e-4}
//   {"step": 500, "seconds": 60.2, "validation_loss": 4.1, "perplexity": 60.3}
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace axloom::runtime {

class History {
public:
  // Goes on in the file at `path`, without lines of steps after `step`: they belong to a run that
  // was cut off and will be done again. Step 0 begins a new file. Empty path: nothing is written.
  History(const std::string &path, int64_t step);

  History(const History &) = delete;
  History &operator=(const History &) = delete;
  ~History();

  // Adds a line, or throws AXL_ERROR_FILE; then the file ends with the line before. Of fields of
  // one name, the first is written.
  using Fields = std::vector<std::pair<std::string, double>>;
  void add(const Fields &fields);

private:
  std::string path;
  int file = -1;
};

// The numbers of a history file under one name, with their steps: {steps, values}. Lines without it
// are left out. Throws AXL_ERROR_FILE or AXL_ERROR_FORMAT (with the line).
std::pair<std::vector<double>, std::vector<double>> readHistory(const std::string &path,
                                                                const std::string &name);

} // namespace axloom::runtime
