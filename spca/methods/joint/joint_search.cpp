/// The total is sum_j lambda_max(S_{I_j I_j}). The proofs in the header bound a step from below
/// before the eigenproblems of the new supports are solved. A step is made only if the bound says
/// that the total rises, and the eigenproblems then confirm it. So the total never falls, and the
/// search ends.

#include "spca/methods/joint/joint_search.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/gain.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

constexpr int kFree = -1;

/// Returns the support without the member at `position`.
Support without(const Support& support, Index position) {
  Support rest = support;
  rest.erase(rest.begin() + position);
  return rest;
}

void replace(Support& support, Index position, Index in) {
  support[static_cast<std::size_t>(position)] = in;
  std::sort(support.begin(), support.end());
}

void add_to(std::vector<double>* history, const JointSupports& state) {
  if (history != nullptr) {
    history->push_back(state.total());
  }
}

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

JointSupports moved(const JointSupports& state, const Support& before, const Support& after) {
  JointSupports result = state;
  for (Support& support : result.supports) {
    support = positions_among(after, members_at(before, support));
  }
  return result;
}

JointSearch::JointSearch(const Matrix& matrix, std::vector<Index> cardinality)
    : matrix_(matrix),
      cardinality_(cardinality),
      assignment_(std::move(cardinality)),
      weights_(matrix.rows(), static_cast<Index>(cardinality_.size())),
      worth_(cardinality_.size()),
      measured_(cardinality_.size()) {}

Vector JointSearch::optimum(const Support& support, const Vector& start, double& value) const {
  const Matrix submatrix = matrix_(support, support);
  // A start vector from a neighbouring support saves steps of the eigensolver.
  LeadingEigenpair pair = start.size() == submatrix.rows() && start.squaredNorm() > 0
                              ? leading_eigenpair(submatrix, start)
                              : leading_eigenpair(submatrix);
  value = pair.value;
  return std::move(pair.vector);
}

JointSupports JointSearch::evaluate(std::vector<Support> supports) const {
  JointSupports state{.supports = std::move(supports)};
  state.values.resize(std::ssize(state.supports));
  for (std::size_t j = 0; j < state.supports.size(); ++j) {
    state.loadings.push_back(optimum(state.supports[j], {}, state.values[static_cast<Index>(j)]));
  }
  return state;
}

void JointSearch::ascend(JointSupports& state, std::vector<double>* history) {
  const auto r = std::ssize(state.supports);
  for (;;) {
    for (Index j = 0; j < r; ++j) {
      const double value = state.values[j];
      // A component without variance has no direction: its weights are zero, and it gets the
      // remaining variables.
      weights_.col(j).setZero();
      if (value > 0) {
        for (Index i = 0; i < std::ssize(state.supports[at(j)]); ++i) {
          weights_.col(j) += state.loadings[at(j)][i] * matrix_.col(state.supports[at(j)][at(i)]);
        }
        weights_.col(j) /= std::sqrt(value);
      }
    }
    const Matrix squares = weights_.cwiseAbs2();
    const std::vector<Support>& supports = assignment_.solve(squares);
    const double total = state.total();
    // The value of the assignment is a lower bound of the next total; that of the present supports
    // is the present total. Without a gain, the eigenproblems are not solved.
    if (!is_gain(total, assignment_.value())) {
      return;
    }
    JointSupports next{.supports = supports, .loadings = {}, .values = Vector(r)};
    for (Index j = 0; j < r; ++j) {
      next.loadings.push_back(
          // W_j on the new support is the start: its Rayleigh quotient is at least the bound above.
          optimum(supports[at(j)], weights_.col(j)(supports[at(j)]), next.values[j]));
    }
    // The proof in the header: for a semidefinite S only rounding may lower the total. For an
    // indefinite one a step may, and the ascent then ends. An equal total would let two assignments
    // alternate endlessly.
    if (!is_gain(total, next.total())) {
      return;
    }
    state = std::move(next);
    add_to(history, state);
  }
}

