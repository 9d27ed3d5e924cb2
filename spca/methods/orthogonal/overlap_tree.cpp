#include "spca/methods/orthogonal/overlap_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/dense/dense_selections.h"
#include "spca/methods/orthogonal/assigned_supports.h"

namespace spca {
namespace {

// At most this number of steps for the root and for another node, and their patience
// (PairDescent::set_patience). With 500 variables the bounds of the root rise before they fall:
// bench/notes/2026-11-23-orthogonal-bound.md. Chosen by trial, not measured.
constexpr int kMostRootSteps = 2000;
constexpr int kRootBoundsWithoutGain = 20;
constexpr double kSmallestShareOfRoot = 0.01;
constexpr int kMostStepsOfNode = 300;
constexpr int kNodeBoundsWithoutGain = 1;
constexpr double kSmallestShareOfNode = 0.03;
// The core of the nodes raises the bound of the root by at most this share of the distance to the
// target; else it grows by this factor. Chosen by trial, not measured.
constexpr double kMostIncrease = 0.01;
constexpr double kCoreGrowth = 1.25;
// A count that is nearer to a whole number is whole.
constexpr double kWhole = 0.02;
// Number of nodes that take their steps at a time, on one thread or on several, so that the tree
// does not depend on the number of threads. The two children of a node are among them.
constexpr std::size_t kNodesTogether = 4;
// At most this number of entries of costs in a proof: 400 MB, and a fourth of that for the factors
// of Lambda. A larger one is not divided.
constexpr double kMostProofEntries = 5e7;
// At most this number of entries of matrices in the states of open nodes: 800 MB. A node beyond it
// starts where its parent started.
constexpr double kMostStateEntries = 1e8;
constexpr double kMatricesOfState = 16;

/// Tightens the limits. Returns whether any supports may satisfy them.
bool tighten(PairConditions& conditions) {
  if (conditions.least.sum() > static_cast<double>(conditions.places) ||
      (conditions.most.array() > 0).count() < conditions.r) {
    return false;
  }
  if (conditions.least.sum() == static_cast<double>(conditions.places)) {
    conditions.most = conditions.least;
  }
  // Two supports never share one variable alone.
  if ((conditions.most.array() > 1).count() == 1) {
    Index shared = 0;
    conditions.most.maxCoeff(&shared);
    conditions.most[shared] = 1;
    return conditions.least[shared] <= 1;
  }
  return true;
}

PairConditions fewer_of(PairConditions conditions, Index variable, Index at_most) {
  conditions.most[variable] = std::min(conditions.most[variable], static_cast<double>(at_most));
  return conditions;
}

PairConditions more_of(PairConditions conditions, Index variable, Index at_most) {
  conditions.least[variable] =
      std::max(conditions.least[variable], static_cast<double>(at_most + 1));
  return conditions;
}

/// The bound of multipliers of all variables, or of the core. Infinity if they are of neither.
double bound_by(const Matrix& matrix, const PairConditions& conditions, const Support& core,
                const PairProof& pairs) {
  const auto is_of = [&](Index size) {
    return pairs.costs.rows() == size && pairs.costs.cols() == size && pairs.prices.size() == size;
  };
  if (is_of(matrix.rows())) {
    return pair_bound_under(matrix, conditions, OutsideVariables(), pairs);
  }
  return !core.empty() && is_of(std::ssize(core))
             ? pair_bound_under(matrix, conditions, OutsideVariables(),
                                extended_proof(pairs, core, conditions.among(core), matrix))
             : std::numeric_limits<double>::infinity();
}

/// The L of a proof, of all variables: those outside of its core have zeros. 0 x 0 if it has none.
Matrix whole_factor(const Matrix& matrix, const Support& core, const PairProof& pairs) {
  const Matrix& factor = pairs.union_factor;
  if (factor.size() == 0 || !factor.allFinite()) {
    return {};
  }
  if (factor.rows() == matrix.rows()) {
    return factor;
  }
  if (factor.rows() != std::ssize(core)) {
    return {};
  }
  Matrix whole = Matrix::Zero(matrix.rows(), factor.cols());
  whole(core, Eigen::all) = factor;
  return whole;
}

bool is_core(const Support& core, Index p) {
  return std::is_sorted(core.begin(), core.end(), std::less_equal<>()) &&
         (core.empty() || (core.front() >= 0 && core.back() < p));
}

struct Division {
  Index variable = -1;
  Index at_most = 0;
};

/// The variable of largest count whose limits differ: it is in fewer supports than its whole count,
/// or in no fewer; of count zero, in none or in some. None if all limits are equal.
Division division_of_whole(const PairConditions& conditions, const Vector& counts) {
  Division best;
  double largest = -1;
  for (Index i = 0; i < counts.size(); ++i) {
    if (conditions.least[i] < conditions.most[i] && counts[i] > largest) {
      largest = counts[i];
      best = {.variable = i,
              .at_most = static_cast<Index>(std::clamp(
                  std::round(counts[i]) - 1, conditions.least[i], conditions.most[i] - 1))};
    }
  }
  return best;
}

/// The variable that exceeds one support most, or else the one whose count is farthest from a
/// whole number. If all counts are whole, the choice of division_of_whole().
Division division_of(const PairConditions& conditions, const Vector& counts) {
  Division best;
  double largest = 0;
  for (Index i = 0; i < counts.size(); ++i) {
    const double least = conditions.least[i];
    const double most = conditions.most[i];
    if (!(least < most)) {
      continue;
    }
    const bool is_overlap = least <= 1 && most > 1 && counts[i] > 1 + kWhole;
    const double below = is_overlap ? 1 : std::clamp(std::floor(counts[i]), least, most - 1);
    const double part = std::clamp(counts[i] - below, 0.0, 1.0);
    const double score = is_overlap ? counts[i] : std::min(part, 1 - part);
    if (score > std::max(largest, kWhole)) {
      largest = score;
      best = {.variable = i, .at_most = static_cast<Index>(below)};
    }
  }
  return best.variable < 0 ? division_of_whole(conditions, counts) : best;
}

class OverlapCheck {
 public:
  OverlapCheck(const Matrix& matrix, const std::vector<Index>& cardinality,
               const OverlapProof& proof, Budget& budget)
      : matrix_(matrix), cardinality_(cardinality), proof_(proof), budget_(budget) {}

