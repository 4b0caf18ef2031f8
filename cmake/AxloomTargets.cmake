# Helpers for the CMakeLists.txt of every folder.
#
#   axloom_library(NAME ir SOURCES Types.cpp ... DEPENDS Axloom::mlir ... [PRIVATE_DEPENDS ...]
#                  [PART Compiler])
#     The static library Axloom::ir (target axloom_ir). Every #include is written from the root of
#     the repository ("ir/Types.h") and generated files mirror it in the build folder
#     ("ir/Ops.h.inc"). DEPENDS reach the users of the library, PRIVATE_DEPENDS only its own
#     sources: headers that users see need no package named there. What lies outside tests/ and
#     examples/ is installed, with all headers of its folder, as a PART of cmake/Install.cmake.
#     Whatever depends on Axloom::mlir, itself or through DEPENDS of its dependencies, is compiled
#     with the precompiled header of cmake/PrecompiledHeaders.cmake.
#
#   axloom_tablegen(ir DEFINITIONS Dialect.td
#                   OUTPUTS Dialect.h.inc -gen-dialect-decls
#                           Dialect.cpp.inc "-gen-dialect-defs -dialect=axloom" ...)
#     Runs mlir-tblgen for library axloom_ir, after the axloom_library call in the same folder. Each
#     output is followed by its arguments, as one string. Inside .td files, includes are from the
#     root of the repository too.
#
#   axloom_executable(NAME axloom-opt SOURCES ... DEPENDS ...)
#     A tool, with the project's settings, found in the bin folder of the build.
#
#   axloom_test(NAME ir_types SOURCES TypesTest.cpp ... LIBS Axloom::ir ...
#               [WHOLE] [TIMEOUT seconds])
#     A GoogleTest executable (GoogleTest, GoogleMock and main are linked) whose test cases become
#     ctest tests "<name>.<Suite>.<Case>". WHOLE: one ctest test for the whole executable, for many
#     small cases behind an expensive start. TIMEOUT is for each ctest test, 60 s unless given. The
#     variable AXLOOM_SOURCE_DIR is set in the environment of every test to the root of the
#     repository.
include_guard(GLOBAL)
include(PrecompiledHeaders)

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(AXLOOM_INCLUDE_DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/axloom)

function(axloom_library)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;PART" "SOURCES;DEPENDS;PRIVATE_DEPENDS")
  if(NOT arg_PART)
    set(arg_PART Compiler)
  endif()
  set(target axloom_${arg_NAME})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(Axloom::${arg_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${arg_NAME} LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
    $<INSTALL_INTERFACE:${AXLOOM_INCLUDE_DESTINATION}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS}
    PRIVATE $<BUILD_INTERFACE:axloom_settings> ${arg_PRIVATE_DEPENDS})
  axloom_precompile_headers(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE_DEPENDS})
  _axloom_install_library(${target} ${arg_PART})
endfunction()

function(_axloom_install_library target part)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR}
             OUTPUT_VARIABLE folder)
  if(folder MATCHES "^(tests|examples)")
    return()
  endif()
  install(TARGETS ${target} EXPORT Axloom${part} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/ ${CMAKE_CURRENT_BINARY_DIR}/
          DESTINATION ${AXLOOM_INCLUDE_DESTINATION}/${folder}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
endfunction()

function(axloom_tablegen library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DEFINITIONS" "OUTPUTS")
  cmake_path(ABSOLUTE_PATH arg_DEFINITIONS)
  set(includes -I${CMAKE_CURRENT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR})
  foreach(folder IN LISTS MLIR_INCLUDE_DIRS)
    list(APPEND includes -I${folder})
  endforeach()
  while(arg_OUTPUTS)
    list(POP_FRONT arg_OUTPUTS output arguments)
    separate_arguments(arguments UNIX_COMMAND "${arguments}")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${output})
    cmake_path(GET file PARENT_PATH folder)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${file}
      COMMAND ${MLIR_TABLEGEN_EXE} ${arguments} ${includes} ${arg_DEFINITIONS}
              --write-if-changed -o ${file} -d ${file}.d
      DEPENDS ${arg_DEFINITIONS} ${MLIR_TABLEGEN_EXE}
      DEPFILE ${file}.d
      COMMENT "Generating ${output}"
      VERBATIM)
    target_sources(axloom_${library} PRIVATE ${file})
  endwhile()
endfunction()

function(axloom_executable)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;DEPENDS")
  add_executable(${arg_NAME} ${arg_SOURCES})
  target_include_directories(${arg_NAME} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  target_link_libraries(${arg_NAME} PRIVATE axloom_settings ${arg_DEPENDS})
  axloom_precompile_headers(${arg_NAME} PRIVATE ${arg_DEPENDS})
endfunction()

function(axloom_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "WHOLE" "NAME;TIMEOUT" "SOURCES;LIBS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  set(target ${arg_NAME}_test)
  axloom_executable(NAME ${target} SOURCES ${arg_SOURCES}
                    DEPENDS ${arg_LIBS} GTest::gmock GTest::gtest_main)
  set(properties TIMEOUT ${arg_TIMEOUT} ENVIRONMENT AXLOOM_SOURCE_DIR=${PROJECT_SOURCE_DIR})
  if(arg_WHOLE)
    add_test(NAME ${arg_NAME} COMMAND ${target})
    set_tests_properties(${arg_NAME} PROPERTIES ${properties})
  else()
    include(GoogleTest)
    # Listing the cases at test time keeps a broken start of one test out of the build.
    gtest_discover_tests(${target} TEST_PREFIX ${arg_NAME}. DISCOVERY_MODE PRE_TEST
                         DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
endfunction()
