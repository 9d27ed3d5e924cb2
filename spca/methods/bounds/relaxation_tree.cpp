#include "spca/methods/bounds/relaxation_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/ascent/sphere_ascent.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/relaxations/cardinality_relaxation.h"
#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/methods/relaxations/support_family.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of nodes are branched on at a time: fixed, so that nothing depends on the
// number of threads.
constexpr std::size_t kBranches = 4;
// If the open nodes take more bytes than this, those of smallest bound come first: they end soonest
// and leave the fewest new ones.
constexpr double kMostNodeBytes = 1e9;
// Once the certificate has this number of bytes of points, no further nodes are added to it.
constexpr double kMostCertificateBytes = 2e8;
// At most this number of columns of Y. At the optimum the multiplicity of the largest eigenvalue of
// HH' is the rank of X, which is about ten.
constexpr Index kMostColumns = 24;
// Number of columns added at a time, and their length relative to Y.
constexpr Index kNewColumns = 4;
constexpr double kNewLength = 0.05;
// The floors under X: the smaller a floor is, the nearer the bound is to that of the relaxation,
// and the more steps the ascent takes. The root uses all of these in turn, a child only kChildFloor
// or, with prices, the floor of the best bound so far.
constexpr double kRootFloors[] = {1e-2, 1e-3, 1e-4};
constexpr double kChildFloor = 1e-4;
// An ascent ends if three steps in a row each gain at most this share of the value.
constexpr double kEndingGain = 1e-5;
// At most this number of steps between two bounds, at the root and in a child; kRootRounds (for
// each floor) and kChildRounds below are the largest numbers of ascents, each with more columns.
constexpr int kStepsBetweenBounds = 100;
constexpr int kChildSteps = 6;
constexpr int kPartSteps = 20;  // for a part of a node divided by direction
// Candidates are light if their variance is at most this share of the current price. The price may
// fall to that share before they count.
constexpr double kLightPrice = 0.8;
constexpr int kRootRounds = 8;
constexpr int kChildRounds = 5;
// With prices many supports are worth nearly the same, so a branch gains more than an ascent.
// X mixes more supports than Y has columns, and the floor covers the remainder: the floor of the
// best bound is kept.
constexpr int kPricedChildRounds = 1;
// The ascent on a node continues as long as a round closes this share of the distance between its
// bound and the limit. Otherwise branching is the better use of the time.
constexpr double kPromisingShare = 0.15;
constexpr double kRootPromising = 0.02;
// Directions are divided if the second eigenvalue of X is at least this share of the first.
constexpr double kLeastMixture = 1e-3;
// With fewer candidates, branches on variables end soon. A path has at most kMostDirectionDivisions
// divisions by direction, so that every search ends.
constexpr std::size_t kFewCandidates = 100;
constexpr std::size_t kMostDirectionDivisions = 24;
// Slope of the boundary of a part, relative to the slope at which X would satisfy the first part.
constexpr double kSlope = 0.5;
// Stiffness of the penalty on a part's conditions, relative to the limit.
constexpr double kStiffness = 5;
// Number of ascents between two bounds if there are multipliers.
constexpr int kMultiplierTurns = 3;
// Multiplications of an eigendecomposition of n x n, relative to n^3, and of the equations of the
// terms, relative to |C| q.
constexpr double kEigenWork = 0.5;
constexpr double kEquationWork = 60;

}  // namespace

struct RelaxationTree::Node {
  double bound = std::numeric_limits<double>::infinity();  // in units of the factor
  SupportFamily family;
  std::shared_ptr<const RelaxationPoint> point;  // the last point, from which its children start
  int next_variable = -1;                        // branching variable if there is no next_branch
  std::vector<DirectionCut> cuts;                // on the directions
  std::shared_ptr<const DirectionBranch> next_branch;
  bool is_part = false;     // a part of its parent's directions
  Index certified_at = -1;  // index in the certificate; -1: not stored
};

/// Bounds one node. It reads the shared data of the tree and writes only to its own members, so
/// several tasks can run at once.
class RelaxationTree::Task {
 public:
  Task(const FactoredCovariance& factor, Index k, double limit, const Vector& prices,
       const PairRules& rules, std::unique_ptr<Node> node)
      : factor_(factor),
        k_(k),
        limit_(limit),
        prices_(prices),
        rules_(rules),
        node_(std::move(node)) {}

