// Line charts as pictures: SVG, or PNG for programs that do not show SVG.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime {

struct Series {
  std::string name; // for the legend
  std::vector<double> x;
  std::vector<double> y;
  bool faint = false; // a thin pale line: raw values behind a smoothed curve
  bool marks = false; // a dot at each point
};

struct LineChart {
  std::string title;
  std::string xLabel;
  std::string yLabel;
  std::vector<Series> series;
};

// Pictures of 960 × 540 points, written atomically. Throw AXL_ERROR_FILE, and AXL_ERROR_ARGUMENT if
// no series has a finite point (below 1e300).
void writeSvg(const LineChart &chart, const std::string &path);
void writePng(const LineChart &chart, const std::string &path);

// An average over about `window` points around each point, as long as `values`.
std::vector<double> smooth(const std::vector<double> &values, size_t window);

} // namespace axloom::runtime
