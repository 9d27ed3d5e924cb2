/// Calls solvers, with everything that must be the same for all of them: limits, tuning (tuning.h),
/// deflation, seeds, signs, and the measurement of time.

#include "spca/solving/solve.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "spca/base/cardinality.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/sha256.h"
#include "spca/base/text.h"
#include "spca/dense/sparsify.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve_context.h"
#include "spca/solving/solve_watch.h"
#include "spca/solving/trace.h"
#include "spca/solving/tuning.h"
#include "spca/spectrum/eigen_patience.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/joint_loadings.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

/// Returns the processor time of this process and of its child processes that have ended. The solve
/// of a peer is such a child process.
double cpu_seconds_now() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) +
         seconds(children.ru_utime) + seconds(children.ru_stime);
}

void check_request(const SolveRequest& request) {
  SPCA_CHECK(request.covariance != nullptr && request.solver != nullptr,
             "a request without problem or solver");
  const Index p = request.covariance->variables();
  if (request.components < 1 || request.components > p) {
    throw InputError(fmt::format("components: {} is out of range; accepted: 1 to p = {}",
                                 request.components, p));
  }
  if (!request.cardinality.empty() &&
      static_cast<Index>(request.cardinality.size()) != request.components) {
    throw InputError(
        fmt::format("cardinality: {} numbers for {} components; accepted: one for each",
                    request.cardinality.size(), request.components));
  }
  SPCA_CHECK(request.start == nullptr || request.components == 1, "a start for several components");
  for (const Index k : request.cardinality) {
    if (k < 1 || k > p) {
      throw InputError(fmt::format("cardinality: {} is out of range; accepted: 1 to p = {}", k, p));
    }
  }
  const Traits& traits = request.solver->traits;
  if (traits.rule == SparsityRule::kCardinality && request.cardinality.empty()) {
    throw InputError(fmt::format("solver {} needs a cardinality", request.solver->name));
  }
  // Checked here rather than in each solver, so that all solvers refuse in the same words.
  if (request.components > 1 && !traits.multiple_components && request.deflation == nullptr) {
    throw InputError(fmt::format(
        "solver {} finds one component: {} components need a deflation; accepted: {}",
        request.solver->name, request.components, join(DeflationRegistry::instance().names())));
  }
}

/// Returns true if a component of the answer may be empty: with a given penalty that is not tuned,
/// perhaps no variable is worth its penalty.
bool may_be_empty(const SolveRequest& request) {
  const bool is_tuned = request.tune && !request.cardinality.empty();
  return request.solver->traits.rule == SparsityRule::kPenalty && !is_tuned;
}

constexpr const char* kNothingIsWorthIt = "no variable is worth its penalty";

/// Turns an answer without a component, or with a single component that is empty, into a numerical
/// failure: the solver has broken down although it reports convergence. An answer without a
/// component is accepted after a time limit.
void refuse_empty(Solution& solution) {
  const std::vector<Component>& components = solution.components;
  const bool is_late = solution.status == Status::kTimeLimit && components.empty();
  if (is_usable(solution.status) && !is_late &&
      (components.empty() || (components.size() == 1 && components[0].support.empty()))) {
    solution.status = Status::kNumericalFailure;
    solution.message = components.empty() ? "no component" : "an empty component";
  }
}

/// Drops empty components. With a given penalty, perhaps no variable is worth its penalty. The best
/// value is then 0 at the zero vector, which is not a component of unit length: the answer is the
/// other components, if there are any.
void drop_empty(const SolveRequest& request, Solution& solution) {
  if (!is_usable(solution.status) || !may_be_empty(request)) {
    return;
  }
  std::vector<Component>& components = solution.components;
  const auto is_empty = [](const Component& component) { return component.support.empty(); };
  const auto first = std::find_if(components.begin(), components.end(), is_empty);
  if (first == components.end()) {
    return;
  }
  if (solution.status != Status::kTimeLimit) {
    solution.status = Status::kIncomplete;
  }
  solution.message =
      fmt::format("component {} is empty: {}", first - components.begin() + 1, kNothingIsWorthIt);
  std::erase_if(components, is_empty);
  solution.certificate = nullptr;
}

/// Gives components that are accepted as unit vectors length 1: a length above 1 would give them
/// more variance than a bound allows. Lengths that differ by the rounding of a normalisation stay.
void normalise_lengths(std::vector<Component>& components) {
  constexpr double kRounding = 1e-12;
  for (Component& component : components) {
    const double length = component.values.norm();
    const double deviation = std::abs(length - 1);
    if (deviation > kRounding && deviation <= kUnitTolerance) {
      component.values /= length;
    }
  }
}

