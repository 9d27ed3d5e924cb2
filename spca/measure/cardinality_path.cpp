#include "spca/measure/cardinality_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/dense/dense_selections.h"
#include "spca/measure/contradiction.h"
#include "spca/measure/judge.h"
#include "spca/solving/solve.h"
#include "spca/solving/upper_bound.h"
#include "spca/spectrum/remaining_variance.h"
#include "spca/spectrum/spectrum.h"

namespace spca {
namespace {

using Answers = std::vector<CardinalityAnswer>;

/// Receives the answer at the i-th cardinality.
using StoreAnswer = std::function<void(std::size_t i, const CardinalityAnswer& answer)>;

/// The answers of one solver on one S at every cardinality. After a signal (stop_requested()) no
/// further solve begins, and the remaining answers stay skipped.
class PathSolve {
 public:
  PathSolve(const PathRequest& request, const PathSolver& solver, Dataset dataset)
      : request_(request),
        solver_(solver),
        dataset_(std::move(dataset)),
        spectrum_(*dataset_.covariance) {
    spectrum_.limit(check_time_limit(request.seconds));
  }

  /// Solves at ascending cardinalities only: for resamples and folds.
  Answers run() const {
    Answers answers(request_.cardinalities.size());
    run_up([&](std::size_t i, const CardinalityAnswer& answer) { answers[i] = answer; });
    return answers;
  }

  /// Solves at ascending and then at descending cardinalities: a start with more variables can lead
  /// to a better answer than one with fewer.
  void run_both_ways(const StoreAnswer& store) const {
    Answers answers(request_.cardinalities.size());
    run_up([&](std::size_t i, const CardinalityAnswer& answer) {
      answers[i] = answer;
      store(i, answer);
    });
    const Traits& traits = solver_.entry->traits;
    for (std::size_t i = answers.size(); !traits.path && traits.warm_start && i-- > 1;) {
      CardinalityAnswer& smaller = answers[i - 1];
      if (stop_requested()) {
        return;
      }
      CardinalityAnswer again = solve_at(request_.cardinalities[i - 1], start_from(answers[i]));
      if (stop_requested()) {
        return;  // interrupted: the answer from below is complete
      }
      again.seconds += smaller.seconds;
      if (again.value > smaller.value || std::isnan(smaller.value)) {
        smaller = std::move(again);
      } else {
        smaller.seconds = again.seconds;
      }
      store(i - 1, smaller);
    }
  }

 private:
  void run_up(const StoreAnswer& store) const {
    if (solver_.entry->traits.path) {
      run_once(store);
      return;
    }
    CardinalityAnswer answer;
    for (std::size_t i = 0; i < request_.cardinalities.size() && !stop_requested(); ++i) {
      CardinalityAnswer next = solve_at(request_.cardinalities[i], start_from(answer));
      answer = std::move(next);
      store(i, answer);
    }
  }

  const Component* start_from(const CardinalityAnswer& answer) const {
    return solver_.entry->traits.warm_start && answer.has_answer() ? &answer.component : nullptr;
  }

  SolveOutcome solve_with(Index k, const Component* start) const {
    return solve({.covariance = dataset_.covariance,
                  .solver = solver_.entry,
                  .options = solver_.options,
                  .cardinality = {k},
                  .start = start,
                  .seed = hash64(fmt::format("{}/{}", request_.seed, k)),
                  .seconds = request_.seconds});
  }

