#include "runtime/plot/LineChart.h"

#include "runtime/core/Decimal.h"
#include "runtime/core/Error.h"
#include "runtime/plot/Picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

using namespace axloom::runtime;
using namespace axloom::runtime::plot;

namespace {

constexpr int width = 960, height = 540;
constexpr double pixelsPerPoint = 2;
constexpr double left = 84, right = 28, top = 56, bottom = 64; // margins

constexpr Color grid{226, 229, 235};
constexpr std::array<Color, 6> palette = {
    {{37, 99, 201}, {217, 95, 2}, {27, 138, 90}, {170, 58, 148}, {120, 120, 120}, {190, 150, 20}}};

// One axis: which numbers it shows and where its marks are.
struct Scale {
  double low, high, step;

  // `margin`: part of the range to leave free at both ends.
  Scale(double smallest, double largest, double margin, int marks) {
    double magnitude = std::max(std::abs(smallest), std::abs(largest));
    if (largest - smallest < 1e-12 * std::max(1.0, magnitude)) {
      double around = std::max(0.5, 1e-3 * magnitude);
      smallest -= around;
      largest += around;
    }
    double free = (largest - smallest) * margin;
    low = smallest - free;
    high = largest + free;
    // The smallest of 1, 2, 5 times a power of ten that gives no more marks than wanted.
    double rough = (high - low) / marks;
    double power = std::pow(10, std::floor(std::log10(rough)));
    step = 10 * power;
    for (double factor : {5.0, 2.0, 1.0})
      if (factor * power >= rough)
        step = factor * power;
  }

  std::vector<double> marks() const {
    std::vector<double> found;
    auto last = int64_t(std::floor(high / step + 1e-9));
    for (auto index = int64_t(std::ceil(low / step)); index <= last; ++index)
      found.push_back(double(index) * step);
    return found;
  }
};

int placesBeforePoint(double value) { return int(std::floor(std::log10(value) + 1e-9)); }

// "1,500" where marks are whole numbers, otherwise as many digits as the step needs; "1.5e+09"
// where that is too long for the room, and few digits tell marks apart.
std::string label(double value, double step, size_t room) {
  if (std::abs(value) < step / 2)
    value = 0;
  std::string number = decimal(value, std::max(0, -placesBeforePoint(step)));
  size_t end = std::min(number.find('.'), number.size());
  size_t begin = number[0] == '-' ? 1 : 0;
  for (size_t place = end; place > begin + 3; place -= 3)
    number.insert(place - 3, 1, ',');
  if (number.size() <= room || value == 0)
    return number;
  int digits = placesBeforePoint(std::abs(value)) - placesBeforePoint(step) + 1;
  return decimal(value, std::max(1, digits), std::chars_format::general);
}

// Whether a point can be drawn: a range of numbers that are much larger would not be finite.
bool isInRange(const Series &series, size_t i) {
  return std::abs(series.x[i]) < 1e300 && std::abs(series.y[i]) < 1e300;
}

size_t pointCount(const Series &series) { return std::min(series.x.size(), series.y.size()); }

// Smallest and largest number of the points that can be drawn.
std::pair<Scale, Scale> makeScales(const LineChart &chart) {
  double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
  for (const Series &series : chart.series)
    for (size_t i = 0; i < pointCount(series); ++i)
      if (isInRange(series, i)) {
        x0 = std::min(x0, series.x[i]);
        x1 = std::max(x1, series.x[i]);
        y0 = std::min(y0, series.y[i]);
        y1 = std::max(y1, series.y[i]);
      }
  if (x0 > x1)
    throw Error(AXL_ERROR_ARGUMENT,
                concat("chart '", chart.title, "' has no finite point to draw"));
  return {Scale(x0, x1, 0, 10), Scale(y0, y1, 0.05, 8)};
}

class Drawing {
public:
  Drawing(const LineChart &chart, Canvas &canvas)
      : chart(chart), canvas(canvas), scales(makeScales(chart)) {}