/// worth_[j](o, m) is a lower bound on the value of the j-th support with o in place of its m-th
/// member:
///
///   larger eigenvalue of [[lambda, b], [b, S_oo]],   b = u'S e_o
///
/// with (lambda, u) the leading eigenpair of S on the support without m.
void JointSearch::measure(const JointSupports& state, int j) {
  const Support& support = state.supports[static_cast<std::size_t>(j)];
  Matrix& worth = worth_[static_cast<std::size_t>(j)];
  // An exchange changes two supports at most; the bounds of the others still hold.
  if (measured_[static_cast<std::size_t>(j)] == support) {
    return;
  }
  measured_[static_cast<std::size_t>(j)] = support;
  worth.resize(matrix_.rows(), std::ssize(support));
  const Vector& loadings = state.loadings[static_cast<std::size_t>(j)];
  Vector product(matrix_.rows());
  for (Index m = 0; m < std::ssize(support); ++m) {
    const Support rest = without(support, m);
    double value = 0;
    product.setZero();
    // A support of one member has an empty rest: lambda = 0 and b = 0, and o is alone.
    if (!rest.empty()) {
      Vector start(loadings.size() - 1);
      // The loadings without the m-th are near the leading vector of the rest.
      start << loadings.head(m), loadings.tail(loadings.size() - m - 1);
      const Vector vector = optimum(rest, start, value);
      for (Index i = 0; i < vector.size(); ++i) {
        product += vector[i] * matrix_.col(rest[at(i)]);
      }
    }
    for (Index o = 0; o < matrix_.rows(); ++o) {
      const double half = (value - matrix_(o, o)) / 2;
      worth(o, m) = (value + matrix_(o, o)) / 2 + std::sqrt(half * half + product[o] * product[o]);
    }
  }
}

JointSearch::Exchange JointSearch::best_exchange(const JointSupports& state) {
  const int r = static_cast<int>(std::ssize(state.supports));
  owner_.assign(static_cast<std::size_t>(matrix_.rows()), kFree);
  for (int j = 0; j < r; ++j) {
    measure(state, j);
    for (const Index i : state.supports[static_cast<std::size_t>(j)]) {
      owner_[at(i)] = j;
    }
  }
  Exchange best;
  const auto consider = [&](const Exchange& exchange) {
    // Strictly: among equal gains the first found counts, and the order is fixed.
    if (exchange.gain > best.gain) {
      best = exchange;
    }
  };
  for (int a = 0; a < r; ++a) {
    const Support& of_a = state.supports[static_cast<std::size_t>(a)];
    const Matrix& worth_a = worth_[static_cast<std::size_t>(a)];
    for (Index m = 0; m < std::ssize(of_a); ++m) {
      // Three kinds of exchange, with m the member that a gives up:
      //
      //   a free variable for m
      //   b's member n for m, and m for n
      //   a free variable for m, m for n, and n becomes free
      Exchange from_free{.gain = -state.values[a], .a = a, .a_member = m};
      for (Index o = 0; o < matrix_.rows(); ++o) {
        if (owner_[at(o)] == kFree && worth_a(o, m) - state.values[a] > from_free.gain) {
          from_free.gain = worth_a(o, m) - state.values[a];
          from_free.in = o;
        }
      }
      const bool has_free = from_free.gain > -state.values[a];
      if (has_free) {
        consider(from_free);
      }
      for (int b = 0; b < r; ++b) {
        const Support& of_b = state.supports[static_cast<std::size_t>(b)];
        for (Index n = 0; b != a && n < std::ssize(of_b); ++n) {
          // Gains of a and b add up, because their supports are disjoint and the total is a sum.
          const double gain_b =
              worth_[static_cast<std::size_t>(b)](of_a[at(m)], n) - state.values[b];
          const double gain_a = worth_a(of_b[at(n)], m) - state.values[a];
          consider({.gain = gain_a + gain_b,
                    .a = a,
                    .a_member = m,
                    .in = of_b[at(n)],
                    .b = b,
                    .b_member = n});
          if (has_free) {
            consider({.gain = from_free.gain + gain_b,
                      .a = a,
                      .a_member = m,
                      .in = from_free.in,
                      .b = b,
                      .b_member = n});
          }
        }
      }
    }
  }
  return best;
}

