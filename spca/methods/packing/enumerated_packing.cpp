#include "spca/methods/packing/enumerated_packing.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/packing/packing_program.h"
#include "spca/methods/packing/violated_rows.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of rows join a program at a time, in at most this number of rounds.
constexpr std::size_t kRowsJoining = 20;
constexpr int kMostRowRounds = 10;
// At most this number of programs are divided.
constexpr Index kMostDivisions = 2000;
// A program whose bound exceeds the best value by at most this is closed. The largest worth of a
// support is about 1.
constexpr double kSmallestImprovement = 1e-10;

double largest_worth(const EnumeratedProblem& problem) {
  double largest = 0;
  for (const auto& [k, enumerated] : problem.supports) {
    for (const PricedSupport& one : enumerated.supports) {
      largest = std::max(largest, one.worth);
    }
  }
  return largest;
}

EnumeratedProblem over(const EnumeratedProblem& problem, double scale) {
  EnumeratedProblem scaled = problem;
  scaled.prices /= scale;
  scaled.rounding /= scale;
  for (auto& [k, enumerated] : scaled.supports) {
    enumerated.others /= scale;
    for (PricedSupport& one : enumerated.supports) {
      one.worth /= scale;
      one.net /= scale;
    }
  }
  return scaled;
}

/// Adds rows that cut off the optimum. Returns false if there are none.
bool add_rows(PackingProgram& program) {
  bool has_grown = false;
  for (const SubsetRow& row : violated_rows(program.taken(), kRowsJoining)) {
    has_grown = program.add(row) || has_grown;
  }
  return has_grown;
}

/// Set packing over the supports enumerated.
class WithinSearch {
 public:
  WithinSearch(const EnumeratedProblem& problem, double enough,
               const std::function<bool()>& keep_going)
      : problem_(problem), enough_(enough), keep_going_(keep_going) {}

  EnumeratedOptimum run() {
    auto root = std::make_unique<Node>();
    root->rules = problem_.rules;
    solve(std::move(root));
    for (Index division = 0; division < kMostDivisions && !open_.empty() && keep_going_() &&
                             open_.largest_bound() > sufficient();
         ++division) {
      const auto node = open_.pop_largest();
      auto together = std::make_unique<Node>(*node);
      together->rules.together.push_back(node->pair);
      auto apart = std::make_unique<Node>(*node);
      apart->rules.apart.push_back(node->pair);
      solve(std::move(together));
      solve(std::move(apart));
    }
    const double open = open_.empty() ? 0 : open_.largest_bound();
    best_.within = std::max({best_.value, left_, open});
    return best_;
  }

 private:
  struct Node {
    double bound = std::numeric_limits<double>::infinity();
    PairRules rules = {};
    PairRules::Pair pair{-1, -1};
  };

  double sufficient() const { return std::max(enough_, best_.value + kSmallestImprovement); }

  void solve(std::unique_ptr<Node> node) {
    PackingProgram program(problem_.prices.size(), problem_.counts);
    for (const auto& [k, enumerated] : problem_.supports) {
      for (const PricedSupport& one : enumerated.supports) {
        if (node->rules.allow(one.support)) {
          program.add(one.support, one.worth);
        }
      }
    }
    program.solve();
    for (int time = 0; time < kMostRowRounds && update(program, *node) && keep_going_(); ++time) {
      if (!add_rows(program)) {
        break;
      }
      program.solve();
    }
    update(program, *node);
    node->pair = program.divided_pair();
    if (node->bound > sufficient() && node->pair.first >= 0) {
      open_.push(std::move(node));
    } else {
      left_ = std::max(left_, node->bound);
    }
  }

  /// Records the bound of the program. Returns whether the node remains open.
  bool update(const PackingProgram& program, Node& node) {
    node.bound = std::min(node.bound, program.bound({}));
    const bool is_whole = program.divided_pair().first < 0;
    if (is_whole) {
      consider_whole(program.taken());
    }
    return !is_whole && node.bound > sufficient();
  }

  /// If no two of the supports taken share a variable, those of largest worth are an optimum, as
  /// many as are wanted of each cardinality. Stores them if they are better than the best.
  void consider_whole(const std::vector<PackingProgram::Taken>& taken) {
    std::map<Index, Index> left = problem_.counts;
    std::vector<Support> supports;
    double value = 0;
    std::vector<PackingProgram::Taken> falling = taken;
    std::stable_sort(falling.begin(), falling.end(),
                     [](const auto& a, const auto& b) { return a.worth > b.worth; });
    for (const PackingProgram::Taken& one : falling) {
      if (left[std::ssize(one.support)]-- > 0) {
        supports.push_back(one.support);
        value += one.worth;
      }
    }
    if (value > best_.value) {
      best_.value = value;
      best_.supports = std::move(supports);
    }
  }

  const EnumeratedProblem& problem_;
  double enough_;
  const std::function<bool()>& keep_going_;
  OpenNodes<Node> open_;
  double left_ = 0;  // the largest bound of the nodes that are not divided further
  EnumeratedOptimum best_;
};

/// The bound (1), the largest over all k.
double bound_beyond(const EnumeratedProblem& problem, const std::function<bool()>& keep_going) {
  std::map<Index, double> others;
  for (const auto& [k, enumerated] : problem.supports) {
    others[k] = enumerated.others + problem.rounding;
  }
  double bound = 0;
  for (const auto& [k, count] : problem.counts) {
    std::map<Index, Index> counts = problem.counts;
    --counts.at(k);
    PackingProgram program(problem.prices.size(), counts);
    for (const auto& [size, enumerated] : problem.supports) {
      for (const PricedSupport& one : enumerated.supports) {
        if (one.net > 0) {
          program.add(one.support, one.net);
        }
      }
    }
    program.solve();
    double most = program.bound(others);
    for (int time = 0; time < kMostRowRounds && keep_going() && add_rows(program); ++time) {
      program.solve();
      most = std::min(most, program.bound(others));
    }
    bound = std::max(bound, problem.prices.sum() + std::max(0.0, others.at(k)) + most);
  }
  return bound;
}

}  // namespace

EnumeratedOptimum solve_enumerated(const EnumeratedProblem& problem, double enough,
                                   const std::function<bool()>& keep_going) {
  // CLP's tolerances are absolute.
  const double scale = power_of_two_from(largest_worth(problem));
  const EnumeratedProblem scaled = over(problem, scale);
  EnumeratedOptimum optimum = WithinSearch(scaled, enough / scale, keep_going).run();
  optimum.beyond = bound_beyond(scaled, keep_going) * scale;
  optimum.within *= scale;
  optimum.value *= scale;
  return optimum;
}

}  // namespace spca
