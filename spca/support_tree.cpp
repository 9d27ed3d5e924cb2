#include "spca/support_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "spca/dense_decompositions.h"
#include "spca/parallel.h"
#include "spca/support_ascent.h"

namespace spca {
namespace {

// Subtrees searched at a time, and how long each: multiplications, a millisecond or a node, which
// may take longer. So those of largest bound come first, the clock is looked at often enough, and
// nothing depends on the number of threads.
constexpr std::size_t kTasks = 8;
constexpr double kTaskWork = 1e5;
// Beyond so much a node, fewer tasks at a time.
constexpr double kRoundWork = 1e8;
// Beyond so many open subtrees those of smallest bound, which end soonest, come first.
constexpr std::size_t kMostOpen = 50'000;
// The shift stays below the value by so much: their difference is what the bound is about.
constexpr double kLargestShift = 0.9;
// Largest |P| + |C| for the spectral bound.
constexpr Index kLargestSpectral = 120;
// Time of an eigensolver over the cube of the size, without and with vectors, in multiplications.
constexpr double kValuesWork = 1;
constexpr double kVectorsWork = 4;
// Up to so many chosen variables the term of P is made exact whenever one is added.
constexpr Index kAlwaysExact = 40;
// The root is bounded spectrally once the search has taken as long as that takes, unless it has
// more variables than this.
constexpr Index kLargestRoot = 600;
// Time to build the tables over p^2, in multiplications.
constexpr double kSortWork = 50;
// The tables are built anew without the variables dropped where fewer than this share is left.
constexpr double kWorthwhile = 0.8;

double square(double x) { return x * x; }
double cube(Index x) {
  return static_cast<double>(x) * static_cast<double>(x) * static_cast<double>(x);
}

}  // namespace

struct SupportTree::Node {
  double bound = std::numeric_limits<double>::infinity();
  std::vector<int> chosen;      // P
  std::vector<int> candidates;  // C, ascending
  double base = 0;              // the term of P
  Index exact_size = 0;         // |P| when the term was last made exact
  Index spectral_size =
      kLargestSpectral;  // the spectral bound waits until |P| + |C| is at most this
};

/// The search of one subtree until its work is done.
class SupportTree::Task {
 public:
  Task(const SupportTree& tree, double value)
      : tree_(tree), value_(value), is_candidate_(tree.variables_.size(), 0) {}

  void run(std::unique_ptr<Node> root) {
    stack_.push_back(std::move(root));
    while (!stack_.empty() && (work_ < kTaskWork || nodes_ == 0)) {
      std::unique_ptr<Node> node = std::move(stack_.back());
      stack_.pop_back();
      if (node->bound > least() && reduce(*node)) {
        branch(std::move(node));
      }
    }
  }

  /// Bounds the node, drops candidates and chooses others. False where nothing better is left.
  bool reduce(Node& node);

  double value() const { return value_; }
  const std::vector<int>& support() const { return support_; }  // empty: nothing better was found
  std::vector<std::unique_ptr<Node>>& open() { return stack_; }
  Index nodes() const { return nodes_; }
  double work() const { return work_; }

 private:
  enum class Outcome { kClosed, kChanged, kSame };

  double least() const { return value_ * (1 + kBoundRounding); }
  Index to_choose(const Node& node) const { return tree_.k_ - std::ssize(node.chosen); }
  void choose(Node& node, int variable) const;
  void branch(std::unique_ptr<Node> node);
  void take_all(Node& node);
  void make_exact(Node& node);
  Outcome bound_by_squares(Node& node);
  Outcome bound_by_spectrum(Node& node);
  Outcome bound_by_root(Node& node);
  Outcome settle(Node& node, double constant, double threshold);
  int most_worth(const Node& node) const {
    return node.candidates[static_cast<std::size_t>(std::max_element(worth_.begin(), worth_.end()) -
                                                    worth_.begin())];
  }

