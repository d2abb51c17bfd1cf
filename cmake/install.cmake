# Installs the CLI, the headers and the libraries, so that find_package(twinset) works
# (tests/install proves it).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(twinset_libraries GLOBAL PROPERTY TWINSET_LIBRARIES)
install(TARGETS ${twinset_libraries} EXPORT twinsetTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS twinset_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/twinset DESTINATION include)
install(EXPORT twinsetTargets NAMESPACE twinset:: FILE twinsetTargets.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinset)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/twinsetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/twinsetConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinset)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twinsetConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twinsetConfig.cmake
  ${PROJECT_BINARY_DIR}/twinsetConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/twinset)
