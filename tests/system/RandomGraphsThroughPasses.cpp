// Random programs through all passes of the compiler, interpreted before and after.

#include "tests/support/PassesExecutor.h"
#include "tests/system/random/Runner.h"

int main(int argc, char **argv) {
  using namespace axloom::test;
  return runRandomGraphs(
      argc, argv,
      [](Graphs &graphs) { return std::make_unique<PassesExecutor>(graphs, "axloom-pipeline"); },
      Tolerance{1e-6}); // folded constants are rounded to f32
}
