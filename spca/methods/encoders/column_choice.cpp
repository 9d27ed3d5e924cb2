/// All methods return columns of positive variance, and add columns by leverage if they find fewer
/// than requested (greedy and exchange: fewer than there are components). More columns cannot raise
/// the loss of the encoder that is built on them.

#include "spca/methods/encoders/column_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/base/error.h"
#include "spca/base/random.h"
#include "spca/dense/dense_products.h"
#include "spca/methods/encoders/dual_set.h"
#include "spca/methods/encoders/encoder_search.h"

namespace spca {
namespace {

/// Below this share of the first pivot, a pivot is rounding.
constexpr double kNoPivot = 1e-12;
/// Number of columns that the adaptive choice takes by dual-set, as a multiple of r. Their span
/// then loses at most (1 + (1 - 1/2)^{-2}) = 5 times as much as PCA.
constexpr Index kFirstColumns = 4;

class Chooser {
 public:
  Chooser(const Covariance& covariance, const Eigenpairs& leading, const ColumnChoice& choice,
          Budget& budget)
      : covariance_(covariance),
        leading_(leading),
        choice_(choice),
        budget_(budget),
        rows_(leading.vectors) {
    for (Index i = 0; i < covariance.variables(); ++i) {
      if (!(covariance.diagonal()[i] > 0)) {
        // Eigenvectors are zero in such a row except for rounding, which could win a column its
        // place.
        rows_.row(i).setZero();
      }
    }
  }

  std::vector<Index> choose() const {
    const Index k = choice_.k;
    const std::string& method = choice_.method;
    if (method == "dual-set") {
      return filled(dual_set(k), k);
    }
    if (method == "adaptive") {
      return filled(adaptive(), k);
    }
    if (method == "pivoted-qr") {
      return filled(pivots_of_data(), k);
    }
    if (method == "leverage") {
      return filled({}, k);
    }
    return filled(by_loss(), choice_.components);
  }

 private:
  std::vector<Index> dual_set(Index k) const {
    // The theorem needs r < k.
    if (k <= choice_.components) {
      return pivots_of_rows(k);
    }
    const Vector& variances = covariance_.diagonal();
    // ||e_i||^2 = S_ii - sum_l lambda_l v_li^2: the residual of column i after the eigenvectors.
    // Less than kNoPivot S_ii is rounding.
    Vector rest = variances - rows_.cwiseAbs2() * leading_.values;
    rest = (rest.array() > kNoPivot * variances.array()).select(rest, 0.0);
    return dual_set_sparsification(rows_, rest, k, budget_).columns;
  }

  // The rows of V span r dimensions, so r pivots make V_J regular: the span of X_J then
  // contains the directions of the eigenvectors. A chosen row is set to zero, because rounding
  // leaves a remainder.
  std::vector<Index> pivots_of_rows(Index count) const {
    Matrix rest = rows_;
    std::vector<Index> pivots;
    while (std::ssize(pivots) < count) {
      Index pivot = 0;
      const double longest = rest.rowwise().squaredNorm().maxCoeff(&pivot);
      if (!(longest > kNoPivot)) {
        break;
      }
      pivots.push_back(pivot);
      const Vector direction = rest.row(pivot).transpose() / std::sqrt(longest);
      rest -= (rest * direction) * direction.transpose();
      rest.row(pivot).setZero();
    }
    return pivots;
  }

  /// The pivoted Cholesky factorisation of S has the pivots of a QR factorisation of X. Invariant:
  /// rest_i = ||f_i||^2 less the squared length of its projection on the chosen columns.
  std::vector<Index> pivots_of_data() const {
    Vector rest = covariance_.diagonal();
    const double first = rest.maxCoeff();
    Matrix factor(covariance_.variables(), choice_.k);
    std::vector<Index> pivots;
    while (std::ssize(pivots) < choice_.k && budget_.next()) {
      const Index size = std::ssize(pivots);
      Index pivot = 0;
      const double longest = rest.maxCoeff(&pivot);
      if (!(longest > kNoPivot * first)) {
        break;
      }
      factor.col(size) =
          (covariance_.columns({pivot}).col(0) - times_own_row(factor, pivot, size)) /
          std::sqrt(longest);
      rest -= factor.col(size).cwiseAbs2();
      rest(pivot) = 0;
      pivots.push_back(pivot);
    }
    return pivots;
  }

