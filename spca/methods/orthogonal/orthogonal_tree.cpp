#include "spca/methods/orthogonal/orthogonal_tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <queue>

#include "spca/base/binomial.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/small_eigenpair.h"
#include "spca/methods/orthogonal/all_supports.h"
#include "spca/methods/pools/pooled_relaxation.h"

namespace spca {
namespace {

using Mask = std::array<std::uint64_t, kMostTreeVariables / 64>;

// The limits of effort below without a source were chosen by trial, not measured.

// At most this number of supports of one component are evaluated in each node.
constexpr double kMostSupportsOfNode = 20'000;
// At most this number of variables of which all supports are enumerated.
constexpr Index kMostVariablesOfAll = 64;
// The falling smoothing of a node, relative to the largest eigenvalue of S.
constexpr double kNodeSmoothing[] = {2e-3, 4e-4, 1e-4};
constexpr int kRoundsOfSmoothing = 4;
constexpr double kNearMaximum = 4;  // in units of mu
constexpr std::size_t kMostEntering = 40;
constexpr double kTreeRounding = 1e-10;
// Each goal leaves this share of the gap to the target; below kLeastGap, relative to lambda_max(S),
// the goal is the target (bench/notes/2026-11-23-orthogonal-bound.md, "instead of 0.8").
constexpr double kGapLeft = 0.9;
constexpr double kLeastGap = 1e-3;

struct Choice {
  Mask mask = {};
  Support support = {};
};

bool may_be_orthogonal(const Mask& a, const Mask& b) {
  int shared = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    shared += std::popcount(a[i] & b[i]);
  }
  return shared != 1;
}

Choice choice_of(const Support& support) {
  Choice choice{.support = support};
  for (const Index i : support) {
    choice.mask[static_cast<std::size_t>(i / 64)] |= std::uint64_t{1} << (i % 64);
  }
  return choice;
}

/// Returns the largest eigenvalue of AA' - BB', or 0 if it is negative. `a`: A, p x a; `b`: B, p x
/// b. O(p (a + b)^2): the difference is computed on the span of both.
double largest_of_difference(const Matrix& a, const Matrix& b) {
  constexpr double kSamePivot = 1e-14;
  Matrix both(a.rows(), a.cols() + b.cols());
  both << a, b;
  const Matrix basis = orthonormal_basis(both, kSamePivot);
  if (basis.cols() == 0) {
    return 0;
  }
  const Matrix first = transposed_product(basis, a);
  const Matrix second = transposed_product(basis, b);
  const Matrix difference = product_transposed(first, first) - product_transposed(second, second);
  return std::max(0.0, symmetric_eigenvalues(difference)[difference.rows() - 1]);
}

/// Components of equal cardinality.
struct Group {
  Index count = 0;
  std::vector<Choice> choices = {};
};

struct Node {
  double bound = 0;
  Index number = 0;                // in the order of creation
  std::vector<Index> chosen = {};  // indices among the choices of their groups
  std::shared_ptr<const Matrix> factor = nullptr;
  /// Children with a larger bound exist already; infinity if the node was not branched on.
  double cut = std::numeric_limits<double>::infinity();

  bool operator<(const Node& other) const {
    return bound != other.bound ? bound < other.bound : number > other.number;
  }
};

class OrthogonalTree {
 public:
  OrthogonalTree(const Matrix& matrix, const std::vector<Index>& cardinality,
                 const SupportChoices& choices, double target, Budget& budget, double share);
  OrthogonalTreeBound run(const Matrix& factor, double bound, Index most_nodes);

 private:
  /// The supports that the remaining components of a group may choose in a node.
  struct Family {
    std::size_t group = 0;
    double count = 0;
    std::vector<Index> members = {};  // ascending
    double largest = 0;               // the largest worth
    Vector worths = {};               // lambda_max of each at the Lambda of the node, or above it
    /// Upper bounds of lambda_max of each, tighter than `worths`, and the L at which they hold.
    Vector uppers = {};
    Matrix factor = {};
  };
  std::size_t group_of(std::size_t component) const { return group_of_[component]; }
  std::vector<Family> families_of(const Node& node) const;
  double fixed_worth(const Node& node, const Matrix& left) const;
  /// The rounding of one eigenvalue. A proof may have an L whose square is far larger than S.
  double rounding(const Matrix& factor) const {
    const auto r = static_cast<double>(group_of_.size());
    return kTreeRounding * std::max(scale_, factor.squaredNorm() / r);
  }
  double evaluate(const Node& node, const Matrix& factor, double margin,
                  std::vector<Family>& families) const;
  void add_near_largest(PooledRelaxation& model, std::size_t first_part,
                        const std::vector<Family>& families, double margin) const;
  bool refine(Node& node, std::vector<Family>& families);
  void branch(const Node& node, std::vector<Family>& families);
  void lower_goal();
  void eliminate(const Matrix& factor);

