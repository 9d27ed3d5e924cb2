#include "tests/properties/truth.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>

#include "spca/base/random.h"

namespace spca::properties {
namespace {

using Mask = std::uint32_t;

Matrix submatrix(const Matrix& matrix, const Support& support) { return matrix(support, support); }

Support members(Mask mask) {
  Support support;
  for (Index i = 0; mask >> i != 0; ++i) {
    if ((mask >> i & 1U) != 0) {
      support.push_back(i);
    }
  }
  return support;
}

/// The value of an impossible problem: more components than variables.
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// Combines two parts of S. Entry `mask` of a, of b and of the result is the best value of the
/// components of `mask` in part a, in part b, and distributed between both.
std::vector<double> combined(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> best(a.size());
  for (Mask mask = 0; mask < a.size(); ++mask) {
    best[mask] = a[mask] + b[0];
    for (Mask part = mask; part != 0; part = (part - 1) & mask) {
      best[mask] = std::max(best[mask], a[mask & ~part] + b[part]);
    }
  }
  return best;
}

class EnumeratedTruth : public Truth {
 public:
  explicit EnumeratedTruth(const Matrix& covariance)
      : p_(covariance.rows()),
        eigenvalues_(reference_eigenvalues(covariance)),
        largest_(std::size_t{1} << p_) {
    for (Mask mask = 1; mask < largest_.size(); ++mask) {
      largest_[mask] = reference_eigenvalues(submatrix(covariance, members(mask)))[0];
    }
  }

  double one(Index k) const override {
    double best = 0;
    for (Mask mask = 1; mask < largest_.size(); ++mask) {
      if (std::popcount(mask) <= static_cast<int>(k)) {
        best = std::max(best, largest_[mask]);
      }
    }
    return best;
  }

  double disjoint(const std::vector<Index>& cardinality) const override {
    return best_of(cardinality).back();
  }

  /// Returns the best value on the variables of each mask.
  std::vector<double> best_of(const std::vector<Index>& cardinality) const {
    std::vector<double> best(largest_.size(), 0);
    for (const Index k : cardinality) {
      std::vector<double> next(best.size(), kImpossible);
      for (Mask mask = 0; mask < best.size(); ++mask) {
        for (Mask part = mask; part != 0; part = (part - 1) & mask) {
          if (std::popcount(part) <= static_cast<int>(k)) {
            next[mask] = std::max(next[mask], best[mask & ~part] + largest_[part]);
          }
        }
      }
      best = std::move(next);
    }
    return best;
  }

  const Vector& eigenvalues() const override { return eigenvalues_; }

 private:
  Index p_;
  Vector eigenvalues_;
  std::vector<double> largest_;  // lambda_max(S_II) of each mask
};

/// The optima of a block diagonal S with few distinct blocks. A component of the optimum lies in
/// one block, because the eigenvalues of a block diagonal S_II are the eigenvalues of its blocks.
class BlockTruth : public Truth {
 public:
  BlockTruth(const Matrix& covariance, const std::vector<Support>& blocks)
      : eigenvalues_(covariance.rows()) {
    Index at = 0;
    for (const Support& block : blocks) {
      const Matrix part = submatrix(covariance, block);
      Kind& kind = kind_of(part);
      ++kind.count;
      eigenvalues_.segment(at, part.rows()) = kind.truth->eigenvalues();
      at += part.rows();
    }
    std::sort(eigenvalues_.begin(), eigenvalues_.end(), std::greater<>());
  }

  double one(Index k) const override {
    double best = 0;
    for (const Kind& kind : kinds_) {
      best = std::max(best, kind.truth->one(k));
    }
    return best;
  }

  double disjoint(const std::vector<Index>& cardinality) const override {
    const auto r = static_cast<Index>(cardinality.size());
    std::vector<double> best(std::size_t{1} << r, kImpossible);
    best[0] = 0;
    for (const Kind& kind : kinds_) {
      std::vector<double> worth(best.size(), 0);
      for (Mask mask = 1; mask < worth.size(); ++mask) {
        std::vector<Index> chosen;
        for (const Index j : members(mask)) {
          chosen.push_back(cardinality[static_cast<std::size_t>(j)]);
        }
        worth[mask] = kind.truth->disjoint(chosen);
      }
      for (Index copy = 0; copy < std::min(kind.count, r); ++copy) {
        best = combined(best, worth);
      }
    }
    return best.back();
  }

  const Vector& eigenvalues() const override { return eigenvalues_; }

 private:
  struct Kind {
    Matrix block;
    std::unique_ptr<const Truth> truth;
    Index count = 0;
  };

  Kind& kind_of(const Matrix& block) {
    const auto found = std::find_if(kinds_.begin(), kinds_.end(), [&](const Kind& kind) {
      return kind.block.rows() == block.rows() && kind.block == block;
    });
    if (found != kinds_.end()) {
      return *found;
    }
    kinds_.push_back({.block = block, .truth = enumerated_truth(block)});
    return kinds_.back();
  }