  const SupportTree& tree_;
  double value_;
  std::vector<int> support_;
  std::vector<std::unique_ptr<Node>> stack_;
  std::vector<char> is_candidate_;
  std::vector<double> worth_;  // of the t-th candidate
  std::vector<double> sorted_;
  double total_ = 0;       // the last bound, in its own terms
  int next_variable_ = 0;  // to branch on
  double work_ = 0;
  Index nodes_ = 0;
};

bool SupportTree::Task::reduce(Node& node) {
  ++nodes_;
  while (true) {
    const Index m = to_choose(node);
    if (std::ssize(node.candidates) < m) {
      return false;
    }
    if (m == 0) {
      node.candidates.clear();
    }
    if (std::ssize(node.candidates) == m) {
      take_all(node);
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

void SupportTree::Task::branch(std::unique_ptr<Node> node) {
  const int variable = next_variable_;
  node->candidates.erase(
      std::lower_bound(node->candidates.begin(), node->candidates.end(), variable));
  auto with = std::make_unique<Node>(*node);
  choose(*with, variable);
  stack_.push_back(std::move(node));
  stack_.push_back(std::move(with));
}

void SupportTree::Task::choose(Node& node, int variable) const {
  const auto column = tree_.squares_.col(variable);
  double added = 0;
  for (const int i : node.chosen) {
    added += column[i];
  }
  node.base += column[variable] + 2 * added;
  node.chosen.push_back(variable);
}

void SupportTree::Task::take_all(Node& node) {
  Support support(node.chosen.begin(), node.chosen.end());
  support.insert(support.end(), node.candidates.begin(), node.candidates.end());
  std::sort(support.begin(), support.end());
  const Vector values = symmetric_eigenvalues(principal_submatrix(tree_.matrix_, support));
  work_ += kValuesWork * cube(std::ssize(support));
  const double value = values[values.size() - 1];
  if (value > least()) {
    value_ = value;
    support_.assign(support.begin(), support.end());
  }
}

void SupportTree::Task::make_exact(Node& node) {
  const auto size = std::ssize(node.chosen);
  if (size == node.exact_size ||
      (size > kAlwaysExact && size - node.exact_size < size / kAlwaysExact + 1)) {
    return;
  }
  const Vector values = symmetric_eigenvalues(
      principal_submatrix(tree_.matrix_, Support(node.chosen.begin(), node.chosen.end())));
  work_ += kValuesWork * cube(size);
  node.base = std::min(node.base, square(std::max(values[size - 1] - tree_.shift_, 0.0)));
  node.exact_size = size;
}

SupportTree::Task::Outcome SupportTree::Task::bound_by_squares(Node& node) {
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
      // No branch: whether a partner is a candidate cannot be predicted.
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
  next_variable_ = most_worth(node);
  const Outcome outcome = settle(node, node.base, square(std::max(least() - tree_.shift_, 0.0)));
  node.bound = std::min(node.bound, std::sqrt(std::max(total_, 0.0)) + tree_.shift_);
  return outcome;
}

SupportTree::Task::Outcome SupportTree::Task::bound_by_spectrum(Node& node) {
  Support all(node.chosen.begin(), node.chosen.end());
  all.insert(all.end(), node.candidates.begin(), node.candidates.end());
  const auto size = std::ssize(all);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(principal_submatrix(tree_.matrix_, all));
  work_ += kVectorsWork * cube(size);
  const double second = pairs.values[size - 2];
  const Vector weights =
      (pairs.values[size - 1] - second) * pairs.vectors.col(size - 1).cwiseAbs2();
  const auto chosen = std::ssize(node.chosen);
  worth_.assign(weights.begin() + chosen, weights.end());
  const double by_squares = node.bound;
  const int variable = most_worth(node);
  const Outcome outcome = settle(node, second + weights.head(chosen).sum(), least());
  node.bound = std::min(node.bound, total_);
  const double ratio = (total_ - value_) / std::max(by_squares - value_, 1e-300);
  node.spectral_size = ratio < 1 ? size - 1 : (ratio < 2 ? size * 19 / 20 : size * 4 / 5);
  if (ratio < 1) {
    next_variable_ = variable;
  }
  return outcome;
}

SupportTree::Task::Outcome SupportTree::Task::bound_by_root(Node& node) {
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

/// The bound is `constant` and the m largest of worth_; it has to exceed `threshold`.
SupportTree::Task::Outcome SupportTree::Task::settle(Node& node, double constant,
                                                     double threshold) {
  const Index m = to_choose(node);
  sorted_ = worth_;
  std::nth_element(sorted_.begin(), sorted_.begin() + m, sorted_.end(), std::greater<>());
  const double next = sorted_[static_cast<std::size_t>(m)];
  const double last = *std::min_element(sorted_.begin(), sorted_.begin() + m);
  total_ = std::accumulate(sorted_.begin(), sorted_.begin() + m, constant);
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

SupportTree::SupportTree(const Matrix& matrix, const Support& support)
    : matrix_(matrix),
      variables_(static_cast<std::size_t>(matrix.rows())),
      k_(std::ssize(support)),
      support_(support) {
  std::iota(variables_.begin(), variables_.end(), 0);
  const Vector values = symmetric_eigenvalues(principal_submatrix(matrix, support));
  value_ = values[k_ - 1];
  if (k_ > 1) {
    const double mean = values.head(k_ - 1).mean();
    shift_ = std::clamp(mean, 0.0, kLargestShift * std::max(value_, 0.0));
  }
  auto root = std::make_unique<Node>();
  root->candidates.resize(variables_.size());
  std::iota(root->candidates.begin(), root->candidates.end(), 0);
  while (true) {
    prepare();
    Task task(*this, value_);
    const bool is_open = task.reduce(*root);
    ++nodes_;
    work_ += task.work();
    setup_work_ = work_;
    if (!task.support().empty()) {
      value_ = task.value();
      support_.clear();
      for (const int i : task.support()) {
        support_.push_back(variables_[static_cast<std::size_t>(i)]);
      }
    }
    if (!is_open) {
      return;
    }
    std::vector<int> left = root->chosen;
    left.insert(left.end(), root->candidates.begin(), root->candidates.end());
    std::sort(left.begin(), left.end());
    variables_left_ = std::ssize(left);
    if (static_cast<double>(left.size()) > kWorthwhile * static_cast<double>(variables_.size())) {
      break;
    }
    const Support rows(left.begin(), left.end());
    matrix_ = principal_submatrix(Matrix(matrix_), rows);
    Support kept;
    for (const int i : left) {
      kept.push_back(variables_[static_cast<std::size_t>(i)]);
    }
    variables_ = std::move(kept);
    const auto renumber = [&](std::vector<int>& indices) {
      for (int& i : indices) {
        i = static_cast<int>(std::lower_bound(left.begin(), left.end(), i) - left.begin());
      }
    };
    renumber(root->chosen);
    renumber(root->candidates);
  }
  const Order order{-root->bound, pushed_++};
  open_.emplace(order, std::move(root));
}

SupportTree::~SupportTree() = default;

void SupportTree::prepare() {
  const Index p = matrix_.rows();
  work_ += kSortWork * square(static_cast<double>(p));
  squares_ = matrix_;
  squares_.diagonal().array() -= shift_;
  squares_ = squares_.cwiseAbs2().eval();
  partners_.resize(static_cast<std::size_t>(p * std::max(p - 1, Index{0})));
  partner_squares_.resize(partners_.size());
  for (Index j = 0; j < p; ++j) {
    int* begin = partners_.data() + j * (p - 1);
    std::iota(begin, begin + j, 0);
    std::iota(begin + j, begin + p - 1, static_cast<int>(j) + 1);
    const auto column = squares_.col(j);
    std::sort(begin, begin + p - 1,
              [&](int a, int b) { return column[a] != column[b] ? column[a] > column[b] : a < b; });
    std::transform(begin, begin + p - 1, partner_squares_.begin() + j * (p - 1),
                   [&](int i) { return column[i]; });
  }
}

double SupportTree::bound() const {
  if (open_.empty()) {
    return value_;
  }
  const double largest = -open_.begin()->first.first;
  return std::max(std::min(largest, limit_), value_ * (1 + kBoundRounding));
}

void SupportTree::limit(double bound) {
  limit_ = std::min(limit_, bound);
  if (limit_ <= value_ * (1 + kBoundRounding)) {
    open_.clear();
  }
}

void SupportTree::bound_root() {
  const Index p = matrix_.rows();
  if (p < 2 || p > kLargestRoot) {
    return;
  }
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix_);
  work_ += kVectorsWork * cube(p);
  root_constant_ = pairs.values[p - 2];
  root_worths_ = (pairs.values[p - 1] - root_constant_) * pairs.vectors.col(p - 1).cwiseAbs2();
}

void SupportTree::advance(int threads) {
  if (root_worths_.size() == 0 && work_ > kVectorsWork * cube(matrix_.rows())) {
    bound_root();
  }
  const bool is_crowded = open_.size() > kMostOpen;
  const double node_work = static_cast<double>(matrix_.rows() * k_) + kValuesWork * cube(k_);
  const auto most = static_cast<std::size_t>(
      std::clamp(kRoundWork / node_work, 1.0, static_cast<double>(kTasks)));
  std::vector<std::unique_ptr<Node>> roots;
  while (roots.size() < most && !open_.empty()) {
    const auto place = is_crowded ? std::prev(open_.end()) : open_.begin();
    roots.push_back(std::move(place->second));
    open_.erase(place);
  }
  std::vector<std::unique_ptr<Task>> tasks;
  for (std::size_t t = 0; t < roots.size(); ++t) {
    tasks.push_back(std::make_unique<Task>(*this, value_));
  }
  parallel_for(roots.size(), threads, [&](std::size_t t) { tasks[t]->run(std::move(roots[t])); });
  for (const std::unique_ptr<Task>& task : tasks) {
    nodes_ += task->nodes();
    work_ += task->work();
    if (task->value() > value_) {
      value_ = task->value();
      support_.clear();
      for (const int i : task->support()) {
        support_.push_back(variables_[static_cast<std::size_t>(i)]);
      }
    }
    for (std::unique_ptr<Node>& node : task->open()) {
      const Order order{-node->bound, pushed_++};
      open_.emplace(order, std::move(node));
    }
  }
  while (!open_.empty() && !(-open_.rbegin()->first.first > value_ * (1 + kBoundRounding))) {
    open_.erase(std::prev(open_.end()));
  }
}

}  // namespace spca