  /// Returns the judged answer of `solution`, which has one component or none. After a time limit
  /// there may be none; a solver that ends by its own rule must return one.
  CardinalityAnswer judged(Solution solution, const SolveOutcome& outcome, Index k) const {
    CardinalityAnswer answer;
    answer.status = solution.status;
    answer.message = solution.message;
    answer.cardinality_missed = outcome.cardinality_missed;
    answer.truncated = outcome.truncated;
    if (answer.status == Status::kTimeLimit && answer.message.empty()) {
      answer.message = fmt::format("time limit of {:g} s", request_.seconds);
    }
    const bool is_late = answer.status == Status::kTimeLimit && solution.components.empty();
    if (!is_usable(answer.status) || is_late) {
      return answer;
    }
    const std::string fault = find_fault({.solver = *solver_.entry,
                                          .options = outcome.options,
                                          .solution = solution,
                                          .cardinality = {k},
                                          .cost = outcome.cost},
                                         dataset_, spectrum_);
    if (!fault.empty()) {
      answer.status = Status::kInvalid;
      answer.message = fault;
      return answer;
    }
    answer.component = std::move(solution.components[0]);
    answer.value = explained_by(answer.component);
    return answer;
  }

  /// Returns v'Sv. A length that differs from 1 by more than rounding, because a peer printed few
  /// digits, is corrected for: otherwise the value could be above a bound.
  double explained_by(const Component& component) const {
    constexpr double kRoundingOfLength = 1e-12;
    const double value = dataset_.covariance->quadratic_form(component);
    const double squared = component.values.squaredNorm();
    return std::abs(squared - 1) > kRoundingOfLength ? value / squared : value;
  }

  CardinalityAnswer solve_at(Index k, const Component* start) const {
    const SolveOutcome outcome = solve_with(k, start);
    CardinalityAnswer answer = judged(outcome.solution, outcome, k);
    answer.seconds = outcome.cost.solve_seconds;
    // It is unknown whether the signal came before the solver had finished.
    if (stop_requested() && is_usable(answer.status)) {
      answer.status = Status::kTimeLimit;
      answer.message = kInterrupted;
    }
    return answer;
  }

  void run_once(const StoreAnswer& store) const {
    if (stop_requested()) {
      return;
    }
    const SolveOutcome outcome = solve_with(request_.cardinalities.back(), nullptr);
    const std::vector<PathPoint>& path = outcome.solution.path;
    for (std::size_t i = 0; i < request_.cardinalities.size(); ++i) {
      const Index k = request_.cardinalities[i];
      const std::size_t position = static_cast<std::size_t>(k) - 1;
      Solution solution = outcome.solution;
      solution.components.clear();
      if (position < path.size()) {
        solution.components = {path[position].component};
        // This cardinality was done before a signal came.
        const bool is_whole = solution.status == Status::kTimeLimit && stop_requested();
        solution.status = is_whole ? Status::kConverged : solution.status;
      } else if (is_usable(solution.status)) {
        const bool is_cut = stop_requested();
        solution.status = is_cut ? Status::kTimeLimit : Status::kNumericalFailure;
        solution.message =
            is_cut ? std::string(kInterrupted) : fmt::format("the path ends before k = {}", k);
      }
      CardinalityAnswer answer = judged(std::move(solution), outcome, k);
      answer.seconds = position < path.size() ? path[position].seconds : 0;
      store(i, answer);
    }
  }

