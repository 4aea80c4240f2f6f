# install and uninstall: libraries, headers, pkg-config file, CMake package. Every path in them is
# relative to where the file itself lies, so that an installed tree can be moved as a whole.
include(CMakePackageConfigHelpers)

install(TARGETS sito sito_static EXPORT sitoTargets)
install(DIRECTORY include/sito DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sito)
install(EXPORT sitoTargets NAMESPACE sito:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sitoConfig.cmake.in sitoConfig.cmake INSTALL_DESTINATION ${package_dir})
# Below 1.0 a minor version may break callers.
write_basic_package_version_file(sitoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sitoConfig.cmake ${PROJECT_BINARY_DIR}/sitoConfigVersion.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/sito.pc.in sito.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sito.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
  VERBATIM)