/// Makes the solution invalid if it has several components, or one that is malformed or, unless it
/// is empty, not of unit length: a deflation needs one unit vector.
void refuse_undeflatable(Solution& solution, Index p, std::size_t before) {
  refuse_malformed(solution, p, before);
  if (!is_usable(solution.status) || solution.components.empty()) {
    return;
  }
  const double length = solution.components[0].values.norm();
  if (solution.components.size() > 1) {
    solution.message = fmt::format("component {}: the solver found {} components, not 1",
                                   before + 1, solution.components.size());
  } else if (std::abs(length - 1) > kUnitTolerance && !solution.components[0].support.empty()) {
    solution.message = wrong_length(before, length);
  } else {
    return;
  }
  solution.status = Status::kInvalid;
  solution.components.clear();
}

/// At most this number of variables make up the answer if the solver had none: their submatrix of S
/// takes hardly any time. Chosen by trial, not measured.
constexpr Index kMostGuessed = 100;

/// One solve. The clock and the counters run through all calls of the solver.
class Session {
 public:
  explicit Session(const SolveRequest& request)
      : request_(request),
        context_(*request.covariance, request.threads),
        deadline_(request.seconds),
        base_products_(request.covariance->products()),
        cpu_start_(cpu_seconds_now()) {}

  /// Runs the solver once with the time that is left.
  Solution run(const Problem& problem, const Json& options);
  Solution tune(const Problem& problem, const std::vector<Index>& cardinality);
  Solution run_all();

  SolveOutcome finish(Solution solution);

 private:
  Solution one(const Covariance& covariance, Index components,
               const std::vector<Index>& cardinality, std::uint64_t seed);
  Solution deflate();
  bool is_too_late() const;
  std::string nothing_left() const;
  Solution without_component(Solution whole, Index j, const std::string& reason) const;
  Solution first_guess(const Covariance& covariance, const std::vector<Index>& cardinality) const;
  void add_facts(const Solution& solution);
  void add_to_whole(Solution& whole, Solution component, Index j) const;
  /// The number of products with S and its deflations so far. `covariance` is the matrix on which
  /// the solver works now.
  std::uint64_t products(const Covariance& covariance) const;
  void append_trace(const Budget& budget, const TracePoint& begin);
  /// Returns true if the tuned option takes one value for each component.
  bool tunes_list() const {
    return request_.options.at(request_.solver->traits.tuning.option).is_array();
  }

  const SolveRequest& request_;
  SolveContext context_;
  Budget clock_;
  double deadline_;  // for the current component, in seconds of clock_
  std::uint64_t base_products_;
  std::uint64_t deflated_products_ = 0;
  double cpu_start_;
  Index iterations_ = 0;
  bool is_external_ = false;
  Trace trace_;
  std::map<std::string, double> phases_;
  bool tuned_ = false;
  bool cardinality_missed_ = false;
  bool truncated_ = false;
  std::vector<double> tuned_values_;
  std::vector<Component> found_;  // in deflate(): the components found before the current one
  std::map<std::string, std::vector<double>> facts_;
};

Solution Session::run(const Problem& problem, const Json& options) {
  // Each call has a budget of its own, because the iteration limit holds for one call. Its seconds
  // are those left until the deadline of the component.
  Budget budget({.seconds = deadline_ - clock_.elapsed_seconds(),
                 .trace = request_.trace,
                 .watch = request_.watch},
                &problem.covariance);
  if (request_.watch != nullptr) {
    request_.watch->begin_component(std::ssize(found_) + 1);
  }
  const TracePoint begin{.iteration = iterations_,
                         .seconds = clock_.elapsed_seconds(),
                         .products = products(problem.covariance) - problem.covariance.products()};
  Solution solution;
  // A method that breaks down on valid input is an outcome. Any other exception is a mistake in the
  // program, and propagates.
  try {
    // Eigensolves end at the time limit only before the first iteration: later an exception would
    // lose the solver's answer so far.
    // Solvers with laws need all of their eigenpairs.
    const bool has_laws = !request_.solver->traits.laws.empty();
    const EigenPatience patience([&budget, has_laws] {
      return !has_laws && budget.iterations() == 0 && budget.is_time_up();
    });
    solution = request_.solver->solve(problem, options, budget);
  } catch (const NumericalError& error) {
    // An eigensolve that the time limit has ended is not a failure of the method.
    solution.status = budget.is_time_up() ? Status::kTimeLimit : Status::kNumericalFailure;
    solution.message = budget.is_time_up() ? "" : error.what();
  }
  // A solver that was stopped before its first step may return empty components.
  if (solution.status == Status::kTimeLimit &&
      std::all_of(solution.components.begin(), solution.components.end(),
                  [](const Component& component) { return component.support.empty(); })) {
    solution.components.clear();
  }
  iterations_ += budget.iterations();
  is_external_ = is_external_ || budget.is_external();
  for (const auto& [name, seconds] : budget.phases().seconds()) {
    phases_[name] += seconds;
  }
  append_trace(budget, begin);
  normalise_lengths(solution.components);
  return solution;
}

