// Pictures of curves.
#include "runtime/plot/Canvas.h"
#include "runtime/plot/LineChart.h"
#include "tests/runtime/DecodePng.h"
#include "tests/runtime/Expect.h"
#include "tests/support/TemporaryFolder.h"

#include <cmath>
#include <regex>

using namespace axloom::runtime;
using namespace axloom::test;
using testing::HasSubstr;

namespace {

LineChart makeChart() {
  return {"Loss <of> training", "step", "loss", {{"training", {0, 500, 1000}, {8, 4, 2}}}};
}

TEST(Plot, SvgHoldsTextAndCurve) {
  TemporaryFolder folder;
  writeSvg(makeChart(), folder.path("a.svg"));
  std::string svg = readFile(folder.path("a.svg"));
  for (const char *part : {"<svg ", "Loss &lt;of&gt; training", ">step<", ">loss<", ">training<",
                           ">1,000<", "stroke=\"#2563c9\"", "</svg>"})
    EXPECT_THAT(svg, HasSubstr(part));
}

TEST(Plot, SvgOfShapes) {
  plot::SvgCanvas canvas(10, 20);
  canvas.polyline({{1, 2.5}, {1.0 / 3, 0}}, 1.5, {37, 99, 201}, 0.25);
  canvas.dot({1, 2}, 2.25, {255, 0, 10});
  canvas.rectangle({0.5, 1}, {1, 1234.5}, {0, 0, 0});
  canvas.text({1, 2}, "a & b", 12.5, {0, 0, 0}, plot::Anchor::Middle, true);
  for (const char *part :
       {"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\" viewBox=\"0 0 10 "
        "20\"",
        "<polyline fill=\"none\" stroke=\"#2563c9\" stroke-width=\"1.5\" stroke-opacity=\"0.25\"",
        "points=\"1.00,2.50 0.33,0.00 \"/>",
        "<circle cx=\"1.00\" cy=\"2.00\" r=\"2.25\" fill=\"#ff000a\"/>",
        "<rect x=\"0.5\" y=\"1\" width=\"0.5\" height=\"1233.5\" fill=\"#000000\"",
        "<text x=\"1.00\" y=\"2.00\" font-size=\"12.5\" text-anchor=\"middle\" fill=\"#000000\" "
        "transform=\"rotate(-90 1.00 2.00)\">a &amp; b</text>"})
    EXPECT_THAT(canvas.document(), HasSubstr(part));
}

TEST(Plot, PngHoldsTheCurve) {
  TemporaryFolder folder;
  writePng(makeChart(), folder.path("a.png"));
  auto [columns, rows, pixels] = decodePng(readFile(folder.path("a.png")));
  EXPECT_EQ(columns, 1920u);
  EXPECT_EQ(rows, 1080u);
  // Columns in which the curve's own color occurs: from the left margin to the right one.
  size_t first = columns, last = 0;
  for (size_t i = 0; i < pixels.size(); i += 3)
    if (pixels[i] == 37 && pixels[i + 1] == 99 && pixels[i + 2] == 201) {
      first = std::min(first, i / 3 % columns);
      last = std::max(last, i / 3 % columns);
    }
  EXPECT_NEAR(double(first), 2 * 84, 4);
  EXPECT_NEAR(double(last), double(columns) - 2 * 28, 4);
}

TEST(Plot, PixelsOfALine) {
  plot::PixelCanvas canvas(10, 10, 1);
  canvas.polyline({{2, 5.5}, {8, 5.5}}, 1, {255, 0, 0}, 1);
  auto pixel = [&](size_t x, size_t y) {
    const unsigned char *at = &canvas.pixels()[3 * (10 * y + x)];
    return std::vector<int>{at[0], at[1], at[2]};
  };
  EXPECT_EQ(pixel(5, 5), (std::vector<int>{255, 0, 0}));
  EXPECT_EQ(pixel(5, 3), (std::vector<int>{255, 255, 255}));
  EXPECT_EQ(pixel(0, 5), (std::vector<int>{255, 255, 255}));
}

TEST(Plot, GapsAndSinglePointsAreFine) {
  TemporaryFolder folder;
  LineChart chart = makeChart();
  chart.series[0].y[1] = NAN;
  writeSvg(chart, folder.path("a.svg"));
  chart.series[0] = {"one", {3}, {3}, false, true};
  writePng(chart, folder.path("a.png"));
  writeSvg(chart, folder.path("a.svg"));
  EXPECT_THAT(readFile(folder.path("a.svg")), testing::Not(HasSubstr("nan")));
  chart.series[0] = {"one", {1, 2, 3}, {3, NAN, 4}}; // no lines
  writeSvg(chart, folder.path("a.svg"));
  std::string svg = readFile(folder.path("a.svg"));
  std::regex dot("<circle");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), dot), {}), 2);
}

