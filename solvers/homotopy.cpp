/// Refinement of a sparse component by way of the convex relaxation.
///
/// Problem  max v'Sv - rho ||v||_0 s.t. ||v||_2 = 1, which is
///          max sum_i ((a_i'x)^2 - rho)_+ over ||x||_2 = 1, a_i the columns of A, S = A'A
/// Step     A   the component of another solver, x = Av / ||Av||
///          B   max f_ccv(YY') over ||Y||_F = 1 (relaxation.h), from Y = x: local ascent, then as
///              many columns again along the leading directions in which the dual exceeds f_ccv
///          B'  the leading eigenvector of YY'
///          C   max mu f_cvx + (1 - mu) f_ccv for mu = 1/steps, 2/steps, ... from B, until YY' has
///              rank one; at mu = 1, where all maxima have, the last step is to the leading
///              eigenvector of the gradient, which does not lower f_cvx; then the power steps of
///              gpower-l0
/// Start    `start`; gpower-l0 with the same rho
/// Stops    B where the dual is within `gap`, or where columns gain less than `tolerance`; every
///          ascent where three steps gain less than `tolerance`
/// Cost     O(q n) a variable with S_ii > rho an iteration, q the columns of Y: some 15 for n =
/// 200.
///          The duals of B take O(n^2) a variable each, with a few eigenvectors of n x n; there are
///          about log2(q) of them
/// Bound    the dual at B, + rho k; the harness computes it anew
/// Source   Journee, Bach, Absil, Sepulchre, Refining sparse principal components, 2010
/// Differs  the optimiser: limited-memory BFGS where the authors have a trust region, and several
///          columns at once where they add one. The answer is the best of A, B' and C unless
///          `answer` names one. The relaxation is convex, so B and C depend on the start through
///          rounding alone

#include <algorithm>
#include <cmath>
#include <optional>

#include "spca/eigenpairs.h"
#include "spca/relaxation.h"
#include "spca/solver.h"
#include "spca/sparsify.h"
#include "spca/sphere_ascent.h"
#include "spca/thresholded_power.h"
#include "spca/tuning.h"

namespace spca {
namespace {

constexpr const char* kOwnName = "homotopy";
constexpr const char* kDefaultStart = "gpower-l0";

/// Every solver but this one.
Choices starts() {
  Choices names = SolverRegistry::instance().names();
  std::erase(names, kOwnName);
  return names;
}

struct HomotopyOptions {
  double penalty = 0.1;
  bool absolute = false;
  std::string start = kDefaultStart;
  Index start_cardinality = 0;
  Index steps = 20;
  double tolerance = 1e-7;
  double gap = 1e-3;
  std::string answer = "best";
  bool refit = true;
  bool evolution = false;

  void describe(OptionVisitor& visit) {
    visit("penalty", penalty,
          "rho over the largest variance; from 1 on no variable is left, 0 leaves all of them",
          at_least(0));
    visit("absolute", absolute, "the penalty is rho itself; not to be tuned");
    visit("start", start, "the solver whose component is refined", starts());
    visit("start_cardinality", start_cardinality,
          "of a start other than gpower-l0; 0: that of gpower-l0 with the same rho", at_least(0));
    visit("steps", steps, "in which mu goes from 0 to 1", at_least(1));
    visit("tolerance", tolerance, "smallest relative gain that goes on", between(0, 1));
    visit("gap", gap, "relative distance to the dual at which the relaxation is solved",
          between(0, 1));
    visit("answer", answer, "which of the paper's points", {"best", "A", "B'", "C"});
    visit("refit", refit,
          "replace the loadings of B' and C by the leading eigenvector on their support");
    visit("evolution", evolution,
          "keep mu, rank, f_ccv, f_cvx, f_EVD and the largest eigenvalue of each iteration");
  }
};

// Of a column that is added: its length relative to Y.
constexpr double kNewLengths[] = {0.3, 0.1, 0.03, 0.01, 1e-3, 1e-4};
// At most so many columns are added at once.
constexpr Index kMostNewColumns = 32;
// The dual is taken at YY' + floor I: near enough to YY' that the bound is as good, far enough that
// rounding does not show. On Gaussian data 1e-7 is the best power of ten.
constexpr double kFloor = 1e-7;
constexpr double kFirstFloor = 1e-2;
// Relative distance to the dual at which the relaxation is solved for good.
constexpr double kClosed = 1e-6;
// Of the eigenvalues of YY' but the largest, together: rank one.
constexpr double kRankOne = 1e-9;
constexpr int kPowerSteps = 10000;

/// A component and what it is worth.
struct Candidate {
  Component component;
  double value = 0;  // v'Sv - rho ||v||_0
};

class Homotopy {
 public:
  Homotopy(const Problem& problem, const HomotopyOptions& options, double rho, Budget& budget)
      : covariance_(problem.covariance),
        options_(options),
        budget_(budget),
        rho_(rho),
        relaxation_(problem.covariance, rho) {}