  void run_root(const std::function<bool()>& keep_going);
  void run_child(const std::function<bool()>& keep_going);

  bool is_open() const { return is_open_; }
  std::unique_ptr<Node>& node() { return node_; }
  /// The points that settled variables or bound the node, in order.
  std::vector<std::shared_ptr<const RelaxationPoint>>& points() { return points_; }
  /// The support that is left if there is only one; otherwise empty.
  Support support() const { return support_; }
  const Vector& hint() const { return hint_; }
  double work() const { return work_; }

 private:
  /// Ascends from y, bounds, and settles; stores in y the next starting point. Returns false if the
  /// node is closed. steps = 0: bounds at the node's own point.
  bool climb(Matrix& y, double floor, int steps, const std::function<bool()>& keep_going);
  bool has_prices() const { return prices_.size() > 0; }
  bool is_undecided();
  bool is_undecided_after_climbs();
  void choose_next_variable(const std::vector<int>& candidates, const Eigen::ArrayXd& distance);
  void choose_next_branch(const Matrix& columns, double price);
  void account(const CardinalityRelaxation& relaxation, Index columns, int evaluations);

  const FactoredCovariance& factor_;
  Index k_;
  double limit_;
  const Vector& prices_;  // in units of the factor; empty: none
  const PairRules& rules_;
  std::unique_ptr<Node> node_;
  std::vector<std::shared_ptr<const RelaxationPoint>> points_;
  Support support_;
  Vector hint_;
  bool is_open_ = true;
  bool has_changed_ = false;
  double work_ = 0;
};

/// Returns false if only one support is left, which it stores, or if none is left.
bool RelaxationTree::Task::is_undecided() {
  SupportFamily& family = node_->family;
  if (!rules_.apply(family.chosen, family.candidates)) {
    return false;
  }
  if (family.is_support(k_) && !family.is_empty(k_)) {
    support_ = family.support(k_);
    const double paid = has_prices() ? prices_(support_).sum() : 0;
    node_->bound = std::min(node_->bound, largest_variance_on(factor_, support_) - paid);
    return false;
  }
  return !family.is_empty(k_);
}

/// Decides as is_undecided() does, and ensures that the next variable is a candidate: the pair
/// rules may settle the one that the last climb() chose, and then both children would be equal.
bool RelaxationTree::Task::is_undecided_after_climbs() {
  if (!is_undecided()) {
    return false;
  }
  const std::vector<int>& candidates = node_->family.candidates;
  if (std::find(candidates.begin(), candidates.end(), node_->next_variable) == candidates.end()) {
    node_->next_variable = candidates.front();
  }
  return true;
}

/// Chooses the first remaining candidate of least `distance`. `distance` belongs to `candidates`,
/// the list before some were settled; both lists have the same order.
void RelaxationTree::Task::choose_next_variable(const std::vector<int>& candidates,
                                                const Eigen::ArrayXd& distance) {
  const std::vector<int>& left = node_->family.candidates;
  std::vector<bool> is_left(static_cast<std::size_t>(factor_.variables()), false);
  for (const int variable : left) {
    is_left[static_cast<std::size_t>(variable)] = true;
  }
  double nearest = std::numeric_limits<double>::infinity();
  node_->next_variable = left.empty() ? -1 : left.front();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!is_left[static_cast<std::size_t>(candidates[i])]) {
      continue;
    }
    if (distance[static_cast<Index>(i)] < nearest) {
      nearest = distance[static_cast<Index>(i)];
      node_->next_variable = candidates[i];
    }
  }
}

