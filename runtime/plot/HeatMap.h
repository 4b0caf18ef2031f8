// Heat maps as pictures: panels of colored cells that share the labels of their rows and columns.
// SVG, or PNG for programs that do not show SVG.
// Test: tests/runtime/HeatMapTest.cpp
#pragma once

#include <string>
#include <vector>

namespace axloom::runtime {

struct HeatMap {
  struct Side {
    std::string title;
    std::vector<std::string> labels; // one for each row or column
    std::vector<std::string> notes;  // between labels and cells, never cut; as many, or none
  };
  struct Panel {
    std::string title;
    std::vector<float> values;      // [row, column]; what is not finite is gray
    std::vector<std::string> texts; // in the cells, as many as values; or none at all
  };

  std::string title;
  Side rows, columns;
  std::vector<Panel> panels;
  size_t across = 1;   // panels side by side
  std::string measure; // what the colors show
  double highest = 1;  // the number that is darkest, above 0; 0 is lightest
};

// The size of the picture follows from the labels; labels that would take too much of it end with
// an ellipsis. A PNG has two pixels a point, and fewer where that made more than 24 million.
// Throw AXL_ERROR_FILE, and AXL_ERROR_ARGUMENT if there is nothing to draw, a panel has not one
// value for each row and column, `highest` is not above 0, or an SVG would have more than a million
// cells.
void writeSvg(const HeatMap &map, const std::string &path);
void writePng(const HeatMap &map, const std::string &path);

// One of the two, as the path ends; any other ending throws AXL_ERROR_ARGUMENT.
void writePicture(const HeatMap &map, const std::string &path);

} // namespace axloom::runtime
