#include "spca/methods/spannogram/level_sweep.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>

#include "spca/base/parallel.h"
#include "spca/base/tolerances.h"
#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/spectrum/low_rank.h"

namespace spca {
namespace {

// A vertex costs as many operations as there are lines: an interval with few is not worth halving.
// Chosen by trial, not measured.
constexpr Index kFewLines = 32;
// An interval of length 2^-44 contains only rounding.
constexpr int kDeepest = 45;

/// An interval of x, and the lines a_i + b_i x that may be among its k largest |a_i + b_i x|.
struct Interval {
  Index face = 0;  // c = (1, x) or c = (x, 1)
  double begin = -1, end = 1;
  int depth = 0;
  std::vector<int> variables;
};

/// The results of one interval, in order of x.
struct Swept {
  std::vector<Interval> halves;  // or, for an interval with few lines, the members below
  std::vector<FoundSupport> found;
  std::vector<int> variables;
  double vertices = 0;
};

/// Follows the k-level through one interval. The support changes by one line at a vertex, so
/// V_I'V_I, a 2 x 2 matrix, and its larger eigenvalue cost O(1) there.
class Level {
 public:
  Level(const Matrix& factor, Index k, const Interval& interval, double floor);
  void follow(Swept& swept);

 private:
  struct Vertex {
    double x = 0;
    std::size_t line = 0;
    double sign = 1;
  };
  void begin_at(double x);
  Vertex next_vertex() const;
  void note(Swept& swept);

  const Matrix& factor_;
  Index k_;
  const Interval& interval_;
  double floor_;
  std::vector<double> a_, b_;
  std::vector<double> sign_;  // of the lines in the support: sign (a + b x) >= 0; 0 outside
  std::size_t level_ = 0;
  double x_ = 0;
  double sum_aa_ = 0, sum_ab_ = 0, sum_bb_ = 0;  // V_I'V_I
};

Level::Level(const Matrix& factor, Index k, const Interval& interval, double floor)
    : factor_(factor), k_(k), interval_(interval), floor_(floor) {
  for (const int i : interval.variables) {
    a_.push_back(factor(i, interval.face));
    b_.push_back(factor(i, 1 - interval.face));
  }
}

/// Takes the k topmost lines just right of x into the support; among equals those of largest slope.
void Level::begin_at(double x) {
  x_ = x;
  struct Place {
    double height, slope;
    std::size_t line;
    bool operator<(const Place& other) const {
      return std::tie(other.height, other.slope, line) < std::tie(height, slope, other.line);
    }
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const double height = a_[i] + b_[i] * x;
    places.push_back(
        {std::abs(height), height == 0 ? std::abs(b_[i]) : std::copysign(1.0, height) * b_[i], i});
  }
  const auto last = places.begin() + (k_ - 1);
  std::nth_element(places.begin(), last, places.end());
  level_ = last->line;
  sign_.assign(a_.size(), 0.0);
  sum_aa_ = sum_ab_ = sum_bb_ = 0;
  for (auto place = places.begin(); place <= last; ++place) {
    const std::size_t i = place->line;
    sign_[i] = b_[i] * place->slope < 0 || (b_[i] == 0 && a_[i] < 0) ? -1.0 : 1.0;
    sum_aa_ += a_[i] * a_[i];
    sum_ab_ += a_[i] * b_[i];
    sum_bb_ += b_[i] * b_[i];
  }
}

/// The first intersection of the level with another line, right of x_ (or at it, by rounding). Only
/// a line that falls towards the level from above, or rises to it from below, can meet it: rises >
/// 0.
Level::Vertex Level::next_vertex() const {
  const double height = sign_[level_] * a_[level_];
  const double slope = sign_[level_] * b_[level_];
  Vertex next{.x = std::numeric_limits<double>::infinity()};
  const auto consider = [&](std::size_t i, double sign, double rises, double below) {
    const double x = std::max(below / rises, x_);
    if (rises > 0 && x < next.x) {
      next = {.x = x, .line = i, .sign = sign};
    }
  };
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (i == level_) {
      consider(i, -sign_[i], -2 * slope, 2 * height);  // the level is zero
    } else if (sign_[i] != 0) {
      consider(i, sign_[i], slope - sign_[i] * b_[i], sign_[i] * a_[i] - height);
    } else {
      consider(i, 1, b_[i] - slope, height - a_[i]);
      consider(i, -1, -b_[i] - slope, height + a_[i]);
    }
  }
  return next;
}

void Level::follow(Swept& swept) {
  begin_at(interval_.begin);
  note(swept);
  std::size_t here = 0;  // number of vertices at one x
  for (Vertex vertex = next_vertex(); vertex.x <= interval_.end; vertex = next_vertex()) {
    ++swept.vertices;
    here = vertex.x > x_ ? 0 : here + 1;
    x_ = vertex.x;
    const std::size_t i = vertex.line;
    if (here > 4 * a_.size()) {
      // Many lines pass through one point, in an inconsistent order by rounding: continue just
      // right of it.
      begin_at(x_ + 1e-14 * (1 + std::abs(x_)));
      note(swept);
      here = 0;
      continue;
    }
    const bool enters = sign_[i] == 0;
    if (enters) {
      sum_aa_ += a_[i] * a_[i] - a_[level_] * a_[level_];
      sum_ab_ += a_[i] * b_[i] - a_[level_] * b_[level_];
      sum_bb_ += b_[i] * b_[i] - b_[level_] * b_[level_];
      sign_[level_] = 0;
    }
    sign_[i] = vertex.sign;
    level_ = i;
    if (enters) {
      note(swept);
    }
  }
}

/// Stores the support if its value may matter.
void Level::note(Swept& swept) {
  const double value = larger_eigenvalue(sum_aa_, sum_ab_, sum_bb_);
  if (value < (1 - kRoundingLoss) * floor_) {
    return;
  }
  Support support;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (sign_[i] != 0) {
      support.push_back(interval_.variables[i]);
    }
  }
  // Recomputed: the sums have accumulated one rounding per vertex.
  const double exact = low_rank_value(factor_, support);
  swept.found.push_back({.value = exact, .support = std::move(support)});
}

