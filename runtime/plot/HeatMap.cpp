#include "runtime/plot/HeatMap.h"

#include "runtime/core/Error.h"
#include "runtime/plot/ColorScale.h"
#include "runtime/plot/Font.h"
#include "runtime/plot/Picture.h"

#include <algorithm>
#include <cmath>
#include <string_view>

using namespace axloom::runtime;
using namespace axloom::runtime::plot;

namespace {

constexpr double margin = 24, gap = 18;                               // around all, between panels
constexpr double titleSize = 19, longestTitle = 560, headerRoom = 44; // of the picture
constexpr double panelTitleSize = 10, panelTitleRoom = 18;
constexpr double sideTitleSize = 12, sideTitleRoom = 22;
constexpr double cellTextSize = 9;
constexpr double labelGap = 5, longestLabel = 9; // the latter in sizes of the label
constexpr double smallestCell = 9, largestCell = 40;
constexpr double wantedPanel = 440, wantedWidth = 1000; // of one panel, of all side by side
constexpr int barWidth = 150, barHeight = 10;
constexpr Color notANumber{190, 190, 190};
constexpr size_t mostSvgCells = 1'000'000; // some hundred bytes each

void checkShape(const HeatMap &map) {
  size_t cells = map.rows.labels.size() * map.columns.labels.size();
  if (map.panels.empty() || cells == 0)
    throw Error(AXL_ERROR_ARGUMENT, concat("heat map '", map.title, "' has nothing to draw"));
  if (!(map.highest > 0))
    throw Error(AXL_ERROR_ARGUMENT, concat("heat map '", map.title, "' has ", map.highest,
                                           " as its highest number; it must be above 0"));
  for (const HeatMap::Side *side : {&map.rows, &map.columns})
    if (!side->notes.empty() && side->notes.size() != side->labels.size())
      throw Error(AXL_ERROR_ARGUMENT, concat("heat map '", map.title, "' has ", side->notes.size(),
                                             " notes for ", side->labels.size(), " labels"));
  for (const HeatMap::Panel &panel : map.panels)
    if (panel.values.size() != cells || (!panel.texts.empty() && panel.texts.size() != cells))
      throw Error(AXL_ERROR_ARGUMENT,
                  concat("panel '", panel.title, "' of heat map '", map.title, "' needs ",
                         map.rows.labels.size(), " x ", map.columns.labels.size(),
                         " values, and texts for all or none; it has ", panel.values.size(),
                         " values and ", panel.texts.size(), " texts"));
}

double widest(const std::vector<std::string> &texts, double size) {
  double width = 0;
  for (const std::string &text : texts)
    width = std::max(width, textWidth(text, size));
  return width;
}

// Where everything lies, in points.
struct Layout {
  explicit Layout(const HeatMap &map)
      : across(std::max<size_t>(map.across, 1)), cell(cellSize(map)),
        labelSize(std::clamp(0.8 * cell, 7.5, 10.0)),
        panelTitle(map.panels[0].title.empty() ? 0 : panelTitleRoom),
        columnRoom(labelRoom(map.columns)),
        panelWidth(std::max(double(map.columns.labels.size()) * cell, widestTitle(map))),
        panelHeight(double(map.rows.labels.size()) * cell),
        left(margin + sideTitleRoom + labelRoom(map.rows)),
        top(margin + headerRoom + sideTitleRoom) {
    size_t lines = (map.panels.size() + across - 1) / across;
    double title = std::min(textWidth(map.title, titleSize), longestTitle);
    double bar = textWidth(map.measure, sideTitleSize) + gap + barWidth;
    double rowTitle = textWidth(map.rows.title, sideTitleSize);
    width = std::max(right() + margin, title + 2 * gap + bar + 2 * margin);
    height = std::max(top + double(lines) * lineHeight() - gap, top + rowTitle) + margin;
    titleWidth = width - bar - 2 * gap - 2 * margin;
    pixelsPerPoint = std::min(2.0, std::sqrt(24e6 / (width * height)));
    seam = pixelsPerPoint < 2 ? 0 : 0.5;
  }

  // The end of the panels.
  double right() const { return left + double(across) * (panelWidth + gap) - gap; }
  double lineHeight() const { return panelTitle + columnRoom + panelHeight + gap; }

  // The upper left corner of a panel's cells.
  Point corner(size_t panel) const {
    size_t line = panel / across, place = panel % across;
    return {left + double(place) * (panelWidth + gap),
            top + double(line) * lineHeight() + panelTitle + columnRoom};
  }

  // Between labels and cells.
  double noteRoom(const HeatMap::Side &side) const {
    return side.notes.empty() ? 0 : std::ceil(widest(side.notes, labelSize)) + 2 * labelGap;
  }

  size_t across;
  double cell, labelSize, panelTitle, columnRoom, panelWidth, panelHeight;
  double left; // of the panels' cells
  double top;  // of the panels with their titles and labels
  double width, height, titleWidth;
  double pixelsPerPoint;
  double seam; // of background, between cells, where pixels are small enough to make all equal

private:
  // As large as there is room for, and at least as wide as the texts.
  double cellSize(const HeatMap &map) const {
    double wanted = std::min(wantedPanel, wantedWidth / double(across));
    double cell = std::clamp(std::floor(wanted / double(map.columns.labels.size())), smallestCell,
                             largestCell);
    for (const HeatMap::Panel &panel : map.panels)
      cell = std::max(cell, std::ceil(widest(panel.texts, cellTextSize)) + 5);
    return cell;
  }