  const PathRequest& request_;
  const PathSolver& solver_;
  Dataset dataset_;
  Spectrum spectrum_;  // of dataset_, for the laws
};

/// Makes the answer invalid if there is a fault.
void refuse(CardinalityAnswer& answer, const std::string& fault) {
  if (!fault.empty()) {
    answer.status = Status::kInvalid;
    answer.message = fault;
    answer.component = {};
    answer.value = kNotMeasured;
  }
}

/// Returns the data set with these samples only. The truth stays: the samples come from the same S.
Dataset part_of(const Dataset& dataset, const std::vector<Index>& samples) {
  return {.covariance = dataset.covariance->of_samples(samples),
          .variable_names = {},
          .truth = dataset.truth};
}

/// Returns the folds of the data, each with S of its samples.
std::vector<PathFold> divided(const PathRequest& request) {
  std::vector<PathFold> folds;
  for (SampleFold& samples : sample_folds(request.dataset.covariance->samples(), request.folds,
                                          hash64(fmt::format("folds/{}", request.seed)))) {
    Dataset training = part_of(request.dataset, samples.kept);
    folds.push_back({.samples = std::move(samples),
                     .training = std::move(training),
                     .whole = request.dataset.covariance});
  }
  return folds;
}

/// The mean of a number that was not measured, or that is not to be chosen.
constexpr MeanAndError kNoMean = {.mean = kNotMeasured, .standard_error = kNotMeasured};

/// The measurements at each cardinality by fold, and the scores that they need.
struct FoldMeasures {
  std::vector<std::vector<double>> errors;  // by fold
  std::vector<std::vector<Vector>> scores;  // of the samples left out, by fold
  std::vector<std::vector<Vector>> of_all;  // of the answers on all samples, by fold
};

/// Returns the scores of some samples; empty if there is no component.
Vector scores_of(const Covariance& covariance, const Component& component,
                 const std::vector<Index>& samples) {
  return component.support.empty() ? Vector()
                                   : selected_entries(covariance.data_product(component), samples);
}

/// Returns |correlation| of two scores; 0 if one is constant, NaN if there is none.
double correlation_of(const Vector& a, const Vector& b) {
  if (a.size() == 0 || b.size() == 0) {
    return kNotMeasured;
  }
  const Vector x = a.array() - a.mean(), y = b.array() - b.mean();
  const double lengths = x.norm() * y.norm();
  return lengths > 0 ? std::min(1.0, std::abs(x.dot(y)) / lengths) : 0;
}

/// Solves on the samples that each fold keeps. Returns false if a signal came before the last fold
/// was done.
bool solve_folds(const PathRequest& request, const PathSolver& solver,
                 const std::vector<PathPointSummary>& points, std::vector<PathFold>& folds,
                 FoldMeasures& measures, const std::function<void()>& step) {
  for (PathFold& fold : folds) {
    fold.components.clear();
    for (CardinalityAnswer& answer : PathSolve(request, solver, fold.training).run()) {
      fold.components.push_back(std::move(answer.component));
    }
    if (stop_requested()) {
      return false;
    }
    const auto& [kept, left_out] = fold.samples;
    measures.errors.push_back(left_out_errors(*fold.whole, kept, left_out, fold.components));
    std::vector<Vector> own, all;
    for (std::size_t i = 0; i < points.size(); ++i) {
      own.push_back(scores_of(*fold.whole, fold.components[i], left_out));
      all.push_back(scores_of(*request.dataset.covariance, points[i].answer.component, left_out));
    }
    measures.scores.push_back(std::move(own));
    measures.of_all.push_back(std::move(all));
    step();
  }
  return true;
}

/// Returns the errors of the points on samples left out; none where only the folds have answers.
std::vector<MeanAndError> errors_of(const std::vector<PathPointSummary>& points) {
  std::vector<MeanAndError> errors;
  for (const PathPointSummary& point : points) {
    errors.push_back(point.answer.has_answer() ? MeanAndError{point.reconstruction_error,
                                                              point.reconstruction_standard_error}
                                               : kNoMean);
  }
  return errors;
}

/// Sets the errors and correlations of the points.
void measure_folds(const FoldMeasures& measures, std::vector<PathPointSummary>& points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::vector<double> errors;
    for (const std::vector<double>& of_fold : measures.errors) {
      errors.push_back(of_fold[i]);
    }
    const MeanAndError error = mean_and_error(errors);
    points[i].reconstruction_error = error.mean;
    points[i].reconstruction_standard_error = error.standard_error;
  }
  const std::optional<std::size_t> reference = first_near_least(errors_of(points));
  for (std::size_t i = 0; i < points.size() && reference; ++i) {
    std::vector<double> to_reference, to_same;
    for (std::size_t f = 0; f < measures.scores.size(); ++f) {
      to_reference.push_back(correlation_of(measures.scores[f][i], measures.of_all[f][*reference]));
      to_same.push_back(correlation_of(measures.scores[f][i], measures.of_all[f][i]));
    }
    const MeanAndError reference_mean = mean_and_error(to_reference);
    const MeanAndError same_mean = mean_and_error(to_same);
    points[i].score_correlation = reference_mean.mean;
    points[i].score_correlation_standard_error = reference_mean.standard_error;
    points[i].repeat_correlation = same_mean.mean;
    points[i].repeat_correlation_standard_error = same_mean.standard_error;
  }
}

/// Returns the stability at each cardinality; empty if a signal came before the last resample was
/// done.
std::vector<double> resample(const PathRequest& request, const PathSolver& solver,
                             const std::function<void()>& step) {
  Random random(hash64(fmt::format("resamples/{}", request.seed)));
  const Covariance& covariance = *request.dataset.covariance;
  std::vector<std::vector<Support>> supports(request.cardinalities.size());
  for (Index resample = 0; resample < request.resamples; ++resample) {
    std::vector<Index> half = shuffled(covariance.samples(), random);
    half.resize(half.size() / 2);
    std::sort(half.begin(), half.end());
    const Answers answers = PathSolve(request, solver, part_of(request.dataset, half)).run();
    if (stop_requested()) {
      return {};
    }
    for (std::size_t i = 0; i < supports.size(); ++i) {
      if (answers[i].has_answer()) {
        supports[i].push_back(answers[i].component.support);
      }
    }
    step();
  }
  std::vector<double> stabilities;
  stabilities.reserve(supports.size());
  for (const std::vector<Support>& found : supports) {
    stabilities.push_back(support_stability(found, covariance.variables()));
  }
  return stabilities;
}

/// Returns the suggestion of the scores; `varying` variables have variance.
std::optional<Index> suggested_by_scores(const std::vector<Index>& cardinalities,
                                         const std::vector<PathPointSummary>& points,
                                         Index varying) {
  // At least half of the variance of the reference's scores.
  constexpr double kLeastShare = 0.5;
  std::vector<MeanAndError> differences;  // minus the repeat correlation: the least is the best
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double share = points[i].score_correlation * points[i].score_correlation;
    const bool may_be_suggested =
        cardinalities[i] >= 2 && cardinalities[i] <= varying / 2 && share >= kLeastShare;
    differences.push_back(may_be_suggested
                              ? MeanAndError{-points[i].repeat_correlation,
                                             points[i].repeat_correlation_standard_error}
                              : kNoMean);
  }
  const std::optional<std::size_t> found = first_near_least(differences);
  return found ? std::optional(cardinalities[*found]) : std::nullopt;
}