std::uint64_t Session::products(const Covariance& covariance) const {
  const std::uint64_t of_given = request_.covariance->products() - base_products_;
  const bool is_deflated = &covariance != request_.covariance.get();
  return of_given + deflated_products_ + (is_deflated ? covariance.products() : 0);
}

/// Appends the trace of one call. A budget counts from the beginning of its call, and its products
/// from the beginning of the covariance; `begin` has the numbers to add.
void Session::append_trace(const Budget& budget, const TracePoint& begin) {
  for (TracePoint point : budget.trace()) {
    point.iteration += begin.iteration;
    point.seconds += begin.seconds;
    point.products += begin.products;
    trace_.add(point);
  }
}

Solution Session::tune(const Problem& problem, const std::vector<Index>& cardinality) {
  const Tuning& tuning = request_.solver->traits.tuning;
  Json options = request_.options;
  // The largest loadings of orthogonal components are not orthogonal.
  const bool may_truncate =
      wants_truncation(options) && !(problem.components > 1 && request_.solver->traits.orthogonal);
  TunedSolution tuned = spca::tune(
      tuning, cardinality, tunes_list(),
      [&](const std::vector<double>& values) {
        // A solver with one penalty takes a number, one with a list takes a list.
        options[tuning.option] = values.size() == 1 ? Json(values[0]) : Json(values);
        Solution solution = run(problem, options);
        refuse_malformed(solution, problem.covariance.variables(), found_.size());
        return solution;
      },
      may_truncate ? &problem.covariance : nullptr);
  tuned_values_.insert(tuned_values_.end(), tuned.values.begin(), tuned.values.end());
  cardinality_missed_ = cardinality_missed_ || tuned.cardinality_missed;
  truncated_ = truncated_ || tuned.truncated;
  return std::move(tuned.solution);
}

Solution Session::one(const Covariance& covariance, Index components,
                      const std::vector<Index>& cardinality, std::uint64_t seed) {
  const SparsityRule rule = request_.solver->traits.rule;
  Problem problem{.covariance = covariance,
                  .components = components,
                  .start = request_.start,
                  .seed = seed,
                  .threads = request_.threads};
  if (rule == SparsityRule::kCardinality) {
    // Only cardinality solvers see k. A penalty solver must not use it, or tuning would be
    // pointless.
    problem.cardinality = cardinality;
  }
  tuned_ = rule == SparsityRule::kPenalty && request_.tune && !cardinality.empty();
  Solution solution = tuned_ ? tune(problem, cardinality) : run(problem, request_.options);
  // A guess is made only for the first component: later, the components found so far are an answer.
  // None is made for solvers with laws, or for another program.
  if (solution.status == Status::kTimeLimit && solution.components.empty() && found_.empty() &&
      request_.solver->traits.laws.empty() && !is_external_) {
    solution = first_guess(covariance, cardinality);
  }
  // Hotelling's deflation can leave an S with v'Sv > 0 for some v, but S_jj <= 0 for every j. Many
  // methods need a single variable of positive variance to start from.
  if (solution.status == Status::kNumericalFailure && !(covariance.diagonal().maxCoeff() > 0)) {
    solution = skipped(fmt::format("{} ({})", kNoVariance, solution.message));
  }
  add_facts(solution);
  return solution;
}

/// Adds the facts of one call: one number for each name, NaN if the solver did not report it. A
/// name that the solver reports several times, as for each step of a path, keeps all its numbers.
void Session::add_facts(const Solution& solution) {
  const std::size_t before = found_.size();
  for (const auto& [name, value] : solution.facts) {
    std::vector<double>& values = facts_[name];
    values.resize(std::max(before, values.size()), kNotMeasured);
    values.push_back(value);
  }
  for (auto& [name, values] : facts_) {
    values.resize(std::max(before + 1, values.size()), kNotMeasured);
  }
}