  bool is_empty() const { return relaxation_.variables().empty(); }

  /// Y = x at the start.
  void begin(const Component& component);
  void relax();    // A to B
  void project();  // B to C

  double unit() const { return relaxation_.unit(); }
  double value(double mu) const { return unit() * relaxation_.value(y_, mu); }
  Vector leading_vector() const { return orthogonal_columns(y_).col(0).normalized(); }
  double value_at(const Vector& x) const { return unit() * relaxation_.value(x, 1); }
  Index rank() const { return orthogonal_columns(y_).cols(); }
  /// Of YY' where the steps of mu ended.
  double largest_weight_reached() const { return largest_weight_reached_; }
  double bound() const { return unit() * bound_; }
  Vector polished(Vector x);
  Candidate candidate_at(const Vector& x) const;
  Candidate evaluated(Component component) const;
  std::shared_ptr<const BoundCertificate> certificate() const {
    return std::make_shared<RelaxationCertificate>(rho_, dual_point_, dual_floor_);
  }
  std::vector<std::pair<std::string, double>> take_evolution() { return std::move(evolution_); }

 private:
  double largest_weight() const { return orthogonal_columns(y_).col(0).squaredNorm(); }
  void ascend(double mu);
  double value_on(const Matrix& y, double floor, Matrix* gradient) const {
    return floor > 0 ? relaxation_.smoothed_value(y, floor, gradient)
                     : relaxation_.value(y, 0, gradient);
  }
  void offer_bound(double bound, const Matrix& y, double floor);
  bool add_columns(Matrix& y, double floor);
  void relax_smoothed();
  void record(const Matrix& y, double mu);

