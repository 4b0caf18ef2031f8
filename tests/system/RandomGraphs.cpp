// Random programs, compiled against interpreted.

#include "tests/support/CompiledExecutor.h"
#include "tests/system/random/Runner.h"

int main(int argc, char **argv) {
  using namespace axloom::test;
  return runRandomGraphs(argc, argv, [](Graphs &) { return std::make_unique<CompiledExecutor>(); });
}
