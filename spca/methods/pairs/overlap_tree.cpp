#include "spca/methods/pairs/overlap_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/pairs/assigned_supports.h"
#include "spca/methods/pairs/core_proof.h"

namespace spca {
namespace {

// At most this number of steps, and their patience (PairDescent::set_patience), for the root, and
// for a node that cannot be divided. With 500 variables the bounds of the root rise before they
// fall: bench/notes/2026-11-23-orthogonal-bound.md. Chosen by trial, not measured.
constexpr int kMostRootSteps = 2000;
constexpr int kRootBoundsWithoutGain = 20;
constexpr double kSmallestShareOfRoot = 0.01;
constexpr int kMostStepsOfLeaf = 2000;
constexpr int kLeafBoundsWithoutGain = 50;
// The same for another node. Several components are divided better by many nodes with few steps
// each; the bound of one component goes on falling for hundreds of steps:
// bench/notes/2026-11-30-division-gains.md.
constexpr int kMostSteps = 40;
constexpr int kMostStepsOfOne = 300;
constexpr int kNodeBoundsWithoutGain = 1;
constexpr double kSmallestShareOfNode = 0.03;
// A node whose bound is no better than that of its parent goes on. Where that of the parent was no
// better either, it takes more steps: else all nodes stay at the bound of the root.
constexpr int kPoorBoundsWithoutGain = 4;
constexpr int kPatientBoundsWithoutGain = 10;
constexpr int kMostPatientSteps = 300;
// The limits of the core were chosen by trial, not measured. The first one has at least this number
// of variables, and at least this multiple of the places of supports.
constexpr Index kFirstCore = 64;
constexpr Index kFirstCoreToPlaces = 2;
// A core grows by at least a fourth if the variables outside raise the bound by more than these
// shares of what the steps gain and of the bound. After some growths all variables join.
constexpr Index kLeastGrowth = 4;
constexpr int kMostGrowths = 3;
constexpr double kMostIncrease = 0.1;
constexpr double kLittleIncrease = 1e-4;
// The core of the children of the root has at first the variables of a larger count. It grows by
// this factor while it raises the bound by more than this share of the distance to the target.
constexpr double kLeastOfCore = 0.02;
constexpr double kCoreGrowth = 1.25;
constexpr double kMostIncreaseOfRoot = 0.01;
// The steps continue without the variables that are ruled out once these are this share.
constexpr double kShareToLeaveOut = 0.2;
// A common support is searched for among all variables allowed if they are at most this multiple of
// its size: with more, the sum of the r largest eigenvalues is no good bound.
constexpr Index kAllowedToPlaces = 3;
// Exceeds the rounding of a sum of eigenvalues, relative to the sum.
constexpr double kRoundingOfSum = 1e-12;
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

bool is_core(const Support& core, Index p) {
  return std::is_sorted(core.begin(), core.end(), std::less_equal<>()) &&
         (core.empty() || (core.front() >= 0 && core.back() < p));
}

/// The variables that some support may have.
Support allowed_in(const PairConditions& conditions) {
  return conditions.allowed_among(all_variables(conditions.most.size()));
}

/// The multipliers of the variables that some support may have. None if those of the proof are
/// neither of all nor of the core.
PairProof proof_among(const Support& allowed, const Matrix& part, const PairConditions& conditions,
                      const Support& core, const PairProof& pairs) {
  if (is_valid(pairs, conditions.most.size())) {
    return among(pairs, allowed);
  }
  if (core.empty() || !is_core(core, conditions.most.size()) ||
      !is_valid(pairs, std::ssize(core))) {
    return {};
  }
  const Support left = conditions.allowed_among(core);
  return left.empty()
             ? PairProof{}
             : extended_proof(among(pairs, positions_among(core, left)),
                              positions_among(allowed, left), conditions.among(allowed), part);
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
  if (factor.rows() != std::ssize(core) || !is_core(core, matrix.rows())) {
    return {};
  }
  Matrix whole = Matrix::Zero(matrix.rows(), factor.cols());
  whole(core, Eigen::all) = factor;
  return whole;
}

struct BoundByPairs {
  double value = std::numeric_limits<double>::infinity();
  double ruled_out = -std::numeric_limits<double>::infinity();  // the bound of what is ruled out
};

/// Returns the bound of the multipliers under the limits, and tightens these by the prices.
BoundByPairs bound_and_rule_out(const Matrix& matrix, PairConditions& conditions,
                                const Support& core, const PairProof& pairs, double target) {
  const Support allowed = allowed_in(conditions);
  const Matrix part = selected(matrix, allowed, allowed);
  PairConditions some = conditions.among(allowed);
  const PairProof proof = proof_among(allowed, part, conditions, core, pairs);
  BoundByPairs bound{.value = pair_bound_under(part, some, OutsideVariables(), proof)};
  if (!std::isfinite(bound.value) || bound.value <= target) {
    return bound;
  }
  bound.ruled_out = rule_out(some, proof, bound.value, target);
  if (!std::isfinite(bound.ruled_out)) {
    return bound;
  }
  const bool is_possible = tighten(some);
  set_entries(conditions.least, allowed, some.least);
  set_entries(conditions.most, allowed, some.most);
  // Without the variables that are ruled out, M has smaller eigenvalues.
  const double left =
      is_possible ? pair_bound_under(part, some, OutsideVariables(), proof) : bound.ruled_out;
  bound.value = std::min(bound.value, std::max(bound.ruled_out, left));
  return bound;
}

/// A bound on the answers in a node, without multipliers: by all assignments of the variables to
/// supports, or, for a common support, by the r largest eigenvalues of S of all variables that it
/// may have. Infinity if these are too many. At most `level`, or exact.
double bound_by_supports(const Matrix& matrix, const std::vector<Index>& cardinality,
                         const PairConditions& conditions, const Matrix& factor, double level,
                         const Budget& budget) {
  if (!conditions.is_common) {
    return assigned_bound(matrix, cardinality, conditions, factor, level,
                          [&] { return !budget.is_time_up(); });
  }
  const Support allowed = allowed_in(conditions);
  if (std::ssize(allowed) > kAllowedToPlaces * conditions.k) {
    return std::numeric_limits<double>::infinity();
  }
  const double sum =
      symmetric_eigenvalues(selected(matrix, allowed, allowed)).tail(conditions.r).sum();
  return sum + kRoundingOfSum * std::abs(sum);
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
    const bool is_divided = node.variable >= 0;
    BoundByPairs own;
    if (!is_divided || node.pairs.prices.size() > 0) {
      if (!budget_.next()) {
        return own.value;
      }
      own = bound_by_node(node, conditions);
    }
    if (!is_divided || own.value <= level_) {
      level_ = std::max(level_, own.value);
      return own.value;
    }
    // Children come after their parents, so there is no cycle.
    const auto is_child = [&](Index child) {
      return child > static_cast<Index>(position) && child < std::ssize(proof_.nodes);
    };
    if (node.variable >= matrix_.rows() || node.at_most < 0 || !is_child(node.fewer) ||
        !is_child(node.more)) {
      return own.value;
    }
    const CountDivision division{node.variable, node.at_most};
    const double of_parts =
        std::max(bound(static_cast<std::size_t>(node.fewer), fewer_of(conditions, division)),
                 bound(static_cast<std::size_t>(node.more), more_of(conditions, division)));
    return std::min(own.value, std::max(own.ruled_out, of_parts));
  }