  std::vector<Index> adaptive() const {
    const Index r = choice_.components;
    // Theorem 6 (ii) needs 5r < k.
    if (choice_.k <= 5 * r) {
      return dual_set(choice_.k);
    }
    std::vector<Index> chosen = filled(dual_set(kFirstColumns * r), kFirstColumns * r);
    Vector weights = squared_rest(chosen);
    // Draws until k are distinct. These are no fewer than the k - 4r independent draws of the
    // theorem.
    Random random(choice_.seed);
    while (std::ssize(chosen) < choice_.k && budget_.next()) {
      const double total = weights.sum();
      if (!(total > 0)) {
        break;
      }
      // Inverts the cumulative weights. Rounding can leave `left` above zero at the end; the
      // last column of positive weight is then drawn.
      double left = random.uniform() * total;
      Index drawn = -1;
      for (Index i = 0; i < weights.size() && left >= 0; ++i) {
        if (weights[i] > 0) {
          drawn = i;
          left -= weights[i];
        }
      }
      chosen.push_back(drawn);
      weights[drawn] = 0;
    }
    return chosen;
  }

  /// The squared residual of each column f_i after the chosen columns C: ||f_i - CC^+f_i||^2.
  Vector squared_rest(const std::vector<Index>& chosen) const {
    const Support support = sorted(chosen);
    const Matrix columns = covariance_.columns(support);
    const ColumnSpan span =
        column_span(covariance_.submatrix(support), transposed_product(columns, columns));
    // With Q = CM an orthonormal basis, Q'f_i is row i of S_{:,J} M.
    Vector rest =
        covariance_.diagonal() - squared_row_norms(matrix_product(columns, span.coefficients));
    rest = (rest.array() > kNoPivot * covariance_.diagonal().array()).select(rest, 0.0);
    rest(support).setZero();
    return rest;
  }

  std::vector<Index> by_loss() const {
    ColumnStore store(covariance_, leading_);
    EncoderSearch search(store, choice_.components, choice_.threads);
    if (choice_.method == "greedy") {
      return search.grow({}, choice_.k, budget_);
    }
    return search.exchange(filled(dual_set(choice_.k), choice_.k), budget_);
  }

  /// Fills up to `size` columns, by leverage.
  std::vector<Index> filled(std::vector<Index> chosen, Index size) const {
    if (std::ssize(chosen) >= size) {
      return chosen;
    }
    std::vector<char> taken(static_cast<std::size_t>(covariance_.variables()), 0);
    for (const Index i : chosen) {
      taken[static_cast<std::size_t>(i)] = 1;
    }
    const Vector leverage = squared_row_norms(rows_);
    std::vector<Index> order(taken.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return leverage[a] > leverage[b]; });
    for (const Index i : order) {
      // Only columns with variance contribute to X.
      const bool usable = taken[static_cast<std::size_t>(i)] == 0 && covariance_.diagonal()[i] > 0;
      if (usable && std::ssize(chosen) < size) {
        chosen.push_back(i);
      }
    }
    return chosen;
  }

  const Covariance& covariance_;
  const Eigenpairs& leading_;
  const ColumnChoice& choice_;
  Budget& budget_;
  Matrix rows_;  // of the leading eigenvectors, p x r
};

}  // namespace

const Choices kColumnChoices = {"dual-set", "adaptive", "pivoted-qr",
                                "leverage", "greedy",   "exchange"};

std::vector<Index> choose_columns(const Covariance& covariance, const Eigenpairs& leading,
                                  const ColumnChoice& choice, Budget& budget) {
  SPCA_CHECK(choice.components <= choice.k && leading.values.size() == choice.components,
             "a choice of fewer columns than components, or with other eigenvectors");
  return Chooser(covariance, leading, choice, budget).choose();
}

Support sorted(std::vector<Index> columns) {
  std::sort(columns.begin(), columns.end());
  return columns;
}

}  // namespace spca
