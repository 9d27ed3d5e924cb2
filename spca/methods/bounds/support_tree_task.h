#pragma once

/// The inner part of a SupportTree: a node, and the search of one subtree. For support_tree.cpp and
/// support_tree_task.cpp alone.

#include <algorithm>
#include <memory>
#include <vector>

#include "spca/methods/bounds/support_tree.h"

namespace spca {

// Time of an eigensolver over the cube of the size, without and with vectors, in multiplications.
inline constexpr double kValuesWork = 1;
inline constexpr double kVectorsWork = 4;
// Largest |P| + |C| for the spectral bound.
inline constexpr Index kLargestSpectral = 120;
inline double squared(double x) { return x * x; }
inline double cubed(Index x) { return squared(static_cast<double>(x)) * static_cast<double>(x); }

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

  void run(std::unique_ptr<Node> root);

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

}  // namespace spca
