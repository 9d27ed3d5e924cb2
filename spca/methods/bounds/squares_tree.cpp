#include "spca/methods/bounds/squares_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/base/parallel.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/tridiagonal_form.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/relaxations/factored_covariance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Number of subtrees searched at a time: fixed, so that nothing depends on the number of threads.
constexpr std::size_t kTasks = 8;
// If a node takes more work than this, fewer tasks run at a time, so that the clock is checked
// often enough.
constexpr double kRoundWork = 1e8;
// A subtree is searched for this number of multiplications, a tenth of a millisecond, or for one
// node, which may take longer. So subtrees of largest bound come first.
constexpr double kTaskWork = 1e5;
// If more subtrees are open, those of smallest bound come first: they end soonest.
constexpr std::size_t kMostOpen = 50'000;
// c is at most this share of the value: the difference of the two is the quantity that (1) bounds.
constexpr double kLargestShift = 0.9;
// (3) of the root is computed once the search has taken as long as this computation, unless the
// root has more variables than this.
constexpr Index kLargestRoot = 600;
// Largest |P| + |C| for (3) in a node.
constexpr Index kLargestSpectral = 120;
// Up to this number of chosen variables the term of P is made exact whenever one is added.
constexpr Index kAlwaysExact = 40;
// Multiplications to build the tables, relative to p^2.
constexpr double kTableWork = 50;
// Time of the eigenvalues, and at most one eigenvector, relative to the cube of the size, in
// multiplications.
constexpr double kValuesWork = 1;
// Number of steps for s in (4) from its first value; s stays above this share of the largest
// variance.
constexpr int kTangentSteps = 3;
constexpr double kSmallestTangent = 1e-9;
// The tables are rebuilt without the dropped variables if less than this share remains.
constexpr double kRebuildShare = 0.8;

double squared(double x) { return x * x; }
double cubed(Index x) { return squared(static_cast<double>(x)) * static_cast<double>(x); }

}  // namespace

struct SquaresTree::Node {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<int> chosen;                 // P
  std::vector<int> candidates;             // C, ascending
  double base = 0;                         // b
  Index exact_size = 0;                    // |P| when b was last made exact
  Index spectral_size = kLargestSpectral;  // (3) waits until |P| + |C| is at most this
};

/// Searches one subtree until its work is used up. It reads the tree and writes only to its own
/// members, so several tasks can run at once.
class SquaresTree::Task {
 public:
  Task(const SquaresTree& tree, double value)
      : tree_(tree), value_(value), is_candidate_(tree.variables_.size(), 0) {}

  void run(std::unique_ptr<Node> root);

  /// Bounds the node, drops candidates and chooses others. Returns false if nothing better is left.
  bool reduce(Node& node);

  double value() const { return value_; }
  /// Positions among the tree's variables; empty: nothing better was found.
  const Support& support() const { return support_; }
  std::vector<std::unique_ptr<Node>>& open() { return stack_; }
  Index nodes() const { return nodes_; }
  double work() const { return work_; }

 private:
  enum class Outcome { kClosed, kChanged, kSame };

  double least() const { return tree_.least(value_); }
  Index to_choose(const Node& node) const { return tree_.k_ - std::ssize(node.chosen); }
  void choose(Node& node, int variable) const;
  bool obey_rules(Node& node) const;
  void branch(std::unique_ptr<Node> node);
  void consider_whole(Node& node);
  void make_exact(Node& node);
  Outcome bound_by_squares(Node& node);
  Outcome bound_by_spectrum(Node& node);
  Outcome bound_by_root(Node& node);
  Outcome settle(Node& node, double constant, double threshold);
  Outcome settle_priced(Node& node);
  double price_of(const std::vector<int>& variables) const;
  int most_worth(const Node& node) const {
    return node.candidates[static_cast<std::size_t>(std::max_element(worth_.begin(), worth_.end()) -
                                                    worth_.begin())];
  }

  const SquaresTree& tree_;
  double value_;
  Support support_;
  std::vector<std::unique_ptr<Node>> stack_;
  std::vector<char> is_candidate_;  // of each variable; all 0 between two uses
  std::vector<double> worth_;       // of the t-th candidate
  std::vector<double> sorted_;
  double total_ = 0;       // the last bound, in the units of its terms
  int next_variable_ = 0;  // branching variable
  double work_ = 0;
  Index nodes_ = 0;
};

