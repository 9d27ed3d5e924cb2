#pragma once

/// The relaxation of several orthogonal components (orthogonal_bound.h) over pools of supports:
///
///   minimise  tr Lambda + sum over parts c of count_c max { lambda_max((S - Lambda)_II) : I in
///             the pool of c }   over positive semidefinite Lambda = LL'
///
/// A part is a component, or several that may choose from the same supports. The value is a lower
/// bound on the same minimum with all supports that the parts may choose. Components with
/// uncorrelated scores have other prices (price_lift.h): then L is their factor X, and Lambda_c =
/// NN' of a part depends on its scale.
///
/// With shares s_i of the variables, from 0 to 1, only the union of the supports pays: pi_i = s_i
/// Lambda_ii is not paid, but each support with variable i gains it (orthogonal_bound.h).
///
/// The maxima are smoothed, mu log sum_I tr exp((S - Lambda)_II / mu), and L, of p x q, is sought
/// by L-BFGS, which cannot leave the range of L, because outside it the slope along L is zero. The
/// shares are the squared sines of angles, which have no limits. Let M be the sum over the parts of
/// count_c times the weighted mean of uu' over the eigenvectors u in the smoothed maximum, and n_i
/// that of the supports with i. Then Diag(u) - M is the slope along Lambda, u_i = 1 - s_i + s_i
/// n_i. If M - Diag(u) has a positive eigenvalue, its eigenvector becomes a column of L, and the
/// descent continues.

#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "spca/base/types.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/methods/pools/price_lift.h"

namespace spca {

/// The point at which the relaxation is evaluated.
struct PricePoint {
  Matrix factor = {};  // L, p x q, or X of price_lift.h
  Vector shares = {};  // s, p, 0..1; empty: all are 0

  /// pi, p; zero without shares.
  Vector gains(Index p) const;
  /// The sum of (1 - s_i) Lambda_ii, which is paid whatever the supports are.
  double paid() const;
};

/// S - LL'. `factor`: L, p x q.
Matrix left_of(Matrix matrix, const Matrix& factor);

/// Returns true only if lambda_max(A_II) < level, by a factorisation of level I - A_II. May return
/// false if both are about equal, and always does if the support has more than 32 variables. Takes
/// a tenth of the time of the eigenvalue.
bool is_below(const Matrix& matrix, const Support& support, double level);

class PooledRelaxation {
 public:
  /// `matrix` is S and must outlive the relaxation; `counts`: of the parts, > 0; `scales`: theirs
  /// (empty: 1). No pool may be empty when a value is computed.
  PooledRelaxation(const Matrix& matrix, const std::vector<double>& counts, PriceLift lift = {},
                   const std::vector<double>& scales = {});

  /// Adds a support to the pool of a part. Returns false if it is there already.
  bool add(std::size_t part, const Support& support);
  Index size() const;
  /// The value at a point without smoothing.
  double value(const PricePoint& point);
  /// Keeps the supports of largest value in each pool that has become too large.
  void trim(const PricePoint& point);

  struct Descent {
    double mu = 0;
    /// Ends when the smoothed value, which is at least the value, is at most this.
    double enough = -std::numeric_limits<double>::infinity();
    std::function<bool()> keep_going = [] { return true; };
  };
  /// Lowers the smoothed value, starting from the point, until steps gain little. L may get more
  /// columns.
  void minimise(PricePoint& point, const Descent& descent);

 private:
  struct Part {
    double count = 1;
    double scale = 1;
    std::vector<Support> pool = {};
    std::set<Support> known = {};
    std::vector<Support> positions = {};  // the supports of the pool, as indices in variables_
    std::size_t best = 0;  // the index in the pool of the support that had the largest value last
  };
  /// The eigenpairs of the supports, one after the other, with their weights under smoothing.
  struct Weighted {
    struct Pair {
      std::size_t position = 0;  // index of the support in the pool
      double value = 0;          // the eigenvalue; after weigh() the weight
      std::size_t begin = 0;     // start of its entries in `vectors`
    };
    std::vector<Pair> pairs = {};
    std::vector<double> vectors = {};

    void add(std::size_t position, double value, const double* vector, std::size_t size);
  };
  /// The matrix and the gains by which the supports of a part are valued, on the variables.
  struct Valued {
    Matrix matrix;
    Vector gains;
  };
  /// M and n on the variables; M has no scaled form for orthonormal components.
  struct Sums {
    PriceLift::Means means;
    Vector counts;
  };
  void collect_variables();
  Valued valued(const PricePoint& point, double scale) const;
  double weigh(Part& part, const Valued& by, double mu, Weighted& weighted) const;
  double smoothed_maxima(const PricePoint& point, double mu, Sums& sums);
  Vector slope_of_prices(const PricePoint& point, const Sums& sums) const;
  double smoothed(const PricePoint& point, double mu, PricePoint& gradient);
  bool raise_rank(PricePoint& point, double mu);
  double descend(PricePoint& point, const Descent& descent);

  const Matrix& matrix_;
  PriceLift lift_;
  std::vector<Part> parts_;
  bool is_collected_ = false;
  Support variables_;    // the union of the pools, ascending
  Matrix on_variables_;  // S of these
};

}  // namespace spca