 private:
  /// Tightens the limits as the search did.
  BoundByPairs bound_by_node(const OverlapProof::Node& node, PairConditions& conditions) const {
    const PairConditions before = conditions;
    BoundByPairs bound =
        bound_and_rule_out(matrix_, conditions, node.core, node.pairs, proof_.target);
    const double level = std::max(level_, proof_.target);
    if (node.variable >= 0 || bound.value <= level_) {
      return bound;
    }
    const Matrix factor = whole_factor(matrix_, node.core, node.pairs);
    const auto by_supports = [&](const PairConditions& limits) {
      return bound_by_supports(matrix_, cardinality_, limits, factor, level, budget_);
    };
    bound.value = std::min(bound.value, by_supports(before));
    if (bound.value > level_ && std::isfinite(bound.ruled_out)) {
      bound.value = std::min(bound.value, std::max(bound.ruled_out, by_supports(conditions)));
    }
    return bound;
  }

  const Matrix& matrix_;
  const std::vector<Index>& cardinality_;
  const OverlapProof& proof_;
  Budget& budget_;
  // The largest bound so far: smaller ones of other nodes do not matter.
  double level_ = -std::numeric_limits<double>::infinity();
};

}  // namespace

void OverlapProof::scale(double factor) {
  target *= factor;
  for (Node& node : nodes) {
    node.pairs.costs *= factor;
    node.pairs.prices *= factor;
    node.pairs.union_factor *= std::sqrt(factor);
  }
}

