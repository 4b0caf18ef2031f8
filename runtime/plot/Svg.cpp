#include "runtime/core/Decimal.h"
#include "runtime/core/Error.h"
#include "runtime/plot/Canvas.h"
#include "runtime/plot/Font.h"

using namespace axloom::runtime;
using namespace axloom::runtime::plot;

namespace {

// A place, to a hundredth of a point.
std::string at(double value) { return decimal(value, 2); }

// A size, with so many digits that count.
std::string measure(double value, int digits = 4) {
  return decimal(value, digits, std::chars_format::general);
}

std::string hex(Color color) {
  constexpr const char *digits = "0123456789abcdef";
  std::string text = "#";
  for (unsigned char part : {color.red, color.green, color.blue})
    text.append({digits[part >> 4], digits[part & 15]});
  return text;
}

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
    : body(concat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", width, "\" height=\"",
                  height, "\" viewBox=\"0 0 ", width, " ", height,
                  "\" font-family=\"sans-serif\">\n",
                  "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n")) {}

void SvgCanvas::polyline(const std::vector<Point> &points, double width, Color color,
                         double opacity) {
  body += concat("<polyline fill=\"none\" stroke=\"", hex(color), "\" stroke-width=\"",
                 measure(width), "\" stroke-opacity=\"", measure(opacity),
                 "\" stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"");
  for (const Point &point : points)
    body += at(point.x) + "," + at(point.y) + " ";
  body += "\"/>\n";
}

void SvgCanvas::dot(Point center, double radius, Color color) {
  body += concat("<circle cx=\"", at(center.x), "\" cy=\"", at(center.y), "\" r=\"",
                 measure(radius), "\" fill=\"", hex(color), "\"/>\n");
}

void SvgCanvas::rectangle(Point from, Point to, Color color) {
  body += concat("<rect x=\"", measure(from.x, 6), "\" y=\"", measure(from.y, 6), "\" width=\"",
                 measure(to.x - from.x, 6), "\" height=\"", measure(to.y - from.y, 6), "\" fill=\"",
                 hex(color), "\" shape-rendering=\"crispEdges\"/>\n");
}

void SvgCanvas::text(Point place, const std::string &text, double size, Color color, Anchor anchor,
                     bool vertical) {
  constexpr const char *anchors[] = {"start", "middle", "end"};
  std::string x = at(place.x), y = at(place.y);
  body += concat("<text x=\"", x, "\" y=\"", y, "\" font-size=\"", measure(size),
                 "\" text-anchor=\"", anchors[int(anchor)], "\" fill=\"", hex(color), "\"");
  if (vertical)
    body += concat(" transform=\"rotate(-90 ", x, " ", y, ")\"");
  body += ">" + escape(text) + "</text>\n";
}
