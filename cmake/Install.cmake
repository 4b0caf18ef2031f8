# `cmake --install` and find_package(Axloom). The libraries are added to two export sets by
# axloom_library: AxloomRuntime, which needs neither MLIR nor Halide, and AxloomCompiler.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)

set(destination ${CMAKE_INSTALL_LIBDIR}/cmake/Axloom)

install(TARGETS axloom_compiler axloom_mlir EXPORT AxloomCompiler)
foreach(part IN ITEMS Runtime Compiler)
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
