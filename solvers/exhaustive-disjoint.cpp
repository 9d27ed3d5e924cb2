/// Enumeration of disjoint supports: the optimum of several components at once, for few variables.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports
/// Step     first lambda_max(S_II) of every support of each cardinality, and of fewer variables if
///          p < k_1 + ... + k_r. Then each component in turn chooses a support, in descending order
///          of value. A choice is ruled out if the values chosen, plus the best values of the
///          remaining components with overlaps allowed, do not exceed the best sum so far
/// Start    none
/// Stops    when all choices are done or ruled out. Among equal optima the first found is kept
/// Cost     O(C(p, k) k^3) for each cardinality, and at most the product of the C(p, k) over the
///          components
/// Source   the definition
/// Differs  components of equal cardinality are chosen in one order only

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "spca/base/binomial.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca::solver_exhaustive_disjoint {
namespace {

struct ExhaustiveDisjointOptions {
  Index largest_count = 1'000'000;  // about some seconds of supports

  void describe(OptionVisitor& visit) {
    visit("largest_count", largest_count, "skip the solve if one cardinality has more supports",
          at_least(1));
  }
};

// At most this number of variables: a support is a word of 64 bits.
constexpr Index kMostVariablesOfWord = 64;
// Number of choices between two checks of the clock. Chosen by trial, not measured.
constexpr Index kChoicesBetweenChecks = 4096;

struct ValuedSupport {
  double value = 0;
  std::uint64_t variables = 0;
};

Support to_support(std::uint64_t variables) {
  Support support;
  for (Index i = 0; variables != 0; ++i, variables >>= 1) {
    if ((variables & 1) != 0) {
      support.push_back(i);
    }
  }
  return support;
}

/// The sizes of the supports. Full supports are the best if there are enough variables for all of
/// them, because lambda_max(S_II) does not fall if I grows. Otherwise smaller ones count as well.
struct DisjointSizes {
  DisjointSizes(const std::vector<Index>& cardinality, Index p)
      : largest(reachable_cardinality(cardinality, p)),
        all_full(missing_variables(largest, p) == 0) {}

  Index least(Index k) const { return all_full ? k : 1; }

  std::vector<Index> largest;  // by component
  bool all_full;
};

class DisjointEnumeration {
 public:
  DisjointEnumeration(const Problem& problem, const DisjointSizes& sizes, Budget& budget)
      : matrix_(problem.covariance.submatrix(all_variables(problem.covariance.variables()))),
        sizes_(sizes),
        cardinality_(sizes.largest),
        budget_(budget),
        chosen_(cardinality_.size()) {}

  void run() {
    for (const Index k : cardinality_) {
      if (!lists_.contains(k)) {
        lists_[k] = value_all(k);
      }
    }
    if (!stopped_) {
      choose(0, 0, 0, 0);
    }
  }

  /// The total variance that the best supports explain; -infinity if there was no time for any.
  double value() const { return best_value_; }
  std::vector<Support> best() const {
    std::vector<Support> supports;
    for (const std::uint64_t variables : best_) {
      supports.push_back(to_support(variables));
    }
    return supports;
  }

 private:
  bool keep_going() {
    if (++steps_ % kChoicesBetweenChecks == 0) {
      budget_.begin_loop();  // checks the clock; there is nothing to iterate
      stopped_ = stopped_ || !budget_.next(std::max(best_value_, 0.0));
    }
    return !stopped_;
  }

  /// In descending order of value; among equals the smaller supports first, and then those with
  /// lower variables.
  std::vector<ValuedSupport> value_all(Index k) {
    std::vector<ValuedSupport> list;
    for (Index size = sizes_.least(k); size <= k; ++size) {
      append_all(size, list);
    }
    std::stable_sort(list.begin(), list.end(), [](const ValuedSupport& a, const ValuedSupport& b) {
      return a.value > b.value;
    });
    return list;
  }