void SquaresTree::Task::run(std::unique_ptr<Node> root) {
  stack_.push_back(std::move(root));
  while (!stack_.empty() && (work_ < kTaskWork || nodes_ == 0)) {
    std::unique_ptr<Node> node = std::move(stack_.back());
    stack_.pop_back();
    if (node->bound > least() && reduce(*node)) {
      branch(std::move(node));
    }
  }
}

// The cheapest bound comes first; an expensive one is computed only if the cheaper ones
// change nothing, and any change sends the node back to the cheapest.
bool SquaresTree::Task::reduce(Node& node) {
  ++nodes_;
  while (true) {
    if (!obey_rules(node)) {
      return false;
    }
    const Index m = to_choose(node);
    if (m < 0 || std::ssize(node.candidates) < m) {
      return false;
    }
    if (m == 0) {
      node.candidates.clear();
    }
    if (std::ssize(node.candidates) == m) {
      consider_whole(node);
      return false;
    }
    make_exact(node);
    Outcome outcome = bound_by_squares(node);
    if (outcome == Outcome::kSame && tree_.root_worths_.size() > 0) {
      outcome = bound_by_root(node);
    }
    if (outcome == Outcome::kSame &&
        std::ssize(node.chosen) + std::ssize(node.candidates) <= node.spectral_size) {
      outcome = bound_by_spectrum(node);
    }
    if (outcome != Outcome::kChanged) {
      return outcome == Outcome::kSame;
    }
  }
}

/// Takes the candidate of largest worth first: good supports are found early, and without it the
/// bound falls most.
void SquaresTree::Task::branch(std::unique_ptr<Node> node) {
  const int variable = next_variable_;
  node->candidates.erase(
      std::lower_bound(node->candidates.begin(), node->candidates.end(), variable));
  auto with = std::make_unique<Node>(*node);
  choose(*with, variable);
  stack_.push_back(std::move(node));
  stack_.push_back(std::move(with));
}

/// b grows by the new row and column of Q. It may be more than the exact term of the new P, but
/// stays valid: that is (1) for the former P.
void SquaresTree::Task::choose(Node& node, int variable) const {
  const auto column = tree_.squares_.col(variable);
  double added = 0;
  for (const int i : node.chosen) {
    added += column[i];
  }
  node.base += column[variable] + 2 * added;
  node.chosen.push_back(variable);
}

/// Applies the rules: chooses and drops variables. Returns false if no support is left.
bool SquaresTree::Task::obey_rules(Node& node) const {
  const PairRules& rules = tree_.pricing_.rules;
  if (rules.empty()) {
    return true;
  }
  std::vector<int> chosen = node.chosen;
  if (!rules.apply(chosen, node.candidates)) {
    return false;
  }
  for (std::size_t t = node.chosen.size(); t < chosen.size(); ++t) {
    choose(node, chosen[t]);
  }
  return true;
}

void SquaresTree::Task::consider_whole(Node& node) {
  Support support(node.chosen.begin(), node.chosen.end());
  support.insert(support.end(), node.candidates.begin(), node.candidates.end());
  std::sort(support.begin(), support.end());
  const Vector values = symmetric_eigenvalues(principal_submatrix(tree_.matrix_, support));
  work_ += kValuesWork * cubed(std::ssize(support));
  double value = values[values.size() - 1];
  for (const Index i : support) {
    value -= tree_.price(static_cast<int>(i));
  }
  if (value > least() && tree_.pricing_.rules.allow(support)) {
    value_ = value;
    support_ = std::move(support);
  }
}

/// b = max(lambda_max(S'_PP), 0)^2. An eigenvalue costs |P|^3, so for a large P the sum of choose()
/// is used for some variables more.
void SquaresTree::Task::make_exact(Node& node) {
  const auto size = std::ssize(node.chosen);
  if (size == node.exact_size ||
      (size > kAlwaysExact && size - node.exact_size < size / kAlwaysExact + 1)) {
    return;
  }
  const Vector values = symmetric_eigenvalues(
      principal_submatrix(tree_.matrix_, Support(node.chosen.begin(), node.chosen.end())));
  work_ += kValuesWork * cubed(size);
  node.base = std::min(node.base, squared(std::max(values[size - 1] - tree_.shift_, 0.0)));
  node.exact_size = size;
}

