# axloom_lit_tests(ir passes ...): for each folder of tests/ that holds .mlir files, the ctest test
# "lit.<folder>" which runs them all with lit.
include_guard(GLOBAL)

find_program(AXLOOM_LIT lit HINTS ${PROJECT_SOURCE_DIR}/.venv/bin REQUIRED)

function(axloom_lit_tests)
  set(root ${PROJECT_BINARY_DIR}/tests/lit)
  configure_file(${PROJECT_SOURCE_DIR}/tests/lit.site.cfg.py.in ${root}/lit.site.cfg.py @ONLY)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${folder}/*.mlir)
    if(files)
      file(MAKE_DIRECTORY ${root}/${folder})
      add_test(NAME lit.${folder} COMMAND ${AXLOOM_LIT} -sv ${root}/${folder})
      set_tests_properties(lit.${folder} PROPERTIES TIMEOUT 300 PROCESSORS 2)
    endif()
  endforeach()
endfunction()
