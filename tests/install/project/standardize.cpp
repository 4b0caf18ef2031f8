// Each row minus its mean, divided by its spread: y = (x - mean) / sqrt(variance + 1e-5).
#include "codegen/driver/Generate.h"
#include "frontend/Axloom.h"

struct Row : axloom::Axis<"row"> {};
struct Column : axloom::Axis<"column"> {};

int main(int argc, char **argv) {
  return axloom::generate(argc, argv, [](axloom::Program &program, axloom::Options &) {
    axloom::Size rows = program.size("R", 1 << 20);
    axloom::Size columns = program.size("C", 4096);
    program.function("standardize", [&](axloom::Function &f) {
      auto x = f.argument<float, Row, Column>("x", rows, columns);
      auto centered = x - axloom::mean<Column>(x);
      auto variance = axloom::mean<Column>(centered * centered);
      f.result<Row, Column>("y", centered / axloom::sqrt(variance + 1e-5f));
    });
  });
}