/// The bound (2). Most of the time of a search is spent here: the table of partners gives the m - 1
/// largest Q_ji among the candidates without sorting.
SquaresTree::Task::Outcome SquaresTree::Task::bound_by_squares(Node& node) {
  const auto p = std::ssize(tree_.variables_);
  const Index partners = to_choose(node) - 1;
  for (const int j : node.candidates) {
    is_candidate_[static_cast<std::size_t>(j)] = 1;
  }
  worth_.clear();
  for (const int j : node.candidates) {
    const double* column = tree_.squares_.data() + j * p;
    double sum = 0;
    for (const int i : node.chosen) {
      sum += column[i];
    }
    sum = 2 * sum + column[j];
    const Index row = j * (p - 1);
    const int* partner = tree_.partners_.data() + row;
    const double* value = tree_.partner_squares_.data() + row;
    Index t = 0;
    for (Index left = partners; left > 0; ++t) {
      // Branch-free: whether a partner is a candidate cannot be predicted.
      const char is_one = is_candidate_[static_cast<std::size_t>(partner[t])];
      sum += static_cast<double>(is_one) * value[t];
      left -= is_one;
    }
    work_ += static_cast<double>(t);
    worth_.push_back(sum);
  }
  work_ += static_cast<double>(node.candidates.size()) * static_cast<double>(node.chosen.size());
  for (const int j : node.candidates) {
    is_candidate_[static_cast<std::size_t>(j)] = 0;
  }
  if (tree_.has_prices()) {
    return settle_priced(node);
  }
  next_variable_ = most_worth(node);
  const Outcome outcome = settle(node, node.base, squared(std::max(least() - tree_.shift_, 0.0)));
  node.bound = std::min(node.bound, std::sqrt(std::max(total_, 0.0)) + tree_.shift_);
  return outcome;
}

double SquaresTree::Task::price_of(const std::vector<int>& variables) const {
  double price = 0;
  for (const int i : variables) {
    price += tree_.price(i);
  }
  return price;
}

/// The bound (4) from the squares u_j in worth_. s is the root for the m variables that are best at
/// the previous s; the first s is that of a support only as good as the best one.
SquaresTree::Task::Outcome SquaresTree::Task::settle_priced(Node& node) {
  const std::vector<double> squares = worth_;
  const auto m = static_cast<std::size_t>(to_choose(node));
  const double paid = price_of(node.chosen);
  std::vector<std::size_t> order(squares.size());
  const auto weigh = [&](double s) {
    for (std::size_t t = 0; t < squares.size(); ++t) {
      worth_[t] = squares[t] / (2 * s) - tree_.price(node.candidates[t]);
    }
  };
  double s = std::max(least() + paid - tree_.shift_, kSmallestTangent * tree_.scale_);
  for (int step = 0; step < kTangentSteps; ++step) {
    weigh(s);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::nth_element(order.begin(), order.begin() + static_cast<Index>(m), order.end(),
                     [&](std::size_t a, std::size_t b) { return worth_[a] > worth_[b]; });
    double sum = node.base;
    for (std::size_t t = 0; t < m; ++t) {
      sum += squares[order[t]];
    }
    s = std::max(std::sqrt(std::max(sum, 0.0)), kSmallestTangent * tree_.scale_);
  }
  weigh(s);
  work_ += static_cast<double>(kTangentSteps + 1) * static_cast<double>(squares.size());
  next_variable_ = most_worth(node);
  const double constant = tree_.shift_ + s / 2 + node.base / (2 * s) - paid;
  const Outcome outcome = settle(node, constant, least());
  node.bound = std::min(node.bound, total_);
  return outcome;
}

/// The bound (3) on the remaining variables of the node. It is expensive and often worse than (2):
/// its success decides at which size the node's children compute it again.
SquaresTree::Task::Outcome SquaresTree::Task::bound_by_spectrum(Node& node) {
  Support all(node.chosen.begin(), node.chosen.end());
  all.insert(all.end(), node.candidates.begin(), node.candidates.end());
  const auto size = std::ssize(all);
  const SymmetricEigenpairs pairs = leading_symmetric_eigenpairs(
      principal_submatrix(tree_.matrix_, all), [](const Vector&) { return Index{1}; });
  work_ += kValuesWork * cubed(size);
  const double second = pairs.values[size - 2];
  const Vector weights = (pairs.values[size - 1] - second) * pairs.vectors.col(0).cwiseAbs2();
  const auto chosen = std::ssize(node.chosen);
  worth_.assign(weights.begin() + chosen, weights.end());
  for (std::size_t t = 0; t < worth_.size(); ++t) {
    worth_[t] -= tree_.price(node.candidates[t]);
  }
  const double by_squares = node.bound;
  const int variable = most_worth(node);
  const Outcome outcome =
      settle(node, second + weights.head(chosen).sum() - price_of(node.chosen), least());
  node.bound = std::min(node.bound, total_);
  const double known = std::max(value_, tree_.pricing_.target);
  const double ratio = (total_ - known) / std::max(by_squares - known, 1e-300);
  node.spectral_size = ratio < 1 ? size - 1 : (ratio < 2 ? size * 19 / 20 : size * 4 / 5);
  if (ratio < 1) {
    next_variable_ = variable;
  }
  return outcome;
}