class Sweep {
 public:
  Sweep(const Matrix& factor, Index k, double floor) : factor_(factor), k_(k), floor_(floor) {}
  /// Halves the interval, or follows its level if few lines can reach it.
  Swept sweep(const Interval& interval) const;

 private:
  std::vector<int> reaching(const Interval& interval, double& upper) const;

  const Matrix& factor_;
  Index k_;
  double floor_;  // values below do not matter
};

/// The lines that can be among the k topmost somewhere in the interval. `upper` bounds the values
/// of the supports there: bound (2) of direction_boxes.h for d = 2, with |c|^2 = 1 + x^2.
std::vector<int> Sweep::reaching(const Interval& interval, double& upper) const {
  const std::size_t count = interval.variables.size();
  std::vector<double> most(count);
  std::vector<double> least(count);
  const double* const a = factor_.col(interval.face).data();
  const double* const b = factor_.col(1 - interval.face).data();
  for (std::size_t j = 0; j < count; ++j) {
    const int i = interval.variables[j];
    const double left = a[i] + b[i] * interval.begin;
    const double right = a[i] + b[i] * interval.end;
    most[j] = std::max(std::abs(left), std::abs(right));
    least[j] = left * right > 0 ? std::min(std::abs(left), std::abs(right)) : 0;
  }
  const double enters = kth_largest(least, k_);
  std::vector<int> reaching;
  std::vector<double> squares;
  for (std::size_t j = 0; j < count; ++j) {
    if (most[j] >= enters) {
      reaching.push_back(interval.variables[j]);
      squares.push_back(most[j] * most[j]);
    }
  }
  const auto last = static_cast<std::ptrdiff_t>(k_ - 1);
  std::nth_element(squares.begin(), squares.begin() + last, squares.end(), std::greater<>());
  const double nearest = interval.begin * interval.end <= 0
                             ? 0
                             : std::min(std::abs(interval.begin), std::abs(interval.end));
  upper =
      std::accumulate(squares.begin(), squares.begin() + last + 1, 0.0) / (1 + nearest * nearest);
  return reaching;
}

Swept Sweep::sweep(const Interval& interval) const {
  Swept swept;
  double upper = 0;
  Interval here = interval;
  here.variables = reaching(interval, upper);
  if (upper < (1 - kRoundingLoss) * floor_) {
    return swept;
  }
  const auto count = static_cast<Index>(here.variables.size());
  if (count > 4 * k_ + kFewLines && here.depth < kDeepest) {
    const double middle = (here.begin + here.end) / 2;
    swept.halves = {here, here};
    swept.halves[0].end = swept.halves[1].begin = middle;
    ++swept.halves[0].depth;
    ++swept.halves[1].depth;
    return swept;
  }
  swept.variables = here.variables;
  Level(factor_, k_, here, floor_).follow(swept);
  return swept;
}

}  // namespace

SweptSpan sweep_levels(const Matrix& factor, Index k, double floor,
                       const std::vector<int>& variables, int threads, Budget& budget) {
  const Sweep sweep(factor, k, floor);
  SweptSpan span;
  std::vector<Interval> intervals = {{.face = 0, .variables = variables},
                                     {.face = 1, .variables = variables}};
  while (!intervals.empty() && budget.next()) {
    std::vector<Swept> swept(intervals.size());
    parallel_for(intervals.size(), threads,
                 [&](std::size_t i) { swept[i] = sweep.sweep(intervals[i]); });
    intervals.clear();
    for (Swept& one : swept) {
      span.vertices += one.vertices;
      span.variables.insert(one.variables.begin(), one.variables.end());
      std::move(one.found.begin(), one.found.end(), std::back_inserter(span.found));
      std::move(one.halves.begin(), one.halves.end(), std::back_inserter(intervals));
    }
  }
  // Best first: then lambda_3 rules out most of the others.
  std::stable_sort(span.found.begin(), span.found.end(),
                   [](const FoundSupport& a, const FoundSupport& b) { return a.value > b.value; });
  return span;
}

}  // namespace spca
