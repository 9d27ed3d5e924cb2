#include "spca/methods/relaxations/homotopy_path.h"

#include <algorithm>
#include <cmath>

#include "spca/dense/dense_products.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/sphere_ascent.h"

namespace spca {
namespace {

// The limits of effort below without a source were chosen by trial, not measured.

// Lengths to try for the new columns, relative to the norm of Y.
constexpr double kNewLengths[] = {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
// At most this number of columns are added at once.
constexpr Index kMostNewColumns = 32;
// The dual is computed at YY' + floor I: close enough to YY' for a good bound, and far enough that
// rounding does not matter. On Gaussian data 1e-7 is the best power of ten.
constexpr double kDualFloor = 1e-7;
// The first floor of the smoothing. The next ones fall by powers of ten, down to kDualFloor.
constexpr double kFirstFloor = 1e-2;
constexpr int kFloors = 6;
// The relaxation counts as solved if its relative gap to the dual is at most this.
constexpr double kClosed = 1e-6;
// YY' counts as rank one if the sum of its other eigenvalues is at most this.
constexpr double kRankOne = 1e-9;
constexpr int kPowerSteps = 10000;

}  // namespace

void HomotopyPath::begin(const Component& component) {
  const Vector loadings = to_dense(component, variables_)(relaxation_.variables());
  Vector x = times_vector(relaxation_.factor(), loadings);
  if (!(x.norm() > 0)) {
    Index longest = 0;
    relaxation_.factor().colwise().squaredNorm().maxCoeff(&longest);
    x = relaxation_.factor().col(longest);
  }
  y_ = x.normalized();
  if (rule_.evolution) {
    record(y_, 0);
  }
}

void HomotopyPath::ascend(double mu) {
  budget_.begin_loop();
  const SphereFunction function = [this, mu](const Matrix& y, Matrix* gradient) {
    return relaxation_.value(y, mu, gradient);
  };
  ascend_on_sphere(function, {.tolerance = rule_.tolerance}, y_,
                   [this, mu](const Matrix& y, double value) {
                     if (rule_.evolution) {
                       record(y, mu);
                     }
                     return budget_.next(unit() * value);
                   });
  y_ = orthogonal_columns(y_).normalized();
}

// As in Journee, Bach, Absil and Sepulchre, Low-rank optimization on the cone of positive
// semidefinite matrices, SIAM J. Optimization 20:2327, 2010: ascend with a given number of columns,
// then add columns along the directions of the dual, until there are none.
void HomotopyPath::relax() {
  double value = relaxation_.value(y_, 0);
  bool has_gained = true;
  while (has_gained && !budget_.out_of_time() && add_columns(y_, 0)) {
    const double before = value;
    ascend(0);
    value = relaxation_.value(y_, 0);
    has_gained = value - before > rule_.tolerance * value;
  }
  if (!has_gained || budget_.out_of_time()) {
    // The loop ended after an ascent: add_columns() has not bounded this Y yet.
    update_bound(largest_curvature(relaxation_.dual_columns(y_, kDualFloor)), y_, kDualFloor);
  }
  if (bound_ > (1 + rule_.gap) * value) {
    // f_ccv is not smooth in X, so an ascent over few columns may stop short of the maximum.
    relax_smoothed();
  }
}

/// Stores the least bound and the point that gives it.
void HomotopyPath::update_bound(double bound, const Matrix& y, double floor) {
  if (!(bound >= bound_)) {
    bound_ = bound;
    dual_point_ = y;
    dual_floor_ = floor;
  }
}

/// Adds columns to y, at most as many as it has, with the length that raises the value most. The
/// function is concave in X with gradient HH', so it can rise only along eigenvectors of HH' whose
/// eigenvalues exceed Tr HH'X. Returns false if there are no such eigenvectors, or if no length
/// raises the value. With floor 0 the function is f_ccv itself.
bool HomotopyPath::add_columns(Matrix& y, double floor) {
  const double dual_floor = std::max(floor, kDualFloor);
  const Matrix columns = relaxation_.dual_columns(y, dual_floor);
  const double along = transposed_product(columns, y).squaredNorm();
  const auto [bound, directions] =
      leading_curvature(columns, std::min(y.cols(), kMostNewColumns), (1 + kClosed) * along);
  update_bound(bound, y, dual_floor);
  if (directions.cols() == 0) {
    return false;
  }
  double best = value_on(y, floor, nullptr);
  Matrix longest;
  for (const double length : kNewLengths) {
    Matrix trial(y.rows(), y.cols() + directions.cols());
    trial << y, length * directions;
    trial.normalize();
    const double reached = value_on(trial, floor, nullptr);
    if (reached > best) {
      best = reached;
      longest = std::move(trial);
    }
  }
  if (longest.size() == 0) {
    return false;
  }
  y = std::move(longest);
  return true;
}

/// Maximises f_ccv at X + floor I, for a floor that falls to kDualFloor, and then f_ccv itself from
/// the result. Replaces Y only if the final value is larger.
void HomotopyPath::relax_smoothed() {
  const double before = relaxation_.value(y_, 0);
  const auto next = [this, before](const Matrix&, double) { return budget_.next(unit() * before); };
  double best = before;
  Matrix y = y_;
  double floor = kFirstFloor;
  for (int power = 0; power < kFloors; ++power, floor *= 0.1) {
    const SphereFunction function = [this, floor](const Matrix& at, Matrix* gradient) {
      return value_on(at, floor, gradient);
    };
    do {
      budget_.begin_loop();
      ascend_on_sphere(function, {.tolerance = rule_.tolerance}, y, next);
      y = orthogonal_columns(y).normalized();
    } while (!budget_.out_of_time() && add_columns(y, floor));
    best = std::max(best, relaxation_.value(y, 0));
    if (budget_.out_of_time() || bound_ <= (1 + 0.5 * rule_.gap) * best) {
      break;
    }
  }
  budget_.begin_loop();
  const double reached = ascend_on_sphere(
      [this](const Matrix& at, Matrix* gradient) { return value_on(at, 0, gradient); },
      {.tolerance = rule_.tolerance}, y, next);
  if (reached > before) {
    y_ = orthogonal_columns(y).normalized();
    if (rule_.evolution) {
      record(y_, 0);
    }
  }
}

void HomotopyPath::project() {
  const auto is_rank_one = [this] { return 1 - largest_weight() <= kRankOne; };
  for (Index step = 1; step <= rule_.steps && !budget_.out_of_time() && !is_rank_one(); ++step) {
    ascend(static_cast<double>(step) / static_cast<double>(rule_.steps));
  }
  largest_weight_reached_ = largest_weight();
  if (!is_rank_one()) {
    // f_cvx is convex. With its gradient G at X and the leading eigenvector v of G, Tr G vv' >=
    // Tr GX. So f_cvx(X) <= f_cvx(X) + Tr G(vv' - X) <= f_cvx(vv'): this step to rank one does not
    // lower f_cvx.
    const Vector excess =
        transposed_product(y_, relaxation_.factor()).colwise().squaredNorm().array() -
        relaxation_.rho();
    const Vector active = (excess.array() > 0).cast<double>();
    y_ = active.sum() > 0
             ? leading_curvature(scaled_columns(relaxation_.factor(), active), 1, 0).directions
             : Matrix(leading_vector());
  }
  y_ = polished(leading_vector());
  if (rule_.evolution) {
    record(y_, 1);
  }
}

/// Iterates the step of gpower-l0 from x while it raises the objective.
Vector HomotopyPath::polished(Vector x) {
  budget_.begin_loop();
  const Matrix& factor = relaxation_.factor();
  double value = relaxation_.value(x, 1);
  for (int step = 0; step < kPowerSteps && value > 0 && budget_.next(unit() * value); ++step) {
    const Vector w = transposed_times_vector(factor, x);
    const Vector cut = (w.array().square() > relaxation_.rho()).select(w, 0.0);
    Vector next = times_vector(factor, cut).normalized();
    const double reached = relaxation_.value(next, 1);
    if (!(reached > value)) {
      break;
    }
    const bool has_ended = reached - value <= kRankOne * rule_.tolerance * value;
    x = std::move(next);
    value = reached;
    if (has_ended) {
      break;
    }
  }
  return x;
}

void HomotopyPath::record(const Matrix& y, double mu) {
  const Matrix columns = orthogonal_columns(y);
  const double largest = columns.col(0).squaredNorm();
  Index rank = 1;
  while (rank < columns.cols() && columns.col(rank).squaredNorm() > kRankOne) {
    ++rank;
  }
  evolution_.emplace_back("evolution_mu", mu);
  evolution_.emplace_back("evolution_rank", static_cast<double>(rank));
  evolution_.emplace_back("evolution_f_ccv", unit() * relaxation_.value(y, 0));
  evolution_.emplace_back("evolution_f_cvx", unit() * relaxation_.value(y, 1));
  evolution_.emplace_back("evolution_f_EVD", value_at(columns.col(0).normalized()));
  evolution_.emplace_back("evolution_lambda_max", largest);
}

}  // namespace spca
