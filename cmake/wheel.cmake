# Settings of a wheel (docs/PYTHON.md, "A wheel"). scikit-build-core sets SKBUILD, and its folders of programs and of data,
# which become bin/ and the root of the environment that the wheel is installed into.

# The folder in which the program looks for experiments/ and the like last, and the interpreter of plotting/ and of
# recipes; if that is empty, the program looks for python3 in its own folder, then on PATH. A wheel runs on other machines,
# where the folder of its sources could belong to another user.
set(SPCA_SOURCES_AT_RUN_TIME ${PROJECT_SOURCE_DIR})
set(SPCA_PYTHON_AT_RUN_TIME ${Python3_EXECUTABLE})
if(SKBUILD)
  set(SPCA_PYTHON_AT_RUN_TIME "")
  set(SPCA_SOURCES_AT_RUN_TIME /nonexistent)
  set(CMAKE_INSTALL_BINDIR ${SKBUILD_SCRIPTS_DIR})
endif()
