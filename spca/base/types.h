#pragma once

// clang-format off
/// The glossary. These letters mean the same in every file of the project:
///
///   n, p       samples and variables; X is n x p, its rows are samples
///   S          p x p symmetric positive semidefinite matrix whose sparse eigenvectors are sought
///   r          number of components
///   k          cardinality: the largest number of nonzeros of one component
///   V          loadings, p x r, unit columns; v_j one component, I_j its support
///   d          rank of a low-rank approximation of S
///   lambda_i   i-th largest eigenvalue of S
///   rho, gamma weights of penalties; each file says what they penalise
// clang-format on

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace spca {

using Index = Eigen::Index;      // of a sample or a variable, from 0; also a count
using Vector = Eigen::VectorXd;  // a column
using Matrix = Eigen::MatrixXd;  // column-major

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;     // CSR
using SparseColumns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;  // CSC

/// Options and descriptions. The order of keys is kept.
using Json = nlohmann::ordered_json;

/// Indices of variables: zero-based, strictly ascending.
using Support = std::vector<Index>;

/// The value of a metric that was not measured: NaN inside the program, null in JSON, never -1.
inline constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// One sparse vector v of length p: v[support[i]] = values[i], all other entries zero.
struct Component {
  Support support;  // the variables of the nonzeros
  Vector values;    // as long as the support

  /// The number of nonzeros.
  Index cardinality() const { return static_cast<Index>(support.size()); }
};

}  // namespace spca
