# Compiles the headers of MLIR once for all targets that use MLIR.
#
# Reading them takes about 3 s in every source file, loading them precompiled well under 1 s. One
# precompiled header serves all targets, so it holds nothing of our own and rarely changes; all
# targets are compiled with the same flags, or the compiler would say that it cannot use it.
include_guard(GLOBAL)

if(AXLOOM_PRECOMPILED_HEADERS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/precompiled/mlir.cpp CONTENT "")
  add_library(axloom_precompiled_mlir OBJECT ${PROJECT_BINARY_DIR}/precompiled/mlir.cpp)
  target_link_libraries(axloom_precompiled_mlir PRIVATE axloom_settings axloom_mlir)
  target_precompile_headers(axloom_precompiled_mlir PRIVATE
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/IR/Builders.h>
    <mlir/IR/BuiltinOps.h>
    <mlir/IR/DialectImplementation.h>
    <mlir/IR/OpImplementation.h>
    <mlir/IR/PatternMatch.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Interfaces/InferTypeOpInterface.h>
    <mlir/Interfaces/SideEffectInterfaces.h>
    <mlir/Pass/Pass.h>)
endif()

# axloom_precompile_headers(target PUBLIC dependencies... PRIVATE dependencies...): uses the
# precompiled header if any dependency uses MLIR in its own headers.
function(axloom_precompile_headers target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
  set(uses OFF)
  foreach(scope IN ITEMS PUBLIC PRIVATE)
    foreach(dependency IN LISTS arg_${scope})
      set(exposes OFF)
      if(dependency STREQUAL "Axloom::mlir")
        set(exposes ON)
      elseif(TARGET ${dependency})
        get_target_property(exposes ${dependency} AXLOOM_EXPOSES_MLIR)
      endif()
      if(exposes)
        set(uses ON)
        if(scope STREQUAL "PUBLIC")
          set_target_properties(${target} PROPERTIES AXLOOM_EXPOSES_MLIR ON)
        endif()
      endif()
    endforeach()
  endforeach()
  if(uses AND AXLOOM_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} REUSE_FROM axloom_precompiled_mlir)
  endif()
endfunction()