/// Divides X by direction if it mixes directions and the gap exceeds the price: then no variable
/// can be settled, and a branch on one closes little of the gap. `columns`: the eigenvectors of X,
/// the longest first.
void RelaxationTree::Task::choose_next_branch(const Matrix& columns, double price) {
  node_->next_branch = nullptr;
  if (has_prices() || node_->family.candidates.size() < kFewCandidates ||
      node_->cuts.size() >= kMostDirectionDivisions || columns.cols() < 2 ||
      !(node_->bound - limit_ > price) ||
      (factor_.is_formed() && factor_.dimension() > kLargestSettled)) {
    return;
  }
  const double ratio = columns.col(1).squaredNorm() / columns.col(0).squaredNorm();
  if (ratio < kLeastMixture) {
    return;
  }
  auto branch = std::make_shared<DirectionBranch>();
  branch->basis = columns.leftCols(2).colwise().normalized();
  branch->slope = kSlope * std::sqrt(ratio);
  node_->next_branch = std::move(branch);
}

void RelaxationTree::Task::account(const CardinalityRelaxation& relaxation, Index columns,
                                   int evaluations) {
  const auto n = static_cast<double>(factor_.dimension());
  const auto entries = static_cast<double>(relaxation.columns().count() * columns);
  work_ += evaluations * (4 * n + kEquationWork) * entries;
  work_ += kEigenWork * std::min(n, static_cast<double>(kLargestSettled)) * n * n;
}

bool RelaxationTree::Task::climb(Matrix& y, double floor, int steps,
                                 const std::function<bool()>& keep_going) {
  SupportFamily& family = node_->family;
  if (!is_undecided()) {
    return false;
  }
  // The ascent does not need light candidates, usually the majority if there are many; a bound at a
  // given point does.
  const HeavyCandidates heavy =
      heavy_candidates(factor_, family, has_prices() ? -1 : kLightPrice * node_->point->price);
  CardinalityRelaxation relaxation = relaxation_on(factor_, heavy.family, k_, prices_);
  relaxation.set_least_price(heavy.largest_light);
  relaxation.begin_with(node_->point->price);
  DirectionCuts cuts(node_->cuts, node_->point->multipliers, kStiffness * limit_);
  int evaluations = 0;
  if (steps > 0) {
    // Each ascent improves the multipliers.
    const int turns = cuts.empty() ? 1 : kMultiplierTurns;
    for (int turn = 0; turn < turns; ++turn) {
      int step = 0;
      ascend_on_sphere(
          [&](const Matrix& at, Matrix* gradient) {
            ++evaluations;
            const double value = relaxation.evaluate(at, floor, gradient);
            return value + cuts.penalty(at, gradient);
          },
          {.tolerance = kEndingGain}, y,
          [&](const Matrix&, double) { return ++step <= steps && keep_going(); });
      cuts.update(y);
    }
    relaxation.evaluate(y, floor, nullptr);
  } else {
    relaxation.set(*node_->point);
  }
  account(relaxation, y.cols(), evaluations + 1);
  auto point = std::make_shared<const RelaxationPoint>(RelaxationPoint{
      .y = y, .floor = floor, .price = relaxation.price(), .multipliers = cuts.multipliers()});
  const SettledVariables settled =
      heavy.positions.size() < family.candidates.size()
          ? settle_family(factor_, family, k_, *point, cuts, limit_, kNewColumns, keep_going)
          : settle_variables(relaxation, cuts, limit_, kNewColumns, keep_going);
  const bool is_better = settled.bound < node_->bound;
  node_->bound = std::min(node_->bound, settled.bound);
  if (is_better || !has_prices()) {
    node_->point = point;
  }
  if (!(node_->bound > limit_)) {
    points_.push_back(std::move(point));
    return false;
  }
  const Matrix columns = orthogonal_columns(y);
  const Vector leading = columns.col(0);
  choose_next_branch(columns, relaxation.price());
  // A price is compared with the square of a unit vector's product; without prices the length is
  // irrelevant.
  hint_ = factor_.products(has_prices() ? leading.normalized() : leading);
  const std::vector<int>& before = heavy.family.candidates;
  has_changed_ = family.settle(settled);
  if (has_prices()) {
    // X mixes many supports with small shares: the decrease in both children counts.
    choose_next_variable(before, -relaxation.branch_losses());
  } else {
    // At a share of 1/2 the relaxation is least certain, so that both children lose.
    choose_next_variable(before, (relaxation.shares() - 0.5).abs());
  }
  if (has_changed_ || is_better) {
    points_.push_back(std::move(point));  // the other points prove nothing
  }
  // If the largest eigenvalues of HH' exceed Tr HH'X, the value rises along their eigenvectors: Y
  // gets them as short new columns, and loses the columns that the ascent has made negligible.
  Matrix wider(y.rows(), y.cols() + settled.directions.cols());
  wider << y, kNewLength * settled.directions;
  y = orthogonal_columns(wider.normalized());
  y = y.leftCols(std::min(y.cols(), kMostColumns)).normalized().eval();
  return true;
}

