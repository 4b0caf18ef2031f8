#include "runtime/plot/Canvas.h"

#include "runtime/plot/Font.h"

#include <algorithm>
#include <cmath>

using namespace axloom::runtime::plot;

namespace {

constexpr double capitalHeight = 7; // of glyphs

double distance(Point p, Point from, Point to) {
  double dx = to.x - from.x, dy = to.y - from.y;
  double squared = dx * dx + dy * dy;
  double along = squared > 0 ? ((p.x - from.x) * dx + (p.y - from.y) * dy) / squared : 0;
  along = std::clamp(along, 0.0, 1.0);
  return std::hypot(p.x - from.x - along * dx, p.y - from.y - along * dy);
}

} // namespace

PixelCanvas::PixelCanvas(int width, int height, double pixelsPerPoint)
    : columnCount(int(width * pixelsPerPoint)), rowCount(int(height * pixelsPerPoint)),
      scale(pixelsPerPoint), colors(size_t(columnCount) * size_t(rowCount) * 3, 255),
      coverage(size_t(columnCount) * size_t(rowCount)), left(columnCount), right(0), top(rowCount),
      bottom(0) {}

// A line with round ends, in pixels. Where lines of one stroke overlap, the largest coverage
// counts.
void PixelCanvas::cover(Point from, Point to, double halfWidth) {
  int x0 = std::max(0, int(std::floor(std::min(from.x, to.x) - halfWidth - 1)));
  int x1 = std::min(columnCount, int(std::ceil(std::max(from.x, to.x) + halfWidth + 1)) + 1);
  int y0 = std::max(0, int(std::floor(std::min(from.y, to.y) - halfWidth - 1)));
  int y1 = std::min(rowCount, int(std::ceil(std::max(from.y, to.y) + halfWidth + 1)) + 1);
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) {
      double reach = halfWidth + 0.5 - distance({x + 0.5, y + 0.5}, from, to);
      float &pixel = coverage[size_t(y) * size_t(columnCount) + size_t(x)];
      pixel = std::max(pixel, float(std::clamp(reach, 0.0, 1.0)));
    }
  left = std::min(left, x0);
  right = std::max(right, x1);
  top = std::min(top, y0);
  bottom = std::max(bottom, y1);
}

// Brings the stroke in progress onto the picture.
void PixelCanvas::blend(Color color, double opacity) {
  const unsigned char channels[] = {color.red, color.green, color.blue};
  for (int y = top; y < bottom; ++y)
    for (int x = left; x < right; ++x) {
      size_t index = size_t(y) * size_t(columnCount) + size_t(x);
      double share = double(coverage[index]) * opacity;
      for (size_t channel = 0; channel < 3; ++channel) {
        unsigned char &value = colors[3 * index + channel];
        value = static_cast<unsigned char>(
            std::lround(value + share * (double(channels[channel]) - value)));
      }
      coverage[index] = 0;
    }
  left = columnCount;
  right = 0;
  top = rowCount;
  bottom = 0;
}

void PixelCanvas::polyline(const std::vector<Point> &points, double width, Color color,
                           double opacity) {
  for (size_t i = 1; i < points.size(); ++i)
    cover({points[i - 1].x * scale, points[i - 1].y * scale},
          {points[i].x * scale, points[i].y * scale}, width * scale / 2);
  blend(color, opacity);
}

void PixelCanvas::dot(Point center, double radius, Color color) {
  Point middle{center.x * scale, center.y * scale};
  cover(middle, middle, radius * scale);
  blend(color, 1);
}

void PixelCanvas::rectangle(Point from, Point to, Color color) {
  auto place = [&](double along, int count) {
    return size_t(std::clamp<long>(std::lround(along * scale), 0, count));
  };
  size_t x0 = place(from.x, columnCount), x1 = place(to.x, columnCount);
  size_t y0 = place(from.y, rowCount), y1 = place(to.y, rowCount);
  for (size_t y = y0; y < y1; ++y)
    for (size_t x = x0; x < x1; ++x) {
      unsigned char *pixel = &colors[3 * (y * size_t(columnCount) + x)];
      pixel[0] = color.red;
      pixel[1] = color.green;
      pixel[2] = color.blue;
    }
}

void PixelCanvas::text(Point at, const std::string &text, double size, Color color, Anchor anchor,
                       bool vertical) {
  double unit = size / sizeOfUnit * scale;
  double length = textWidth(text, size) * scale;
  double before = anchor == Anchor::Start ? 0 : anchor == Anchor::Middle ? length / 2 : length;
  // Begins at a whole pixel, so that equal texts look equal.
  Point start{std::round(at.x * scale - (vertical ? 0 : before)),
              std::round(at.y * scale + (vertical ? before : 0))};
  double pen = 0;
  auto place = [&](Point p) {
    double along = pen + p.x * unit, below = (p.y - capitalHeight) * unit;
    return vertical ? Point{start.x + below, start.y - along}
                    : Point{start.x + along, start.y + below};
  };
  for (const Glyph &glyph : glyphsOf(text)) {
    for (const auto &stroke : glyph.strokes)
      for (size_t i = 0; i < stroke.size(); ++i)
        cover(place(stroke[i > 0 ? i - 1 : 0]), place(stroke[i]), size * scale * 0.042);
    pen += glyph.advance * unit;
  }
  blend(color, 1);
}
