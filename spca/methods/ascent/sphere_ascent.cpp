#include "spca/methods/ascent/sphere_ascent.h"

#include <algorithm>
#include <cmath>
#include <deque>

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

/// Number of pairs that are stored. Each costs O(m q) per step, and as much memory.
constexpr std::size_t kStoredPairs = 12;
/// A step must gain this share of the gain that the slope predicts (Armijo). The usual value: it
/// rejects hardly any step that rises at all.
constexpr double kArmijo = 1e-4;
constexpr int kBacktracks = 40;
constexpr int kDoublings = 6;
// At most this length of a move along the tangent, on the sphere of radius 1. The quadratic model
// is not valid further away.
constexpr double kLongestMove = 0.5;
/// Length of the first trial of a step without stored pairs: then the gradient has no scale.
constexpr double kFirstMove = 0.05;
// Least s'y as a share of ||s|| ||y||. A smaller curvature is noise.
constexpr double kLeastPairCurvature = 1e-10;
constexpr int kSmallGains = 3;

double inner(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

/// Replaces `vector` by its part that is tangent to the sphere at y, which has length 1.
void project(const Matrix& y, Matrix& vector) { vector -= inner(y, vector) * y; }

struct Pair {
  Matrix step;
  Matrix change;  // of the negated gradient, so s'y > 0 for a concave function
  double inverse_curvature;
};

struct Point {
  Matrix y;
  Matrix gradient;  // tangent
  double value = 0;
};

class Memory {
 public:
  bool empty() const { return pairs_.empty(); }
  void clear() { pairs_.clear(); }

  /// Returns the direction of ascent, tangent at y: the two-loop recursion for H g, with H the
  /// inverse of the approximate negated Hessian.
  Matrix direction(const Point& at) {
    Matrix direction = at.gradient;
    std::vector<double> weights(pairs_.size());
    for (std::size_t i = pairs_.size(); i-- > 0;) {
      weights[i] = pairs_[i].inverse_curvature * inner(pairs_[i].step, direction);
      direction -= weights[i] * pairs_[i].change;
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      // The start of the recursion, H_0 = (s'y / y'y) I for the last pair: the scale of the latest
      // step.
      direction /= last.inverse_curvature * last.change.squaredNorm();
    }
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      direction += (weights[i] - pairs_[i].inverse_curvature * inner(pairs_[i].change, direction)) *
                   pairs_[i].step;
    }
    project(at.y, direction);
    return direction;
  }

  /// Carries all pairs to `to` and adds the pair of this move; `step` is tangent at `from`. Returns
  /// false if the function bends upwards along it.
  bool move(const Point& from, const Point& to, Matrix step) {
    for (Pair& pair : pairs_) {
      project(to.y, pair.step);
      project(to.y, pair.change);
      // Projection changes s'y, so it is recomputed; pairs that projection spoils are dropped.
      pair.inverse_curvature = 1 / inner(pair.step, pair.change);
    }
    std::erase_if(pairs_, [](const Pair& pair) { return !is_concave(pair.step, pair.change); });
    Matrix change = from.gradient;
    project(to.y, change);
    change -= to.gradient;
    project(to.y, step);
    if (!is_concave(step, change)) {
      return false;
    }
    const double curvature = inner(step, change);
    pairs_.push_back({std::move(step), std::move(change), 1 / curvature});
    if (pairs_.size() > kStoredPairs) {
      pairs_.pop_front();
    }
    return true;
  }

 private:
  static bool is_concave(const Matrix& step, const Matrix& change) {
    return inner(step, change) > kLeastPairCurvature * step.norm() * change.norm();
  }
  std::deque<Pair> pairs_;
};

class Ascent {
 public:
  Ascent(const SphereFunction& function, Matrix y) : function_(function) {
    current_ = evaluate(std::move(y));
  }
  const Point& current() const { return current_; }

  /// Returns false if no step along the gradient itself rises.
  bool step() {
    for (;;) {
      const bool plain = memory_.empty();
      Matrix direction = memory_.direction(current_);
      double slope = inner(direction, current_.gradient);
      // Outdated pairs can give a descent direction. Then the gradient is used, and the pairs are
      // dropped.
      if (!(slope > 0)) {
        direction = current_.gradient;
        slope = direction.squaredNorm();
        memory_.clear();
      }
      const double longest = (plain ? kFirstMove : kLongestMove) / direction.norm();
      if (search(direction, slope, plain ? longest : std::min(1.0, longest))) {
        return true;
      }
      // A step that fails with stored pairs is repeated without them. A failure along the gradient
      // is final.
      if (plain) {
        return false;
      }
      memory_.clear();
    }
  }

 private:
  Point evaluate(Matrix y) const {
    Point point;
    point.y = std::move(y);
    // Value and gradient together, because they share most of the work. Only a rejected trial
    // wastes its gradient.
    point.value = function_(point.y, &point.gradient);
    project(point.y, point.gradient);
    return point;
  }
  Point at(const Matrix& direction, double alpha) const {
    // The retraction of the sphere: a straight step, brought back to length 1.
    return evaluate((current_.y + alpha * direction).normalized());
  }

  bool search(const Matrix& direction, double slope, double alpha) {
    Point trial = at(direction, alpha);
    int backtracks = 0;
    // Written so that a NaN counts as no rise.
    while (!(trial.value >= current_.value + kArmijo * alpha * slope)) {
      if (++backtracks > kBacktracks) {
        return false;
      }
      // The maximum of the parabola through value, slope and trial. It is kept between a tenth and
      // a half of the old step, so that the search neither stalls nor jumps.
      const double bend = (trial.value - current_.value) / alpha - slope;
      const double top = bend < 0 ? -0.5 * alpha * slope / bend : 0;
      alpha = std::clamp(top, 0.1 * alpha, 0.5 * alpha);
      trial = at(direction, alpha);
    }
    // Near a maximum the required gain rounds to zero. Only a positive gain is accepted, so that
    // the ascent cannot cycle.
    if (!(trial.value > current_.value)) {
      return false;
    }
    for (int i = 0; backtracks == 0 && i < kDoublings; ++i) {
      // A longer step gains more only if the slope is still nearly that of the start.
      if (inner(direction, trial.gradient) < 0.9 * slope ||
          2 * alpha * direction.norm() > kLongestMove) {
        break;
      }
      Point further = at(direction, 2 * alpha);
      if (!(further.value > trial.value)) {
        break;
      }
      trial = std::move(further);
      alpha *= 2;
    }
    memory_.move(current_, trial, alpha * direction);
    current_ = std::move(trial);
    return true;
  }

  const SphereFunction& function_;
  Memory memory_;
  Point current_;
};

}  // namespace

double ascend_on_sphere(const SphereFunction& function, const SphereAscent& rule, Matrix& y,
                        const std::function<bool(const Matrix& y, double value)>& next) {
  Ascent ascent(function, y.normalized());
  int small_gains = 0;
  while (small_gains < kSmallGains &&
         ascent.current().gradient.norm() >
             rule.smallest_gradient * std::abs(ascent.current().value) &&
         next(ascent.current().y, ascent.current().value)) {
    const double before = ascent.current().value;
    if (!ascent.step()) {
      break;
    }
    const double gain = ascent.current().value - before;
    // One small gain may be an unlucky step. Several in a row end the ascent.
    small_gains = gain <= rule.tolerance * std::abs(before) ? small_gains + 1 : 0;
  }
  y = ascent.current().y;
  return ascent.current().value;
}

}  // namespace spca