  Vector eigenvalues_;
  std::vector<Kind> kinds_;
};

/// The optima of S = (1 - c) I + c 11', c > 0: any k variables have the value (1 - c) + c k.
class EquicorrelatedTruth : public Truth {
 public:
  EquicorrelatedTruth(double c, Index p) : c_(c), eigenvalues_(Vector::Constant(p, 1 - c)) {
    eigenvalues_[0] = one(p);
  }
  double one(Index k) const override { return 1 - c_ + c_ * static_cast<double>(k); }
  double disjoint(const std::vector<Index>& cardinality) const override {
    Index free = eigenvalues_.size();
    double sum = 0;
    for (const Index k : cardinality) {
      const Index taken = std::min(k, free);
      sum += taken > 0 ? one(taken) : 0;
      free -= taken;
    }
    return sum;
  }
  const Vector& eigenvalues() const override { return eigenvalues_; }

 private:
  double c_;
  Vector eigenvalues_;
};

/// Returns the unit vector v on `support`, orthogonal to `others`, with the largest v'Sv; zero if
/// there is none.
Vector best_beside(const Matrix& covariance, const Support& support, const Matrix& others) {
  const auto k = static_cast<Index>(support.size());
  Matrix basis = Matrix::Identity(k, k);
  if (others.cols() > 0) {
    const Matrix restricted = others(support, Eigen::all);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(restricted * restricted.transpose());
    Index free = 0;
    while (free < k && solver.eigenvalues()[free] < 1e-14) {
      ++free;
    }
    basis = solver.eigenvectors().leftCols(free);
  }
  Vector v = Vector::Zero(covariance.rows());
  if (basis.cols() == 0) {
    return v;
  }
  const Matrix part = submatrix(covariance, support);
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(basis.transpose() * part * basis);
  const Vector local = basis * solver.eigenvectors().rightCols(1);
  for (Index i = 0; i < k; ++i) {
    v[support[static_cast<std::size_t>(i)]] = local[i];
  }
  return v;
}

/// Returns the value of loadings on these supports after block coordinate ascent, which replaces
/// each in turn by the best one orthogonal to the others; 0 if they are not orthonormal then.
double ascended(const Matrix& covariance, const std::vector<Support>& supports) {
  const auto r = static_cast<Index>(supports.size());
  Matrix loadings(covariance.rows(), r);
  for (Index j = 0; j < r; ++j) {
    loadings.col(j) =
        best_beside(covariance, supports[static_cast<std::size_t>(j)], loadings.leftCols(j));
  }
  for (int round = 0; round < 5; ++round) {
    for (Index j = 0; j < r; ++j) {
      Matrix others(covariance.rows(), r - 1);
      others << loadings.leftCols(j), loadings.rightCols(r - 1 - j);
      loadings.col(j) = best_beside(covariance, supports[static_cast<std::size_t>(j)], others);
    }
  }
  const Matrix gram = loadings.transpose() * loadings;
  const bool is_orthonormal = (gram - Matrix::Identity(r, r)).cwiseAbs().maxCoeff() < 1e-11;
  return is_orthonormal ? (loadings.transpose() * covariance * loadings).trace() : 0;
}

std::vector<Support> supports_of(Index p, Index k) {
  std::vector<Support> supports;
  for (Mask mask = 1; mask < Mask{1} << p; ++mask) {
    if (std::popcount(mask) == static_cast<int>(k)) {
      supports.push_back(members(mask));
    }
  }
  return supports;
}

}  // namespace

Vector reference_eigenvalues(const Matrix& symmetric) {
  const double scale = symmetric.cwiseAbs().maxCoeff();
  if (scale == 0) {
    return Vector::Zero(symmetric.rows());
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric / scale, Eigen::EigenvaluesOnly);
  return scale * solver.eigenvalues().reverse();
}

std::unique_ptr<const Truth> enumerated_truth(const Matrix& covariance) {
  return std::make_unique<EnumeratedTruth>(covariance);
}

std::unique_ptr<const Truth> truth_of(const HuntedMatrix& matrix, const Matrix& covariance) {
  if (matrix.correlation) {
    return std::make_unique<EquicorrelatedTruth>(*matrix.correlation, matrix.variables());
  }
  if (!matrix.blocks.empty()) {
    return std::make_unique<BlockTruth>(covariance, matrix.blocks);
  }
  return enumerated_truth(covariance);
}

Matrix low_rank_part(const Matrix& covariance, Index d) {
  const double scale = covariance.cwiseAbs().maxCoeff();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(covariance / scale);
  const Matrix vectors = solver.eigenvectors().rightCols(d);
  const Vector values = scale * solver.eigenvalues().tail(d);
  const Matrix part = vectors * values.asDiagonal() * vectors.transpose();
  return 0.5 * (part + part.transpose());
}

double orthogonal_value(const Matrix& covariance, const std::vector<Index>& cardinality) {
  const Index p = covariance.rows();
  const double scale = covariance.cwiseAbs().maxCoeff();
  const Matrix scaled = covariance / scale;
  double best = 0;
  if (cardinality.size() == 2 && p <= 7) {
    for (const Support& first : supports_of(p, cardinality[0])) {
      for (const Support& second : supports_of(p, cardinality[1])) {
        best = std::max(best, ascended(scaled, {first, second}));
      }
    }
    return scale * best;
  }
  Random random(1);
  std::vector<std::vector<Support>> all;
  for (const Index k : cardinality) {
    all.push_back(supports_of(p, k));
  }
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<Support> supports;
    for (const std::vector<Support>& of_one : all) {
      supports.push_back(of_one[random.below(of_one.size())]);
    }
    best = std::max(best, ascended(scaled, supports));
  }
  return scale * best;
}

}  // namespace spca::properties
