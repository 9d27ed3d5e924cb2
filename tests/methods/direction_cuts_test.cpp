/// Tests branching on directions: the parts cover all directions, the penalty has the gradient that
/// it returns, every bound of a part holds for the supports whose direction is in it, and the
/// search that divides directions has a valid bound.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "spca/covariance/covariance_explicit.h"
#include "spca/dense/sparsify.h"
#include "spca/measure/sample_folds.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/methods/relaxations/support_family.h"
#include "tests/solver_testing.h"

namespace spca::direction_cuts_test {
namespace {

using namespace trial;

std::shared_ptr<const DirectionBranch> random_branch(Index n, Random& random) {
  auto branch = std::make_shared<DirectionBranch>();
  branch->basis = random_matrix(n, 2, random);
  branch->slope = std::exp(random.normal());
  return branch;
}

double slack(const DirectionCut& cut, const Vector& x) {
  const Vector projected = cut.branch->basis.transpose() * x;
  return projected.dot(cut.form * projected);
}

TEST(DirectionCuts, EveryDirectionIsInAPart) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const auto branch = random_branch(3, random);
    Vector x = random_matrix(3, 1, random);
    if (trial % 5 == 0) {  // orthogonal to e
      const Vector e = branch->basis.col(0);
      x -= e * (e.dot(x) / e.squaredNorm());
    }
    double most = -1;
    for (int part = 0; part < kDirectionParts; ++part) {
      most = std::max(most, slack(direction_cut(branch, part), x));
    }
    EXPECT_GE(most, -1e-12 * x.squaredNorm()) << trial;
  }
}

TEST(DirectionCuts, EveryPartExcludesTheMixtureThatItWasMadeFor) {
  const double first = 0.8;
  const double second = 0.2;
  auto branch = std::make_shared<DirectionBranch>();
  branch->basis = Matrix::Identity(4, 2);
  branch->slope = 0.5 * std::sqrt(second / first);
  for (int part = 0; part < kDirectionParts; ++part) {
    const DirectionCut cut = direction_cut(branch, part);
    EXPECT_LT(first * cut.form(0, 0) + second * cut.form(1, 1), 0) << part;
  }
}

TEST(DirectionCuts, PenaltyHasItsDerivativeAndItsMultipliers) {
  constexpr double kStep = 1e-6;
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const auto branch = random_branch(5, random);
    const std::vector<DirectionCut> cuts = {direction_cut(branch, 0), direction_cut(branch, 1),
                                            direction_cut(random_branch(5, random), 2)};
    DirectionCuts known(cuts, Vector::Constant(2, 0.3), 2.0);
    EXPECT_EQ(known.multipliers()[2], 0);
    const Matrix y = random_matrix(5, 2, random).normalized();
    const Matrix turn = random_matrix(5, 2, random).normalized();
    Matrix gradient = Matrix::Zero(5, 2);
    known.penalty(y, &gradient);
    const double slope =
        (known.penalty(y + kStep * turn, nullptr) - known.penalty(y - kStep * turn, nullptr)) /
        (2 * kStep);
    EXPECT_NEAR(gradient.cwiseProduct(turn).sum(), slope, 1e-6 * (1 + std::abs(slope)));
    // At the multipliers that the penalty has there, 2 sum mu C Y is the same derivative.
    known.update(y);
    EXPECT_GE(known.multipliers().minCoeff(), 0);
    Matrix curvature = Matrix::Zero(5, 5);
    known.add_to(curvature);
    Matrix times = Matrix::Zero(5, 2);
    known.add_times(y, times);
    EXPECT_LT((curvature * y - times).norm(), 1e-12 * (1 + times.norm()));
    EXPECT_LT((2 * times - gradient).norm(), 1e-12 * (1 + gradient.norm()));
  }
}

TEST(DirectionCuts, NegativeMultipliersAreZero) {
  Random random(3);
  const DirectionCuts known({direction_cut(random_branch(3, random), 0)}, Vector::Constant(1, -1.0),
                            1);
  EXPECT_EQ(known.multipliers()[0], 0);
}

/// The relaxation's bounds of the parts hold at any point and with any multipliers.
TEST(DirectionCuts, NoBoundIsBelowASupportWhoseDirectionIsInThePart) {
  Random random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const Index n = 2 + trial % 4;
    const Index p = 4 + trial % 5;
    const Index k = 1 + trial % 3;
    const Matrix columns = random_matrix(n, p, random);
    const auto branch = random_branch(n, random);
    CardinalityRelaxation relaxation(columns, 0, k);
    relaxation.evaluate(random_matrix(n, 1 + trial % 2, random).normalized(), 1e-2, nullptr);
    for (int part = 0; part < kDirectionParts; ++part) {
      const DirectionCut cut = direction_cut(branch, part);
      const DirectionCuts cuts({cut}, Vector::Constant(1, std::exp(random.normal())), 1);
      const double limit =
          0.9 * columns.squaredNorm() * static_cast<double>(k) / static_cast<double>(p);
      const SettledVariables settled =
          settle_variables(relaxation, cuts, limit, 1, [] { return true; });
      for_each_support(p, k, [&](const Support& support) {
        const Matrix chosen = columns(Eigen::all, support);
        const SymmetricEigenpairs pairs = symmetric_eigenpairs(chosen * chosen.transpose());
        const double value = pairs.values[n - 1];
        if (slack(cut, pairs.vectors.col(n - 1)) < 0) {
          return;
        }
        EXPECT_GE(settled.bound * (1 + 1e-9), value) << trial;
        if (!(value > limit * (1 + 1e-9))) {
          return;
        }
        for (const Index i : settled.out) {
          EXPECT_FALSE(std::binary_search(support.begin(), support.end(), i)) << trial;
        }
        for (const Index i : settled.inside) {
          EXPECT_TRUE(std::binary_search(support.begin(), support.end(), i)) << trial;
        }
      });
    }
  }
}

