# Installs the solver library, the program, and a CMake package. find_package(spca) provides
# spca::spca, the solver library alone, and spca::program, for programs that add user-defined
# solvers to the built-in ones and have every subcommand.
include(CMakePackageConfigHelpers)

set(share_folder ${CMAKE_INSTALL_DATADIR}/spca)
if(SKBUILD)
  set(share_folder ${SKBUILD_DATA_DIR}/share/spca)
endif()

get_property(library_modules GLOBAL PROPERTY SPCA_LIBRARY_MODULES)
get_property(program_modules GLOBAL PROPERTY SPCA_PROGRAM_MODULES)
set(SPCA_MODULES ${library_modules} ${program_modules})
list(REMOVE_ITEM SPCA_MODULES harness_calls)  # only packages of other languages call it
set(SPCA_MODULES_BUT_MAIN ${SPCA_MODULES})  # for programs with a main() of their own
list(REMOVE_ITEM SPCA_MODULES_BUT_MAIN harness_cli)

# Object files instead of archives, because plugins register themselves: a linker drops members of
# an archive that no other file refers to.
add_executable(spca)
target_link_libraries(spca PRIVATE ${SPCA_MODULES})

# Three archives: the solver library, the modules above it without the commands, and the commands. Packages of other
# languages need the first two.
set(commands_modules harness_pages harness_cli)
set(harness_modules ${program_modules})
list(REMOVE_ITEM harness_modules ${commands_modules})
set(SPCA_MODULES_BUT_COMMANDS ${library_modules} ${harness_modules})
foreach(part library harness commands)
  list(TRANSFORM ${part}_modules REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(spca_${part} STATIC ${objects})
  set_target_properties(spca_${part} PROPERTIES LINKER_LANGUAGE CXX)
endforeach()
set_target_properties(spca_library PROPERTIES OUTPUT_NAME spca)

# The component `program`: the program and the files that it reads. A wheel holds it beside the
# Python module.
install(TARGETS spca RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DPROGRAM=$<TARGET_FILE:spca>\" \"-DOUTPUT=${PROJECT_BINARY_DIR}/man\"
                              -P \"${PROJECT_SOURCE_DIR}/cmake/man.cmake\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
install(TARGETS spca_library spca_harness spca_commands ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY spca DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN detail EXCLUDE)
# The headers that packages of other languages include use no class of Eigen.
install(DIRECTORY harness/calls DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/harness FILES_MATCHING PATTERN "*.h")
foreach(folder experiments peers plotting)
  install(DIRECTORY ${folder} DESTINATION ${share_folder} COMPONENT program PATTERN "__pycache__" EXCLUDE)
endforeach()
install(DIRECTORY results/instances DESTINATION ${share_folder}/results COMPONENT program OPTIONAL)
# If this file was not built (scripts/interactive), the figures of pages are static.
install(FILES build/interactive/vega.js DESTINATION ${share_folder}/plotting/report COMPONENT program OPTIONAL)
install(FILES datasets/sources.json DESTINATION ${share_folder}/datasets COMPONENT program)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/spca)
configure_package_config_file(cmake/spca-config.cmake.in ${PROJECT_BINARY_DIR}/spca-config.cmake
                              INSTALL_DESTINATION ${package_folder}
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR share_folder)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/spca-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/spca-config.cmake ${PROJECT_BINARY_DIR}/spca-config-version.cmake
              cmake/installed_folder.cpp
        DESTINATION ${package_folder})

# A description for pkg-config, which works in the build tree and after the prefix was moved.
# bindings/r/configure uses it.
set(pc_libraries -lfmt ${ZLIB_LIBRARIES} ${SQLite3_LIBRARIES} ${CLP_LIBRARY} ${HDF5_LIBRARY} -pthread)
if(CURL_FOUND)
  list(APPEND pc_libraries -lcurl)
endif()
if(LIBLINEAR_FOUND)
  list(APPEND pc_libraries ${LIBLINEAR_LIBRARY})
endif()
if(LIBSVM_FOUND)
  list(APPEND pc_libraries ${LIBSVM_LIBRARY})
endif()
list(JOIN pc_libraries " " pc_libraries)
set(pc_prefix ${PROJECT_SOURCE_DIR})
set(pc_libdir ${PROJECT_BINARY_DIR})
set(pc_includedir ${PROJECT_SOURCE_DIR})
set(pc_share ${PROJECT_SOURCE_DIR})
configure_file(cmake/spca-program.pc.in ${PROJECT_BINARY_DIR}/spca-program.pc @ONLY)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
set(pc_prefix "\${pcfiledir}/${up}")
set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(pc_share "\${prefix}/${CMAKE_INSTALL_DATADIR}/spca")
configure_file(cmake/spca-program.pc.in ${PROJECT_BINARY_DIR}/installed/spca-program.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/spca-program.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(cmake/package.cmake)
