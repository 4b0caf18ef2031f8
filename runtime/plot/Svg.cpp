#include "runtime/plot/Canvas.h"
#include "runtime/plot/Font.h"

#include <cstdio>

using namespace axloom::runtime::plot;

namespace {

template <class... Values> std::string format(const char *pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string hex(Color color) { return format("#%02x%02x%02x", color.red, color.green, color.blue); }

std::string escape(const std::string &text) {
  std::string safe;
  for (char letter : readable(text))
    switch (letter) {
    case '&':
      safe += "&amp;";
      break;
    case '<':
      safe += "&lt;";
      break;
    case '>':
      safe += "&gt;";
      break;
    default:
      safe += letter;
    }
  return safe;
}

} // namespace

SvgCanvas::SvgCanvas(int width, int height)
    : body(format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\">\n",
                  width, height, width, height) +
           "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n") {}

void SvgCanvas::polyline(const std::vector<Point> &points, double width, Color color,
                         double opacity) {
  body += "<polyline fill=\"none\" stroke=\"" + hex(color) + "\"" +
          format(" stroke-width=\"%.4g\" stroke-opacity=\"%.4g\"", width, opacity) +
          " stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"";
  for (const Point &point : points)
    body += format("%.2f,%.2f ", point.x, point.y);
  body += "\"/>\n";
}

void SvgCanvas::dot(Point center, double radius, Color color) {
  body += format("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.4g\"", center.x, center.y, radius) +
          " fill=\"" + hex(color) + "\"/>\n";
}

void SvgCanvas::rectangle(Point from, Point to, Color color) {
  body += format("<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"", from.x, from.y,
                 to.x - from.x, to.y - from.y) +
          " fill=\"" + hex(color) + "\" shape-rendering=\"crispEdges\"/>\n";
}

void SvgCanvas::text(Point at, const std::string &text, double size, Color color, Anchor anchor,
                     bool vertical) {
  constexpr const char *anchors[] = {"start", "middle", "end"};
  body += format("<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.4g\" text-anchor=\"%s\"", at.x, at.y,
                 size, anchors[int(anchor)]) +
          " fill=\"" + hex(color) + "\"";
  if (vertical)
    body += format(" transform=\"rotate(-90 %.2f %.2f)\"", at.x, at.y);
  body += ">" + escape(text) + "</text>\n";
}
