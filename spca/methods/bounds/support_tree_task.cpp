#include "spca/methods/bounds/support_tree_task.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "spca/algebra/dense_decompositions.h"
#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// A subtree is searched for so long: multiplications, a tenth of a millisecond, or a node, which
// may take longer. So subtrees of largest bound come first.
constexpr double kTaskWork = 1e5;
// Up to so many chosen variables the term of P is made exact whenever one is added.
constexpr Index kAlwaysExact = 40;

}  // namespace

void SupportTree::Task::run(std::unique_ptr<Node> root) {
  stack_.push_back(std::move(root));
  while (!stack_.empty() && (work_ < kTaskWork || nodes_ == 0)) {
    std::unique_ptr<Node> node = std::move(stack_.back());
    stack_.pop_back();
    if (node->bound > least() && reduce(*node)) {
      branch(std::move(node));
    }
  }
}

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
  work_ += kValuesWork * cubed(std::ssize(support));
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
  work_ += kValuesWork * cubed(size);
  node.base = std::min(node.base, squared(std::max(values[size - 1] - tree_.shift_, 0.0)));
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
  const Outcome outcome = settle(node, node.base, squared(std::max(least() - tree_.shift_, 0.0)));
  node.bound = std::min(node.bound, std::sqrt(std::max(total_, 0.0)) + tree_.shift_);
  return outcome;
}

SupportTree::Task::Outcome SupportTree::Task::bound_by_spectrum(Node& node) {
  Support all(node.chosen.begin(), node.chosen.end());
  all.insert(all.end(), node.candidates.begin(), node.candidates.end());
  const auto size = std::ssize(all);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(principal_submatrix(tree_.matrix_, all));
  work_ += kVectorsWork * cubed(size);
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

}  // namespace spca
