# The program, what comes with it, and a CMake package: find_package(spca) gives spca::program, which makes a program of
# somebody's own solvers, with all built-in ones and every subcommand, and spca::spca, the library without main().
include(CMakePackageConfigHelpers)

add_library(spca_library STATIC $<TARGET_OBJECTS:spca_core> $<TARGET_OBJECTS:spca_harness> $<TARGET_OBJECTS:spca_plugins>)
add_library(spca_program STATIC $<TARGET_OBJECTS:spca_cli>)
set_target_properties(spca_library PROPERTIES OUTPUT_NAME spca LINKER_LANGUAGE CXX)
set_target_properties(spca_program PROPERTIES LINKER_LANGUAGE CXX)
target_link_libraries(spca_library PRIVATE spca_flags)
target_link_libraries(spca_program PRIVATE spca_flags)

install(TARGETS spca RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS spca_library spca_program ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY spca DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
foreach(folder experiments peers plotting)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/spca PATTERN "__pycache__" EXCLUDE)
endforeach()
install(FILES datasets/sources.json DESTINATION ${CMAKE_INSTALL_DATADIR}/spca/datasets)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spca)
set(share_folder ${CMAKE_INSTALL_DATADIR}/spca)
configure_package_config_file(cmake/spca-config.cmake.in ${PROJECT_BINARY_DIR}/spca-config.cmake
                              INSTALL_DESTINATION ${package_folder}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR share_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spca-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spca-config.cmake ${PROJECT_BINARY_DIR}/spca-config-version.cmake
              cmake/installed_folder.cpp
        DESTINATION ${package_folder})
