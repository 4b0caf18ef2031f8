# How every file of the project is compiled and linked: language, linker, warnings, sanitizers,
# ccache.
include_guard(GLOBAL)
include(GNUInstallDirs)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One link at a time: linking is what needs memory. The pool is defined at the end, since a project
# that contains this one may set its own pools without APPEND.
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR}
  CALL set_property GLOBAL APPEND PROPERTY JOB_POOLS axloom_link=1)
set(CMAKE_JOB_POOL_LINK axloom_link)
# LLVM's linker takes a quarter of the time of GNU's, which reads all symbols of MLIR and LLVM
# slowly.
if(EXISTS ${LLVM_TOOLS_BINARY_DIR}/ld.lld AND NOT CMAKE_LINKER_TYPE)
  add_link_options(-fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR})
endif()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(AXLOOM_CCACHE ccache)
  if(AXLOOM_CCACHE)
    # The two settings are what ccache asks for where headers are precompiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
        ${AXLOOM_CCACHE})
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()

# Flags of our own targets only; headers of other projects are system headers.
add_library(axloom_settings INTERFACE)
target_compile_options(axloom_settings INTERFACE
  # Tests link static libraries into shared ones; and executables compiled so can share the
  # precompiled header of the libraries.
  -fPIC
  -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${AXLOOM_WARNINGS_AS_ERRORS}>:-Werror>)
if(AXLOOM_SANITIZERS)
  target_compile_options(axloom_settings INTERFACE
    -fsanitize=${AXLOOM_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  target_link_options(axloom_settings INTERFACE -fsanitize=${AXLOOM_SANITIZERS})
endif()
