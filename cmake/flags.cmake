# Compiler options of all targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One build serves the program and the Python module, which is a shared library. Symbols are hidden,
# so that calls between files stay as direct as in a program. docs/PYTHON.md gives the cost.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O2, because the additional passes of -O3 take a fifth of the build time. bench/notes/2026-11-22-o3.md
# has the speed that -O3 would gain.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# By default GCC collects garbage even while its heap is small, and therefore often. A threshold of
# 600 MB saved 4 to 20 % of the processor time of a file in alternating runs, and costs a fifth more
# memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=600000")  # kB
endif()
find_program(SPCA_CCACHE ccache)
if(SPCA_CCACHE)
  # ccache can handle a precompiled header only if it may ignore time stamps and macros in it. With
  # CCACHE_DEPEND it takes the list of headers from the compiler, which saves a run of the
  # preprocessor for each file that is not in the cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=true
      CCACHE_SLOPPINESS=pch_defines,time_macros ${SPCA_CCACHE})
endif()

add_library(spca_flags INTERFACE)
target_compile_options(spca_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
# Other compilers have other warnings: the build of a wheel leaves -Werror out.
if(SPCA_WARNINGS_ARE_ERRORS)
  target_compile_options(spca_flags INTERFACE -Werror)
endif()
target_include_directories(spca_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(spca_flags INTERFACE spca_dependencies)
if(SPCA_SANITIZE)
  target_compile_options(spca_flags INTERFACE -fsanitize=${SPCA_SANITIZE} -fno-sanitize-recover=all
                                              -fno-omit-frame-pointer)
  target_link_options(spca_flags INTERFACE -fsanitize=${SPCA_SANITIZE})
endif()
if(SPCA_SANITIZE MATCHES "undefined")
  # Leaves out checks in the harness and the tests, because they take a quarter of the compile time
  # of the tests. AddressSanitizer finds most of the same errors, and the solver library keeps the
  # checks. This is a CMake library, because its options come after those of spca_flags.
  add_library(spca_fewer_checks INTERFACE)
  target_compile_options(spca_fewer_checks INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
endif()
if(SPCA_FUZZ)
  # The project is kept free of the warnings of GCC; clang has others.
  target_compile_options(spca_flags INTERFACE -w -fsanitize=fuzzer-no-link,address,undefined
                                              -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(spca_flags INTERFACE -fsanitize=address,undefined)
endif()
if(SPCA_NATIVE)
  target_compile_options(spca_flags INTERFACE -march=native)
endif()