  double bound(std::size_t position, PairConditions conditions) {
    const OverlapProof::Node& node = proof_.nodes[position];
    if (!tighten(conditions)) {
      return -std::numeric_limits<double>::infinity();
    }
    if (node.variable < 0) {
      if (!budget_.next()) {
        return std::numeric_limits<double>::infinity();
      }
      double bound = bound_by(matrix_, conditions, proof_.core, node.pairs);
      if (bound > level_) {
        bound =
            std::min(bound, assigned_bound(matrix_, cardinality_, conditions,
                                           whole_factor(matrix_, proof_.core, node.pairs), level_));
      }
      level_ = std::max(level_, bound);
      return bound;
    }
    // Children come after their parents, so there is no cycle.
    const auto is_child = [&](Index child) {
      return child > static_cast<Index>(position) && child < std::ssize(proof_.nodes);
    };
    if (node.variable >= matrix_.rows() || node.at_most < 0 || !is_child(node.fewer) ||
        !is_child(node.more)) {
      return std::numeric_limits<double>::infinity();
    }
    return std::max(bound(static_cast<std::size_t>(node.fewer),
                          fewer_of(conditions, node.variable, node.at_most)),
                    bound(static_cast<std::size_t>(node.more),
                          more_of(conditions, node.variable, node.at_most)));
  }

