# Settings of a wheel (docs/PYTHON.md, "A wheel"). scikit-build-core sets SKBUILD,
# SKBUILD_SCRIPTS_DIR and SKBUILD_DATA_DIR. The two folders become bin/ and the root of the
# environment in which the wheel is installed.

# SPCA_SOURCES_AT_RUN_TIME is the last folder in which the program looks for experiments/ and the
# like. A wheel has none: on another machine, the folder of its sources could belong to another
# user. SPCA_PYTHON_AT_RUN_TIME is the interpreter for plotting/ and recipes. If it is empty, the
# program looks for python3 in its own folder, then on PATH.
set(SPCA_SOURCES_AT_RUN_TIME ${PROJECT_SOURCE_DIR})
set(SPCA_PYTHON_AT_RUN_TIME ${Python3_EXECUTABLE})
if(SKBUILD)
  set(SPCA_PYTHON_AT_RUN_TIME "")
  set(SPCA_SOURCES_AT_RUN_TIME /nonexistent)
  set(CMAKE_INSTALL_BINDIR ${SKBUILD_SCRIPTS_DIR})
endif()
