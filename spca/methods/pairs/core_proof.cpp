#include "spca/methods/pairs/core_proof.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// Is added to the eigenvalues of L'L, relative to the largest, so that none is zero.
constexpr double kRidge = 1e-6;
// The row of a variable outside in L is one of these multiples of the solution. Chosen by trial,
// not measured.
constexpr double kScalesOfRow[] = {0, 0.5, 1};
// The shares of the distance of M_jj to lambda_r(M) by which prices fall, tried one after the
// other. Chosen by trial, not measured.
constexpr double kShares[] = {0.8, 0.4, 0.2, 0.1};

Support variables_outside(const Support& core, Index p) {
  Support outside = all_variables(p);
  std::erase_if(outside, [&](Index i) { return std::binary_search(core.begin(), core.end(), i); });
  return outside;
}

/// Returns the least payment among the largest ones for which the support has places beside the
/// variables that it must have; 0 if fewer pay.
double last_payment(const PairProof& proof, const PairConditions& conditions) {
  std::vector<double> payments;
  Index places = conditions.k;
  for (Index i = 0; i < proof.prices.size(); ++i) {
    if (conditions.least[i] > 0) {
      --places;
    } else if (conditions.most[i] > 0) {
      payments.push_back(static_cast<double>(conditions.r) * proof.prices[i] +
                         proof.union_factor.row(i).squaredNorm());
    }
  }
  if (places < 1 || std::ssize(payments) < places) {
    return 0;
  }
  std::nth_element(payments.begin(), payments.begin() + (places - 1), payments.end(),
                   std::greater<>());
  return std::max(payments[static_cast<std::size_t>(places - 1)], 0.0);
}

class Extension {
 public:
  Extension(const PairProof& proof, const Support& core, const PairConditions& conditions,
            const Matrix& matrix)
      : proof_(proof),
        core_(core),
        outside_(variables_outside(core, matrix.rows())),
        conditions_(conditions.among(core)),
        matrix_(matrix),
        of_core_(selected(matrix, core, core)),
        taken_(last_pair_terms(of_core_, conditions_, proof)) {
    const Index p = matrix.rows();
    extended_ = {.costs = Matrix::Zero(p, p),
                 .prices = conditions.charges,
                 .union_factor = Matrix::Zero(p, proof.union_factor.cols())};
    extended_.costs(core, core) = proof.costs;
    extended_.prices(core) = proof.prices;
    if (proof.union_factor.size() > 0) {
      extended_.union_factor(core, Eigen::all) = proof.union_factor;
    }
  }

  PairProof run() {
    if (outside_.empty()) {
      return std::move(extended_);
    }
    if (!conditions_.is_common || !(proof_.union_factor.norm() > 0)) {
      set_costs(matrix_);
      return std::move(extended_);
    }
    set_rows();
    const Matrix left =
        matrix_ - product_transposed(extended_.union_factor, extended_.union_factor);
    set_costs(left);
    lower_prices(left);
    return std::move(extended_);
  }

 private:
  /// Solves (L'L) L_j = L'S_j for the rows of the variables outside, and sets their prices.
  void set_rows() {
    const Matrix& factor = proof_.union_factor;
    const SymmetricEigenpairs pairs = symmetric_eigenpairs(transposed_product(factor, factor));
    const double ridge = kRidge * pairs.values.maxCoeff();
    const Matrix basis = factor * pairs.vectors;
    const Matrix rows =
        matrix_(outside_, core_) *
        scaled_columns(basis, (pairs.values.array().max(0.0) + ridge).inverse().matrix()) *
        pairs.vectors.transpose();
    const double most = last_payment(proof_, conditions_);
    for (std::size_t j = 0; j < outside_.size(); ++j) {
      double least = std::numeric_limits<double>::infinity();
      for (const double scale : kScalesOfRow) {
        const Vector row = scale * rows.row(static_cast<Index>(j)).transpose();
        const double price = (most - row.squaredNorm()) / static_cast<double>(conditions_.r);
        const double worth = worth_beside_core(outside_[j], row, price);
        if (worth < least) {
          least = worth;
          extended_.union_factor.row(outside_[j]) = row.transpose();
          extended_.prices[outside_[j]] = price;
        }
      }
    }
  }

  /// M_jj of a variable outside, without its pairs with others outside; infinity if a pair with the
  /// core has no room.
  double worth_beside_core(Index j, const Vector& row, double price) {
    terms_.clear();
    const Vector left = selected_entries(matrix_.col(j), core_) - proof_.union_factor * row;
    for (Index l = 0; l < left.size(); ++l) {
      const double room = taken_[l] + price;
      if (left[l] != 0 && !(room > 0)) {
        return std::numeric_limits<double>::infinity();
      }
      const double cost = left[l] == 0 ? 0 : left[l] * left[l] / room;
      terms_.push_back(std::max(0.0, cost - proof_.prices[l]));
    }
    return sum_of_largest(terms_, conditions_.k - 1, matrix_(j, j) - row.squaredNorm() - price);
  }

  /// `left`: S - Lambda.
  void set_costs(const Matrix& left) {
    for (const Index j : outside_) {
      for (std::size_t l = 0; l < core_.size(); ++l) {
        const double room = taken_[static_cast<Index>(l)] + extended_.prices[j];
        const double entry = room > 0 ? left(j, core_[l]) : 0;
        extended_.costs(core_[l], j) = entry == 0 ? 0 : std::copysign(room, entry);
        extended_.costs(j, core_[l]) = entry == 0 ? 0 : entry * std::abs(entry) / room;
      }
    }
    extended_.costs(outside_, outside_) = left(outside_, outside_);
  }

  void lower_prices(const Matrix& left) {
    const double level = least_pair_eigenvalue(of_core_, conditions_, proof_);
    const PairConditions conditions =
        PairConditions::common(conditions_.r, conditions_.k, matrix_.rows());
    const auto slack_of = [&] {
      const Vector diagonal = pair_diagonal(matrix_, conditions, extended_);
      return Vector(level - selected_entries(diagonal, outside_).array());
    };
    const Vector first = slack_of();
    const Vector prices = extended_.prices;
    for (const double share : kShares) {
      extended_.prices(outside_) = selected_entries(prices, outside_) - share * first.cwiseMax(0.0);
      set_costs(left);
      if (((slack_of().array() >= 0) || (first.array() <= 0)).all()) {
        return;
      }
    }
    extended_.prices = prices;
    set_costs(left);
  }

  const PairProof& proof_;
  const Support& core_;
  Support outside_;
  PairConditions conditions_;  // of the core
  const Matrix& matrix_;
  Matrix of_core_;
  Vector taken_;
  PairProof extended_;
  std::vector<double> terms_;
};

}  // namespace

PairProof extended_proof(const PairProof& proof, const Support& core,
                         const PairConditions& conditions, const Matrix& matrix) {
  return Extension(proof, core, conditions, matrix).run();
}

}  // namespace spca