/// (3) of the root holds for every support, and so for those of this node, without an eigenvalue.
SquaresTree::Task::Outcome SquaresTree::Task::bound_by_root(Node& node) {
  double constant = tree_.root_constant_;
  for (const int i : node.chosen) {
    constant += tree_.root_worths_[i];
  }
  worth_.clear();
  for (const int j : node.candidates) {
    worth_.push_back(tree_.root_worths_[j]);
  }
  const int variable = most_worth(node);
  const Outcome outcome = settle(node, constant, least());
  if (total_ < node.bound) {
    node.bound = total_;
    next_variable_ = variable;
  }
  return outcome;
}

/// The bound is `constant` plus the m largest of worth_; it has to exceed `threshold`. Among the
/// supports with a candidate outside the m largest, the best exchanges the m-th for it; among those
/// without a candidate of the m largest, the best exchanges it for the next one.
SquaresTree::Task::Outcome SquaresTree::Task::settle(Node& node, double constant,
                                                     double threshold) {
  const Index m = to_choose(node);
  sorted_ = worth_;
  total_ = sum_of_largest(sorted_, m, constant);
  const double next = sorted_[static_cast<std::size_t>(m)];
  const double last = *std::min_element(sorted_.begin(), sorted_.begin() + m);
  if (!(total_ > threshold)) {
    return Outcome::kClosed;
  }
  std::size_t kept = 0;
  const std::size_t before = node.candidates.size();
  for (std::size_t t = 0; t < before; ++t) {
    if (worth_[t] >= last ? total_ - worth_[t] + next > threshold
                          : total_ - last + worth_[t] > threshold) {
      node.candidates[kept++] = node.candidates[t];
    } else if (worth_[t] >= last) {
      choose(node, node.candidates[t]);
    }
  }
  node.candidates.resize(kept);
  if (to_choose(node) < 0) {
    return Outcome::kClosed;
  }
  return kept < before ? Outcome::kChanged : Outcome::kSame;
}

// Bounding the root drops variables. Smaller tables make every node cheaper: they are rebuilt as
// long as that drops many variables.
SquaresTree::SquaresTree(const Matrix& matrix, const Support& support)
    : SquaresTree(matrix, support, [] { return true; }) {}

SquaresTree::SquaresTree(const Matrix& matrix, const Support& support,
                         const std::function<bool()>& keep_going)
    : SquaresTree(matrix, support, SupportPricing(), keep_going) {}

SquaresTree::SquaresTree(const Matrix& matrix, const Support& support, SupportPricing pricing,
                         const std::function<bool()>& keep_going)
    : matrix_(matrix),
      variables_(all_variables(matrix.rows())),
      pricing_(std::move(pricing)),
      k_(std::ssize(support)),
      support_(support) {
  const Vector values = symmetric_eigenvalues(principal_submatrix(matrix, support));
  const double largest = matrix.diagonal().cwiseAbs().maxCoeff();
  scale_ = largest > 0 ? largest : 1;  // s may have any unit
  value_ = values[k_ - 1];
  for (const Index i : support) {
    value_ -= price(static_cast<int>(i));
  }
  if (!pricing_.rules.allow(support)) {
    value_ = -std::numeric_limits<double>::infinity();
  }
  if (k_ > 1) {
    const double mean = values.head(k_ - 1).mean();
    shift_ = std::clamp(mean, 0.0, kLargestShift * std::max(floor(), 0.0));
  }
  auto root = std::make_unique<Node>();
  root->candidates = all_candidates(std::ssize(variables_));
  while (true) {
    if (!build_tables(keep_going)) {
      break;
    }
    Task task(*this, value_);
    const bool is_open = task.reduce(*root);
    ++nodes_;
    work_ += task.work();
    setup_work_ = work_;
    update_support(task);
    if (!is_open) {
      return;
    }
    Support left(root->chosen.begin(), root->chosen.end());
    left.insert(left.end(), root->candidates.begin(), root->candidates.end());
    std::sort(left.begin(), left.end());
    variables_left_ = std::ssize(left);
    if (static_cast<double>(left.size()) > kRebuildShare * static_cast<double>(variables_.size())) {
      break;
    }
    matrix_ = principal_submatrix(Matrix(matrix_), left);
    variables_ = members_at(variables_, left);
    if (has_prices()) {
      pricing_.prices = Vector(pricing_.prices(left));
    }
    pricing_.rules = pricing_.rules.among(left);
    const auto renumber = [&](std::vector<int>& indices) {
      for (int& i : indices) {
        i = static_cast<int>(std::lower_bound(left.begin(), left.end(), i) - left.begin());
      }
    };
    renumber(root->chosen);
    renumber(root->candidates);
  }
  open_.push(std::move(root));
}

