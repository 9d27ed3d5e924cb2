#include "spca/methods/bounds/relaxation_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/parallel.h"
#include "spca/methods/ascent/sphere_ascent.h"
#include "spca/methods/bounds/penalty_relaxation.h"
#include "spca/methods/bounds/relaxation_node.h"
#include "spca/methods/bounds/support_tree.h"

namespace spca {
namespace {

// Nodes branched on at a time: nothing may depend on the number of threads.
constexpr std::size_t kBranches = 4;
// Beyond so many bytes of open nodes those of smallest bound, which end soonest, come first.
constexpr double kMostOpenBytes = 1e9;
// The proof keeps so many bytes of points; nodes beyond are covered by their ancestors.
constexpr double kMostProofBytes = 2e8;
// Columns of Y: as many as the largest eigenvalue of HH' has at the optimum, some ten.
constexpr Index kMostColumns = 24;
// Added at a time, of this length relative to Y.
constexpr Index kNewColumns = 4;
constexpr double kNewLength = 0.05;
// What the root's Y is mixed with, in turn, and a child's: the smaller, the nearer the bound is to
// that of the relaxation, and the more steps it takes.
constexpr double kRootFloors[] = {1e-2, 1e-3, 1e-4};
constexpr double kChildFloor = 1e-4;
constexpr double kTolerance = 1e-5;
// Steps between two bounds, and times that a floor's ascent is taken up again.
constexpr int kRootSteps = 100;
constexpr int kChildSteps = 6;
constexpr int kRootRounds = 8;
constexpr int kChildRounds = 5;
// A child is climbed on while a round closes this share of what is between its bound and the limit.
constexpr double kPromising = 0.15;
constexpr double kRootPromising = 0.02;
// An eigendecomposition of n x n over n^3, and the equations of the terms over |C| q.
constexpr double kEigenWork = 0.5;
constexpr double kTermWork = 60;

}  // namespace

struct RelaxationTree::Node {
  double bound = std::numeric_limits<double>::infinity();
  SettledSets variables;
  std::shared_ptr<const RelaxationPoint> point;
  int next_variable = -1;  // to branch on
  Index proof = -1;        // its place there; -1: not kept
};

/// The bounding of one node.
class RelaxationTree::Task {
 public:
  Task(const Matrix& factor, Index k, double limit, std::unique_ptr<Node> node)
      : factor_(factor), k_(k), limit_(limit), node_(std::move(node)) {}

  void run_root(const std::function<bool()>& keep_going);
  void run_child();

  bool is_open() const { return is_open_; }
  std::unique_ptr<Node>& node() { return node_; }
  /// What settled variables or bounds the node, in turn.
  std::vector<std::shared_ptr<const RelaxationPoint>>& points() { return points_; }
  /// The support that is left, or what the relaxation thinks most of; empty: nothing.
  Support support() const { return support_; }
  const Vector& hint() const { return hint_; }
  double work() const { return work_; }

 private:
  /// Climbs from y, bounds, and settles: false where the node is closed.
  bool climb(Matrix& y, double floor, int steps, const std::function<bool()>& keep_going);
  bool is_undecided();
  void choose_next_variable(const std::vector<int>& candidates, const Eigen::ArrayXd& shares);
  void account(const CardinalityRelaxation& relaxation, Index columns, int evaluations);