void RelaxationTree::Task::run_root(const std::function<bool()>& keep_going) {
  Matrix y = node_->point->y;
  if (!factor_.is_formed()) {
    // A step takes long: the first bound is computed after a single step, so that there always is
    // one.
    is_open_ = climb(y, kRootFloors[0], 1, keep_going);
  }
  const double promising = has_prices() ? kPromisingShare : kRootPromising;
  for (const double floor : kRootFloors) {
    for (int round = 0; round < kRootRounds && is_open_ && keep_going(); ++round) {
      const double before = node_->bound;
      is_open_ =
          climb(y, floor, factor_.is_formed() ? kStepsBetweenBounds : kStepsBetweenBounds / 5,
                keep_going);
      if (!has_changed_ && !(node_->bound - limit_ < (1 - promising) * (before - limit_))) {
        break;
      }
    }
  }
  is_open_ = is_open_ && is_undecided_after_climbs();
}

void RelaxationTree::Task::run_child(const std::function<bool()>& keep_going) {
  // A bound takes an eigendecomposition, and others wait for this node: none is started too late.
  if (!keep_going()) {
    is_open_ = is_undecided();
    if (is_open_) {
      node_->next_variable = node_->family.candidates.front();
    }
    return;
  }
  Matrix y = node_->point->y;
  double before = node_->bound;
  if (!node_->is_part) {
    // The parent's own point closes many children without an ascent: only the family is new.
    is_open_ = climb(y, node_->point->floor, 0, keep_going);
  }
  const int rounds = has_prices() ? kPricedChildRounds : kChildRounds;
  const int steps = node_->is_part ? kPartSteps : kChildSteps;
  for (int round = 0; round < rounds && is_open_ && keep_going(); ++round) {
    is_open_ = climb(y, has_prices() ? node_->point->floor : kChildFloor, steps, keep_going);
    if (!has_changed_ && !(node_->bound - limit_ < (1 - kPromisingShare) * (before - limit_))) {
      break;
    }
    before = node_->bound;
  }
  is_open_ = is_open_ && is_undecided_after_climbs();
}

namespace {

class BestOnMatrix final : public BestSupport {
 public:
  BestOnMatrix(const Matrix& matrix, Index k) : ascent_(matrix, k) {}
  void consider(const Support& support) override { ascent_.consider(support); }
  void ascend(const Vector& w) override { ascent_.ascend(w); }
  const Support& support() const override { return ascent_.support(); }
  double value() const override { return ascent_.value(); }

 private:
  SupportAscent ascent_;
};

/// The best support with prices or rules.
class BestPriced final : public BestSupport {
 public:
  /// `root`: the square root of the factor's unit, to which A'x in ascend() is relative.
  BestPriced(const Matrix& matrix, const SupportPricing& pricing, Index k, double root)
      : matrix_(matrix),
        prices_(pricing.prices.size() > 0 ? pricing.prices : Vector::Zero(matrix.rows())),
        rules_(pricing.rules),
        k_(k),
        root_(root) {}

  void consider(const Support& support) override {
    if (rules_.allow(support)) {
      set_if_better(priced_support(matrix_, prices_, support));
    }
  }
  void ascend(const Vector& w) override {
    const PricedSupport end = priced_ascent(matrix_, prices_, k_, root_ * w);
    if (rules_.allow(end.support)) {
      set_if_better(end);
    }
  }
  const Support& support() const override { return support_; }
  double value() const override { return value_; }

 private:
  void set_if_better(const PricedSupport& found) {
    if (found.net > value_) {
      value_ = found.net;
      support_ = found.support;
    }
  }