/// Returns true if a stop was requested, or if there is no time for another component. The latter
/// is rare, because earlier components end at their shares of the time.
bool Session::is_too_late() const {
  return stop_requested() || clock_.elapsed_seconds() > request_.seconds;
}

/// Returns the variables of largest variance, with the best loadings on them: the answer if the
/// time ends before the solver has one.
Solution Session::first_guess(const Covariance& covariance,
                              const std::vector<Index>& cardinality) const {
  Solution solution;
  solution.status = Status::kTimeLimit;
  const Vector& variances = covariance.diagonal();
  const Index k = std::min(cardinality.empty() ? 1 : cardinality[0], kMostGuessed);
  const Support support = top_k(variances, std::min(k, (variances.array() > 0).count()));
  solution.message.clear();
  if (support.empty()) {
    return solution;
  }
  solution.message = fmt::format(
      "the solver had no answer yet: {} of largest variance",
      support.size() == 1 ? "the variable" : fmt::format("the {} variables", support.size()));
  solution.components.push_back(best_on_support(covariance, support).component);
  return solution;
}

/// Adds the j-th component to the earlier ones, and its message to theirs. The status is the first
/// one that is not converged, but time_limit if any component has it.
void Session::add_to_whole(Solution& whole, Solution component, Index j) const {
  if (j == 0 || component.status == Status::kTimeLimit || whole.status == Status::kConverged) {
    whole.status = component.status;
  }
  if (!component.message.empty()) {
    whole.message += fmt::format("{}component {}: {}", whole.message.empty() ? "" : "; ", j + 1,
                                 component.message);
  }
  whole.facts = std::move(component.facts);
  whole.components.push_back(std::move(component.components[0]));
}

/// Returns the message that S has no variance left, with a remedy if the earlier components contain
/// too many variables.
std::string Session::nothing_left() const {
  const Index varying = (request_.covariance->diagonal().array() > 0).count();
  if (!request_.deflation->disjoint || varying < request_.components ||
      total_cardinality(request_.cardinality) <= varying) {
    return kNoVariance;
  }
  return fmt::format(
      "{}: those before hold all {}; accepted: cardinalities with a sum of at most {}, or a "
      "deflation that lets them share variables (projection)",
      kNoVariance, varying, varying);
}

/// Returns the answer if there is no j-th component: the earlier ones, with a message that says so.
Solution Session::without_component(Solution whole, Index j, const std::string& reason) const {
  // The status time_limit of an earlier component is kept: the answer depends on the time.
  if (whole.status != Status::kTimeLimit) {
    whole.status = Status::kIncomplete;
  }
  whole.message +=
      fmt::format("{}component {}: {}", whole.message.empty() ? "" : "; ", j + 1, reason);
  return whole;
}

Solution Session::deflate() {
  std::shared_ptr<const Covariance> covariance = request_.covariance;
  Solution whole;
  whole.message.clear();
  for (Index j = 0; j < request_.components; ++j) {
    const std::vector<Index> cardinality =
        request_.cardinality.empty()
            ? std::vector<Index>{}
            : std::vector<Index>{request_.cardinality[static_cast<std::size_t>(j)]};
    // Stored in a member, so that the components found so far are reported if this one fails.
    found_ = whole.components;
    // For the first component run_all() has checked this.
    if (j > 0 && !has_variance(*covariance)) {
      whole = without_component(std::move(whole), j, nothing_left());
      break;
    }
    if (j > 0 && is_too_late()) {
      whole.status = Status::kTimeLimit;
      break;
    }
    // The time that a component leaves of its share goes to the later ones.
    const double begun = clock_.elapsed_seconds();
    deadline_ = begun + (request_.seconds - begun) / static_cast<double>(request_.components - j);
    // Each component has a seed of its own, derived from the request's. With one seed for all,
    // later components would repeat the random starts of the first.
    Solution solution =
        one(*covariance, 1, cardinality, hash64(fmt::format("{}/{}", request_.seed, j)));
    // The products of this S move into a sum, because the next deflation replaces the object that
    // counts them.
    if (covariance != request_.covariance) {
      deflated_products_ += covariance->products();
    }
    const bool ran_out_of_time =
        solution.status == Status::kTimeLimit && solution.components.empty();
    if (ran_out_of_time && j > 0) {
      // The components found so far are the answer: feasible and of known variance.
      whole.status = Status::kTimeLimit;
      break;
    }
    if (solution.status == Status::kSkipped && j > 0) {
      whole = without_component(std::move(whole), j, solution.message);
      break;
    }
    refuse_undeflatable(solution, covariance->variables(), found_.size());
    const bool is_empty = solution.components.size() == 1 && solution.components[0].support.empty();
    if (is_empty && is_usable(solution.status) && may_be_empty(request_)) {
      whole = without_component(std::move(whole), j, kNothingIsWorthIt);
      break;
    }
    refuse_empty(solution);
    if (solution.status == Status::kNumericalFailure && j > 0) {
      whole = without_component(std::move(whole), j, solution.message);
      break;
    }
    if (ran_out_of_time || !is_usable(solution.status)) {
      // A solver that skips the first component skips the whole problem, with all its components.
      const bool skips_all = solution.status == Status::kSkipped;
      const bool names_component = solution.status == Status::kInvalid;
      if (!solution.message.empty() && !skips_all && !names_component) {
        solution.message = fmt::format("component {}: {}", j + 1, solution.message);
      }
      return solution;
    }
    add_to_whole(whole, std::move(solution), j);
    if (j + 1 < request_.components) {
      covariance = request_.deflation->deflate(covariance, whole.components.back());
    }
  }
  // `whole` has neither the paths nor the certificates of the components, because these refer to
  // deflations of S.
  found_.clear();
  return whole;
}