  const Covariance& covariance_;
  const HomotopyOptions& options_;
  Budget& budget_;
  double rho_;
  Relaxation relaxation_;
  Matrix y_;
  double bound_ = kNotMeasured;
  Matrix dual_point_;  // where it was found
  double dual_floor_ = kFloor;
  double largest_weight_reached_ = kNotMeasured;
  std::vector<std::pair<std::string, double>> evolution_;
};

void Homotopy::begin(const Component& component) {
  const Vector loadings = to_dense(component, covariance_.variables())(relaxation_.variables());
  Vector x = relaxation_.factor() * loadings;
  if (!(x.norm() > 0)) {
    Index longest = 0;
    relaxation_.factor().colwise().squaredNorm().maxCoeff(&longest);
    x = relaxation_.factor().col(longest);
  }
  y_ = x.normalized();
  if (options_.evolution) {
    record(y_, 0);
  }
}

void Homotopy::ascend(double mu) {
  budget_.begin_loop();
  const SphereFunction function = [this, mu](const Matrix& y, Matrix* gradient) {
    return relaxation_.value(y, mu, gradient);
  };
  ascend_on_sphere(function, {.tolerance = options_.tolerance}, y_,
                   [this, mu](const Matrix& y, double value) {
                     if (options_.evolution) {
                       record(y, mu);
                     }
                     return budget_.next(unit() * value);
                   });
  y_ = orthogonal_columns(y_).normalized();
}

void Homotopy::relax() {
  double value = relaxation_.value(y_, 0);
  bool has_gained = true;
  while (has_gained && !budget_.out_of_time() && add_columns(y_, 0)) {
    const double before = value;
    ascend(0);
    value = relaxation_.value(y_, 0);
    has_gained = value - before > options_.tolerance * value;
  }
  if (!has_gained || budget_.out_of_time()) {
    offer_bound(largest_curvature(relaxation_.dual_columns(y_, kFloor)), y_, kFloor);
  }
  if (bound_ > (1 + options_.gap) * value) {
    relax_smoothed();
  }
}

/// Keeps the least bound and the point that gives it.
void Homotopy::offer_bound(double bound, const Matrix& y, double floor) {
  if (!(bound >= bound_)) {
    bound_ = bound;
    dual_point_ = y;
    dual_floor_ = floor;
  }
}

/// As many columns again as y has, of the length that lifts the value most. False where the dual,
/// which bounds the problem as well, says that none can, or where none does. floor 0: of f_ccv.
bool Homotopy::add_columns(Matrix& y, double floor) {
  const double dual_floor = std::max(floor, kFloor);
  const Matrix columns = relaxation_.dual_columns(y, dual_floor);
  const double along = (columns.transpose() * y).squaredNorm();
  const auto [bound, directions] =
      leading_curvature(columns, std::min(y.cols(), kMostNewColumns), (1 + kClosed) * along);
  offer_bound(bound, y, dual_floor);
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

/// f_ccv over X with all eigenvalues at least `floor`, which falls to zero: then over all X from
/// what that finds, if it is better than Y.
void Homotopy::relax_smoothed() {
  const double before = relaxation_.value(y_, 0);
  const auto next = [this, before](const Matrix&, double) { return budget_.next(unit() * before); };
  double best = before;
  Matrix y = y_;
  for (double floor = kFirstFloor; floor >= kFloor; floor *= 0.1) {
    const SphereFunction function = [this, floor](const Matrix& at, Matrix* gradient) {
      return value_on(at, floor, gradient);
    };
    do {
      budget_.begin_loop();
      ascend_on_sphere(function, {.tolerance = options_.tolerance}, y, next);
      y = orthogonal_columns(y).normalized();
    } while (!budget_.out_of_time() && add_columns(y, floor));
    best = std::max(best, relaxation_.value(y, 0));
    if (budget_.out_of_time() || bound_ <= (1 + 0.5 * options_.gap) * best) {
      break;
    }
  }
  budget_.begin_loop();
  const double reached = ascend_on_sphere(
      [this](const Matrix& at, Matrix* gradient) { return value_on(at, 0, gradient); },
      {.tolerance = options_.tolerance}, y, next);
  if (reached > before) {
    y_ = orthogonal_columns(y).normalized();
    if (options_.evolution) {
      record(y_, 0);
    }
  }
}

void Homotopy::project() {
  const auto is_rank_one = [this] { return 1 - largest_weight() <= kRankOne; };
  for (Index step = 1; step <= options_.steps && !budget_.out_of_time() && !is_rank_one(); ++step) {
    ascend(static_cast<double>(step) / static_cast<double>(options_.steps));
  }
  largest_weight_reached_ = largest_weight();
  if (!is_rank_one()) {
    // f_cvx is convex: f_cvx(X) + Tr G (vv' - X) <= f_cvx(vv'), v the leading eigenvector of G.
    const Vector excess =
        (y_.transpose() * relaxation_.factor()).colwise().squaredNorm().array() - relaxation_.rho();
    const Vector active = (excess.array() > 0).cast<double>();
    y_ = active.sum() > 0
             ? leading_curvature(relaxation_.factor() * active.asDiagonal(), 1, 0).directions
             : Matrix(leading_vector());
  }
  y_ = polished(leading_vector());
  if (options_.evolution) {
    record(y_, 1);
  }
}

/// The steps of gpower-l0 from x, each of which lifts the objective.
Vector Homotopy::polished(Vector x) {
  budget_.begin_loop();
  const Matrix& factor = relaxation_.factor();
  double value = relaxation_.value(x, 1);
  for (int step = 0; step < kPowerSteps && value > 0 && budget_.next(unit() * value); ++step) {
    const Vector w = factor.transpose() * x;
    const Vector cut = (w.array().square() > relaxation_.rho()).select(w, 0.0);
    Vector next = (factor * cut).normalized();
    const double reached = relaxation_.value(next, 1);
    if (!(reached > value)) {
      break;
    }
    const bool has_ended = reached - value <= kRankOne * options_.tolerance * value;
    x = std::move(next);
    value = reached;
    if (has_ended) {
      break;
    }
  }
  return x;
}

Candidate Homotopy::evaluated(Component component) const {
  Candidate candidate{.component = std::move(component)};
  if (!candidate.component.support.empty()) {
    candidate.value = covariance_.quadratic_form(candidate.component) -
                      rho_ * static_cast<double>(candidate.component.cardinality());
  }
  return candidate;
}

/// The pattern of x and its loadings; the empty component where no variable is worth its penalty.
Candidate Homotopy::candidate_at(const Vector& x) const {
  const Vector w = relaxation_.factor().transpose() * x;
  Component pattern;
  std::vector<double> values;
  for (std::size_t i = 0; i < relaxation_.variables().size(); ++i) {
    const double share = w[static_cast<Index>(i)];
    if (share * share > relaxation_.rho()) {
      pattern.support.push_back(relaxation_.variables()[i]);
      values.push_back(share);
    }
  }
  pattern.values = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  return evaluated(options_.refit ? refitted(covariance_, pattern)
                                  : normalized(std::move(pattern)));
}

void Homotopy::record(const Matrix& y, double mu) {
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

/// The solution of one other solver, of one component.
Solution run_start(const Problem& problem, const std::string& name, Json options,
                   std::vector<Index> cardinality, Budget& budget) {
  const SolverEntry& solver = SolverRegistry::instance().get(name, "/options/start");
  Problem asked{.covariance = problem.covariance,
                .start = problem.start,
                .seed = problem.seed,
                .threads = problem.threads};
  if (problem.covariance.variables() > solver.traits.largest_p) {
    return skipped("it does not take so many variables");
  }
  if (solver.traits.rule == SparsityRule::kCardinality) {
    asked.cardinality = cardinality;
  }
  options = solver.complete_options(options, "/options/start");
  if (solver.traits.rule == SparsityRule::kPenalty && !cardinality.empty()) {
    return tune(solver.traits.tuning, cardinality, false,
                [&](const std::vector<double>& values) {
                  options[solver.traits.tuning.option] = values[0];
                  return solver.solve(asked, solver.complete_options(options, "/options/start"),
                                      budget);
                })
        .solution;
  }
  return solver.solve(asked, options, budget);
}

Solution find_start(const Problem& problem, const HomotopyOptions& options, double relative_rho,
                    Budget& budget) {
  std::vector<Index> cardinality = {options.start_cardinality};
  if (options.start == kDefaultStart || options.start_cardinality == 0) {
    Solution gpower =
        run_start(problem, kDefaultStart, {{"penalty", std::min(relative_rho, 1.0)}}, {}, budget);
    if (options.start == kDefaultStart || !is_usable(gpower.status) ||
        gpower.components.at(0).support.empty()) {
      return gpower;
    }
    cardinality = {gpower.components[0].cardinality()};
  }
  cardinality[0] = std::min(cardinality[0], problem.covariance.variables());
  budget.begin_loop();
  return run_start(problem, options.start, Json::object(), cardinality, budget);
}

Solution solve_homotopy(const Problem& problem, const HomotopyOptions& options, Budget& budget) {
  const Covariance& covariance = problem.covariance;
  const double longest = longest_column(covariance);
  const double rho = options.absolute ? options.penalty : options.penalty * longest * longest;
  Homotopy homotopy(problem, options, rho, budget);
  if (homotopy.is_empty()) {
    return make_solution({Component{}}, budget);
  }
  Solution start = find_start(problem, options, rho / homotopy.unit(), budget);
  if (!is_usable(start.status) || start.components.empty()) {
    start.message = fmt::format("the start, {}: {}", options.start, start.message);
    return start;
  }
  const Candidate at_a = homotopy.evaluated(std::move(start.components[0]));
  std::vector<std::pair<std::string, double>> facts = {{"rho", rho}, {"f_A", at_a.value}};
  if (options.answer == "A" || budget.out_of_time()) {
    Solution solution = make_solution({at_a.component}, budget);
    solution.facts = std::move(facts);
    return solution;
  }
  homotopy.begin(at_a.component);
  homotopy.relax();
  budget.finish_phase("relaxation");
  const Vector rounded = homotopy.leading_vector();
  const Candidate at_rounded = homotopy.candidate_at(rounded);
  facts.insert(facts.end(), {{"f_B", homotopy.value(0)},
                             {"f_B'", homotopy.value_at(rounded)},
                             {"rank_B", static_cast<double>(homotopy.rank())},
                             {"bound", homotopy.bound()}});
  const Candidate* best = &at_rounded;
  Candidate at_c;
  if (options.answer != "B'") {
    homotopy.project();
    budget.finish_phase("homotopy");
    at_c = homotopy.candidate_at(homotopy.leading_vector());
    facts.insert(facts.end(),
                 {{"f_C", homotopy.value(1)}, {"lambda_max", homotopy.largest_weight_reached()}});
    best = &at_c;
  }
  if (options.answer == "best") {
    for (const Candidate* other : {&at_rounded, &at_a}) {
      best = other->value > best->value ? other : best;
    }
  }
  Solution solution = make_solution({best->component}, budget);
  solution.facts = std::move(facts);
  for (auto& fact : homotopy.take_evolution()) {
    solution.facts.push_back(std::move(fact));
  }
  solution.certificate = homotopy.certificate();
  return solution;
}

SPCA_SOLVER(kOwnName, solve_homotopy,
            (Traits{.summary = "refines a component by way of the convex relaxation",
                    .problem = "max v'Sv - rho ||v||_0 s.t. ||v||_2 = 1",
                    .source = "Journee, Bach, Absil, Sepulchre 2010",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0, .maximum = 1}}));

}  // namespace
}  // namespace spca