  const Matrix& matrix_;
  Vector prices_;
  PairRules rules_;
  Index k_;
  double root_;
  double value_ = -std::numeric_limits<double>::infinity();
  Support support_;
};

std::unique_ptr<BestSupport> best_on(const Matrix& matrix, const SupportPricing& pricing, Index k,
                                     double unit) {
  if (pricing.is_plain()) {
    return std::make_unique<BestOnMatrix>(matrix, k);
  }
  return std::make_unique<BestPriced>(matrix, pricing, k, std::sqrt(unit));
}

}  // namespace

RelaxationTree::RelaxationTree(const Matrix& matrix, const Support& support)
    : RelaxationTree(factor_covariance(matrix), matrix, support) {}

RelaxationTree::RelaxationTree(std::shared_ptr<const FactoredCovariance> factor,
                               const Matrix& matrix, const Support& support)
    : RelaxationTree(std::move(factor), matrix, support, SupportPricing()) {}

RelaxationTree::RelaxationTree(std::shared_ptr<const FactoredCovariance> factor,
                               const Matrix& matrix, const Support& support, SupportPricing pricing)
    : factor_(std::move(factor)),
      best_(best_on(matrix, pricing, std::ssize(support), factor_->unit())),
      start_(support),
      pricing_(std::move(pricing)),
      prices_(pricing_.prices / factor_->unit()),
      k_(std::ssize(support)),
      variables_left_(all_variables(factor_->variables())) {
  best_->consider(support);
  if (pricing_.is_plain() && best_->support().empty()) {  // the given support has no variance
    start_ = top_k(matrix.diagonal(), k_);
    best_->consider(start_);
  }
}

RelaxationTree::RelaxationTree(std::shared_ptr<const FactoredCovariance> factor,
                               std::unique_ptr<BestSupport> best)
    : factor_(std::move(factor)),
      best_(std::move(best)),
      start_(best_->support()),
      k_(std::ssize(start_)),
      variables_left_(all_variables(factor_->variables())) {}

RelaxationTree::~RelaxationTree() = default;

/// The bound above which a node stays open, in units of the factor.
double RelaxationTree::least() const {
  return prices_.size() > 0 ? factor_->priced_limit(floor()) : factor_->limit(floor());
}

// An estimate: about a hundred evaluations with about eight columns, and nine eigendecompositions.
double RelaxationTree::begin_work() const {
  constexpr double kEvaluations = 100;
  constexpr double kColumnsOfEvaluation = 8;
  const auto n = static_cast<double>(factor_->dimension());
  return kEvaluations * kColumnsOfEvaluation * (4 * n + kEquationWork) *
             static_cast<double>(factor_->variables()) +
         9 * kEigenWork * std::min(n, static_cast<double>(kLargestSettled)) * n * n;
}

bool RelaxationTree::can_advance() const {
  return has_begun_ && !open_.empty() &&
         (!factor_->is_formed() || factor_->dimension() <= kLargestSettled);
}

void RelaxationTree::begin(const std::function<bool()>& keep_going) {
  auto root = std::make_unique<Node>();
  root->family = SupportFamily::all(factor_->variables());
  // Y = x = Av / ||Av|| with v the leading eigenvector of the best support known: the ascent starts
  // at the value of that support.
  const Support& start = best_->support().empty() ? start_ : best_->support();
  const Matrix on_support = factor_->formed(start);
  const SymmetricEigenpairs pairs =
      symmetric_eigenpairs(transposed_product(on_support, on_support));
  root->point = std::make_shared<const RelaxationPoint>(
      RelaxationPoint{.y = times_vector(on_support, pairs.vectors.col(k_ - 1)).normalized()});
  root->certified_at = 0;
  certificate_.nodes.emplace_back();
  Task task(*factor_, k_, least(), prices_, pricing_.rules, std::move(root));
  task.run_root(keep_going);
  const SupportFamily& family = task.node()->family;
  variables_left_.assign(family.chosen.begin(), family.chosen.end());
  variables_left_.insert(variables_left_.end(), family.candidates.begin(), family.candidates.end());
  std::sort(variables_left_.begin(), variables_left_.end());
  merge(task);
  has_begun_ = true;
}