PathSuggestion suggest(const std::vector<Index>& cardinalities,
                       const std::vector<PathPointSummary>& points, Index varying) {
  PathSuggestion suggestion;
  const std::vector<MeanAndError> errors = errors_of(points);
  std::optional<std::size_t> best;
  std::vector<double> values;
  for (std::size_t i = 0; i < points.size(); ++i) {
    values.push_back(points[i].answer.value);
    if (!std::isnan(errors[i].mean) && (!best || errors[i].mean < errors[*best].mean)) {
      best = i;
    }
  }
  suggestion.knee = knee(cardinalities, values);
  if (best) {
    suggestion.cross_validation = cardinalities[*best];
    suggestion.one_standard_error = cardinalities[*first_near_least(errors)];
  }
  suggestion.scores = suggested_by_scores(cardinalities, points, varying);
  return suggestion;
}

void check(const PathRequest& request) {
  const Index p = request.dataset.covariance->variables();
  const std::vector<Index>& ks = request.cardinalities;
  SPCA_CHECK(!request.solvers.empty(), "a path without a solver");
  const bool ascending =
      std::adjacent_find(ks.begin(), ks.end(), std::greater_equal<>()) == ks.end();
  if (ks.empty() || !ascending || ks.front() < 1 || ks.back() > p) {
    throw InputError(
        fmt::format("cardinality: accepted: ascending whole numbers from 1 to p = {}", p));
  }
  for (const PathSolver& solver : request.solvers) {
    if (solver.entry->traits.rule == SparsityRule::kDense) {
      throw InputError(fmt::format("solver {} is not sparse; accepted: a solver with a cardinality",
                                   solver.entry->name));
    }
  }
}

