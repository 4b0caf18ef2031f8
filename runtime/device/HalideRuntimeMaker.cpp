// Run at build time: writes Halide's standalone runtime as an object file. Kernels are compiled
// without a runtime of their own, so that a program has one thread pool and one allocator, ours.
// The object needs no instruction set beyond what every x86-64 has.
#include <Halide.h>
#include <iostream>

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: " << argv[0] << " OBJECT\n";
    return 2;
  }
  try {
    Halide::compile_standalone_runtime(argv[1], Halide::Target("x86-64-linux"));
  } catch (const Halide::Error &error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