std::string svgOf(std::vector<double> y) {
  TemporaryFolder folder;
  LineChart chart = makeChart();
  chart.series[0].y = std::move(y);
  writeSvg(chart, folder.path("a.svg"));
  return readFile(folder.path("a.svg"));
}

TEST(Plot, PointsLieWhereTheirNumbersAreMarked) {
  std::string svg = svgOf({8, 4, 2});
  auto markOf = [&](const std::string &number) {
    std::smatch text;
    EXPECT_TRUE(std::regex_search(svg, text, std::regex(" y=\"([^\"]*)\"[^>]*>" + number + "<")));
    return std::stod(text[1]) - 4.5; // a text stands on its line, and its middle is the mark
  };
  std::smatch curve;
  ASSERT_TRUE(std::regex_search(
      svg, curve,
      std::regex("stroke=\"#2563c9\"[^>]*points=\"[^,]*,([^ ]*) [^,]*,([^ ]*) [^,]*,([^ ]*) \"")));
  double eight = std::stod(curve[1]), four = std::stod(curve[2]), two = std::stod(curve[3]);
  EXPECT_NEAR(eight, markOf("8"), 0.02);
  EXPECT_NEAR(four, markOf("4"), 0.02);
  EXPECT_NEAR(two, markOf("2"), 0.02);
  EXPECT_GT(four, eight + 200);
  EXPECT_GT(two, four + 100);
}

TEST(Plot, NumbersOfMarksHaveRoom) {
  EXPECT_THAT(svgOf({0, 400'000, 800'000}), HasSubstr(">600,000<"));
  EXPECT_THAT(svgOf({5, 1e20, 5}), HasSubstr(">2e+19<"));
  EXPECT_THAT(svgOf({0, 3e6, 0}), HasSubstr(">1.5e+06<"));
  EXPECT_THAT(svgOf({0, -3e6, 0}), HasSubstr(">-1.5e+06<"));
}

TEST(Plot, RangesOfAnyKind) {
  EXPECT_THAT(svgOf({1e17, 1e17, 1e17}), HasSubstr(">1e+17<"));
  EXPECT_THAT(svgOf({7, 7, 7}), HasSubstr(">7.0<"));
  std::string svg = svgOf({-1e308, 1, 1e308}); // only 1 can be drawn
  EXPECT_THAT(svg, HasSubstr(">1.0<"));
  EXPECT_THAT(svg, testing::Not(testing::AnyOf(HasSubstr("nan"), HasSubstr("inf"))));
}

TEST(Plot, NothingToDrawIsAnError) {
  LineChart chart = makeChart();
  chart.series[0].y = {NAN, NAN, INFINITY};
  expectError(AXL_ERROR_ARGUMENT, "chart 'Loss <of> training' has no finite point to draw",
              [&] { writeSvg(chart, "unused.svg"); });
}

TEST(Plot, SmoothAveragesAroundEachPoint) {
  EXPECT_THAT(smooth({1, 2, 3, 4, 9}, 3), testing::ElementsAre(1.5, 2, 3, 16.0 / 3, 6.5));
  EXPECT_EQ(smooth({1, 1e20, 1, 2, 3}, 2).back(), 2.5); // windows know nothing of each other
  EXPECT_EQ(smooth({NAN, 1, 1, 2, 3}, 2).back(), 2.5);
}

} // namespace