/// Marks every answer as invalid that is above a bound (contradiction.h). The bound of a
/// cardinality holds for every smaller one.
void refuse_contradictions(PathReport& report) {
  CardinalityBound least{.value = std::numeric_limits<double>::infinity(), .source = ""};
  for (std::size_t i = report.bounds.size(); i-- > 0;) {
    least = report.bounds[i].value < least.value ? report.bounds[i] : least;
    for (SolverPath& path : report.solvers) {
      CardinalityAnswer& answer = path.points[i].answer;
      refuse(answer, find_contradiction({answer.value, path.solver.entry->name},
                                        {least.value, least.source}));
    }
  }
}

/// Lowers the bounds to exact answers: each bounds its own cardinality and every smaller one. Makes
/// an exact answer invalid if one variable alone explains more.
void tighten(const Covariance& covariance, PathReport& report) {
  const double largest_variance = covariance.diagonal().maxCoeff();
  for (SolverPath& path : report.solvers) {
    if (!path.solver.entry->traits.exact) {
      continue;
    }
    for (std::size_t i = 0; i < path.points.size(); ++i) {
      CardinalityAnswer& answer = path.points[i].answer;
      if (answer.status == Status::kConverged) {
        refuse(answer, find_contradiction({largest_variance, "the variance of one variable"},
                                          {answer.value, "the optimum that " +
                                                             path.solver.entry->name + " claims"}));
      }
      for (std::size_t j = 0; answer.status == Status::kConverged && j <= i; ++j) {
        if (answer.value < report.bounds[j].value) {
          report.bounds[j] = {.value = answer.value, .source = path.solver.entry->name};
        }
      }
    }
  }
}

}  // namespace

double support_stability(const std::vector<Support>& supports, Index p) {
  const auto count = static_cast<double>(supports.size());
  if (supports.size() < 2) {
    return kNotMeasured;
  }
  std::map<Index, double> selected;
  double mean_size = 0;
  for (const Support& support : supports) {
    mean_size += static_cast<double>(support.size()) / count;
    for (const Index j : support) {
      selected[j] += 1;
    }
  }
  // Equation (4): 1 minus the mean of s_j^2, the unbiased variance of "j is selected", divided by
  // its value for random supports of this mean size. Variables that are never selected add nothing
  // to the sum.
  double variance = 0;
  for (const auto& [variable, times] : selected) {
    variance += count / (count - 1) * (times / count) * (1 - times / count);
  }
  const double share = mean_size / static_cast<double>(p);
  const double by_chance = mean_size * (1 - share);
  return by_chance > 0 ? 1 - variance / by_chance : kNotMeasured;
}

std::optional<Index> knee(const std::vector<Index>& cardinalities,
                          const std::vector<double>& values) {
  std::vector<std::pair<double, double>> points;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) {
      points.emplace_back(static_cast<double>(cardinalities[i]), values[i]);
    }
  }
  if (points.size() < 3 || !(points.back().second > points.front().second)) {
    return std::nullopt;
  }
  const auto [first_k, first_value] = points.front();
  const auto [last_k, last_value] = points.back();
  double farthest = 0;
  std::optional<Index> best;
  for (const auto& [k, value] : points) {
    const double above =
        (value - first_value) / (last_value - first_value) - (k - first_k) / (last_k - first_k);
    if (above > farthest) {
      farthest = above;
      best = static_cast<Index>(k);
    }
  }
  return best;
}