  void draw() {
    drawGrid();
    for (size_t i = 0; i < chart.series.size(); ++i)
      drawSeries(chart.series[i], palette[i % palette.size()]);
    drawLegend();
  }

private:
  double xOf(double value) const {
    return left + (value - scales.first.low) / (scales.first.high - scales.first.low) *
                      (width - left - right);
  }
  double yOf(double value) const {
    return height - bottom -
           (value - scales.second.low) / (scales.second.high - scales.second.low) *
               (height - top - bottom);
  }

  void drawGrid() {
    for (double mark : scales.second.marks()) {
      canvas.polyline({{left, yOf(mark)}, {width - right, yOf(mark)}}, 1, grid);
      canvas.text({left - 10, yOf(mark) + 4.5}, label(mark, scales.second.step, 8), 13, soft,
                  Anchor::End);
    }
    for (double mark : scales.first.marks()) {
      canvas.polyline({{xOf(mark), height - bottom}, {xOf(mark), height - bottom + 5}}, 1, soft);
      canvas.text({xOf(mark), height - bottom + 21}, label(mark, scales.first.step, 10), 13, soft,
                  Anchor::Middle);
    }
    canvas.polyline({{left, height - bottom}, {width - right, height - bottom}}, 1.2, soft);
    canvas.text({left, 32}, chart.title, 19, ink, Anchor::Start);
    canvas.text({(left + width - right) / 2, height - 16}, chart.xLabel, 14, ink, Anchor::Middle);
    canvas.text({24, (top + height - bottom) / 2}, chart.yLabel, 14, ink, Anchor::Middle, true);
  }

  void drawSeries(const Series &series, Color color) {
    std::vector<Point> line;
    auto finish = [&] {
      if (line.size() == 1 && !series.marks)
        canvas.dot(line[0], 2.2, color);
      else if (line.size() > 1)
        canvas.polyline(line, series.faint ? 1 : 2.2, color, series.faint ? 0.35 : 1);
      line.clear();
    };
    for (size_t i = 0; i < pointCount(series); ++i) {
      if (!isInRange(series, i)) {
        finish();
        continue;
      }
      line.push_back({xOf(series.x[i]), yOf(series.y[i])});
      if (series.marks)
        canvas.dot(line.back(), 3.6, color);
    }
    finish();
  }

  // In the upper right corner, where falling curves leave room; rows from the top.
  void drawLegend() {
    double y = top + 16;
    for (size_t i = 0; i < chart.series.size(); ++i) {
      const Series &series = chart.series[i];
      if (series.name.empty())
        continue;
      Color color = palette[i % palette.size()];
      double end = width - right - 12;
      canvas.text({end - 38, y + 4.5}, series.name, 13, ink, Anchor::End);
      canvas.polyline({{end - 28, y}, {end, y}}, series.faint ? 1 : 2.2, color,
                      series.faint ? 0.35 : 1);
      if (series.marks)
        canvas.dot({end - 14, y}, 3.6, color);
      y += 21;
    }
  }

  const LineChart &chart;
  Canvas &canvas;
  std::pair<Scale, Scale> scales; // of x and y
};

} // namespace

void axloom::runtime::writeSvg(const LineChart &chart, const std::string &path) {
  SvgCanvas canvas(width, height);
  Drawing(chart, canvas).draw();
  save(canvas, path);
}

void axloom::runtime::writePng(const LineChart &chart, const std::string &path) {
  PixelCanvas canvas(width, height, pixelsPerPoint);
  Drawing(chart, canvas).draw();
  save(canvas, path);
}

std::vector<double> axloom::runtime::smooth(const std::vector<double> &values, size_t window) {
  std::vector<double> averages;
  for (size_t i = 0; i < values.size(); ++i) {
    auto begin = ptrdiff_t(i - std::min(i, window / 2)),
         end = ptrdiff_t(std::min(i + window / 2 + 1, values.size()));
    double sum = std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
    averages.push_back(sum / double(end - begin));
  }
  return averages;
}
