# Every dependency is a Debian package that scripts/bootstrap installs.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
# Only `spca fetch` needs curl. The options that name protocols need version 7.85.
find_package(CURL 7.85)
# Looks for a classifier that some metrics need. Sets NAME_FOUND, and SPCA_NAME to the target to link,
# which is empty without the library.
function(find_classifier name header folder library package metric)
  find_path(${name}_INCLUDE_DIR ${header} PATH_SUFFIXES ${folder})
  find_library(${name}_LIBRARY ${library})
  if(${name}_INCLUDE_DIR AND ${name}_LIBRARY)
    add_library(spca_${folder} INTERFACE)
    target_link_libraries(spca_${folder} INTERFACE ${${name}_LIBRARY})
    target_include_directories(spca_${folder} SYSTEM INTERFACE ${${name}_INCLUDE_DIR})
    set(${name}_FOUND TRUE PARENT_SCOPE)
    set(SPCA_${name} spca_${folder} PARENT_SCOPE)
  else()
    message(STATUS "${name} not found (Debian: ${package}): ${metric} will not be measured")
    set(${name}_FOUND FALSE PARENT_SCOPE)
    set(SPCA_${name} "" PARENT_SCOPE)
  endif()
endfunction()
find_classifier(LIBLINEAR linear.h liblinear linear liblinear-dev held_out_error)
find_classifier(LIBSVM svm.h libsvm svm libsvm-dev held_out_error_gaussian)
# HDF5 is needed for the reader of its files, such as those of AnnData. Debian has a serial build
# beside the builds for MPI.
find_path(HDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 REQUIRED)
# Clp solves the linear programs of disjoint supports.
find_path(CLP_INCLUDE_DIR coin/Clp_C_Interface.h REQUIRED)
find_library(CLP_LIBRARY Clp REQUIRED)
find_path(SPECTRA_INCLUDE_DIR Spectra/SymEigsSolver.h REQUIRED)

# Figures, reports and the recipes of `spca fetch` need Python at run time. Debian's interpreter has
# precedence over others on the PATH, which do not see Debian's packages, such as
# python3-matplotlib.
if(NOT Python3_EXECUTABLE)
  find_program(Python3_EXECUTABLE python3 HINTS /usr/bin DOC "Interpreter for plotting/")
endif()
if(NOT Python3_EXECUTABLE)
  set(Python3_EXECUTABLE python3)
endif()

# Dependencies of the solver library. Numerical headers are included as system headers, which
# silences their warnings.
add_library(spca_dependencies INTERFACE)
target_link_libraries(spca_dependencies INTERFACE Eigen3::Eigen fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
target_include_directories(spca_dependencies SYSTEM INTERFACE ${SPECTRA_INCLUDE_DIR})

# Dependencies of single modules of the program.
set(SPCA_CURL "")
if(CURL_FOUND)
  set(SPCA_CURL CURL::libcurl)
endif()
add_library(spca_hdf5 INTERFACE)
target_link_libraries(spca_hdf5 INTERFACE ${HDF5_LIBRARY})
target_include_directories(spca_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIR})
set(SPCA_HDF5 spca_hdf5)
add_library(spca_clp INTERFACE)
target_link_libraries(spca_clp INTERFACE ${CLP_LIBRARY})
target_include_directories(spca_clp SYSTEM INTERFACE ${CLP_INCLUDE_DIR} ${CLP_INCLUDE_DIR}/coin)
set(SPCA_CLP spca_clp)