std::vector<double> left_out_errors(const Covariance& covariance, const std::vector<Index>& kept,
                                    const std::vector<Index>& left_out,
                                    const std::vector<Component>& components) {
  // With b_i the rows of B (scores are B v) and m their mean over `kept`, row i counts as b_i - m.
  Vector squares = covariance.squared_sample_norms();
  Vector weights = Vector::Zero(covariance.samples());
  if (covariance.is_centered()) {
    weights(kept).setConstant(1 / static_cast<double>(kept.size()));
    const Vector mean = covariance.transpose_product(weights);
    const Component all{.support = all_variables(mean.size()), .values = mean};
    squares +=
        Vector::Constant(squares.size(), mean.squaredNorm()) - 2 * covariance.data_product(all);
  }
  const double total = squares(left_out).sum();
  std::vector<double> errors;
  for (const Component& component : components) {
    if (component.support.empty() || !(total > 0)) {
      errors.push_back(kNotMeasured);
      continue;
    }
    const Vector scores = covariance.data_product(component);
    const double centre = weights.dot(scores);
    errors.push_back(1 - (scores(left_out).array() - centre).square().sum() / total);
  }
  return errors;
}

namespace {

/// Returns a report with the bounds, and the reasons for missing stability or cross-validation.
PathReport begin_report(const PathRequest& request) {
  const Covariance& covariance = *request.dataset.covariance;
  PathReport report;
  report.total_variance = covariance.total_variance();
  try {
    report.lambda_1 = Spectrum(covariance).leading(1)[0];
  } catch (const NumericalError&) {
    report.lambda_1 = kNotMeasured;
  }
  if (!stop_requested()) {
    report.bounds = cardinality_bounds(covariance, request.cardinalities, report.lambda_1);
  }
  const bool has_samples = covariance.has_data_form() && covariance.samples() > 0;
  const Index n = covariance.samples();
  if (!has_samples || n < 4) {
    report.without_resamples = has_samples ? "fewer than 4 samples" : "S is given, not the data";
  } else if (request.resamples < 2) {
    report.without_resamples = "not asked for";
  }
  report.without_folds = reason_without_folds(covariance, request.folds);
  return report;
}

/// The work for one solver: its answers, their stability, their errors on samples left out.
class SolverSweep {
 public:
  SolverSweep(const PathRequest& request, const PathSolver& solver, GrowingPathReport& report,
              std::function<void()> step)
      : request_(request), solver_(solver), report_(report), step_(std::move(step)) {}

  void run(bool resamples, bool folds) {
    report_.change([&](PathReport& all) {
      all.solvers.push_back({.solver = solver_,
                             .points = std::vector<PathPointSummary>(request_.cardinalities.size()),
                             .suggestion = {}});
    });
    PathSolve(request_, solver_, request_.dataset)
        .run_both_ways([&](std::size_t i, const CardinalityAnswer& answer) {
          change([&](SolverPath& path) { path.points[i].answer = answer; });
        });
    report_.change(refuse_contradictions);
    if (!goes_on()) {
      return;
    }
    if (resamples) {
      set_stabilities(resample(request_, solver_.for_samples(), step_));
    }
    if (folds && !stop_requested()) {
      cross_validate();
    }
    if (stop_requested()) {
      return;
    }
    change([&](SolverPath& path) {
      path.suggestion = suggest(request_.cardinalities, path.points,
                                std::ssize(varying_variables(*request_.dataset.covariance)));
      path.is_complete = true;
    });
  }

 private:
  void change(const std::function<void(SolverPath&)>& use) {
    report_.change([&](PathReport& all) { use(all.solvers.back()); });
  }

  /// Reports the main path as done; returns false if a signal came.
  bool goes_on() const {
    if (!stop_requested()) {
      step_();
    }
    return !stop_requested();
  }

  void set_stabilities(const std::vector<double>& stabilities) {
    change([&](SolverPath& path) {
      for (std::size_t i = 0; i < stabilities.size(); ++i) {
        path.points[i].stability = stabilities[i];
      }
    });
  }

  void cross_validate() {
    std::vector<PathFold> own;
    std::vector<PathFold>* folds = request_.divided;
    if (folds == nullptr) {
      own = divided(request_);
      folds = &own;
    }
    FoldMeasures measures;
    std::vector<PathPointSummary> points = report_.so_far().solvers.back().points;
    if (solve_folds(request_, solver_.for_samples(), points, *folds, measures, step_)) {
      measure_folds(measures, points);
      change([&](SolverPath& path) { path.points = points; });
    }
  }