double check_overlap_proof(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const PairConditions& conditions, const OverlapProof& proof,
                           Budget& budget) {
  return proof.nodes.empty()
             ? std::numeric_limits<double>::infinity()
             : OverlapCheck(matrix, cardinality, proof, budget).bound(0, conditions);
}

/// The steps of a node among some variables.
struct OverlapTree::Steps {
  Support variables;  // ascending
  std::shared_ptr<const Matrix> matrix;
  PairDescent descent;

  /// Returns the steps among other variables, under the limits of a node. `whole`: S.
  Steps among(const Support& others, const Matrix& whole, const PairConditions& conditions) const {
    auto part = std::make_shared<const Matrix>(selected(whole, others, others));
    Support positions;
    for (const Index i : others) {
      const auto at = std::lower_bound(variables.begin(), variables.end(), i);
      positions.push_back(at != variables.end() && *at == i ? at - variables.begin() : -1);
    }
    return {.variables = others,
            .matrix = part,
            .descent = PairDescent(descent, *part, positions, conditions.among(others))};
  }

  /// Returns the steps under the limits of a node. They go on without the variables that no support
  /// may have, if these are not few.
  Steps under(const PairConditions& conditions, const Matrix& whole) const {
    const Support left = conditions.allowed_among(variables);
    if (std::ssize(left) >= conditions.r &&
        static_cast<double>(left.size()) <=
            (1 - kShareToLeaveOut) * static_cast<double>(variables.size())) {
      return among(left, whole, conditions);
    }
    Steps steps = *this;
    steps.descent.set_limits(conditions.among(variables));
    return steps;
  }

  void run(int most_steps, int patience, double share, const Budget& budget) {
    descent.set_patience(patience, share);
    descent.run(most_steps, [&](double) { return !budget.is_time_up(); });
  }
};

struct OverlapTree::Node {
  double bound = std::numeric_limits<double>::infinity();
  double ruled_out = -std::numeric_limits<double>::infinity();  // BoundByPairs
  Index position = 0;                                           // index in the proof
  PairConditions conditions;
  std::shared_ptr<const Steps> start = nullptr;  // of the parent, then the node's own
  bool is_refined = false;
  CountDivision division = {};  // once refined
  /// The division of the parent, of which this is a part; variable -1 for the root.
  CountDivision parent_division = {};
  bool is_fewer = false;
  double parent_bound = std::numeric_limits<double>::infinity();
  bool parent_gained = true;  // its bound is below that of its own parent

  bool gained() const { return bound < parent_bound; }
};

OverlapTree::OverlapTree(const Matrix& matrix, const std::vector<Index>& cardinality,
                         const PairConditions& conditions, double target)
    : matrix_(matrix),
      cardinality_(cardinality),
      target_(target),
      gains_(matrix.rows(), conditions.r) {
  proof_.target = target;
  proof_.nodes.emplace_back();
  add(std::make_unique<Node>(Node{.conditions = conditions}));
}

OverlapTree::~OverlapTree() = default;