SquaresTree::~SquaresTree() = default;

/// Takes the best support of a task, if it is a better one.
void SquaresTree::update_support(const Task& task) {
  if (!task.support().empty()) {
    value_ = task.value();
    support_ = members_at(variables_, task.support());
  }
}

/// Returns false if `keep_going` returns false.
bool SquaresTree::build_tables(const std::function<bool()>& keep_going) {
  const Index p = matrix_.rows();
  work_ += kTableWork * squared(static_cast<double>(p));
  squares_ = matrix_;
  squares_.diagonal().array() -= shift_;
  squares_ = squares_.cwiseAbs2().eval();
  partners_.resize(static_cast<std::size_t>(p * std::max(p - 1, Index{0})));
  partner_squares_.resize(partners_.size());
  for (Index j = 0; j < p; ++j) {
    if (!keep_going()) {
      return false;
    }
    int* begin = partners_.data() + j * (p - 1);
    std::iota(begin, begin + j, 0);
    std::iota(begin + j, begin + p - 1, static_cast<int>(j) + 1);
    const auto column = squares_.col(j);
    std::sort(begin, begin + p - 1,
              [&](int a, int b) { return column[a] != column[b] ? column[a] > column[b] : a < b; });
    std::transform(begin, begin + p - 1, partner_squares_.begin() + j * (p - 1),
                   [&](int i) { return column[i]; });
  }
  return true;
}

double SquaresTree::least(double value) const {
  const double known = std::max(value, pricing_.target);
  return has_prices() ? known + kBoundRounding * scale_ : known * (1 + kBoundRounding);
}

double SquaresTree::bound() const {
  return open_.empty() ? floor() : std::max(std::min(open_.largest_bound(), limit_), least());
}

void SquaresTree::limit(double bound) {
  limit_ = std::min(limit_, bound);
  if (limit_ <= least()) {
    open_.clear();
  }
}

void SquaresTree::consider(const Support& support, double value) {
  if (value > value_) {
    value_ = value;
    support_ = support;
    open_.drop_up_to(least());
  }
}

void SquaresTree::bound_root() {
  const Index p = matrix_.rows();
  if (p < 2 || p > kLargestRoot) {
    return;
  }
  const SymmetricEigenpairs pairs =
      leading_symmetric_eigenpairs(matrix_, [](const Vector&) { return Index{1}; });
  work_ += kValuesWork * cubed(p);
  root_constant_ = pairs.values[p - 2];
  root_worths_ = (pairs.values[p - 1] - root_constant_) * pairs.vectors.col(0).cwiseAbs2();
  if (has_prices()) {
    root_worths_ -= pricing_.prices;
  }
}

void SquaresTree::advance(int threads) {
  if (root_worths_.size() == 0 && work_ > kValuesWork * cubed(matrix_.rows())) {
    bound_root();
  }
  const bool is_crowded = open_.size() > kMostOpen;
  const double node_work = static_cast<double>(matrix_.rows() * k_) + kValuesWork * cubed(k_);
  const auto most = static_cast<std::size_t>(
      std::clamp(kRoundWork / node_work, 1.0, static_cast<double>(kTasks)));
  std::vector<std::unique_ptr<Node>> roots;
  while (roots.size() < most && !open_.empty()) {
    roots.push_back(is_crowded ? open_.pop_smallest() : open_.pop_largest());
  }
  // Every task starts with the same best value, and their results are used in their order, so that
  // the threads do not matter.
  std::vector<std::unique_ptr<Task>> tasks;
  for (std::size_t t = 0; t < roots.size(); ++t) {
    tasks.push_back(std::make_unique<Task>(*this, value_));
  }
  parallel_for(roots.size(), threads, [&](std::size_t t) { tasks[t]->run(std::move(roots[t])); });
  for (const std::unique_ptr<Task>& task : tasks) {
    nodes_ += task->nodes();
    work_ += task->work();
    if (task->value() > value_) {
      update_support(*task);
    }
    for (std::unique_ptr<Node>& node : task->open()) {
      open_.push(std::move(node));
    }
  }
  open_.drop_up_to(least());
}

}  // namespace spca
