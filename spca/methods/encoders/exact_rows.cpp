#include "spca/methods/encoders/exact_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

// Two losses whose relative difference is below this are equal: such rows are not distinguished,
// and the bound accounts for it.
constexpr double kTieOfLosses = 1e-9;
// A sum of about 100 squares rounds by at most this share of it.
constexpr double kRoundingOfSums = 1e-13;
// At most this number of moves between groups are tried for each group. Chosen by trial, not
// measured.
constexpr Index kMovesPerGroup = 2;

struct Node {
  Support taken;     // I
  Support possible;  // C, in descending order of worth once bound() has sorted it
  double bound = 0;
};

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Support joined(const Support& a, const Support& b) {
  Support both = a;
  both.insert(both.end(), b.begin(), b.end());
  std::sort(both.begin(), both.end());
  return both;
}

Support without(const Support& all, const Support& sorted) {
  Support rest;
  for (const Index i : all) {
    if (!std::binary_search(sorted.begin(), sorted.end(), i)) {
      rest.push_back(i);
    }
  }
  return rest;
}

/// The loss without each single row, to first order: the direction that only this row adds to the
/// span is row j of M, scaled to unit length.
Vector worth_of_rows(const ColumnSpan& span, Index r) {
  const Vector& captured = span.captured;
  const double next = captured.size() > r ? captured[r] : 0;
  Vector worth = Vector::Zero(span.coefficients.rows());
  for (Index j = 0; j < worth.size(); ++j) {
    const double length = span.coefficients.row(j).squaredNorm();
    for (Index i = 0; i < std::min(r, captured.size()) && length > 0; ++i) {
      const double part = span.coefficients(j, i);
      worth[j] += (captured[i] - next) * part * part / length;
    }
  }
  return worth;
}

class RowSearch {
 public:
  explicit RowSearch(const ExactRowsProblem& problem) : problem_(problem) {}

  /// Raises node.bound, and sorts node.possible in descending order of worth. Ends early once the
  /// bound is at least `limit`.
  void bound(Node& node, double limit) const;

 private:
  double whole(const Support& rows) const {
    const SpanLoss span = span_loss(problem_.factor, rows, problem_.r);
    return span.least(span.loss(problem_.r));
  }
  double interlaced(const Node& node, const Support& all) const;
  double pigeonhole(const Node& node, const Vector& worth, double limit) const;

  const ExactRowsProblem& problem_;
};

/// The better of the bounds Whole and Interlacing.
double RowSearch::interlaced(const Node& node, const Support& all) const {
  const SpanLoss span = span_loss(problem_.factor, all, problem_.r);
  const double lost = span.loss(problem_.r);
  const double least = span.least(lost);
  const Index left = problem_.k - std::ssize(node.taken);
  if (left >= problem_.r) {
    return least;
  }
  const SpanLoss taken = span_loss(problem_.factor, node.taken, problem_.r);
  const double total = problem_.factor.total();
  // A sum of squares s_i^2 with sum <= T moves by no more than (2 e + e^2) T if s moves by e
  // sqrt(T).
  const double off_all = span.root_rounding / std::sqrt(total);
  const double off_taken = taken.root_rounding / std::sqrt(total);
  const double rounding = span.rounding + taken.rounding + (2 + off_all) * off_all * total +
                          (2 + off_taken) * off_taken * total + kRoundingOfSums * total;
  double missed = 0;
  for (Index i = left; i < std::min(problem_.r, span.captured.size()); ++i) {
    const Index position = i - left;
    const double own = position < taken.captured.size() ? taken.captured[position] : 0.0;
    missed += std::max(0.0, span.captured[i] - own);
  }
  const double interlacing = lost + missed - rounding;
  return interlacing > least ? interlacing : least;
}

/// `worth` belongs to node.possible, which is sorted by it.
double RowSearch::pigeonhole(const Node& node, const Vector& worth, double limit) const {
  const Index count = problem_.k - std::ssize(node.taken) + 1;
  const Support all = joined(node.taken, node.possible);
  // Assigns the heaviest rows first, each to the lightest group.
  std::vector<Support> groups(at(count));
  Vector weights = Vector::Zero(count);
  for (Index i = 0; i < worth.size(); ++i) {
    Index lightest = 0;
    weights.minCoeff(&lightest);
    weights[lightest] += worth[i];
    groups[at(lightest)].push_back(node.possible[at(i)]);
  }
  const auto missed = [&](const Support& group) {
    Support sorted = group;
    std::sort(sorted.begin(), sorted.end());
    return whole(without(all, sorted));
  };
  Vector values(count);
  for (Index m = 0; m < count; ++m) {
    values[m] = missed(groups[at(m)]);
  }
  for (Index move = 0; move < kMovesPerGroup * count && values.minCoeff() < limit; ++move) {
    Index worst = 0;
    Index best = 0;
    const double before = values.minCoeff(&worst);
    values.maxCoeff(&best);
    if (groups[at(best)].size() < 2) {
      break;
    }
    // Moves the last member of the best group, whose bound suffices without it, to the worst.
    Support to = groups[at(worst)];
    to.push_back(groups[at(best)].back());
    const Support from(groups[at(best)].begin(), groups[at(best)].end() - 1);
    const double value_from = missed(from);
    const double value_to = missed(to);
    if (!(std::min(value_from, value_to) > before)) {
      break;
    }
    values[best] = value_from;
    values[worst] = value_to;
    groups[at(best)] = from;
    groups[at(worst)] = std::move(to);
  }
  return values.minCoeff();
}

