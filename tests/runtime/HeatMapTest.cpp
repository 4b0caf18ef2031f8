// Pictures of colored cells: which color lies where, and what is written beside it.
#include "runtime/plot/HeatMap.h"
#include "runtime/plot/ColorScale.h"
#include "runtime/plot/Font.h"
#include "tests/runtime/DecodePng.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cmath>
#include <regex>

using namespace axloom::runtime;
using namespace axloom::test;
using plot::Color;
using plot::colorOfShare;
using testing::HasSubstr;

namespace {

// Two panels of 2 x 3 cells, side by side.
HeatMap makeMap() {
  HeatMap map;
  map.title = "A <map>";
  map.rows = {"rows", {"first", "second"}, {}};
  map.columns = {"columns", {"x", "y", "z"}, {}};
  map.panels = {{"left", {0, 0.5F, 1, 0.25F, 0, 0.75F}, {}}, {"right", {1, 1, 1, 0, 0, 0}, {}}};
  map.across = 2;
  map.measure = "share";
  return map;
}

std::string hex(Color color) {
  char text[8];
  std::snprintf(text, sizeof(text), "#%02x%02x%02x", color.red, color.green, color.blue);
  return text;
}

struct Cell {
  double x, y, width;
  std::string fill;
};

// The cells of an SVG, without the color bar: its pieces are one point wide.
std::vector<Cell> cellsOf(const std::string &svg) {
  std::vector<Cell> cells;
  std::regex form(
      R"re(<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="[^"]*" fill="([^"]*)")re");
  for (std::sregex_iterator i(svg.begin(), svg.end(), form), end; i != end; ++i)
    if (double width = std::stod((*i)[3]); width > 1)
      cells.push_back({std::stod((*i)[1]), std::stod((*i)[2]), width, (*i)[4]});
  return cells;
}

std::string svgOf(const HeatMap &map) {
  TemporaryFolder folder;
  writeSvg(map, folder.path("a.svg"));
  return readFile(folder.path("a.svg"));
}

TEST(HeatMap, EachCellHasItsPlaceAndColor) {
  HeatMap map = makeMap();
  std::vector<Cell> cells = cellsOf(svgOf(map));
  ASSERT_EQ(cells.size(), 12u);
  for (size_t panel = 0; panel < 2; ++panel)
    for (size_t i = 0; i < 6; ++i)
      EXPECT_EQ(cells[6 * panel + i].fill, hex(colorOfShare(map.panels[panel].values[i])));
  double step = cells[1].x - cells[0].x;
  EXPECT_GT(step, 8);
  EXPECT_NEAR(cells[2].x, cells[0].x + 2 * step, 0.01);
  EXPECT_NEAR(cells[3].y, cells[0].y + step, 0.01); // square
  EXPECT_EQ(cells[6].y, cells[0].y);                // side by side
  EXPECT_GT(cells[6].x, cells[2].x + step);
}

TEST(HeatMap, PanelsGoOnInTheNextLine) {
  HeatMap map = makeMap();
  map.across = 1;
  std::vector<Cell> cells = cellsOf(svgOf(map));
  EXPECT_EQ(cells[6].x, cells[0].x);
  EXPECT_GT(cells[6].y, cells[3].y + cells[3].width);
}

TEST(HeatMap, SaysWhatIsWhat) {
  HeatMap map = makeMap();
  map.columns.labels[1] = "Donaudampfschifffahrtsgesellschaft";
  map.columns.labels[2] = "中\xff";
  map.rows.notes = {"note", "other note"};
  map.highest = 2.5;
  std::string svg = svgOf(map);
  for (const char *part :
       {">A &lt;map&gt;<", ">rows<", ">columns<", ">left<", ">right<", ">second<", ">other note<",
        ">x<", ">Donaudampf", "…<", ">中\uFFFD<", ">share<", ">2.5<"})
    EXPECT_THAT(svg, HasSubstr(part));
  EXPECT_THAT(svg, testing::Not(HasSubstr("gesellschaft")));
}

// Where a text stands, each time that it does.
std::vector<std::pair<double, double>> placesOf(const std::string &svg, const std::string &text) {
  std::vector<std::pair<double, double>> places;
  std::regex form(R"re(<text x="([^"]*)" y="([^"]*)"[^>]*>)re" + text + "<");
  for (std::sregex_iterator i(svg.begin(), svg.end(), form), end; i != end; ++i)
    places.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  return places;
}

TEST(HeatMap, LabelsStandAtTheirColumnsAndRows) {
  HeatMap map = makeMap();
  std::string svg = svgOf(map);
  std::vector<Cell> cells = cellsOf(svg);
  for (size_t column = 0; column < 3; ++column) {
    auto places = placesOf(svg, map.columns.labels[column]);
    ASSERT_EQ(places.size(), 2u) << "of each panel";
    for (size_t panel = 0; panel < 2; ++panel) {
      const Cell &top = cells[6 * panel + column];
      EXPECT_GT(places[panel].first, top.x);
      EXPECT_LT(places[panel].first, top.x + top.width);
    }
  }
  for (size_t row = 0; row < 2; ++row) {
    auto places = placesOf(svg, map.rows.labels[row]);
    ASSERT_EQ(places.size(), 1u) << "of the first panel";
    const Cell &left = cells[3 * row]; // square
    EXPECT_GT(places[0].second, left.y);
    EXPECT_LT(places[0].second, left.y + left.width);
  }
}