  const Matrix& matrix_;
  double target_;
  double goal_ = std::numeric_limits<double>::infinity();  // of the current nodes
  Budget& budget_;
  const Budget part_;  // the part of its time that the tree may take
  double scale_ = 0;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  // by component
  std::priority_queue<Node> open_;
  Index made_ = 0;
};

OrthogonalTree::OrthogonalTree(const Matrix& matrix, const std::vector<Index>& cardinality,
                               const SupportChoices& choices, double target, Budget& budget,
                               double share)
    : matrix_(matrix), target_(target), budget_(budget), part_(budget.part(share)) {
  const Index p = matrix.rows();
  scale_ = std::max(symmetric_eigenvalues(matrix)[p - 1], 0.0);
  std::map<Index, Index, std::greater<>> counts;
  for (const Index k : cardinality) {
    ++counts[k];
  }
  for (const auto& [k, count] : counts) {
    group_of_.insert(group_of_.end(), static_cast<std::size_t>(count), groups_.size());
    Group group{.count = count};
    std::transform(choices.at(k).begin(), choices.at(k).end(), std::back_inserter(group.choices),
                   choice_of);
    groups_.push_back(std::move(group));
  }
}

/// Sorts the choices by their worths at the root and drops those that cannot be in a better answer.
void OrthogonalTree::eliminate(const Matrix& factor) {
  const Matrix left = left_of(matrix_, factor);
  std::vector<Vector> worths;
  double total = factor.squaredNorm();
  for (const Group& group : groups_) {
    Vector worth(std::ssize(group.choices));
    for (Index i = 0; i < worth.size(); ++i) {
      worth[i] = small_leading_eigenvalue(left, group.choices[static_cast<std::size_t>(i)].support);
    }
    total += static_cast<double>(group.count) * worth.maxCoeff();
    worths.push_back(std::move(worth));
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Vector& worth = worths[g];
    std::vector<Index> order(static_cast<std::size_t>(worth.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return worth[a] > worth[b]; });
    std::vector<Choice> kept;
    for (const Index i : order) {
      if (total - worth.maxCoeff() + worth[i] > target_ - kTreeRounding * scale_) {
        kept.push_back(std::move(groups_[g].choices[static_cast<std::size_t>(i)]));
      }
    }
    groups_[g].choices = std::move(kept);
  }
}

std::vector<OrthogonalTree::Family> OrthogonalTree::families_of(const Node& node) const {
  std::vector<Family> families;
  const std::size_t m = node.chosen.size();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Family family{.group = g};
    Index first = 0;
    family.count = static_cast<double>(groups_[g].count);
    for (std::size_t t = 0; t < m; ++t) {
      if (group_of(t) == g) {
        first = node.chosen[t];
        --family.count;
      }
    }
    if (family.count == 0) {
      continue;
    }
    for (Index i = first; i < std::ssize(groups_[g].choices); ++i) {
      const Mask& mask = groups_[g].choices[static_cast<std::size_t>(i)].mask;
      bool is_allowed = true;
      for (std::size_t t = 0; t < m && is_allowed; ++t) {
        const Group& of = groups_[group_of(t)];
        is_allowed =
            may_be_orthogonal(mask, of.choices[static_cast<std::size_t>(node.chosen[t])].mask);
      }
      if (is_allowed) {
        family.members.push_back(i);
      }
    }
    families.push_back(std::move(family));
  }
  return families;
}

/// The worth of the chosen supports.
double OrthogonalTree::fixed_worth(const Node& node, const Matrix& left) const {
  double total = 0;
  for (std::size_t t = 0; t < node.chosen.size(); ++t) {
    const Group& of = groups_[group_of(t)];
    total += small_leading_eigenvalue(left,
                                      of.choices[static_cast<std::size_t>(node.chosen[t])].support);
  }
  return total;
}

