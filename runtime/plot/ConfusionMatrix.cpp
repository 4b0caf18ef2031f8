#include "runtime/plot/ConfusionMatrix.h"

#include "runtime/core/Error.h"

#include <cmath>
#include <cstdio>
#include <numeric>

using namespace axloom::runtime;

namespace {

double share(int64_t part, int64_t whole) { return whole > 0 ? double(part) / double(whole) : NAN; }

std::string percent(double share) {
  if (std::isnan(share))
    return "-";
  char text[16];
  std::snprintf(text, sizeof(text), "%.0f%%", 100 * share);
  return text;
}

} // namespace

ConfusionMatrix::ConfusionMatrix(std::vector<std::string> names)
    : classes(std::move(names)), counts(classes.size() * classes.size()) {}

void ConfusionMatrix::add(int64_t truth, int64_t predicted, int64_t times) {
  for (int64_t label : {truth, predicted})
    if (label < 0 || label >= classCount())
      throw Error(AXL_ERROR_ARGUMENT, concat("class ", label, " is outside the ", classCount(),
                                             " classes of the confusion matrix"));
  counts[size_t(truth * classCount() + predicted)] += times;
}

int64_t ConfusionMatrix::count(int64_t truth, int64_t predicted) const {
  return counts[size_t(truth * classCount() + predicted)];
}

int64_t ConfusionMatrix::total() const {
  return std::accumulate(counts.begin(), counts.end(), int64_t(0));
}

double ConfusionMatrix::accuracy() const {
  int64_t right = 0;
  for (int64_t i = 0; i < classCount(); ++i)
    right += count(i, i);
  return share(right, total());
}

int64_t ConfusionMatrix::truthSum(int64_t truth) const {
  auto row = counts.begin() + truth * classCount();
  return std::accumulate(row, row + classCount(), int64_t(0));
}

double ConfusionMatrix::recall(int64_t truth) const {
  return share(count(truth, truth), truthSum(truth));
}

double ConfusionMatrix::precision(int64_t predicted) const {
  int64_t sum = 0;
  for (int64_t truth = 0; truth < classCount(); ++truth)
    sum += count(truth, predicted);
  return share(count(predicted, predicted), sum);
}

HeatMap ConfusionMatrix::heatMap(const std::string &title) const {
  HeatMap map;
  map.title = title;
  map.rows.title = "true class, recall";
  map.columns.title = "predicted class, precision";
  map.measure = "share of the true class";
  map.rows.labels = map.columns.labels = classes;
  HeatMap::Panel &panel = map.panels.emplace_back();
  for (int64_t truth = 0; truth < classCount(); ++truth) {
    map.rows.notes.push_back(percent(recall(truth)));
    map.columns.notes.push_back(percent(precision(truth)));
    for (int64_t predicted = 0; predicted < classCount(); ++predicted) {
      int64_t times = count(truth, predicted);
      // A class that does not occur has no shares; its row is empty.
      panel.values.push_back(times > 0 ? float(share(times, truthSum(truth))) : 0);
      panel.texts.push_back(times > 0 ? concat(times) : "");
    }
  }
  return map;
}