 private:
  const Matrix& matrix_;
  const std::vector<Index>& cardinality_;
  const OverlapProof& proof_;
  Budget& budget_;
  // The largest bound so far: smaller ones of other nodes do not matter.
  double level_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

double check_overlap_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const OverlapProof& proof, Budget& budget) {
  return proof.nodes.empty() || !is_core(proof.core, matrix.rows())
             ? std::numeric_limits<double>::infinity()
             : OverlapCheck(matrix, cardinality, proof, budget)
                   .bound(0, PairConditions::shared(cardinality, matrix.rows()));
}

struct OverlapTree::Node {
  double bound = std::numeric_limits<double>::infinity();
  Index position = 0;  // index in the proof
  PairConditions conditions;
  std::shared_ptr<const PairDescent> start = nullptr;  // of the parent, then the node's own
  bool is_refined = false;
  Index variable = -1;  // to be divided by, once refined; -1: none
  Index at_most = 0;
};

OverlapTree::OverlapTree(const Matrix& matrix, const std::vector<Index>& cardinality, double target)
    : matrix_(matrix), cardinality_(cardinality), target_(target) {
  proof_.nodes.emplace_back();
  add(std::make_unique<Node>(
      Node{.conditions = PairConditions::shared(cardinality, matrix.rows())}));
}

OverlapTree::~OverlapTree() = default;

/// Adds the node to the open ones, or notes its bound if it is closed.
void OverlapTree::add(std::unique_ptr<Node> node) {
  const bool is_closed = node->bound <= target_ || (node->is_refined && node->variable < 0);
  if (is_closed) {
    left_ = std::max(left_, node->bound);
  } else {
    open_.push(std::move(node));
  }
}

double OverlapTree::bound() const {
  return open_.empty() ? left_ : std::max(left_, open_.largest_bound());
}

bool OverlapTree::is_finished() const { return open_.empty() || open_.largest_bound() <= left_; }

/// Returns whether the proof may have two more nodes.
bool OverlapTree::has_space() const {
  return static_cast<double>(proof_.nodes.size() + 2) *
             static_cast<double>(proof_.core.empty() ? matrix_.size() : core_matrix_.size()) <=
         kMostProofEntries;
}

/// Chooses the core: the variables of largest count, as few as let the bound of the root stay.
void OverlapTree::set_core(const Node& root, const PairDescent& descent) {
  const Index p = matrix_.rows();
  const Vector counts = descent.counts();
  Support order = all_variables(p);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return counts[a] > counts[b]; });
  const PairProof& whole = proof_.nodes[static_cast<std::size_t>(root.position)].pairs;
  const auto places = static_cast<double>(root.conditions.places);
  auto size = static_cast<Index>((counts.array() > kWhole).count());
  size = std::max(size, static_cast<Index>(places));
  for (; static_cast<double>(size) * kCoreGrowth < static_cast<double>(p);
       size = static_cast<Index>(static_cast<double>(size) * kCoreGrowth) + 1) {
    Support core(order.begin(), order.begin() + size);
    std::sort(core.begin(), core.end());
    if (bound_by(matrix_, root.conditions, core, among(whole, core)) <=
        root.bound + kMostIncrease * (root.bound - target_)) {
      proof_.core = std::move(core);
      core_matrix_ = selected(matrix_, proof_.core, proof_.core);
      return;
    }
  }
  proof_.core = all_variables(p);
  core_matrix_ = matrix_;
}

/// Takes the steps of the root among all variables, and chooses the core.
void OverlapTree::refine_root(Node& node, const Budget& budget) {
  PairDescent descent(matrix_, node.conditions, outside_, target_);
  descent.set_patience(kRootBoundsWithoutGain, kSmallestShareOfRoot);
  descent.run(kMostRootSteps, [&](double) { return !budget.is_time_up(); });
  node.bound = descent.best().value;
  proof_.nodes.front().pairs = descent.best().proof;
  if (node.bound <= target_ || !std::isfinite(node.bound)) {
    return;
  }
  set_core(node, descent);
  const Division division = division_of(node.conditions, descent.counts());
  node.variable = division.variable;
  node.at_most = division.at_most;
  auto start = std::make_shared<PairDescent>(descent, core_matrix_, proof_.core);
  start->set_patience(kNodeBoundsWithoutGain, kSmallestShareOfNode);
  node.start = std::move(start);
}

