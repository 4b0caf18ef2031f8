#include "examples/common/Curve.h"

#include "runtime/plot/LineChart.h"

#include <fstream>
#include <nlohmann/json.hpp>

using axloom::runtime::LineChart;
using axloom::runtime::Series;

namespace example {
namespace {

constexpr size_t smoothedPoints = 20;

void add(Series &series, const nlohmann::json &entry, const char *loss) {
  auto step = entry.find("step"), value = entry.find(loss);
  if (step == entry.end() || value == entry.end() || !step->is_number() || !value->is_number())
    return;
  // A run that was resumed from an earlier step did the later ones again: the last run counts.
  while (!series.x.empty() && series.x.back() >= step->get<double>()) {
    series.x.pop_back();
    series.y.pop_back();
  }
  series.x.push_back(step->get<double>());
  series.y.push_back(value->get<double>());
}

} // namespace

bool drawCurve(const std::string &history, const std::string &picture, const std::string &title) {
  Series raw, smoothed, validation;
  raw.name = "training";
  raw.faint = true;
  smoothed.name = "training, moving average";
  validation.name = "validation";
  validation.marks = true;
  std::ifstream file(history);
  for (std::string line; std::getline(file, line);) {
    nlohmann::json entry = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object())
      continue;
    add(raw, entry, "loss");
    add(validation, entry, "validation_loss");
  }
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
