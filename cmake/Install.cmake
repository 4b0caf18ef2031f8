# `cmake --install` and find_package(Axloom). axloom_library adds each library to the export set of
# its part: Runtime, which needs no other package, Training, which needs some for texts, or Compiler,
# which needs MLIR and Halide. Each part is a component of the package.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/Axloom)

install(TARGETS axloom_compiler axloom_mlir EXPORT AxloomCompiler)
foreach(part IN ITEMS Runtime Training Compiler)
  install(EXPORT Axloom${part} FILE Axloom${part}Targets.cmake NAMESPACE Axloom::
          DESTINATION ${destination})
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/AxloomConfig.cmake.in ${PROJECT_BINARY_DIR}/AxloomConfig.cmake
  INSTALL_DESTINATION ${destination})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/AxloomConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/AxloomConfig.cmake
  ${PROJECT_BINARY_DIR}/AxloomConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/AxloomModel.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSentencePiece.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindUtf8proc.cmake
  DESTINATION ${destination})
