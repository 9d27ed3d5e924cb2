#pragma once

/// S from Python objects: arrays, the three arrays of a sparse matrix, a covariance matrix, or the
/// name of a data set.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <string>
#include <vector>

#include "harness/calls/data.h"
#include "spca/base/types.h"

namespace spca::python {

using calls::Data;

/// X, n x p, of float64 or float32 in any layout. One copy is made, which is centred and scaled in
/// place. `what` is the name of the argument in messages. Throws InputError as make_covariance()
/// does.
Data dense_data(const pybind11::array& x, bool centered, const std::string& scale,
                bool standardized, std::vector<std::string> names, const std::string& what);

/// X, n x p, in SciPy's form: by rows (CSR) or by columns (CSC), sorted and without duplicates,
/// with indices of 32 or 64 bits. X stays sparse. It is stored by rows and by columns. Unless
/// `copy`, rows with indices of 32 bits are used where they lie: the arrays are kept alive, and
/// must not change. Rows that are standardised, or centred with large means, are copied all the
/// same.
Data sparse_data(const pybind11::array_t<double>& values, const pybind11::array& indices,
                 const pybind11::array& starts, Index n, Index p, bool by_columns, bool centered,
                 const std::string& scale, bool standardized, bool copy,
                 std::vector<std::string> names, const std::string& what);

/// S itself, p x p.
Data covariance_data(const pybind11::array& s, std::vector<std::string> names,
                     const std::string& what);

/// Returns (matrix, names of columns, notes) of x without missing values (calls::without_missing).
pybind11::tuple without_missing(const pybind11::array& x, const std::string& missing,
                                std::vector<std::string> names, const std::string& what);

/// B, n x p, with S = B'B: the samples, centred and scaled as `data` are. Dense. Throws InputError
/// if S itself was given.
pybind11::array_t<double> samples(const Data& data);

/// A registered data set. `seed` is as in `spca solve --seed`.
Data named_data(const std::string& name, const pybind11::dict& options, std::uint64_t seed,
                const std::string& data_folder);

}  // namespace spca::python
