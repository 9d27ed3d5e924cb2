#include "spca/methods/encoders/exact_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/methods/encoders/linear_encoder.h"

namespace spca {
namespace {

// A bound counts directions that a value takes for rounding (kDependentColumns): rows may hold one
// that more rows have a little less of. What is smaller is rounding of S.
constexpr double kDependentInBounds = 1e-12;
// Two values of f that differ by this share are the same but for rounding.
constexpr double kRounding = 1e-10;
// So many moves between groups are tried for each group.
constexpr Index kMovesPerGroup = 2;

struct Node {
  Support taken;     // I
  Support possible;  // C, by falling worth where the node came from
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

/// The span of some rows, with every direction that may be there.
struct WideSpan {
  Matrix coefficients;  // M, |J| x m
  Vector captured;      // m, descending
};

WideSpan wide_span(const ExactRowsProblem& problem, const Support& rows) {
  const Matrix gram = problem.s(rows, rows);
  const Vector scale = gram.diagonal().unaryExpr([](double square) {
    return square >= std::numeric_limits<double>::min() ? 1 / std::sqrt(square) : 0;
  });
  const SymmetricEigenpairs correlation = symmetric_eigenpairs(scaled_both_sides(gram, scale));
  const Index rank = (correlation.values.array() > kDependentInBounds).count();
  if (rank == 0) {
    return {.coefficients = Matrix(gram.rows(), 0), .captured = Vector()};
  }
  Matrix basis = scaled_columns(correlation.vectors.rightCols(rank),
                                correlation.values.tail(rank).cwiseSqrt().cwiseInverse());
  for (Index i = 0; i < basis.rows(); ++i) {
    basis.row(i) *= scale[i];
  }
  const Matrix held = matrix_product(transposed_product(basis, problem.squared(rows, rows)), basis);
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(symmetric_part(held));
  return {.coefficients = matrix_product(basis, reversed_columns(pairs.vectors)),
          .captured = pairs.values.reverse().cwiseMax(0.0)};
}

double leading_sum(const Vector& descending, Index r) {
  return descending.head(std::min(r, descending.size())).sum();
}

/// How much each of the rows alone is missed, to first order: the direction that only this row of
/// the span has is row j of M, scaled to unit length.
Vector worth_of_rows(const WideSpan& span, Index r) {
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

  /// Lowers node.bound, and sorts node.possible by falling worth. Ends early once the bound is at
  /// most `limit`.
  void bound(Node& node, double limit) const;

 private:
  double whole(const Support& rows) const {
    return leading_sum(wide_span(problem_, rows).captured, problem_.r);
  }
  double interlaced(const Node& node, const Vector& captured) const;
  double pigeonhole(const Node& node, const Vector& worth, double limit) const;

  const ExactRowsProblem& problem_;
};

double RowSearch::interlaced(const Node& node, const Vector& captured) const {
  const Index left = problem_.k - std::ssize(node.taken);
  if (left >= problem_.r) {
    return leading_sum(captured, problem_.r);
  }
  const Vector taken = wide_span(problem_, node.taken).captured;
  double sum = 0;
  for (Index i = 0; i < std::min(problem_.r, captured.size()); ++i) {
    const Index place = i - left;
    const double most = place < 0 ? captured[i] : place < taken.size() ? taken[place] : 0.0;
    sum += std::min(captured[i], most);
  }
  return sum;
}

/// `worth` belongs to node.possible, which is sorted by it.
double RowSearch::pigeonhole(const Node& node, const Vector& worth, double limit) const {
  const Index count = problem_.k - std::ssize(node.taken) + 1;
  const Support all = joined(node.taken, node.possible);
  // The heaviest first, each to the lightest group.
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
  for (Index move = 0; move < kMovesPerGroup * count && values.maxCoeff() > limit; ++move) {
    Index worst = 0;
    Index best = 0;
    const double before = values.maxCoeff(&worst);
    values.minCoeff(&best);
    if (groups[at(best)].size() < 2) {
      break;
    }
    // Its lightest member: the group is missed enough without it.
    Support to = groups[at(worst)];
    to.push_back(groups[at(best)].back());
    const Support from(groups[at(best)].begin(), groups[at(best)].end() - 1);
    const double value_from = missed(from);
    const double value_to = missed(to);
    if (!(std::max(value_from, value_to) < before)) {
      break;
    }
    values[best] = value_from;
    values[worst] = value_to;
    groups[at(best)] = from;
    groups[at(worst)] = std::move(to);
  }
  return values.maxCoeff();
}

void RowSearch::bound(Node& node, double limit) const {
  const Support all = joined(node.taken, node.possible);
  const WideSpan span = wide_span(problem_, all);
  const Vector worth_of_all = worth_of_rows(span, problem_.r);
  node.bound = std::min(node.bound, interlaced(node, span.captured));
  Vector worth(std::ssize(node.possible));
  const auto worth_of = [&](Index i) {
    const auto place = std::lower_bound(all.begin(), all.end(), i) - all.begin();
    return worth_of_all[place];
  };
  std::sort(node.possible.begin(), node.possible.end(), [&](Index a, Index b) {
    return std::pair(-worth_of(a), a) < std::pair(-worth_of(b), b);
  });
  for (Index i = 0; i < worth.size(); ++i) {
    worth[i] = worth_of(node.possible[at(i)]);
  }
  if (node.bound > limit) {
    node.bound = std::min(node.bound, pigeonhole(node, worth, limit));
  }
}

Node root_of(const ExactRowsProblem& problem) {
  Node root{.taken = {},
            .possible = Support(at(problem.s.rows())),
            .bound = std::numeric_limits<double>::infinity()};
  std::iota(root.possible.begin(), root.possible.end(), Index{0});
  return root;
}

}  // namespace

double captured_on(const ExactRowsProblem& problem, const Support& rows) {
  return column_span(problem.s(rows, rows), problem.squared(rows, rows)).captured_by(problem.r);
}

ExactRows exact_rows(const ExactRowsProblem& problem, const Support& start, double floor,
                     double enough, const std::function<bool(double)>& keep_going) {
  ExactRows answer;
  const auto offer = [&](const Support& rows) {
    const double captured = captured_on(problem, rows);
    if (answer.rows.empty() || captured > answer.captured) {
      answer.captured = captured;
      answer.rows = rows;
      std::sort(answer.rows.begin(), answer.rows.end());
    }
  };
  const auto limit = [&] { return std::max(floor, answer.captured * (1 + kRounding)); };
  if (!start.empty()) {
    offer(start);
  }
  const RowSearch search(problem);
  // By falling bound and, among equals, by when they came in.
  std::map<std::pair<double, Index>, Node> open;
  Index pushed = 0;
  const auto push = [&](Node node) {
    if (std::ssize(node.taken) == problem.k) {
      offer(node.taken);
    } else if (std::ssize(node.taken) + std::ssize(node.possible) <= problem.k) {
      offer(joined(node.taken, node.possible));
    } else {
      search.bound(node, limit());
      if (node.bound > limit()) {
        const std::pair place(-node.bound, pushed++);
        open.emplace(place, std::move(node));
      }
    }
  };
  push(root_of(problem));
  bool may_go_on = true;
  while (!open.empty() && -open.begin()->first.first > limit() && answer.captured < enough &&
         (may_go_on = keep_going(answer.captured))) {
    ++answer.nodes;
    const Node node = std::move(open.extract(open.begin()).mapped());
    // The row that is missed most is taken or not.
    const Index row = node.possible.front();
    Node with{.taken = joined(node.taken, {row}),
              .possible = Support(node.possible.begin() + 1, node.possible.end()),
              .bound = node.bound};
    push({.taken = node.taken, .possible = with.possible, .bound = node.bound});
    push(std::move(with));
  }
  const double largest_open = open.empty() ? 0 : -open.begin()->first.first;
  answer.is_finished = !(largest_open > limit());
  answer.bound = std::max(answer.captured, answer.is_finished ? 0 : largest_open);
  return answer;
}

}  // namespace spca
