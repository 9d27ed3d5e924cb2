#include "spca/methods/packing/disjoint_bound.h"

#include <algorithm>
#include <cmath>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/squares_tree.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/packing/packing_program.h"
#include "spca/methods/packing/priced_supports.h"

namespace spca {
namespace {

// Supports of one cardinality that may join the program at a time.
constexpr std::size_t kMostJoining = 40;
// Prices are so far on the way from the program's to those of the best bound.
constexpr double kTowardsBest = 0.5;
// A support is worth more than its prices if it is so by this share of the largest eigenvalue.
constexpr double kWorthwhile = 1e-9;
// The bound is raised by this share of the largest eigenvalue for each support: rounding.
constexpr double kRounding = 1e-11;

/// n_k(mu), or a bound of it if the budget ends.
struct PricedOptimum {
  double bound = 0;
  Support support = {};  // the best one known
  double net = 0;
};

PricedOptimum priced_optimum(const Matrix& matrix, const Vector& prices, const Support& start,
                             Budget& budget) {
  const std::function<bool()> keep_going = [&] { return !budget.is_time_up(); };
  SquaresTree tree(matrix, start, prices, keep_going);
  while (!tree.is_finished() && budget.next()) {
    tree.advance(1);
  }
  return {.bound = tree.bound(), .support = tree.support(), .net = tree.value()};
}

std::map<Index, Index> counts_of(const std::vector<Index>& cardinality) {
  std::map<Index, Index> counts;
  for (const Index k : cardinality) {
    ++counts[k];
  }
  return counts;
}

double largest_eigenvalue(const Matrix& matrix) {
  return symmetric_eigenvalues(matrix)[matrix.rows() - 1];
}

class ColumnGeneration {
 public:
  ColumnGeneration(const Matrix& matrix, const std::vector<Index>& cardinality, double accuracy,
                   Budget& budget)
      : matrix_(matrix),
        cardinality_(cardinality),
        counts_(counts_of(cardinality)),
        accuracy_(accuracy),
        budget_(budget),
        scale_(largest_eigenvalue(matrix)),
        scaled_(matrix / (scale_ > 0 ? scale_ : 1)),
        program_(matrix.rows(), counts_),
        search_(scaled_, cardinality) {}

  void offer(const std::vector<Support>& supports) {
    if (supports.size() != cardinality_.size()) {
      return;
    }
    JointSupports state = search_.evaluate(supports);
    search_.ascend(state);
    search_.exchange(state);
    for (std::size_t j = 0; j < state.supports.size(); ++j) {
      add(state.supports[j]);
    }
    if (best_.supports.empty() || state.total() > best_.total()) {
      best_ = std::move(state);
    }
  }

  void run();
  DisjointOptimum answer() const;

 private:
  using Found = std::map<Index, std::vector<PricedSupport>>;

  bool add(const Support& support) {
    return program_.add(support, largest_eigenvalue(principal_submatrix(scaled_, support)));
  }
  void begin();
  Found seek(const Vector& prices) const;
  bool join(const Found& found);
  bool prove(const Vector& prices, const Found& found);
  void round_off();
  bool is_closed() const { return best_bound_ <= best_.total() * (1 + accuracy_) + kWorthwhile; }
  bool has_time() const { return !budget_.is_time_up(); }