/// Computes (1), certified by all members of the families. Worths more than `margin` below the
/// largest may be overestimated up to that level.
double OrthogonalTree::evaluate(const Node& node, const Matrix& factor, double margin,
                                std::vector<Family>& families) const {
  const Matrix left = left_of(matrix_, factor);
  double total = factor.squaredNorm() + fixed_worth(node, left);
  for (Family& family : families) {
    const std::vector<Choice>& choices = groups_[family.group].choices;
    const auto support = [&](Index i) -> const Support& {
      return choices[static_cast<std::size_t>(family.members[static_cast<std::size_t>(i)])].support;
    };
    // The largest member of the previous call is likely to be large again.
    Index first = 0;
    if (family.worths.size() > 0) {
      family.worths.maxCoeff(&first);
    }
    // No eigenvalue has risen by more than lambda_max of the change.
    const double rise = family.factor.size() > 0
                            ? largest_of_difference(family.factor, factor) +
                                  std::max(rounding(factor), rounding(family.factor))
                            : std::numeric_limits<double>::infinity();
    const auto size = std::ssize(family.members);
    family.worths.resize(size);
    family.uppers.conservativeResize(size);
    family.factor = factor;
    family.largest = small_leading_eigenvalue(left, support(first));
    for (Index i = 0; i < size; ++i) {
      const double level = family.largest - margin;
      const double risen = std::isfinite(rise) ? family.uppers[i] + rise : rise;
      if (risen < level || is_below(left, support(i), level)) {
        family.uppers[i] = std::min(risen, level);
        family.worths[i] = level;
      } else {
        family.uppers[i] = family.worths[i] = small_leading_eigenvalue(left, support(i));
      }
      family.largest = std::max(family.largest, family.worths[i]);
    }
    total += family.count * family.largest;
  }
  return total + rounding(factor) * static_cast<double>(group_of_.size());
}

/// Adds the best members of each family, down to `margin` below the largest, to the pool of its
/// part.
void OrthogonalTree::add_near_largest(PooledRelaxation& model, std::size_t first_part,
                                      const std::vector<Family>& families, double margin) const {
  for (std::size_t f = 0; f < families.size(); ++f) {
    const Family& family = families[f];
    std::vector<std::pair<double, Index>> near;
    for (Index i = 0; i < family.worths.size(); ++i) {
      if (family.worths[i] > family.largest - margin) {
        near.emplace_back(-family.worths[i], family.members[static_cast<std::size_t>(i)]);
      }
    }
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), kMostEntering));
    for (const auto& [negative, member] : near) {
      const Choice& choice = groups_[family.group].choices[static_cast<std::size_t>(member)];
      model.add(first_part + f, choice.support);
    }
  }
}

/// Optimises a Lambda for the node until its bound reaches the goal. Returns whether the bound
/// exceeds the goal.
bool OrthogonalTree::refine(Node& node, std::vector<Family>& families) {
  const std::size_t m = node.chosen.size();
  std::vector<double> counts(m, 1.0);
  for (const Family& family : families) {
    if (family.members.empty()) {
      node.bound = target_;  // no better answer is in this node
      return false;
    }
    counts.push_back(family.count);
  }
  PooledRelaxation model(matrix_, counts);
  for (std::size_t t = 0; t < m; ++t) {
    const Group& of = groups_[group_of(t)];
    model.add(t, of.choices[static_cast<std::size_t>(node.chosen[t])].support);
  }
  PricePoint point{.factor = *node.factor};
  std::vector<Family> now = families;
  const auto evaluate_near = [&](double mu) {
    return evaluate(node, point.factor, kNearMaximum * mu, now);
  };
  node.bound = std::min(node.bound, evaluate_near(kNodeSmoothing[0] * scale_));
  families = now;
  for (const double share : kNodeSmoothing) {
    const double mu = share * scale_;
    for (int round = 0; round < kRoundsOfSmoothing; ++round) {
      if (node.bound <= goal_ || part_.is_time_up()) {
        return node.bound > goal_;
      }
      add_near_largest(model, m, now, kNearMaximum * mu);
      model.minimise(
          point, {.mu = mu, .enough = goal_, .keep_going = [&] { return !part_.is_time_up(); }});
      const double before = model.value(point);
      const double total = evaluate_near(mu);
      if (total < node.bound) {
        node.bound = total;
        node.factor = std::make_shared<const Matrix>(point.factor);
        families = now;
      }
      if (total <= before + mu) {
        break;
      }
    }
  }
  return node.bound > goal_;
}