/// Takes the steps of the node, and chooses how to divide it. `keeps_state`: its children start
/// where it ends.
void OverlapTree::refine(Node& node, bool keeps_state, const Budget& budget) {
  node.is_refined = true;
  if (node.start == nullptr) {
    refine_root(node, budget);
    return;
  }
  const PairProof& start = proof_.nodes[static_cast<std::size_t>(node.position)].pairs;
  node.bound =
      std::min(node.bound, assigned_bound(matrix_, cardinality_, node.conditions,
                                          whole_factor(matrix_, proof_.core, start), target_));
  if (node.bound <= target_) {
    return;
  }
  PairDescent descent = *node.start;
  descent.set_limits(node.conditions.among(proof_.core));
  descent.run(kMostStepsOfNode, [&](double) { return !budget.is_time_up(); });
  const double bound = bound_by(matrix_, node.conditions, proof_.core, descent.best().proof);
  if (bound < node.bound) {
    node.bound = bound;
    proof_.nodes[static_cast<std::size_t>(node.position)].pairs = descent.best().proof;
  }
  const Vector counts = descent.counts();
  const Division division = division_of(descent.conditions(), counts);
  if (division.variable >= 0) {
    node.variable = proof_.core[static_cast<std::size_t>(division.variable)];
    node.at_most = division.at_most;
  } else {
    // The core is decided: a place may be left for a variable outside of it.
    const Division outside = division_of_whole(node.conditions, matrix_.diagonal());
    if (outside.variable >= 0) {
      node.variable = outside.variable;
      node.at_most = static_cast<Index>(node.conditions.least[outside.variable]);
    }
  }
  if (keeps_state) {
    node.start = std::make_shared<const PairDescent>(std::move(descent));
  }
}

void OverlapTree::divide(const Node& node) {
  const auto position = static_cast<std::size_t>(node.position);
  for (const bool is_fewer : {true, false}) {
    auto child = std::make_unique<Node>(
        Node{.bound = node.bound,
             .position = std::ssize(proof_.nodes),
             .conditions = is_fewer ? fewer_of(node.conditions, node.variable, node.at_most)
                                    : more_of(node.conditions, node.variable, node.at_most),
             .start = node.start});
    OverlapProof::Node inherited{.pairs = proof_.nodes[position].pairs};
    proof_.nodes.push_back(std::move(inherited));
    OverlapProof::Node& parent = proof_.nodes[position];
    (is_fewer ? parent.fewer : parent.more) = child->position;
    if (!tighten(child->conditions)) {
      child->bound = -std::numeric_limits<double>::infinity();
    }
    add(std::move(child));
  }
  OverlapProof::Node& parent = proof_.nodes[position];
  parent.variable = node.variable;
  parent.at_most = node.at_most;
  parent.pairs = {};
}

/// Divides nodes that took their steps, until the nodes of largest bound did not. Returns those.
std::vector<std::unique_ptr<OverlapTree::Node>> OverlapTree::next_nodes() {
  std::vector<std::unique_ptr<Node>> nodes;
  while (nodes.size() < kNodesTogether && !is_finished() && has_space()) {
    std::unique_ptr<Node> node = open_.pop_largest();
    if (node->is_refined) {
      divide(*node);
    } else {
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

void OverlapTree::run(Index most_nodes, int threads, Budget& budget) {
  while (refined_ < most_nodes && budget.next()) {
    std::vector<std::unique_ptr<Node>> nodes = next_nodes();
    if (nodes.empty()) {
      return;
    }
    const bool keeps_state = static_cast<double>(open_.size() + nodes.size()) * kMatricesOfState *
                                 static_cast<double>(core_matrix_.size()) <
                             kMostStateEntries;
    parallel_for(nodes.size(), threads,
                 [&](std::size_t t) { refine(*nodes[t], keeps_state, budget); });
    refined_ += std::ssize(nodes);
    for (std::unique_ptr<Node>& node : nodes) {
      add(std::move(node));
    }
    budget.add_bound(bound(), kNotMeasured);
  }
}

}  // namespace spca
