#include "examples/common/Curve.h"

#include "runtime/plot/LineChart.h"
#include "runtime/train/History.h"

using axloom::runtime::LineChart;
using axloom::runtime::Series;

namespace example {
namespace {

constexpr size_t smoothedPoints = 20;

void read(Series &series, const std::string &history, const char *loss) {
  auto [steps, values] = axloom::runtime::readHistory(history, loss);
  for (size_t i = 0; i < steps.size(); ++i) {
    // A run that was resumed where it had ended validates there again: the last time counts.
    while (!series.x.empty() && series.x.back() >= steps[i]) {
      series.x.pop_back();
      series.y.pop_back();
    }
    series.x.push_back(steps[i]);
    series.y.push_back(values[i]);
  }
}

} // namespace

bool drawCurve(const std::string &history, const std::string &picture, const std::string &title) {
  Series raw, smoothed, validation;
  raw.name = "training";
  raw.faint = true;
  smoothed.name = "training, moving average";
  validation.name = "validation";
  validation.marks = true;
  read(raw, history, "loss");
  read(validation, history, "validation_loss");
  if (raw.x.empty())
    return false;
  smoothed.x = raw.x;
  smoothed.y = axloom::runtime::smooth(raw.y, smoothedPoints);
  LineChart chart{
      .title = title, .xLabel = "optimizer steps", .yLabel = "nats", .series = {raw, smoothed}};
  if (!validation.x.empty())
    chart.series.push_back(validation);
  axloom::runtime::writePng(chart, picture);
  return true;
}

} // namespace example