void JointSearch::exchange(JointSupports& state, std::vector<double>* history) {
  for (;;) {
    const Exchange best = best_exchange(state);
    const double total = state.total();
    if (best.a < 0 || best.gain <= kLeastGain * std::abs(total)) {
      return;
    }
    JointSupports next = state;
    const Index out = state.supports[static_cast<std::size_t>(best.a)][at(best.a_member)];
    const auto change = [&](int j, Index member, Index in) {
      const auto position = static_cast<std::size_t>(j);
      replace(next.supports[position], member, in);
      next.loadings[position] = optimum(next.supports[position], {}, next.values[j]);
    };
    change(best.a, best.a_member, best.in);
    if (best.b >= 0) {
      change(best.b, best.b_member, out);
    }
    // The gain was bounded from below, so only rounding can keep the total from rising.
    if (!(next.total() > total)) {
      return;
    }
    state = std::move(next);
    add_to(history, state);
    ascend(state, history);
  }
}

JointSupports JointSearch::local_optimum(std::vector<Support> supports) {
  JointSupports state = evaluate(std::move(supports));
  ascend(state);
  exchange(state);
  return state;
}

/// Empties the given supports, and refills them with the free variables of largest weight in as
/// many random columns. Each is a random combination of one to three columns of S.
void JointSearch::rebuild(std::vector<Support>& supports, const std::vector<int>& which,
                          Random& random) {
  std::vector<Index> capacities;
  for (const int j : which) {
    capacities.push_back(std::ssize(supports[static_cast<std::size_t>(j)]));
    supports[static_cast<std::size_t>(j)].clear();
  }
  owner_.assign(static_cast<std::size_t>(matrix_.rows()), kFree);
  for (const Support& support : supports) {
    for (const Index i : support) {
      owner_[at(i)] = 0;
    }
  }
  Support free;
  for (Index i = 0; i < matrix_.rows(); ++i) {
    if (owner_[at(i)] == kFree) {
      free.push_back(i);
    }
  }
  Matrix weights = Matrix::Zero(std::ssize(free), std::ssize(which));
  for (Index j = 0; j < weights.cols(); ++j) {
    // One column of S is the direction of one variable; a mixture of up to three reaches others.
    for (auto seeds = 1 + random.below(3); seeds > 0; --seeds) {
      const Index seed = free[random.below(free.size())];
      const double variance = matrix_(seed, seed);
      if (variance > 0) {
        // Divided by the deviation, so that variables of large variance do not decide every
        // restart.
        weights.col(j) += random.normal() / std::sqrt(variance) * matrix_.col(seed)(free);
      }
    }
  }
  Assignment assignment(capacities);
  const std::vector<Support>& found = assignment.solve(weights.cwiseAbs2());
  for (std::size_t j = 0; j < which.size(); ++j) {
    for (const Index i : found[j]) {
      supports[static_cast<std::size_t>(which[j])].push_back(free[at(i)]);
    }
  }
}

/// Lets two to nine members change places with members of other supports or with free variables.
void JointSearch::shuffle_members(std::vector<Support>& supports, Random& random) const {
  for (auto changes = 2 + random.below(8); changes > 0; --changes) {
    Support& support = supports[random.below(supports.size())];
    Index& member = support[random.below(support.size())];
    const auto in = static_cast<Index>(random.below(static_cast<std::uint64_t>(matrix_.rows())));
    for (Support& other : supports) {
      // If `in` belongs to a support, that support takes `member` in return: supports stay disjoint
      // and full.
      std::replace(other.begin(), other.end(), in, member);
    }
    member = in;
  }
  for (Support& support : supports) {
    std::sort(support.begin(), support.end());
  }
}

std::vector<Support> JointSearch::perturbed(const JointSupports& state, Random& random) {
  std::vector<Support> supports = state.supports;
  const auto r = static_cast<std::uint64_t>(supports.size());
  // A third of the changes are small. The others rebuild one to three supports.
  if (random.below(3) == 0) {
    shuffle_members(supports, random);
    return supports;
  }
  // Chooses up to three different supports; the others keep their current variables.
  std::vector<int> which = {static_cast<int>(random.below(r))};
  const auto more = random.below(3);
  for (std::uint64_t i = 0; i < more && std::size(which) < r; ++i) {
    const int next = static_cast<int>(random.below(r));
    if (std::find(which.begin(), which.end(), next) == which.end()) {
      which.push_back(next);
    }
  }
  rebuild(supports, which, random);
  return supports;
}

}  // namespace spca