  static double widestTitle(const HeatMap &map) {
    double width = 0;
    for (const HeatMap::Panel &panel : map.panels)
      width = std::max(width, textWidth(panel.title, panelTitleSize));
    return width;
  }

  double labelRoom(const HeatMap::Side &side) const {
    double labels = std::min(widest(side.labels, labelSize), longestLabel * labelSize);
    return std::ceil(labels) + labelGap + noteRoom(side);
  }
};

class Drawing {
public:
  Drawing(const HeatMap &map, const Layout &layout, Canvas &canvas)
      : map(map), at(layout), canvas(canvas) {}

  void draw() {
    drawTitles();
    drawBar();
    for (size_t i = 0; i < map.panels.size(); ++i)
      drawPanel(map.panels[i], at.corner(i), i % at.across == 0);
  }

private:
  void drawTitles() {
    canvas.text({margin, margin + 14}, fitted(map.title, titleSize, at.titleWidth), titleSize, ink,
                Anchor::Start);
    double half = textWidth(map.columns.title, sideTitleSize) / 2;
    canvas.text({std::max((at.left + at.right()) / 2, margin + half), at.top - 14},
                map.columns.title, sideTitleSize, soft, Anchor::Middle);
    canvas.text({margin + 10, (at.top + at.height - margin) / 2}, map.rows.title, sideTitleSize,
                soft, Anchor::Middle, true);
  }

  // What the colors mean.
  void drawBar() {
    double end = at.width - margin, begin = end - barWidth, y = margin + 2;
    for (int x = 0; x < barWidth; ++x)
      canvas.rectangle({begin + x, y}, {begin + x + 1, y + barHeight},
                       colorOfShare((x + 0.5) / barWidth));
    canvas.text({begin - 10, y + 9}, map.measure, sideTitleSize, ink, Anchor::End);
    canvas.text({begin, y + 24}, "0", 10, soft, Anchor::Start);
    canvas.text({end, y + 24}, concat(map.highest), 10, soft, Anchor::End);
  }

  void drawPanel(const HeatMap::Panel &panel, Point corner, bool first) {
    canvas.text({corner.x, corner.y - at.columnRoom - 6}, panel.title, panelTitleSize, ink,
                Anchor::Start);
    size_t columns = map.columns.labels.size();
    for (size_t column = 0; column < columns; ++column)
      drawLabel(map.columns, column, {corner.x + (double(column) + 0.5) * at.cell, corner.y}, true);
    for (size_t row = 0; row < map.rows.labels.size(); ++row) {
      double y = corner.y + double(row) * at.cell;
      if (first)
        drawLabel(map.rows, row, {corner.x, y + at.cell / 2}, false);
      for (size_t column = 0; column < columns; ++column)
        drawCell(panel, row * columns + column, {corner.x + double(column) * at.cell, y});
    }
  }

  // Left of, or upwards from, the middle of the side of a cell.
  void drawLabel(const HeatMap::Side &side, size_t index, Point middle, bool upwards) {
    auto draw = [&](const std::string &text, double away, Color color) {
      Point start = upwards ? Point{middle.x + 0.33 * at.labelSize, middle.y - away}
                            : Point{middle.x - away, middle.y + 0.33 * at.labelSize};
      canvas.text(start, text, at.labelSize, color, upwards ? Anchor::Start : Anchor::End, upwards);
    };
    if (!side.notes.empty())
      draw(side.notes[index], labelGap, soft);
    draw(fitted(side.labels[index], at.labelSize, longestLabel * at.labelSize),
         labelGap + at.noteRoom(side), ink);
  }

  void drawCell(const HeatMap::Panel &panel, size_t index, Point corner) {
    double value = panel.values[index];
    Color color = std::isfinite(value) ? colorOfShare(value / map.highest) : notANumber;
    canvas.rectangle(corner, {corner.x + at.cell - at.seam, corner.y + at.cell - at.seam}, color);
    if (!panel.texts.empty())
      canvas.text({corner.x + at.cell / 2, corner.y + at.cell / 2 + 0.33 * cellTextSize},
                  panel.texts[index], cellTextSize, isDark(color) ? Color{255, 255, 255} : ink,
                  Anchor::Middle);
  }

  const HeatMap &map;
  const Layout &at;
  Canvas &canvas;
};

} // namespace

void axloom::runtime::writeSvg(const HeatMap &map, const std::string &path) {
  checkShape(map);
  size_t cells = map.panels.size() * map.panels[0].values.size();
  if (cells > mostSvgCells)
    throw Error(AXL_ERROR_ARGUMENT, concat("heat map '", map.title, "' has ", cells,
                                           " cells, too many for an SVG: name it .png"));
  Layout layout(map);
  SvgCanvas canvas(int(layout.width), int(layout.height));
  Drawing(map, layout, canvas).draw();
  save(canvas, path);
}

void axloom::runtime::writePng(const HeatMap &map, const std::string &path) {
  checkShape(map);
  Layout layout(map);
  PixelCanvas canvas(int(layout.width), int(layout.height), layout.pixelsPerPoint);
  Drawing(map, layout, canvas).draw();
  save(canvas, path);
}

void axloom::runtime::writePicture(const HeatMap &map, const std::string &path) {
  if (path.ends_with(".png"))
    writePng(map, path);
  else if (path.ends_with(".svg"))
    writeSvg(map, path);
  else
    throw Error(AXL_ERROR_ARGUMENT,
                concat("cannot tell from '", path, "' how to draw: name it .png or .svg"));
}
