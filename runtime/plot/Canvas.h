// What charts are drawn on: lines and text in points, from the upper left corner.
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime::plot {

struct Point {
  double x, y;
};

struct Color {
  unsigned char red, green, blue;
};

enum class Anchor { Start, Middle, End };

class Canvas {
public:
  virtual ~Canvas() = default;

  virtual void polyline(const std::vector<Point> &points, double width, Color color,
                        double opacity = 1) = 0;
  virtual void dot(Point center, double radius, Color color) = 0;
  // A filled one, between two opposite corners, without soft edges: neighbors leave no seam.
  virtual void rectangle(Point from, Point to, Color color) = 0;
  // `at` is on the baseline; vertical text reads upwards.
  virtual void text(Point at, const std::string &text, double size, Color color, Anchor anchor,
                    bool vertical = false) = 0;
};

// A Canvas that becomes an SVG document.
class SvgCanvas : public Canvas {
public:
  SvgCanvas(int width, int height);

  void polyline(const std::vector<Point> &points, double width, Color color,
                double opacity) override;
  void dot(Point center, double radius, Color color) override;
  void rectangle(Point from, Point to, Color color) override;
  void text(Point at, const std::string &text, double size, Color color, Anchor anchor,
            bool vertical) override;

  std::string document() const { return body + "</svg>\n"; }

private:
  std::string body;
};

// A Canvas of pixels, drawn without jagged edges.
class PixelCanvas : public Canvas {
public:
  PixelCanvas(int width, int height, double pixelsPerPoint);

  void polyline(const std::vector<Point> &points, double width, Color color,
                double opacity) override;
  void dot(Point center, double radius, Color color) override;
  void rectangle(Point from, Point to, Color color) override;
  void text(Point at, const std::string &text, double size, Color color, Anchor anchor,
            bool vertical) override;

  int columns() const { return columnCount; }
  int rows() const { return rowCount; }
  // Red, green, blue of each pixel, row by row.
  const std::vector<unsigned char> &pixels() const { return colors; }

private:
  void cover(Point from, Point to, double halfWidth);
  void blend(Color color, double opacity);

  int columnCount, rowCount;
  double scale;
  std::vector<unsigned char> colors;
  // How much of each pixel the stroke in progress covers, and where it may not be zero.
  std::vector<float> coverage;
  int left, right, top, bottom;
};

} // namespace axloom::runtime::plot
