#pragma once

/// Deflation for one-component solvers (Mackey, NIPS 2008): S_t from S_{t-1} and a component v that
/// was found.
///
///   remove-support              the rows and columns of the variables of v become zero
///   projection                  (I - vv') S (I - vv')
///   orthogonalised-projection   projection with q = v made orthonormal to the earlier q
///   schur                       S - S v v'S / v'Sv
///   hotelling                   S - (v'Sv) v v'       (may become indefinite)
///
/// Each deflation is a mask, or S - Z Y' - Y Z' with Z, Y of p x t. It is applied as an operator,
/// never as a p x p update. All but hotelling keep a data form X - A B', so the Gram matrix can
/// still be used if n < p.

#include <memory>
#include <string>

#include "spca/base/registry.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// A registered deflation.
struct DeflationEntry {
  std::string name;     // "projection"
  std::string file;     // the source that registered it
  std::string summary;  // one line for `spca list`
  std::string formula;  // S_t, in letters of Mackey 2008
  /// Returns S_t, an operator on `previous`, p x p. `previous` is S_{t-1}: the covariance itself,
  /// or the result of an earlier call of the same deflation. v has unit length. Costs at most
  /// one product with S; each later product costs O(p t) more.
  std::shared_ptr<const Covariance> (*deflate)(std::shared_ptr<const Covariance> previous,
                                               const Component& v);
  /// True if the supports of the components cannot overlap. The harness checks it.
  bool disjoint = false;
  /// True if S_t has a data form wherever S_{t-1} has one.
  bool keeps_data = true;
  static constexpr const char* kKind = "deflation";  // in messages
};

extern template class Registry<DeflationEntry>;
/// Every deflation, by name.
using DeflationRegistry = Registry<DeflationEntry>;

}  // namespace spca
