// Which backend compiles for which target.

#include "codegen/driver/Compiler.h"
#include "codegen/halide/HalideBackend.h"

std::unique_ptr<axloom::codegen::Backend> axloom::codegen::createBackend(const Target &target) {
  return createHalideBackend();
}