/// Makes the children whose bound exceeds the goal. The node stays open for the others.
void OrthogonalTree::branch(const Node& node, std::vector<Family>& families) {
  const std::size_t group = group_of(node.chosen.size());
  // Worths that keep a child below the goal are not needed exactly.
  const double slack = evaluate(node, *node.factor, 0, families) - goal_;
  const double total = evaluate(node, *node.factor, std::max(slack, 0.0), families);
  const auto own = std::find_if(families.begin(), families.end(),
                                [&](const Family& family) { return family.group == group; });
  const std::vector<Choice>& choices = groups_[group].choices;
  std::vector<std::vector<Index>> falling;  // the members of each family by their worths
  for (const Family& family : families) {
    std::vector<Index>& order = falling.emplace_back(family.members.size());
    std::iota(order.begin(), order.end(), Index{0});
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return family.worths[a] > family.worths[b]; });
  }
  for (Index i = 0; i < own->worths.size(); ++i) {
    double bound = total - own->largest + own->worths[i];
    if (bound <= goal_) {
      continue;
    }
    const Index member = own->members[static_cast<std::size_t>(i)];
    const Mask& mask = choices[static_cast<std::size_t>(member)].mask;
    for (std::size_t f = 0; f < families.size() && bound > goal_; ++f) {
      const Family& family = families[f];
      const bool is_own = family.group == group;
      const double count = family.count - (is_own ? 1 : 0);
      if (count == 0) {
        continue;
      }
      const auto position = std::find_if(falling[f].begin(), falling[f].end(), [&](Index j) {
        const Index other = family.members[static_cast<std::size_t>(j)];
        return (!is_own || j >= i) &&
               may_be_orthogonal(
                   mask, groups_[family.group].choices[static_cast<std::size_t>(other)].mask);
      });
      const double largest = position == falling[f].end() ? -std::numeric_limits<double>::infinity()
                                                          : family.worths[*position];
      bound += count * (largest - family.largest);
    }
    if (bound > goal_ && bound <= node.cut) {
      bound = std::min(bound, node.bound);
      Node child{.bound = bound, .number = made_++, .chosen = node.chosen, .factor = node.factor};
      child.chosen.push_back(member);
      open_.push(std::move(child));
    }
  }
  if (goal_ > target_) {
    Node others = node;
    others.bound = std::min(node.bound, goal_);
    others.cut = goal_;
    open_.push(std::move(others));
  }
}

/// Lowers the goal towards the target if no node exceeds it. Nodes are refined only down to the
/// goal, because in a best-first search the largest bound counts.
void OrthogonalTree::lower_goal() {
  const double gap = open_.top().bound - target_;
  goal_ = gap > kLeastGap * scale_ ? target_ + kGapLeft * gap : target_;
}

OrthogonalTreeBound OrthogonalTree::run(const Matrix& factor, double bound, Index most_nodes) {
  OrthogonalTreeBound result{.value = bound};
  eliminate(factor);
  for (const Group& group : groups_) {
    result.supports += std::ssize(group.choices);
  }
  open_.push({.bound = bound, .factor = std::make_shared<const Matrix>(factor)});
  double closed = target_;  // the largest bound of dropped and indivisible nodes
  lower_goal();
  while (!open_.empty() && open_.top().bound > closed) {
    result.value = std::min(result.value, open_.top().bound);
    if (open_.top().bound <= goal_) {
      lower_goal();
    }
    if (result.nodes == most_nodes || part_.is_time_up() || !budget_.next()) {
      return result;
    }
    Node node = open_.top();
    open_.pop();
    std::vector<Family> families = families_of(node);
    if (std::isinf(node.cut)) {
      ++result.nodes;
      if (!refine(node, families)) {
        if (node.bound > target_) {
          open_.push(std::move(node));
        }
        continue;
      }
    }
    if (families.empty()) {
      closed = std::max(closed, node.bound);
    } else {
      branch(node, families);
    }
  }
  result.value = std::min(bound, closed);
  result.is_closed = closed == target_;
  return result;
}

}  // namespace

bool has_orthogonal_tree(Index p, const std::vector<Index>& cardinality) {
  if (p > kMostVariablesOfAll) {
    return false;
  }
  for (const Index k : cardinality) {
    double supports = 0;
    for (Index size = 1; size <= k; ++size) {
      supports += static_cast<double>(binomial(p, size));
    }
    if (supports > kMostSupportsOfNode) {
      return false;
    }
  }
  return true;
}

SupportChoices all_choices(Index p, const std::vector<Index>& cardinality) {
  SupportChoices choices;
  for (const Index k : cardinality) {
    const auto [position, is_new] = choices.try_emplace(k);
    std::vector<Support>& supports = position->second;
    for (Index size = 1; is_new && size <= k; ++size) {
      for_all_supports(p, size, [&](const Support& support) { supports.push_back(support); });
    }
  }
  return choices;
}

OrthogonalTreeBound orthogonal_tree_bound(const Matrix& matrix,
                                          const std::vector<Index>& cardinality,
                                          const SupportChoices& choices, const Matrix& factor,
                                          double bound, double target, Index most_nodes,
                                          Budget& budget, double share) {
  OrthogonalTree tree(matrix, cardinality, choices, target, budget, share);
  return tree.run(factor, bound, most_nodes);
}

}  // namespace spca
