// How often a classifier took one class for another, as numbers and as a picture.
// Test: tests/runtime/ConfusionMatrixTest.cpp
#pragma once

#include "runtime/plot/HeatMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace axloom::runtime {

class ConfusionMatrix {
public:
  explicit ConfusionMatrix(std::vector<std::string> classes);

  // Throws AXL_ERROR_ARGUMENT where one of them is no class, from 0.
  void add(int64_t truth, int64_t predicted, int64_t times = 1);

  int64_t count(int64_t truth, int64_t predicted) const;
  int64_t total() const;
  // Shares of right answers: among all, among those of a class, among those taken for it. Not a
  // number where there are none.
  double accuracy() const;
  double recall(int64_t truth) const;
  double precision(int64_t predicted) const;

  // Counts in cells that are dark by their share of the row, so that frequent and rare classes look
  // alike; recall and precision beside the names.
  HeatMap heatMap(const std::string &title) const;

private:
  int64_t classCount() const { return int64_t(classes.size()); }
  int64_t truthSum(int64_t truth) const;

  std::vector<std::string> classes;
  std::vector<int64_t> counts; // [truth, predicted]
};

} // namespace axloom::runtime
