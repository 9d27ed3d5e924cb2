#include "spca/methods/bounds/support_tree.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/base/parallel.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/support_tree_task.h"

namespace spca {
namespace {

// Subtrees searched at a time: nothing may depend on the number of threads.
constexpr std::size_t kTasks = 8;
// Beyond so much a node, fewer tasks at a time, so that the clock is looked at often enough.
constexpr double kRoundWork = 1e8;
// Beyond so many open subtrees those of smallest bound, which end soonest, come first.
constexpr std::size_t kMostOpen = 50'000;
// The shift stays below the value by so much: their difference is what the bound is about.
constexpr double kLargestShift = 0.9;
// The root is bounded spectrally once the search has taken as long as that takes, unless it has
// more variables than this.
constexpr Index kLargestRoot = 600;
// Time to build the tables over p^2, in multiplications.
constexpr double kTableWork = 50;
// The tables are built anew without the variables dropped where fewer than this share is left.
constexpr double kWorthwhile = 0.8;

}  // namespace

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
  work_ += kTableWork * squared(static_cast<double>(p));
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

void SupportTree::offer(const Support& support, double value) {
  if (value > value_) {
    value_ = value;
    support_ = support;
    drop_closed();
  }
}

void SupportTree::drop_closed() {
  while (!open_.empty() && !(-open_.rbegin()->first.first > value_ * (1 + kBoundRounding))) {
    open_.erase(std::prev(open_.end()));
  }
}

void SupportTree::bound_root() {
  const Index p = matrix_.rows();
  if (p < 2 || p > kLargestRoot) {
    return;
  }
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix_);
  work_ += kVectorsWork * cubed(p);
  root_constant_ = pairs.values[p - 2];
  root_worths_ = (pairs.values[p - 1] - root_constant_) * pairs.vectors.col(p - 1).cwiseAbs2();
}

void SupportTree::advance(int threads) {
  if (root_worths_.size() == 0 && work_ > kVectorsWork * cubed(matrix_.rows())) {
    bound_root();
  }
  const bool is_crowded = open_.size() > kMostOpen;
  const double node_work = static_cast<double>(matrix_.rows() * k_) + kValuesWork * cubed(k_);
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
  drop_closed();
}

}  // namespace spca