  const PathRequest& request_;
  const PathSolver& solver_;
  GrowingPathReport& report_;
  std::function<void()> step_;
};

}  // namespace

PathReport GrowingPathReport::so_far() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void GrowingPathReport::change(const std::function<void(PathReport&)>& change) {
  const std::lock_guard lock(mutex_);
  change(report_);
}

void solve_path(const PathRequest& request, GrowingPathReport& report) {
  check(request);
  const PathReport begin = begin_report(request);
  report.change([&](PathReport& all) { all = begin; });
  const bool resamples = begin.without_resamples.empty();
  const bool folds = begin.without_folds.empty();
  const Index paths_each = 1 + (resamples ? request.resamples : 0) + (folds ? request.folds : 0);
  const std::size_t all = request.solvers.size() * static_cast<std::size_t>(paths_each);
  std::size_t done = 0;
  const auto step = [&] { request.progress(++done, all); };
  for (const PathSolver& solver : request.solvers) {
    if (stop_requested()) {
      break;
    }
    SolverSweep(request, solver, report, step).run(resamples, folds);
  }
  report.change([&](PathReport& whole) {
    tighten(*request.dataset.covariance, whole);
    refuse_contradictions(whole);
  });
}

namespace {

/// Sets the choice of a finished path.
void choose(ComponentPath& path) {
  const PathSuggestion& suggestion = path.report.solvers.front().suggestion;
  const std::optional<Index>& error = suggestion.one_standard_error;
  if (error && (*error <= path.varying / 2 || !suggestion.scores)) {
    path.chosen = error;
    path.rule = "one_standard_error";
  } else if (error) {
    path.chosen = suggestion.scores;
    path.rule = "scores";
  } else if (suggestion.knee) {
    path.chosen = suggestion.knee;
    path.rule = "knee";
  }
}

/// Deflates by the answers at the i-th cardinality.
void deflate(const DeflationEntry& deflation, const ComponentPath& path, std::size_t i,
             PathRequest& request, std::vector<PathFold>& folds) {
  const Component& found = path.report.solvers.front().points[i].answer.component;
  request.dataset.covariance = deflation.deflate(request.dataset.covariance, found);
  for (PathFold& fold : folds) {
    const Component& own = fold.components[i];
    if (!own.support.empty()) {
      fold.training.covariance = deflation.deflate(fold.training.covariance, own);
      fold.whole = deflation.deflate(fold.whole, own);
    }
  }
}

}  // namespace

std::vector<ComponentPath> solve_component_paths(const ComponentsRequest& request) {
  PathRequest next = request.path;
  check(next);
  std::vector<PathFold> folds;
  if (reason_without_folds(*next.dataset.covariance, next.folds).empty()) {
    folds = divided(next);
    next.divided = &folds;
  }
  std::vector<ComponentPath> paths;
  while (std::ssize(paths) < request.components && !stop_requested()) {
    const Index varying = std::ssize(varying_variables(*next.dataset.covariance));
    next.cardinalities.clear();
    for (const Index k : request.path.cardinalities) {
      if (k <= varying) {
        next.cardinalities.push_back(k);
      }
    }
    if (next.cardinalities.empty()) {
      break;
    }
    ComponentPath path{
        .varying = varying, .cardinalities = next.cardinalities, .report = solve_path(next)};
    if (!path.report.solvers.empty() && path.report.solvers.front().is_complete) {
      choose(path);
    }
    paths.push_back(std::move(path));
    if (!paths.back().chosen || std::ssize(paths) == request.components) {
      break;
    }
    const auto& ks = paths.back().cardinalities;
    const auto i = std::find(ks.begin(), ks.end(), *paths.back().chosen) - ks.begin();
    deflate(*request.deflation, paths.back(), static_cast<std::size_t>(i), next, folds);
  }
  return paths;
}

PathReport solve_path(const PathRequest& request) {
  GrowingPathReport report;
  solve_path(request, report);
  return report.so_far();
}

}  // namespace spca
