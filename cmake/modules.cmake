# A module is a folder of sources with one target of object files, whose name is the path of the
# folder with _ for /.
#
#   spca_module(USES <folder>... [LINKS <library>...] [SOURCES <generated file>...]
#             [PLUGINS <count> | TOGETHER <count>])
#
# USES   the modules whose headers this module includes. They must come before it in ../CMakeLists.txt,
#        otherwise configuring stops. scripts/check-rooms checks every #include against these lines.
# LINKS  external libraries. A module with external libraries is not part of the solver library, nor
#        are the modules that use it.
# PLUGINS  each file is compiled alone, so that the local names of a new file cannot collide with
#        those of others. But files with a namespace of their own, such as spca::dataset_cbcl, are
#        compiled <count> at a time, which makes a clean build faster and a build after an edit
#        slower.
# TOGETHER  <count> files are compiled at a time, if one file would keep a single core busy at the
#        end of a build. Without PLUGINS and TOGETHER a module is compiled as one file (SPCA_UNITY),
#        so that each template is instantiated once.
function(spca_module)
  cmake_parse_arguments(module "" "PLUGINS;TOGETHER" "USES;LINKS;SOURCES" ${ARGN})
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp detail/*.cpp)
  add_library(${name} OBJECT ${sources} ${module_SOURCES})
  target_link_libraries(${name} PUBLIC spca_flags ${module_LINKS})
  if(module_PLUGINS)
    set(together 0)
    foreach(source IN LISTS sources)
      get_filename_component(stem ${source} NAME_WE)
      string(REPLACE "-" "_" stem ${stem})
      file(STRINGS ${source} own REGEX "^namespace spca::[a-z]+_${stem} {$")
      if(own)
        math(EXPR group "${together} / ${module_PLUGINS}")
        math(EXPR together "${together} + 1")
        set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
      endif()
    endforeach()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${SPCA_UNITY} UNITY_BUILD_MODE GROUP)
  else()
    if(NOT module_TOGETHER)
      set(module_TOGETHER 0)
    endif()
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${SPCA_UNITY} UNITY_BUILD_BATCH_SIZE ${module_TOGETHER})
  endif()
  spca_precompile(${name} ${folder})

  set(is_library TRUE)
  if(module_LINKS OR folder MATCHES "^harness/")
    set(is_library FALSE)
  endif()
  foreach(used IN LISTS module_USES)
    string(REPLACE "/" "_" used_name ${used})
    if(NOT TARGET ${used_name})
      message(FATAL_ERROR "${folder}/CMakeLists.txt uses ${used}, which is not a module below it")
    endif()
    get_target_property(used_is_library ${used_name} SPCA_IS_LIBRARY)
    if(NOT used_is_library)
      set(is_library FALSE)
    endif()
  endforeach()
  set_target_properties(${name} PROPERTIES SPCA_IS_LIBRARY ${is_library})
  if(is_library)
    set_property(GLOBAL APPEND PROPERTY SPCA_LIBRARY_MODULES ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY SPCA_PROGRAM_MODULES ${name})
  endif()
endfunction()

# Each level of optimisation needs a precompiled header of its own, because GCC takes the level from
# the header and ignores the command line. The library and the plugins have the level of the build
# type. In optimised builds the harness and the tests have -Og, which compiles in seven tenths of
# the time of -O1. To clang, -Og and -O1 are the same.
function(spca_precompile name folder)
  get_target_property(kind ${name} TYPE)
  if(kind STREQUAL EXECUTABLE)
    # CMake compiles programs with -fPIE, but a precompiled header requires the options with which
    # it was compiled.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
  endif()
  if(folder MATCHES "^(harness|tests)")
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Og>)
    # At -Og, GCC 12 wrongly warns that <regex>, and Eigen matrices that a constructor has filled,
    # may be uninitialised.
    target_compile_options(${name} PRIVATE -Wno-maybe-uninitialized)
    if(TARGET spca_fewer_checks)
      target_link_libraries(${name} PRIVATE spca_fewer_checks)
    endif()
    set(owner harness_peers)
    set(also <nlohmann/json.hpp>)
  else()
    # Without nlohmann/json, which takes a third of a second to load in every file, and which no
    # plugin needs.
    set(owner spca_base)
    set(also "")
  endif()
  if(name STREQUAL owner)
    target_precompile_headers(${name} PRIVATE <Eigen/Core> <Eigen/SparseCore> <fmt/format.h> ${also}
                              <functional> <map> <memory> <string> <vector>)
  else()
    target_precompile_headers(${name} REUSE_FROM ${owner})
  endif()
endfunction()
