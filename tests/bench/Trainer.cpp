// The trainer of examples/translate around a model that the benchmark has compiled:
//   bench-trainer LIBRARY MODEL OPTIONS...
//     LIBRARY is a bundle linked as a shared library, MODEL its name; options are the trainer's.
#include "examples/translate/app/Programs.h"
#include "runtime/core/Error.h"
#include "tests/bench/Library.h"

#include <iostream>

int main(int argc, char **argv) {
  if (argc < 3) {
    std::cerr << "usage: bench-trainer LIBRARY MODEL OPTIONS...\n";
    return 2;
  }
  try {
    return example::runTrainer(axloom::bench::load(argv[1], argv[2]), argc - 2, argv + 2);
  } catch (const std::exception &error) {
    std::cerr << "bench-trainer: error: " << error.what() << "\n";
    return 1;
  }
}