/// Stores the results of a task: its points, its support, and its node if that is open. Called for
/// one task after the other in a fixed order, independent of the order in which they ran.
void RelaxationTree::merge(Task& task) {
  ++nodes_;
  work_ += task.work();
  Node& node = *task.node();
  if (node.certified_at >= 0) {
    for (const auto& point : task.points()) {
      certificate_bytes_ += static_cast<double>(point->y.size()) * sizeof(double);
    }
    certificate_.nodes[static_cast<std::size_t>(node.certified_at)].points =
        std::move(task.points());
  }
  if (!task.support().empty()) {
    best_->consider(task.support());
  }
  if (task.hint().size() > 0) {
    best_->ascend(task.hint());
  }
  if (task.is_open()) {
    open_.push(std::move(task.node()));
  }
}

/// Makes a task for each part of a division by direction.
void RelaxationTree::divide(const Node& parent, std::vector<std::unique_ptr<Task>>& tasks) {
  std::array<Index, kDirectionParts> kept = {-1, -1, -1};
  if (parent.certified_at >= 0 && certificate_bytes_ < kMostCertificateBytes) {
    const Index next = std::ssize(certificate_.nodes);
    std::iota(kept.begin(), kept.end(), next);
    RelaxationCertificate::Node& node =
        certificate_.nodes[static_cast<std::size_t>(parent.certified_at)];
    node.branch = parent.next_branch;
    node.parts = kept;
    certificate_bytes_ += static_cast<double>(node.branch->basis.size()) * sizeof(double);
    certificate_.nodes.resize(certificate_.nodes.size() + kDirectionParts);
  }
  for (int part = 0; part < kDirectionParts; ++part) {
    auto child = std::make_unique<Node>(parent);
    child->cuts.push_back(direction_cut(parent.next_branch, part));
    child->is_part = true;
    child->next_branch = nullptr;
    child->certified_at = kept.at(static_cast<std::size_t>(part));
    tasks.push_back(
        std::make_unique<Task>(*factor_, k_, least(), prices_, pricing_.rules, std::move(child)));
  }
}

void RelaxationTree::advance(int threads, const std::function<bool()>& keep_going) {
  std::vector<std::unique_ptr<Task>> tasks;
  const double node_bytes =
      sizeof(double) * static_cast<double>(factor_->dimension() * kMostColumns) +
      sizeof(int) * static_cast<double>(variables_left_.size());
  const bool is_crowded = static_cast<double>(open_.size()) * node_bytes > kMostNodeBytes;
  while (tasks.size() < 2 * kBranches && !open_.empty()) {
    const std::unique_ptr<Node> parent = is_crowded ? open_.pop_smallest() : open_.pop_largest();
    if (parent->next_branch != nullptr) {
      divide(*parent, tasks);
      continue;
    }
    Index kept[2] = {-1, -1};
    if (parent->certified_at >= 0 && certificate_bytes_ < kMostCertificateBytes) {
      const Index next = std::ssize(certificate_.nodes);
      RelaxationCertificate::Node& node =
          certificate_.nodes[static_cast<std::size_t>(parent->certified_at)];
      node.variable = parent->next_variable;
      node.with = kept[1] = next;
      node.without = kept[0] = next + 1;
      certificate_.nodes.resize(certificate_.nodes.size() + 2);
    }
    for (const bool with : {true, false}) {
      auto child = std::make_unique<Node>(*parent);
      child->is_part = false;
      child->family.branch(parent->next_variable, with);
      child->certified_at = kept[with ? 1 : 0];
      tasks.push_back(
          std::make_unique<Task>(*factor_, k_, least(), prices_, pricing_.rules, std::move(child)));
    }
  }
  parallel_for(tasks.size(), threads, [&](std::size_t t) { tasks[t]->run_child(keep_going); });
  for (const std::unique_ptr<Task>& task : tasks) {
    merge(*task);
  }
  open_.drop_up_to(least());
}

void RelaxationTree::consider(const Support& support) { best_->consider(support); }

double RelaxationTree::bound() const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  return open_.empty() ? floor() : factor_->unit() * (open_.largest_bound() + factor_->excess());
}

std::shared_ptr<const RelaxationCertificate> RelaxationTree::certificate() const {
  auto certificate = std::make_shared<RelaxationCertificate>(certificate_);
  certificate->support = best_->support().empty() ? start_ : best_->support();
  return certificate;
}

}  // namespace spca
