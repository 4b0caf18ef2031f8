# The one place that says which versions Axloom is built with. CMake includes this file; `setup`
# reads it line by line, so each line is: set(NAME value).
set(AXLOOM_LLVM_VERSION 22)         # Debian's packages of LLVM, MLIR and clang
set(AXLOOM_HALIDE_VERSION 21.0.0)   # from here on, wheels for the virtual environment
set(AXLOOM_CMAKE_VERSION 3.31.10)
set(AXLOOM_LIT_VERSION 23.1.5)
