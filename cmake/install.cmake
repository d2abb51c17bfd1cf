# Installs the CLI with its manual and completions, the headers and the libraries, so that
# find_package(twinset) works (tests/install proves it).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The program itself prints its manual and completions; they cannot disagree with it.
get_property(twinset_programs GLOBAL PROPERTY TWINSET_PROGRAMS)
set(manual_dir ${PROJECT_BINARY_DIR}/manual)
set(manual_files ${manual_dir}/twinset.1)
add_custom_command(OUTPUT ${manual_dir}/twinset.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_dir}
  COMMAND twinset_cli man > ${manual_dir}/twinset.1
  DEPENDS ${twinset_programs} VERBATIM)
foreach(shell IN ITEMS bash zsh fish)
  add_custom_command(OUTPUT ${manual_dir}/twinset.${shell}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${manual_dir}
    COMMAND twinset_cli completions ${shell} > ${manual_dir}/twinset.${shell}
    DEPENDS ${twinset_programs} VERBATIM)
  list(APPEND manual_files ${manual_dir}/twinset.${shell})
endforeach()
add_custom_target(twinset_manual ALL DEPENDS ${manual_files})

get_property(twinset_libraries GLOBAL PROPERTY TWINSET_LIBRARIES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/twinset)
install(TARGETS ${twinset_libraries} EXPORT twinsetTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ${twinset_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
get_property(engine_programs GLOBAL PROPERTY TWINSET_ENGINE_PROGRAMS)
if(engine_programs)
  install(TARGETS ${engine_programs} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/twinset)
endif()
install(PROGRAMS ${PROJECT_BINARY_DIR}/twinset-tables DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/twinset)
install(DIRECTORY ${PROJECT_BINARY_DIR}/twinset_tables DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/twinset
        FILES_MATCHING PATTERN "*.py" PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/twinset
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${manual_dir}/twinset.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual_dir}/twinset.bash RENAME twinset
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${manual_dir}/twinset.zsh RENAME _twinset
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${manual_dir}/twinset.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Help and messages name pages of docs/, and these begin with what is in examples/.
foreach(page LICENSE README.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md)
  install(FILES ${PROJECT_SOURCE_DIR}/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/python/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/python)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT twinsetTargets NAMESPACE twinset:: FILE twinsetTargets.cmake
        DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/twinsetConfig.cmake.in
  ${PROJECT_BINARY_DIR}/twinsetConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/twinsetConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/twinsetConfig.cmake
  ${PROJECT_BINARY_DIR}/twinsetConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/dependencies.cmake
  DESTINATION ${package_dir})
