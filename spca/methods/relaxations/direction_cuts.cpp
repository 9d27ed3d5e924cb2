#include "spca/methods/relaxations/direction_cuts.h"

#include <algorithm>
#include <utility>

#include "spca/dense/dense_products.h"

namespace spca {

DirectionCut direction_cut(std::shared_ptr<const DirectionBranch> branch, int part) {
  const double slope = branch->slope;
  Eigen::Matrix2d form;
  if (part == 0) {
    form << slope * slope, 0, 0, -1;
  } else {
    const double side = part == 1 ? 0.5 : -0.5;
    form << -slope, side, side, 0;
  }
  return {.branch = std::move(branch), .form = form};
}

DirectionCuts::DirectionCuts(std::vector<DirectionCut> cuts, const Vector& multipliers,
                             double stiffness)
    : cuts_(std::move(cuts)), multipliers_(Vector::Zero(std::ssize(cuts_))), stiffness_(stiffness) {
  const Index known = std::min(multipliers.size(), multipliers_.size());
  for (Index l = 0; l < known; ++l) {
    multipliers_[l] = std::max(0.0, multipliers[l]);
  }
}

double DirectionCuts::multiplier_at(std::size_t cut, const Matrix& projected) const {
  const double slack = projected.cwiseProduct(cuts_[cut].form * projected).sum();
  return std::max(0.0, multipliers_[static_cast<Index>(cut)] - stiffness_ * slack);
}

double DirectionCuts::penalty(const Matrix& y, Matrix* gradient) const {
  double sum = 0;
  for (std::size_t l = 0; l < cuts_.size(); ++l) {
    const Matrix& basis = cuts_[l].branch->basis;
    const Matrix projected = transposed_product(basis, y);
    const double before = multipliers_[static_cast<Index>(l)];
    const double after = multiplier_at(l, projected);
    sum -= (after * after - before * before) / (2 * stiffness_);
    if (gradient != nullptr && after > 0) {
      add_product(*gradient, basis, 2 * after * cuts_[l].form * projected);
    }
  }
  return sum;
}

void DirectionCuts::update(const Matrix& y) {
  for (std::size_t l = 0; l < cuts_.size(); ++l) {
    multipliers_[static_cast<Index>(l)] =
        multiplier_at(l, transposed_product(cuts_[l].branch->basis, y));
  }
}

void DirectionCuts::add_times(const Matrix& w, Matrix& result) const {
  for (std::size_t l = 0; l < cuts_.size(); ++l) {
    const double multiplier = multipliers_[static_cast<Index>(l)];
    if (multiplier > 0) {
      const Matrix& basis = cuts_[l].branch->basis;
      add_product(result, basis, multiplier * cuts_[l].form * transposed_product(basis, w));
    }
  }
}

void DirectionCuts::add_to(Matrix& curvature) const {
  for (std::size_t l = 0; l < cuts_.size(); ++l) {
    const double multiplier = multipliers_[static_cast<Index>(l)];
    if (multiplier > 0) {
      const Matrix& basis = cuts_[l].branch->basis;
      add_product(curvature, basis, multiplier * cuts_[l].form * basis.transpose());
    }
  }
}

}  // namespace spca
