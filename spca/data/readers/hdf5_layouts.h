#pragma once

/// Layouts of matrices in HDF5: plain data sets, AnnData, 10x Genomics, loom, MATLAB 7.3.

#include <string>
#include <vector>

#include "spca/data/readers/hdf5_objects.h"

namespace spca {

enum class Hdf5Kind {
  kPlain,         // a data set by rows
  kAnnData,       // a group of data, indices and indptr; attributes say whether by rows or columns
  kTenX,          // a group of data, indices, indptr and shape: genes x cells by columns
  kLoom,          // a data set with genes as rows
  kMatlab,        // a data set by columns
  kMatlabSparse,  // a group of data, ir and jc, by columns
};

struct Hdf5Matrix {
  std::string path;  // begins with /
  Hdf5Kind kind = Hdf5Kind::kPlain;
};

/// Returns the matrix at the place `wanted`. If `wanted` is empty: X, or the matrix of loom, or the
/// only matrix at the top of the file. A vector of MATLAB counts as a matrix only if it is named.
/// Throws InputError that lists the readable matrices if there is no such matrix.
Hdf5Matrix choose_hdf5_matrix(hid_t file, const std::string& wanted);

/// The places of names that texts_at() reads. In each list, the first place that has texts counts.
struct Hdf5Names {
  std::vector<std::string> of_variables;
  std::vector<std::string> of_samples;
};
Hdf5Names names_beside(hid_t file, const Hdf5Matrix& matrix);

}  // namespace spca