/// Returns the best value that ascents from 2000 directions reach: in few dimensions, the optimum.
double best_of_directions(const Matrix& columns, Index k, Random& random) {
  double best = 0;
  for (int start = 0; start < 2000; ++start) {
    Vector x = random_matrix(columns.rows(), 1, random);
    double value = 0;
    for (double before = -1; value > before;) {
      before = value;
      const Support support = top_k((columns.transpose() * x).cwiseAbs(), k);
      const Matrix chosen = columns(Eigen::all, support);
      const SymmetricEigenpairs pairs = symmetric_eigenpairs(chosen * chosen.transpose());
      value = pairs.values[columns.rows() - 1];
      x = pairs.vectors.col(columns.rows() - 1);
    }
    best = std::max(best, value);
  }
  return best;
}

/// Columns of equal length in few dimensions, of which many are chosen: the relaxation mixes
/// directions.
TEST(RelaxationTree, DividesDirectionsAndItsBoundHoldsWhereverItIsStopped) {
  Random random(5);
  int divided = 0;
  for (int trial = 0; trial < 4; ++trial) {
    const Index n = 2 + trial % 2;
    const Index p = 104;
    const Index k = 40;
    Matrix columns = random_matrix(n, p, random);
    columns.colwise().normalize();
    const Matrix matrix = columns.transpose() * columns;
    const double best = best_of_directions(columns, k, random);
    Support start(static_cast<std::size_t>(k));
    std::iota(start.begin(), start.end(), 0);
    RelaxationTree tree(matrix, start);
    tree.begin([] { return true; });
    const double at_root = tree.bound();
    for (int step = 0; step < 8 && !tree.is_finished(); ++step) {
      tree.advance(1);
      EXPECT_GE(tree.bound() * (1 + 1e-9), best) << trial;
      const double checked = tree.certificate()->bound(matrix);
      EXPECT_GE(checked * (1 + 1e-9), best) << trial;
      EXPECT_LE(checked, tree.bound() * (1 + 1e-9)) << trial;
    }
    EXPECT_LT(tree.bound(), at_root) << trial;
    const auto certificate = tree.certificate();
    divided += std::any_of(certificate->nodes.begin(), certificate->nodes.end(),
                           [](const auto& node) { return node.branch != nullptr; })
                   ? 1
                   : 0;
  }
  EXPECT_EQ(divided, 4);
}

/// A bound with the light candidates set aside equals the bound with all candidates.
TEST(SupportFamily, LightCandidatesDoNotChangeWhatAPointSays) {
  Random random(6);
  std::size_t inside = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Index p = 20;
    const Index k = 3;
    Matrix columns = random_matrix(4, p, random);
    const std::vector<Index> order = shuffled(p, random);  // heavy ones are anywhere
    for (Index j = 0; j < p; ++j) {
      columns.col(j) *= std::exp(-0.3 * static_cast<double>(order[static_cast<std::size_t>(j)]));
    }
    const Matrix matrix = columns.transpose() * columns;
    const double optimum = best_by_enumeration(*make_explicit_covariance(matrix), k).value;
    const auto factor = factor_covariance(matrix);
    const SupportFamily family = SupportFamily::all(p);
    CardinalityRelaxation all = relaxation_on(*factor, family, k);
    const Matrix y = random_matrix(factor->dimension(), 1, random).normalized();
    all.evaluate(y, 1e-2, nullptr);
    const double price = all.price();
    for (const double share : {0.3, 1.0, 3.0}) {
      const RelaxationPoint point{.y = y, .floor = 1e-2, .price = share * price};
      all.set(point);
      const HeavyCandidates heavy = heavy_candidates(*factor, family, point.price);
      EXPECT_LE(heavy.largest_light, point.price);
      EXPECT_EQ(std::ssize(heavy.positions), std::ssize(heavy.family.candidates));
      for (const double limit : {factor->limit(all.cost() * 1.2), factor->limit(0.999 * optimum)}) {
        const SettledVariables expected = settle_variables(all, limit, 1);
        const SettledVariables found = settle_family(*factor, family, k, point, DirectionCuts(),
                                                     limit, 1, [] { return true; });
        EXPECT_NEAR(found.bound, expected.bound, 1e-9 * expected.bound) << trial;
        EXPECT_EQ(found.out, expected.out) << trial;
        EXPECT_EQ(found.inside, expected.inside) << trial;
        inside += found.inside.size();
      }
    }
  }
  EXPECT_GT(inside, 0U);
}

}  // namespace
}  // namespace spca::direction_cuts_test