  const Matrix& matrix_;
  std::vector<Index> cardinality_;
  std::map<Index, Index> counts_;
  double accuracy_;
  Budget& budget_;
  double scale_;
  Matrix scaled_;  // S over its largest eigenvalue
  PackingProgram program_;
  JointSearch search_;
  JointSupports best_;
  double best_bound_ = std::numeric_limits<double>::infinity();
  Vector best_prices_;
  Index programs_ = 0;
  Index proofs_ = 0;
};

/// Supports to begin with: the local optima without prices, and what is left of the variables in
/// their order, so that every cardinality has enough columns.
void ColumnGeneration::begin() {
  join(seek(Vector::Zero(matrix_.rows())));
  if (best_.supports.empty()) {
    std::vector<Support> supports;
    Index next = 0;
    for (const Index k : cardinality_) {
      Support support;
      for (Index t = 0; t < k; ++t) {
        support.push_back(next++);
      }
      supports.push_back(std::move(support));
    }
    offer(supports);
  }
}

ColumnGeneration::Found ColumnGeneration::seek(const Vector& prices) const {
  Found found;
  std::vector<Support> starts = best_.supports;
  for (const PackingProgram::Taken& taken : program_.taken()) {
    starts.push_back(taken.support);
  }
  for (const auto& [k, count] : counts_) {
    found[k] =
        priced_supports(scaled_, prices, k, starts, kMostJoining, [this] { return has_time(); });
  }
  return found;
}

/// Adds those that are worth more than the program's prices. Returns whether there were any.
bool ColumnGeneration::join(const Found& found) {
  bool has_grown = false;
  for (const auto& [k, supports] : found) {
    for (const PricedSupport& one : supports) {
      const double net = one.worth - program_.prices()(one.support).sum() - program_.share(k);
      has_grown = (net > kWorthwhile && program_.add(one.support, one.worth)) || has_grown;
    }
  }
  return has_grown;
}

/// Bounds by (1) at these prices. Returns whether the program has grown by what the proofs found.
bool ColumnGeneration::prove(const Vector& prices, const Found& found) {
  double bound = prices.sum();
  bool has_grown = false;
  for (const auto& [k, count] : counts_) {
    if (found.at(k).empty()) {
      return false;
    }
    const PricedOptimum optimum =
        priced_optimum(scaled_, prices, found.at(k).front().support, budget_);
    ++proofs_;
    bound += static_cast<double>(count) * (std::max(0.0, optimum.bound) + kRounding);
    const double worth = optimum.net + prices(optimum.support).sum();
    const double net = worth - program_.prices()(optimum.support).sum() - program_.share(k);
    has_grown = (net > kWorthwhile && program_.add(optimum.support, worth)) || has_grown;
  }
  if (bound < best_bound_) {
    best_bound_ = bound;
    best_prices_ = prices;
  }
  return has_grown;
}

/// Disjoint supports from the columns that are taken.
void ColumnGeneration::round_off() {
  std::map<Index, std::vector<std::size_t>> places;
  for (std::size_t j = cardinality_.size(); j-- > 0;) {
    places[cardinality_[j]].push_back(j);
  }
  std::vector<Support> supports(cardinality_.size());
  std::vector<char> is_used(static_cast<std::size_t>(matrix_.rows()), 0);
  for (const PackingProgram::Taken& taken : program_.taken()) {
    std::vector<std::size_t>& free = places[std::ssize(taken.support)];
    const bool fits = std::none_of(taken.support.begin(), taken.support.end(), [&](Index i) {
      return is_used[static_cast<std::size_t>(i)] != 0;
    });
    if (!free.empty() && fits) {
      supports[free.back()] = taken.support;
      free.pop_back();
      for (const Index i : taken.support) {
        is_used[static_cast<std::size_t>(i)] = 1;
      }
    }
  }
  Index next = 0;
  for (std::size_t j = 0; j < supports.size(); ++j) {
    while (std::ssize(supports[j]) < cardinality_[j]) {
      if (is_used[static_cast<std::size_t>(next)] == 0) {
        supports[j].push_back(next);
      }
      ++next;
    }
    std::sort(supports[j].begin(), supports[j].end());
  }
  offer(supports);
}

void ColumnGeneration::run() {
  begin();
  double towards = 0;
  while (budget_.next(best_.total() * scale_) && !is_closed()) {
    program_.solve();
    ++programs_;
    const double before = best_.total();
    if (program_.value() > before + kWorthwhile) {
      round_off();
    }
    const Vector prices = best_prices_.size() > 0
                              ? Vector(towards * best_prices_ + (1 - towards) * program_.prices())
                              : program_.prices();
    const Found found = seek(prices);
    const bool has_joined = join(found) || best_.total() > before;
    if (has_joined) {
      continue;
    }
    const double bound = best_bound_;
    const bool has_grown = prove(prices, found);
    if (has_grown || best_bound_ < bound - kWorthwhile) {
      towards = kTowardsBest;
    } else if (towards > 0) {
      towards = 0;  // nothing on the way: at the program's own prices
    } else {
      break;
    }
  }
}

DisjointOptimum ColumnGeneration::answer() const {
  const double bound = std::max(best_bound_, best_.total()) * scale_;
  return {.supports = best_.supports,
          .value = best_.total() * scale_,
          .bound = bound,
          .prices = best_prices_.size() > 0 ? Vector(best_prices_ * scale_) : Vector(),
          .columns = program_.size(),
          .programs = programs_,
          .proofs = proofs_,
          .is_whole = program_.is_integral()};
}

}  // namespace

DisjointOptimum disjoint_optimum(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy,
                                 Budget& budget) {
  ColumnGeneration generation(matrix, cardinality, accuracy, budget);
  generation.offer(known);
  generation.run();
  return generation.answer();
}

double disjoint_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                         const Vector& prices, const std::vector<Support>& supports,
                         Budget& budget) {
  const double rounding = kRounding * largest_eigenvalue(matrix);
  double bound = prices.sum();
  for (const auto& [k, count] : counts_of(cardinality)) {
    const std::vector<PricedSupport> good =
        priced_supports(matrix, prices, k, supports, 1, [&] { return !budget.is_time_up(); });
    if (good.empty()) {
      return std::numeric_limits<double>::infinity();
    }
    const PricedOptimum optimum = priced_optimum(matrix, prices, good[0].support, budget);
    bound += static_cast<double>(count) * (std::max(0.0, optimum.bound) + rounding);
  }
  return bound;
}

}  // namespace spca