/// Adds the node to the open ones, or notes its bound if it is closed.
void OverlapTree::add(std::unique_ptr<Node> node) {
  left_ = std::max(left_, node->ruled_out);
  const bool is_closed =
      node->bound <= target_ || (node->is_refined && node->division.variable < 0);
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

/// Returns the number of entries of a matrix in the state of a node; zero for the root.
double OverlapTree::entries_of_state(const Node& node) {
  return node.start == nullptr ? 0 : static_cast<double>(node.start->matrix->size());
}

/// Returns whether the proof may have two more nodes.
bool OverlapTree::has_space() const {
  return stored_ + 2 * static_cast<double>(matrix_.size()) <= kMostProofEntries;
}

/// Gives the node these multipliers if they lower its bound.
void OverlapTree::take(Node& node, PairProof pairs, const Support& core) {
  PairConditions conditions = node.conditions;
  const BoundByPairs bound = bound_and_rule_out(matrix_, conditions, core, pairs, target_);
  if (bound.value < node.bound) {
    node.bound = bound.value;
    node.ruled_out = bound.ruled_out;
    node.conditions = std::move(conditions);
    OverlapProof::Node& proved = proof_.nodes[static_cast<std::size_t>(node.position)];
    proved.pairs = std::move(pairs);
    proved.core = core;
  }
}

/// Returns the variables whose variance and k - 1 largest covariances, less k charges, have the
/// largest sums.
Support OverlapTree::first_core(const PairConditions& conditions) const {
  const Index p = matrix_.rows();
  const Index places = conditions.is_common ? conditions.k : conditions.places;
  const Index size = std::max(kFirstCore, kFirstCoreToPlaces * places);
  if (2 * size >= p) {
    return all_variables(p);
  }
  Vector sums(p);
  for (Index i = 0; i < p; ++i) {
    Vector others = matrix_.col(i).cwiseAbs();
    others[i] = 0;
    sums[i] = sum_of_largest({others.data(), others.data() + p}, conditions.k - 1, matrix_(i, i));
    sums[i] -= static_cast<double>(conditions.k) * conditions.charges[i];
  }
  return top_k_signed(sums, size);
}

OverlapTree::Steps OverlapTree::first_steps(const PairConditions& conditions) const {
  const Support core = first_core(conditions);
  auto part = std::make_shared<const Matrix>(selected(matrix_, core, core));
  return {.variables = core,
          .matrix = part,
          .descent = PairDescent(*part, conditions.among(core), outside_, target_)};
}

/// Adds the variables that raise the bound of the steps most, at most as many as these have.
/// Returns the same variables if the others add little to it.
Support OverlapTree::grown_core(const Steps& steps, const Node& node) const {
  const PairBound& best = steps.descent.best();
  const Support allowed = allowed_in(node.conditions);
  if (steps.variables.size() >= allowed.size() || best.value >= node.bound) {
    return steps.variables;
  }
  const bool is_root = node.start == nullptr;
  const double gain = is_root ? best.value - target_ : node.bound - best.value;
  const double most =
      std::max(target_, best.value + std::max(kMostIncrease * gain, kLittleIncrease * best.value));
  const Matrix part = selected(matrix_, allowed, allowed);
  const PairConditions conditions = node.conditions.among(allowed);
  const PairProof whole = proof_among(allowed, part, node.conditions, steps.variables, best.proof);
  if (pair_bound_under(part, conditions, OutsideVariables(), whole) <= most) {
    return steps.variables;
  }
  Vector worth = pair_diagonal(part, conditions, whole);
  Support core = node.conditions.allowed_among(steps.variables);
  worth(positions_among(allowed, core)).setConstant(-std::numeric_limits<double>::infinity());
  if (2 * core.size() >= allowed.size()) {
    return allowed;
  }
  const double level = least_pair_eigenvalue(*steps.matrix, steps.descent.conditions(), best.proof);
  const Index above = (worth.array() > level).count();
  const auto size = std::ssize(core);
  for (const Index i : top_k_signed(worth, std::clamp(above, size / kLeastGrowth + 1, size))) {
    core.push_back(allowed[static_cast<std::size_t>(i)]);
  }
  std::sort(core.begin(), core.end());
  return core;
}

/// Returns the variables that the nodes begin with: those of largest count, as few as let the bound
/// of the root stay.
Support OverlapTree::core_of_nodes(const Node& root, const Steps& steps) const {
  const Vector counts = steps.descent.counts();
  Support order =  // positions
      positions_among(steps.variables, root.conditions.allowed_among(steps.variables));
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return counts[a] > counts[b]; });
  const auto variables_of = [&](Index size) {
    Support core;
    for (Index i = 0; i < size; ++i) {
      core.push_back(steps.variables[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
    }
    std::sort(core.begin(), core.end());
    return core;
  };
  const auto all = std::ssize(order);
  Index size = std::max((counts.array() > kLeastOfCore).count(), root.conditions.places);
  while (static_cast<double>(size) * kCoreGrowth < static_cast<double>(all)) {
    Support core = variables_of(size);
    PairConditions conditions = root.conditions;
    const PairProof pairs =
        among(steps.descent.best().proof, positions_among(steps.variables, core));
    if (bound_and_rule_out(matrix_, conditions, core, pairs, target_).value <=
        root.bound + kMostIncreaseOfRoot * (root.bound - target_)) {
      return core;
    }
    size = static_cast<Index>(static_cast<double>(size) * kCoreGrowth) + 1;
  }
  return variables_of(all);
}

double OverlapTree::bound_by_supports_of(const Node& node, const Budget& budget) const {
  const OverlapProof::Node& proved = proof_.nodes[static_cast<std::size_t>(node.position)];
  return bound_by_supports(matrix_, cardinality_, node.conditions,
                           whole_factor(matrix_, proved.core, proved.pairs), target_, budget);
}

/// Takes the steps of the node, and chooses how to divide it. `keeps_state`: its children start
/// where it ends.
void OverlapTree::refine(Node& node, bool keeps_state, const Budget& budget) {
  node.is_refined = true;
  const bool is_root = node.start == nullptr;
  if (!is_root) {
    node.bound = std::min(node.bound, bound_by_supports_of(node, budget));
    if (node.bound <= target_) {
      return;
    }
  }
  Steps steps = take_steps(
      is_root ? first_steps(node.conditions) : node.start->under(node.conditions, matrix_), node, 0,
      budget);
  take(node, steps.descent.best().proof, steps.variables);
  if (node.bound <= target_ || !std::isfinite(node.bound)) {
    return;
  }
  node.division = division_after(node.conditions, steps);
  if (node.division.variable < 0) {  // the limits or the prices decided the last variables
    double by_supports = bound_by_supports_of(node, budget);
    if (!std::isfinite(by_supports)) {
      steps.run(kMostStepsOfLeaf, kLeafBoundsWithoutGain, kSmallestShareOfNode, budget);
      take(node, steps.descent.best().proof, steps.variables);
      by_supports = bound_by_supports_of(node, budget);
    }
    node.bound = std::min(node.bound, std::max(node.ruled_out, by_supports));
    return;
  }
  if (is_root) {
    node.start = std::make_shared<const Steps>(
        steps.among(core_of_nodes(node, steps), matrix_, node.conditions));
  } else if (keeps_state) {
    node.start = std::make_shared<const Steps>(steps);
  }
}

/// Takes steps among variables that grow in number until the others add little to the bound.
/// `growths`: how often it grew before.
OverlapTree::Steps OverlapTree::take_steps(Steps steps, const Node& node, int growths,
                                           const Budget& budget) const {
  if (growths > 0 || node.start == nullptr) {
    steps.run(kMostRootSteps, kRootBoundsWithoutGain, kSmallestShareOfRoot, budget);
  } else {
    const bool is_one = node.conditions.r == 1;
    steps.run(is_one ? kMostStepsOfOne : kMostSteps, kNodeBoundsWithoutGain, kSmallestShareOfNode,
              budget);
    if (steps.descent.best().value >= node.bound) {
      const bool is_patient = is_one || !node.parent_gained;
      steps.run(is_patient ? kMostPatientSteps : kMostSteps,
                is_patient ? kPatientBoundsWithoutGain : kPoorBoundsWithoutGain,
                kSmallestShareOfNode, budget);
    }
  }
  if (!std::isfinite(steps.descent.best().value) || budget.is_time_up()) {
    return steps;
  }
  Support grown = grown_core(steps, node);
  if (grown == steps.variables) {
    return steps;
  }
  if (growths == kMostGrowths) {
    grown = allowed_in(node.conditions);
  }
  return take_steps(steps.among(grown, matrix_, node.conditions), node, growths + 1, budget);
}

CountDivision OverlapTree::division_after(const PairConditions& conditions,
                                          const Steps& steps) const {
  const PairConditions limits = conditions.among(steps.variables);
  const Vector counts = steps.descent.counts();
  const Vector sizes = steps.descent.sizes();
  std::vector<CountDivision> divisions = divisions_of_parts(limits, counts);
  Vector sizes_of_divisions(std::ssize(divisions));
  for (Index i = 0; i < std::ssize(divisions); ++i) {
    CountDivision& one = divisions[static_cast<std::size_t>(i)];
    sizes_of_divisions[i] = conditions.is_common ? 1 : sizes[one.variable];
    one.variable = steps.variables[static_cast<std::size_t>(one.variable)];
  }
  CountDivision division = gains_.choose(divisions, sizes_of_divisions);
  if (division.variable >= 0) {
    return division;
  }
  division = division_of_whole(limits, counts);
  if (division.variable >= 0) {
    division.variable = steps.variables[static_cast<std::size_t>(division.variable)];
    return division;
  }
  // The core is decided: a place may be left for a variable outside of it.
  division = division_of_whole(conditions, matrix_.diagonal());
  if (division.variable >= 0) {
    division.at_most = static_cast<Index>(conditions.least[division.variable]);
  }
  return division;
}

void OverlapTree::divide(const Node& node) {
  const auto position = static_cast<std::size_t>(node.position);
  for (const bool is_fewer : {true, false}) {
    auto child = std::make_unique<Node>(
        Node{.bound = node.bound,
             .position = std::ssize(proof_.nodes),
             .conditions = is_fewer ? fewer_of(node.conditions, node.division)
                                    : more_of(node.conditions, node.division),
             .start = node.start,
             .parent_division = node.division,
             .is_fewer = is_fewer,
             .parent_bound = node.bound,
             .parent_gained = node.gained()});
    OverlapProof::Node inherited{.pairs = proof_.nodes[position].pairs,
                                 .core = proof_.nodes[position].core};
    stored_ += static_cast<double>(inherited.pairs.costs.size());
    proof_.nodes.push_back(std::move(inherited));
    OverlapProof::Node& parent = proof_.nodes[position];
    (is_fewer ? parent.fewer : parent.more) = child->position;
    if (!tighten(child->conditions)) {
      child->bound = -std::numeric_limits<double>::infinity();
    }
    add(std::move(child));
  }
  OverlapProof::Node& parent = proof_.nodes[position];
  parent.variable = node.division.variable;
  parent.at_most = node.division.at_most;
  const Support allowed = allowed_in(node.conditions);
  // In a part of the node, the multipliers of a core may prove less than in the whole.
  const bool is_of_all =
      std::includes(parent.core.begin(), parent.core.end(), allowed.begin(), allowed.end());
  if (is_of_all && !std::isfinite(node.ruled_out)) {
    stored_ -= static_cast<double>(parent.pairs.costs.size());
    parent.pairs = {};
    parent.core = {};
  }
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

/// Notes how far the steps of a node brought its bound below that of its parent.
void OverlapTree::add_gain(const Node& node) {
  if (node.parent_division.variable >= 0) {
    const double gain = node.parent_bound - std::max(node.bound, target_);
    gains_.add(node.parent_division, node.is_fewer, std::max(gain, 0.0));
  }
}

void OverlapTree::run(Index most_nodes, int threads, Budget& budget) {
  while (refined_ < most_nodes && budget.next()) {
    std::vector<std::unique_ptr<Node>> nodes = next_nodes();
    if (nodes.empty()) {
      return;
    }
    const bool keeps_state = static_cast<double>(open_.size() + nodes.size()) * kMatricesOfState *
                                 entries_of_state(*nodes.front()) <
                             kMostStateEntries;
    parallel_for(nodes.size(), threads,
                 [&](std::size_t t) { refine(*nodes[t], keeps_state, budget); });
    refined_ += std::ssize(nodes);
    // In the order of the nodes, so that the tree does not depend on the number of threads.
    for (std::unique_ptr<Node>& node : nodes) {
      add_gain(*node);
      add(std::move(node));
    }
    budget.add_bound(bound(), kNotMeasured);
  }
}

}  // namespace spca
