# Finds what the build uses. `./setup` installs all of it, at the versions of
# cmake/Versions.cmake.
#
# Gives these targets beside the packages' own:
#   Axloom::mlir         MLIR and LLVM headers and shared libraries
#   Halide::Halide       Halide's headers and shared library
#   SentencePiece::sentencepiece, SentencePiece::train, Utf8proc::utf8proc
# and MLIR_TABLEGEN_EXE, the ODS code generator.
include_guard(GLOBAL)

include(Versions)

# Debian keeps each LLVM version under a prefix of its own. A version cannot be asked for in
# find_package: MLIR's version file accepts none.
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-${AXLOOM_LLVM_VERSION})
if(NOT LLVM_VERSION_MAJOR EQUAL AXLOOM_LLVM_VERSION)
  message(FATAL_ERROR "Axloom is written for MLIR and LLVM ${AXLOOM_LLVM_VERSION}, but ${MLIR_DIR} "
                      "is version ${LLVM_VERSION}. Run ./setup, or set MLIR_DIR.")
endif()
add_library(axloom_mlir INTERFACE)
add_library(Axloom::mlir ALIAS axloom_mlir)
# Where Axloom is installed, AxloomConfig.cmake says where these are.
target_include_directories(axloom_mlir SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
target_link_libraries(axloom_mlir INTERFACE MLIR LLVM)
set_target_properties(axloom_mlir PROPERTIES EXPORT_NAME mlir)

# Halide's SDK is a Python wheel; it lies in the virtual environment that `./setup` makes, or in
# the one whose cmake is running.
if(NOT Halide_DIR)
  cmake_path(GET CMAKE_COMMAND PARENT_PATH cmakeFolder)
  file(GLOB halideWheels
    ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/halide
    ${cmakeFolder}/../../../halide)
endif()
foreach(wheel IN LISTS halideWheels)
  list(APPEND halideHints ${wheel}/lib64/cmake/Halide)
  list(APPEND halideHelpersHints ${wheel}/lib64/cmake/HalideHelpers)
endforeach()
find_package(HalideHelpers ${AXLOOM_HALIDE_VERSION} REQUIRED CONFIG HINTS ${halideHelpersHints})
find_package(Halide ${AXLOOM_HALIDE_VERSION} REQUIRED CONFIG HINTS ${halideHints})

find_package(Threads REQUIRED)
find_package(fmt REQUIRED CONFIG)
find_package(nlohmann_json REQUIRED CONFIG)
find_package(CLI11 REQUIRED CONFIG)
find_package(SentencePiece REQUIRED)
find_package(Utf8proc REQUIRED)
find_package(ZLIB REQUIRED)
if(AXLOOM_BUILD_TESTS)
  find_package(GTest REQUIRED CONFIG)
endif()