  const Matrix& factor_;
  Index k_;
  double limit_;
  std::unique_ptr<Node> node_;
  std::vector<std::shared_ptr<const RelaxationPoint>> points_;
  Support support_;
  Vector hint_;
  bool is_open_ = true;
  bool has_changed_ = false;
  double work_ = 0;
};

/// False where one support is left, which is kept, or none.
bool RelaxationTree::Task::is_undecided() {
  const SettledSets& variables = node_->variables;
  if (variables.is_support(k_) && !variables.is_empty(k_)) {
    support_ = variables.support(k_);
    node_->bound = std::min(node_->bound, largest_variance_on(factor_, support_));
    return false;
  }
  return !variables.is_empty(k_);
}

/// The undecided one whose share is nearest to 1/2; `shares` are those of `candidates`.
void RelaxationTree::Task::choose_next_variable(const std::vector<int>& candidates,
                                                const Eigen::ArrayXd& shares) {
  const std::vector<int>& left = node_->variables.candidates;
  double nearest = std::numeric_limits<double>::infinity();
  auto place = left.begin();
  for (std::size_t i = 0; i < candidates.size() && place != left.end(); ++i) {
    if (candidates[i] != *place) {
      continue;
    }
    ++place;
    const double distance = std::abs(shares[static_cast<Index>(i)] - 0.5);
    if (distance < nearest) {
      nearest = distance;
      node_->next_variable = candidates[i];
    }
  }
}

void RelaxationTree::Task::account(const CardinalityRelaxation& relaxation, Index columns,
                                   int evaluations) {
  const auto n = static_cast<double>(factor_.rows());
  const auto entries = static_cast<double>(relaxation.columns().cols() * columns);
  work_ += evaluations * (4 * n + kTermWork) * entries;
  work_ += kEigenWork * std::min(n, static_cast<double>(kLargestSettled)) * n * n;
}

bool RelaxationTree::Task::climb(Matrix& y, double floor, int steps,
                                 const std::function<bool()>& keep_going) {
  SettledSets& variables = node_->variables;
  if (!is_undecided()) {
    return false;
  }
  const Index chosen = std::ssize(variables.chosen);
  CardinalityRelaxation relaxation(columns_of(factor_, variables.chosen, variables.candidates),
                                   chosen, variables.to_choose(k_));
  relaxation.begin_with(node_->point->price);
  int evaluations = 0;
  if (steps > 0) {
    int step = 0;
    ascend_on_sphere(
        [&](const Matrix& at, Matrix* gradient) {
          ++evaluations;
          return relaxation.evaluate(at, floor, gradient);
        },
        {.tolerance = kTolerance}, y,
        [&](const Matrix&, double) { return ++step <= steps && keep_going(); });
    relaxation.evaluate(y, floor, nullptr);
  } else {
    relaxation.set(*node_->point);
  }
  account(relaxation, y.cols(), evaluations + 1);
  auto point = std::make_shared<const RelaxationPoint>(
      RelaxationPoint{.y = y, .floor = floor, .price = relaxation.price()});
  const SettledVariables settled = settle_variables(relaxation, chosen, limit_, kNewColumns);
  const bool is_better = settled.bound < node_->bound;
  node_->bound = std::min(node_->bound, settled.bound);
  node_->point = point;
  if (!(node_->bound > limit_)) {
    points_.push_back(std::move(point));
    return false;
  }
  hint_ = factor_.transpose() * orthogonal_columns(y).col(0);
  const std::vector<int> before = variables.candidates;
  has_changed_ = variables.settle(settled);
  choose_next_variable(before, relaxation.shares());
  if (has_changed_ || is_better) {
    points_.push_back(std::move(point));
  }
  Matrix wider(y.rows(), y.cols() + settled.directions.cols());
  wider << y, kNewLength * settled.directions;
  y = orthogonal_columns(wider.normalized());
  y = y.leftCols(std::min(y.cols(), kMostColumns)).normalized().eval();
  return true;
}

void RelaxationTree::Task::run_root(const std::function<bool()>& keep_going) {
  Matrix y = node_->point->y;
  for (const double floor : kRootFloors) {
    for (int round = 0; round < kRootRounds && is_open_ && keep_going(); ++round) {
      const double before = node_->bound;
      is_open_ = climb(y, floor, kRootSteps, keep_going);
      if (!has_changed_ && !(node_->bound - limit_ < (1 - kRootPromising) * (before - limit_))) {
        break;
      }
    }
  }
  is_open_ = is_open_ && is_undecided();
}

void RelaxationTree::Task::run_child() {
  const auto always = [] { return true; };
  Matrix y = node_->point->y;
  double before = node_->bound;
  is_open_ = climb(y, node_->point->floor, 0, always);
  for (int round = 0; round < kChildRounds && is_open_; ++round) {
    is_open_ = climb(y, kChildFloor, kChildSteps, always);
    if (!has_changed_ && !(node_->bound - limit_ < (1 - kPromising) * (before - limit_))) {
      break;
    }
    before = node_->bound;
  }
  is_open_ = is_open_ && is_undecided();
}

RelaxationTree::RelaxationTree(const Matrix& matrix, const Support& support)
    : factored_(std::make_unique<FactoredCovariance>(factor_covariance(matrix))),
      k_(std::ssize(support)),
      ascent_(matrix, k_) {
  ascent_.offer(support);
  if (ascent_.support().empty()) {  // it has no variance
    ascent_.offer(top_k(matrix.diagonal(), k_));
  }
}

RelaxationTree::~RelaxationTree() = default;

double RelaxationTree::least() const { return factored_->limit(ascent_.value()); }

double RelaxationTree::begin_work() const {
  constexpr double kEvaluations = 100;
  constexpr double kColumns = 8;
  const auto n = static_cast<double>(factored_->factor.rows());
  return kEvaluations * kColumns * (4 * n + kTermWork) *
             static_cast<double>(factored_->factor.cols()) +
         9 * kEigenWork * std::min(n, static_cast<double>(kLargestSettled)) * n * n;
}

bool RelaxationTree::can_advance() const {
  return has_begun_ && !open_.empty() && factored_->factor.rows() <= kLargestSettled;
}

void RelaxationTree::begin(const std::function<bool()>& keep_going) {
  auto root = std::make_unique<Node>();
  for (int i = 0; i < factored_->factor.cols(); ++i) {
    root->variables.candidates.push_back(i);
  }
  const Matrix on_support = factored_->factor(Eigen::all, ascent_.support());
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(on_support.transpose() * on_support);
  root->point = std::make_shared<const RelaxationPoint>(
      RelaxationPoint{.y = (on_support * pairs.vectors.col(k_ - 1)).normalized()});
  root->proof = 0;
  proof_.nodes.emplace_back();
  Task task(factored_->factor, k_, least(), std::move(root));
  task.run_root(keep_going);
  take(task);
  has_begun_ = true;
}

/// Keeps what a task found: its points, its support, its node where that is open.
void RelaxationTree::take(Task& task) {
  ++nodes_;
  work_ += task.work();
  Node& node = *task.node();
  if (node.proof >= 0) {
    for (const auto& point : task.points()) {
      proof_bytes_ += static_cast<double>(point->y.size()) * sizeof(double);
    }
    proof_.nodes[static_cast<std::size_t>(node.proof)].points = std::move(task.points());
  }
  if (!task.support().empty()) {
    ascent_.offer(task.support());
  }
  if (task.hint().size() > 0) {
    ascent_.ascend(task.hint());
  }
  if (task.is_open()) {
    const Order order{-node.bound, pushed_++};
    open_.emplace(order, std::move(task.node()));
  }
}

void RelaxationTree::advance(int threads) {
  std::vector<std::unique_ptr<Task>> tasks;
  const double node_bytes =
      sizeof(double) * static_cast<double>(factored_->factor.rows() * kMostColumns);
  const bool is_crowded = static_cast<double>(open_.size()) * node_bytes > kMostOpenBytes;
  while (tasks.size() < 2 * kBranches && !open_.empty()) {
    const auto place = is_crowded ? std::prev(open_.end()) : open_.begin();
    std::unique_ptr<Node> parent = std::move(place->second);
    open_.erase(place);
    Index kept[2] = {-1, -1};
    if (parent->proof >= 0 && proof_bytes_ < kMostProofBytes) {
      const Index next = std::ssize(proof_.nodes);
      RelaxationProof::Node& node = proof_.nodes[static_cast<std::size_t>(parent->proof)];
      node.variable = parent->next_variable;
      node.with = kept[1] = next;
      node.without = kept[0] = next + 1;
      proof_.nodes.resize(proof_.nodes.size() + 2);
    }
    for (const bool with : {true, false}) {
      auto child = std::make_unique<Node>(*parent);
      child->variables.branch(parent->next_variable, with);
      child->proof = kept[with ? 1 : 0];
      tasks.push_back(std::make_unique<Task>(factored_->factor, k_, least(), std::move(child)));
    }
  }
  parallel_for(tasks.size(), threads, [&](std::size_t t) { tasks[t]->run_child(); });
  for (const std::unique_ptr<Task>& task : tasks) {
    take(*task);
  }
  while (!open_.empty() && !(-open_.rbegin()->first.first > least())) {
    open_.erase(std::prev(open_.end()));
  }
}

void RelaxationTree::offer(const Support& support) { ascent_.offer(support); }

double RelaxationTree::bound() const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  return open_.empty() ? value()
                       : factored_->unit * (-open_.begin()->first.first + factored_->excess);
}

std::shared_ptr<const RelaxationProof> RelaxationTree::proof() const {
  auto proof = std::make_shared<RelaxationProof>(proof_);
  proof->support = ascent_.support();
  return proof;
}

}  // namespace spca
