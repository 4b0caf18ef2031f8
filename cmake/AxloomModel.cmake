# Compiles models and kernels written in the Axloom DSL at build time. Comes with
# find_package(Axloom), and is what the examples inside the tree use too.
#
#   axloom_add_model(translate SOURCES model.cpp ... [OPTIONS --set layers=2 ...] [TARGET host]
#                    [LIBS ...])
#     Builds the generator translate_generator from the sources (its main calls axloom::generate),
#     runs it, and gives the library target translate: the archive of the compiled model, its header
#     "translate.h", and the Axloom runtime, all that a program needs which links it.
#     OPTIONS are flags of the generator (translate_generator --help lists them), TARGET is the
#     machine to compile for, AXLOOM_TARGET unless given, LIBS are libraries the generator needs:
#     Halide::Halide if it defines ops of its own.
#
#   axloom_add_kernel(scale SOURCES scale.cpp ... [OPTIONS ...] [TARGET ...] [LIBS ...])
#     The same for a program of a single function without state: the header "scale.h" is plain C and
#     declares the function, for programs that want the kernel and nothing else.
include_guard(GLOBAL)

# Functions behave as here, whatever the project that calls them asks for.
cmake_policy(VERSION 3.28)

set(AXLOOM_TARGET host CACHE STRING "The machine that models are compiled for")
# A generator uses all cores itself. The pool is defined at the end, since a project may set its own
# pools without APPEND.
cmake_language(DEFER DIRECTORY ${CMAKE_SOURCE_DIR}
  CALL set_property GLOBAL APPEND PROPERTY JOB_POOLS axloom_generate=1)

function(axloom_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "SOURCES;OPTIONS;LIBS")
  _axloom_refuse_unknown(${name} ${arg_UNPARSED_ARGUMENTS})
  _axloom_add_bundle(${name} "${arg_TARGET}" "${arg_SOURCES}" "${arg_OPTIONS}" "${arg_LIBS}")
endfunction()

function(axloom_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET" "SOURCES;OPTIONS;LIBS")
  _axloom_refuse_unknown(${name} ${arg_UNPARSED_ARGUMENTS})
  _axloom_add_bundle(${name} "${arg_TARGET}" "${arg_SOURCES}" "--kernel;${arg_OPTIONS}"
                     "${arg_LIBS}")
endfunction()

function(_axloom_refuse_unknown name)
  if(ARGN)
    message(FATAL_ERROR "Axloom: '${name}' has unknown arguments '${ARGN}'; expected SOURCES, "
                        "OPTIONS, LIBS or TARGET")
  endif()
endfunction()

function(_axloom_add_bundle name target sources options libraries)
  if(NOT sources)
    message(FATAL_ERROR "Axloom: '${name}' has no SOURCES; name the file whose main calls "
                        "axloom::generate, e.g. axloom_add_model(${name} SOURCES ${name}.cpp)")
  endif()
  if(NOT target)
    set(target ${AXLOOM_TARGET})
  endif()

  add_executable(${name}_generator ${sources})
  target_link_libraries(${name}_generator PRIVATE Axloom::compiler ${libraries})
  if(TARGET axloom_settings) # inside Axloom's own build
    target_link_libraries(${name}_generator PRIVATE axloom_settings)
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.bundle)
  set(archive ${folder}/lib${name}.a)
  add_custom_command(
    OUTPUT ${archive} ${folder}/${name}.h
    BYPRODUCTS ${folder}/${name}.json ${folder}/${name}.txt
    COMMAND ${name}_generator --output ${folder} --name ${name} --target ${target} ${options}
    DEPENDS ${name}_generator
    JOB_POOL axloom_generate
    COMMENT "Compiling ${name} for ${target}"
    VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(${name}_bundle DEPENDS ${archive} ${folder}/${name}.h)

  add_library(${name} STATIC IMPORTED GLOBAL)
  add_dependencies(${name} ${name}_bundle)
  file(MAKE_DIRECTORY ${folder})
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE Axloom::runtime)
  set_target_properties(${name} PROPERTIES
    IMPORTED_LOCATION ${archive}
    IMPORTED_LINK_INTERFACE_LANGUAGES CXX) # a program in C is linked with C++'s libraries, too
endfunction()