void RowSearch::bound(Node& node, double limit) const {
  const Support all = joined(node.taken, node.possible);
  const Vector worth_of_all = worth_of_rows(column_span(problem_.factor, all), problem_.r);
  node.bound = std::max(node.bound, interlaced(node, all));
  Vector worth(std::ssize(node.possible));
  const auto worth_of = [&](Index i) {
    const auto position = std::lower_bound(all.begin(), all.end(), i) - all.begin();
    return worth_of_all[position];
  };
  std::sort(node.possible.begin(), node.possible.end(), [&](Index a, Index b) {
    return std::pair(-worth_of(a), a) < std::pair(-worth_of(b), b);
  });
  for (Index i = 0; i < worth.size(); ++i) {
    worth[i] = worth_of(node.possible[at(i)]);
  }
  if (node.bound < limit) {
    node.bound = std::max(node.bound, pigeonhole(node, worth, limit));
  }
}

Node root_of(const ExactRowsProblem& problem) {
  return {.taken = {},
          .possible = all_variables(problem.factor.lengths.size()),
          .bound = principal_loss(problem.factor, problem.r).least};
}

}  // namespace

LossInterval loss_on(const ExactRowsProblem& problem, const Support& rows) {
  const SpanLoss span = span_loss(problem.factor, rows, problem.r);
  const double loss = span.loss(problem.r);
  return {.least = span.least(loss), .value = loss, .most = span.most(loss)};
}

ExactRows exact_rows(const ExactRowsProblem& problem, const Support& start, double max_loss,
                     double enough, const std::function<bool(double)>& keep_going) {
  ExactRows answer;
  constexpr double kNever = std::numeric_limits<double>::infinity();
  answer.loss = {.least = kNever, .value = kNever, .most = kNever};
  // The least bound of everything closed but the answer: rows evaluated, and nodes dropped.
  double least_closed = kNever;
  // `bound`: a known bound on the loss of the rows (ascending), in addition to their computed loss.
  const auto consider = [&](const Support& rows, double bound) {
    if (rows == answer.rows) {
      return;
    }
    LossInterval loss = loss_on(problem, rows);
    loss.least = std::max(loss.least, bound);
    if (loss.value < answer.loss.value) {
      std::swap(loss, answer.loss);
      answer.rows = rows;
    }
    least_closed = std::min(least_closed, loss.least);
  };
  const auto limit = [&] { return std::min(max_loss, answer.loss.value * (1 - kTieOfLosses)); };
  Node root = root_of(problem);
  if (!start.empty()) {
    Support rows = start;
    std::sort(rows.begin(), rows.end());
    consider(rows, root.bound);
  }
  const RowSearch search(problem);
  // In ascending order of bound and, among equals, in the order of insertion.
  std::map<std::pair<double, Index>, Node> open;
  Index pushed = 0;
  const auto push = [&](Node node) {
    const auto count = std::ssize(node.taken) + std::ssize(node.possible);
    if (std::ssize(node.taken) == problem.k || count <= problem.k) {
      consider(std::ssize(node.taken) == problem.k ? node.taken : joined(node.taken, node.possible),
               node.bound);
      return;
    }
    search.bound(node, limit());
    if (node.bound < limit()) {
      const std::pair position(node.bound, pushed++);
      open.emplace(position, std::move(node));
    } else {
      least_closed = std::min(least_closed, node.bound);
    }
  };
  push(std::move(root));
  while (!open.empty() && open.begin()->first.first < limit() && answer.loss.value > enough &&
         keep_going(answer.loss.value)) {
    ++answer.nodes;
    const Node node = std::move(open.extract(open.begin()).mapped());
    // Branches on the row of largest worth.
    const Index row = node.possible.front();
    Node with{.taken = joined(node.taken, {row}),
              .possible = Support(node.possible.begin() + 1, node.possible.end()),
              .bound = node.bound};
    push({.taken = node.taken, .possible = with.possible, .bound = node.bound});
    push(std::move(with));
  }
  const double least_open = open.empty() ? kNever : open.begin()->first.first;
  answer.is_finished = !(least_open < limit());
  answer.others = std::min(least_closed, least_open);
  answer.bound = std::min(answer.others, answer.loss.least);
  return answer;
}

}  // namespace spca