Solution Session::run_all() {
  const Traits& traits = request_.solver->traits;
  if (request_.covariance->variables() > traits.largest_p) {
    return skipped(fmt::format("p = {} is beyond {}, the largest p that {} takes",
                               request_.covariance->variables(), traits.largest_p,
                               request_.solver->name));
  }
  if (!has_variance(*request_.covariance)) {
    return skipped(kNoVariance);
  }
  if (request_.components > 1 && !traits.multiple_components) {
    return deflate();
  }
  Solution solution =
      one(*request_.covariance, request_.components, request_.cardinality, request_.seed);
  drop_empty(request_, solution);
  if (owes_answer(solution.status)) {
    refuse_empty(solution);
  }
  return solution;
}

SolveOutcome Session::finish(Solution solution) {
  SolveOutcome outcome;
  solution.message = kept_message(solution.message);
  // The clock is read first: the following work is the harness's, not the solver's.
  outcome.cost.solve_seconds = clock_.elapsed_seconds();
  outcome.cost.cpu_seconds = cpu_seconds_now() - cpu_start_;
  outcome.cost.iterations = static_cast<double>(iterations_);
  outcome.cost.products =
      static_cast<double>(request_.covariance->products() - base_products_ + deflated_products_);
  outcome.cost.phases = std::move(phases_);
  // The work of a peer cannot be counted here, and zero would be wrong.
  if (is_external_) {
    outcome.cost.iterations = kNotMeasured;
    outcome.cost.products = kNotMeasured;
  }
  const auto count = std::ssize(solution.components);
  if (may_lack_components(solution.status) && count > 0 && count < request_.components) {
    solution.message = fmt::format("{} of {} components{}{}", count, request_.components,
                                   solution.message.empty() ? "" : "; ", solution.message);
  }
  for (Component& component : solution.components) {
    // v and -v are the same answer. With a fixed sign, the records of equal answers are equal.
    component = with_canonical_sign(std::move(component));
  }
  for (PathPoint& point : solution.path) {
    point.component = with_canonical_sign(std::move(point.component));
  }
  outcome.solution = std::move(solution);
  outcome.options = request_.options;
  if (!tuned_values_.empty()) {
    const std::string& option = request_.solver->traits.tuning.option;
    outcome.options[option] =
        tuned_values_.size() == 1 && !tunes_list() ? Json(tuned_values_[0]) : Json(tuned_values_);
  }
  outcome.tuned = tuned_;
  outcome.cardinality_missed = cardinality_missed_;
  outcome.truncated = truncated_;
  outcome.disjoint = must_be_disjoint(*request_.solver, request_.components, request_.deflation);
  for (Component& component : found_) {
    outcome.found_before.push_back(with_canonical_sign(std::move(component)));
  }
  outcome.facts = std::move(facts_);
  outcome.eigenvalues = context_.eigenvalues();
  outcome.trace = trace_.points();
  return outcome;
}

}  // namespace

bool must_be_disjoint(const SolverEntry& solver, Index components,
                      const DeflationEntry* deflation) {
  if (components == 1) {
    return false;
  }
  return solver.traits.multiple_components ? solver.traits.disjoint
                                           : deflation != nullptr && deflation->disjoint;
}

SolveOutcome solve(const SolveRequest& request) {
  check_request(request);
  Session session(request);
  Solution solution = session.run_all();
  return session.finish(std::move(solution));
}

}  // namespace spca
