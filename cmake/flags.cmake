# How every file is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One build serves the program and the module of Python, which is a shared library. Names are hidden, so that calls
# between files stay as direct as in a program. docs/PYTHON.md says what this costs.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# What -O3 adds to -O2 takes a fifth of the time of a build. bench/README.md says what it would gain.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# GCC collects garbage again and again, from a small heap on. To begin at 600 MB saved 4 to 20 % of the processor time of a
# file in runs that alternated, and costs a fifth more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=600000")  # kB
endif()
find_program(SPCA_CCACHE ccache)
if(SPCA_CCACHE)
  # ccache sees through a precompiled header only if told that time stamps and macros in it do not matter. It takes the
  # headers from the compiler's list, which spares it a run of the preprocessor before each file that it does not know.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_DEPEND=true
      CCACHE_SLOPPINESS=pch_defines,time_macros ${SPCA_CCACHE})
endif()

add_library(spca_flags INTERFACE)
target_compile_options(spca_flags INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
target_include_directories(spca_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_link_libraries(spca_flags INTERFACE spca_dependencies)
if(SPCA_SANITIZE)
  target_compile_options(spca_flags INTERFACE -fsanitize=${SPCA_SANITIZE} -fno-sanitize-recover=all
                                              -fno-omit-frame-pointer)
  target_link_options(spca_flags INTERFACE -fsanitize=${SPCA_SANITIZE})
endif()
if(SPCA_FUZZ)
  # Warnings are those of the compiler that the project is written for; this one has others.
  target_compile_options(spca_flags INTERFACE -w -fsanitize=fuzzer-no-link,address,undefined
                                              -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(spca_flags INTERFACE -fsanitize=address,undefined)
endif()
if(SPCA_NATIVE)
  target_compile_options(spca_flags INTERFACE -march=native)
endif()