  void append_all(Index k, std::vector<ValuedSupport>& list) {
    const Index p = matrix_.rows();
    Support support = all_variables(k);
    for (bool more = true; more && keep_going();) {
      std::uint64_t variables = 0;
      for (const Index i : support) {
        variables |= std::uint64_t{1} << i;
      }
      const Matrix submatrix = selected(matrix_, support, support);
      list.push_back({.value = symmetric_eigenvalues(submatrix)[k - 1], .variables = variables});
      Index place = k;
      while (place > 0 && support[static_cast<std::size_t>(place - 1)] == p - k + place - 1) {
        --place;
      }
      more = place > 0;
      if (more) {
        ++support[static_cast<std::size_t>(place - 1)];
        for (; place < k; ++place) {
          support[static_cast<std::size_t>(place)] =
              support[static_cast<std::size_t>(place - 1)] + 1;
        }
      }
    }
  }

  /// Chooses for component j and those after it; `first` is the start of its list. The list falls,
  /// so the first choice that is ruled out rules out all later ones.
  void choose(std::size_t j, std::size_t first, std::uint64_t used, double value) {
    if (j == cardinality_.size()) {
      if (value > best_value_) {
        best_value_ = value;
        best_ = chosen_;
      }
      return;
    }
    const std::vector<ValuedSupport>& list = lists_.at(cardinality_[j]);
    for (std::size_t i = first; i < list.size() && keep_going(); ++i) {
      // Components of this cardinality come in one order only: the later ones take supports after
      // this one, none of larger value.
      double bound = value;
      bool is_run = true;
      for (std::size_t later = j; later < cardinality_.size(); ++later) {
        is_run = is_run && cardinality_[later] == cardinality_[j];
        bound += is_run ? list[i].value : lists_.at(cardinality_[later])[0].value;
      }
      if (bound <= best_value_) {
        return;
      }
      if ((list[i].variables & used) != 0) {
        continue;
      }
      chosen_[j] = list[i].variables;
      const bool is_same = j + 1 < cardinality_.size() && cardinality_[j + 1] == cardinality_[j];
      choose(j + 1, is_same ? i + 1 : 0, used | list[i].variables, value + list[i].value);
    }
  }

  Matrix matrix_;  // S
  const DisjointSizes& sizes_;
  const std::vector<Index>& cardinality_;
  Budget& budget_;
  std::map<Index, std::vector<ValuedSupport>> lists_;  // by cardinality
  std::vector<std::uint64_t> chosen_;
  std::vector<std::uint64_t> best_;
  double best_value_ = -std::numeric_limits<double>::infinity();
  Index steps_ = 0;
  bool stopped_ = false;
};

Solution solve_exhaustive_disjoint(const Problem& problem, const ExhaustiveDisjointOptions& options,
                                   Budget& budget) {
  const Index p = problem.covariance.variables();
  if (p > kMostVariablesOfWord) {
    return skipped(fmt::format("p = {} is beyond {}, the largest p that this enumeration takes", p,
                               kMostVariablesOfWord));
  }
  const DisjointSizes sizes(problem.cardinality, p);
  for (const Index k : sizes.largest) {
    double count = 0;
    for (Index size = sizes.least(k); size <= k; ++size) {
      count += static_cast<double>(binomial(p, size));
    }
    if (count > static_cast<double>(options.largest_count)) {
      return skipped(fmt::format("{:.3g} supports of {} among {} variables are more than {}", count,
                                 k, p, options.largest_count));
    }
  }
  std::vector<Component> components;
  if (budget.next()) {
    DisjointEnumeration enumeration(problem, sizes, budget);
    enumeration.run();
    if (!(enumeration.value() > 0) && !budget.out_of_time()) {
      return skipped(no_positive_support(problem.cardinality[0]));
    }
    if (!enumeration.best().empty()) {
      components = components_on(problem.covariance, enumeration.best(), problem.cardinality);
    }
  }
  return make_solution(std::move(components), budget);
}

SPCA_SOLVER("exhaustive-disjoint", solve_exhaustive_disjoint,
            (Traits{
                .summary = "enumeration of disjoint supports: the optimum, for few variables",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "the definition",
                .multiple_components = true,
                .disjoint = true,
                .exact = true}));

}  // namespace
}  // namespace spca::solver_exhaustive_disjoint