TEST(HeatMap, PngHasTheSameCells) {
  TemporaryFolder folder;
  HeatMap map = makeMap();
  writePng(map, folder.path("a.png"));
  Pixels pixels = decodePng(readFile(folder.path("a.png")));
  std::vector<Cell> cells = cellsOf(svgOf(map));
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell &cell = cells[i];
    auto middle = [&](double from) { return size_t(2 * (from + cell.width / 2)); };
    Color color = colorOfShare(map.panels[i / 6].values[i % 6]);
    EXPECT_EQ(pixels.at(middle(cell.x), middle(cell.y)),
              (std::vector<int>{color.red, color.green, color.blue}))
        << i;
  }
}

TEST(HeatMap, TextsInCellsCanBeRead) {
  HeatMap map = makeMap();
  map.panels.pop_back();
  map.panels[0].texts = {"0", "50", "100", "25", "123456789", "75"};
  std::string svg = svgOf(map);
  EXPECT_TRUE(std::regex_search(svg, std::regex("fill=\"#ffffff\">100<"))) << "white on dark";
  EXPECT_TRUE(std::regex_search(svg, std::regex("fill=\"#2d313a\">0<"))) << "dark on white";
  EXPECT_GT(cellsOf(svg)[0].width, 40) << "as wide as the widest text";
}

TEST(HeatMap, WhatIsNoNumberIsGray) {
  HeatMap map = makeMap();
  map.panels[0].values[1] = NAN;
  EXPECT_EQ(cellsOf(svgOf(map))[1].fill, "#bebebe");
}

// 24 layers of 16 heads that look at 128 tokens.
TEST(HeatMap, LargePicturesHaveFewerPixels) {
  TemporaryFolder folder;
  HeatMap map;
  map.rows.labels = map.columns.labels = std::vector<std::string>(128, "token");
  map.panels.assign(size_t(24 * 16), {"", std::vector<float>(size_t(128 * 128), 1), {}});
  map.across = 16;
  writePng(map, folder.path("a.png"));
  std::string png = readFile(folder.path("a.png"));
  EXPECT_NEAR(double(bigEndian(png, 16)) * bigEndian(png, 20), 24e6, 1e6);
  expectError(AXL_ERROR_ARGUMENT,
              "heat map '' has 6291456 cells, too many for an SVG: name it .png",
              [&] { writeSvg(map, "unused.svg"); });
}

TEST(HeatMap, TitlesOfNarrowPanelsHaveRoom) {
  HeatMap map = makeMap();
  map.columns.labels = {"x"};
  map.panels = {{"layer 1, head 1", {0, 1}, {}}, {"layer 1, head 2", {1, 0}, {}}};
  std::vector<Cell> cells = cellsOf(svgOf(map));
  EXPECT_GT(cells[2].x - cells[0].x, plot::textWidth("layer 1, head 1", 10));
}

TEST(HeatMap, ThePathSaysWhichFile) {
  TemporaryFolder folder;
  writePicture(makeMap(), folder.path("a.svg"));
  writePicture(makeMap(), folder.path("a.png"));
  EXPECT_THAT(readFile(folder.path("a.svg")), HasSubstr("</svg>"));
  EXPECT_GT(decodePng(readFile(folder.path("a.png"))).columns, 100u);
  expectError(AXL_ERROR_ARGUMENT, "cannot tell from 'a.jpg' how to draw: name it .png or .svg",
              [] { writePicture(makeMap(), "a.jpg"); });
  expectError(AXL_ERROR_FILE, HasSubstr(folder.path("missing/a.png")),
              [&] { writePicture(makeMap(), folder.path("missing/a.png")); });
}

TEST(HeatMap, ValuesHaveToFit) {
  HeatMap map = makeMap();
  map.panels[1].values.pop_back();
  expectError(AXL_ERROR_ARGUMENT,
              "panel 'right' of heat map 'A <map>' needs 2 x 3 values, and texts for all or none; "
              "it has 5 values and 0 texts",
              [&] { writeSvg(map, "unused.svg"); });
  map = makeMap();
  map.rows.notes = {"one"};
  expectError(AXL_ERROR_ARGUMENT, "heat map 'A <map>' has 1 notes for 2 labels",
              [&] { writeSvg(map, "unused.svg"); });
  map = makeMap();
  map.highest = 0;
  expectError(AXL_ERROR_ARGUMENT,
              "heat map 'A <map>' has 0 as its highest number; it must be above 0",
              [&] { writePng(map, "unused.png"); });
  map.panels.clear();
  expectError(AXL_ERROR_ARGUMENT, "heat map 'A <map>' has nothing to draw",
              [&] { writePng(map, "unused.png"); });
}

// CIE 1976 L*, of colors in sRGB.
double lightness(Color color) {
  auto linear = [](double channel) {
    channel /= 255;
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  };
  double y =
      0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue);
  return 116 * std::cbrt(y) - 16;
}

TEST(ColorScale, LightnessFallsEvenly) {
  for (int i = 1; i <= 16; ++i) {
    double fall = lightness(colorOfShare((i - 1) / 16.0)) - lightness(colorOfShare(i / 16.0));
    EXPECT_NEAR(fall, 82.0 / 16, 1) << i;
  }
  EXPECT_EQ(hex(colorOfShare(-1)), hex(colorOfShare(0)));
  EXPECT_EQ(hex(colorOfShare(7)), hex(colorOfShare(1)));
  EXPECT_FALSE(plot::isDark(colorOfShare(0)));
  EXPECT_TRUE(plot::isDark(colorOfShare(1)));
}

} // namespace
