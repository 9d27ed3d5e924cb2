#include "harness/verdicts/problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "harness/experiments/experiment_identity.h"
#include "harness/records/record_index.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/covariance/deflation.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

constexpr std::size_t kMeasures = static_cast<std::size_t>(ValueMeasure::kNone);
using Values = std::array<double, kMeasures>;

bool is_joint(const Variant& variant) {
  return variant.solver->traits.multiple_components || variant.deflation == nullptr;
}

Constraint of_orthogonality(const Orthogonality& asked) {
  return asked.of_loadings && asked.of_scores ? Constraint::kOrthogonalAndUncorrelated
         : asked.of_loadings                  ? Constraint::kOrthogonalLoadings
                                              : Constraint::kUncorrelatedScores;
}

/// Returns whether the plain sum of the v_j'Sv_j is the variance of the span.
bool has_orthonormal_loadings(Constraint constraint) {
  return constraint == Constraint::kOne || constraint == Constraint::kDisjoint ||
         constraint == Constraint::kOrthogonalLoadings ||
         constraint == Constraint::kOrthogonalAndUncorrelated;
}

double metric_of(const Record& record, const char* name) {
  const auto position = record.metrics.find(name);
  return position == record.metrics.end() ? kNotMeasured : total_of(name, position->second);
}

double first_measured(const Record& record, const std::vector<const char*>& names) {
  for (const char* name : names) {
    const double value = metric_of(record, name);
    if (std::isfinite(value)) {
      return value;
    }
  }
  return kNotMeasured;
}

Values values_of(const Record& record, Constraint constraint) {
  if (has_orthonormal_loadings(constraint)) {
    return {first_measured(record, {"explained_variance", "projected_variance"}),
            first_measured(record, {"variance_share", "projected_variance_share"}),
            first_measured(record, {"explained_variance_ratio", "symmetric_explained_variance"})};
  }
  return {metric_of(record, "projected_variance"), metric_of(record, "projected_variance_share"),
          metric_of(record, "symmetric_explained_variance")};
}

/// Returns the least bound of the record on all answers to the problem; NaN if it has none.
double bound_of(const Record& record, Constraint constraint) {
  std::vector<double> bounds;
  if (constraint == Constraint::kOne || constraint == Constraint::kDisjoint) {
    bounds = {record.bound, metric_of(record, "upper_bound")};
  }
  if (constraint == Constraint::kDisjoint) {
    bounds.push_back(metric_of(record, "upper_bound_disjoint"));
  }
  if (constraint == Constraint::kDisjoint || constraint == Constraint::kOrthogonalLoadings ||
      constraint == Constraint::kOrthogonalAndUncorrelated) {
    bounds.push_back(metric_of(record, "upper_bound_orthogonal"));
  }
  double least = kNotMeasured;
  for (const double bound : bounds) {
    least = std::isfinite(bound) && !(least <= bound) ? bound : least;
  }
  return least;
}

double seconds_of(const Record& record) {
  const auto position = record.timing.find("solve_seconds");
  const double seconds = position == record.timing.end() || position->second.empty()
                             ? record.cost.solve_seconds
                             : position->second.front();
  return has_comparable_timing(record) && seconds > 0 ? seconds : kNotMeasured;
}

/// A problem while its records are being read.
struct OpenProblem {
  PosedProblem problem;
  std::vector<Values> values;                 // one for each answer
  std::map<std::string, std::size_t> by_key;  // key of a record -> index of its answer
  std::map<std::string, double> bounds;       // solver -> its least bound
  double largest_bound = kNotMeasured;        // of any record
};

class Reader {
 public:
  void read(const ProblemSource& run);
  std::vector<PosedProblem> finish();

 private:
  void add(const ProblemSource& run, const Variant& variant, const ProblemIdentity& identity,
           const Record& record);

  std::map<std::string, OpenProblem> open_;  // key: identity_text
};

void Reader::read(const ProblemSource& run) {
  const RecordIndex index(*run.records);
  for (std::size_t i = 0; i < run.experiment->variants.size(); ++i) {
    const Variant& variant = run.experiment->variants[i];
    for (const Record* record : index.of(variant)) {
      if (const std::optional<ProblemIdentity> identity = problem_of(run, i, *record)) {
        add(run, variant, *identity, *record);
      }
    }
  }
}

void Reader::add(const ProblemSource& run, const Variant& variant, const ProblemIdentity& identity,
                 const Record& record) {
  OpenProblem& open = open_.try_emplace(identity_text(identity)).first->second;
  PosedProblem& problem = open.problem;
  problem.identity = identity;
  problem.n = std::max(problem.n, record.n);
  problem.p = std::max(problem.p, record.p);
  const bool has_answer = is_answer(record.status, !record.loadings.empty()) && !is_partial(record);
  const Values values = has_answer ? values_of(record, identity.constraint)
                                   : Values{kNotMeasured, kNotMeasured, kNotMeasured};
  ProblemAnswer answer{.solver = variant.solver->name,
                       .options = variant.solver_options,
                       .experiment = run.experiment->name,
                       .status = record.status,
                       .message = record.message,
                       .has_answer = has_answer,
                       .value = kNotMeasured,
                       .seconds = has_answer ? seconds_of(record) : kNotMeasured,
                       .machine = run.machine};
  // A record made by hand has no key, so it never counts as a cell that was seen before.
  const auto [seen, is_new] = record.key.empty()
                                  ? std::pair{open.by_key.end(), true}
                                  : open.by_key.try_emplace(record.key, problem.answers.size());
  if (is_new) {
    problem.answers.push_back(std::move(answer));
    open.values.push_back(values);
  } else {
    ProblemAnswer& known = problem.answers[seen->second];
    if (!std::isfinite(known.seconds)) {
      known.seconds = answer.seconds;
      known.machine = answer.machine;
    }
    Values& known_values = open.values[seen->second];
    for (std::size_t i = 0; i < kMeasures; ++i) {
      known_values[i] = std::isfinite(known_values[i]) ? known_values[i] : values[i];
    }
  }
  if (!has_answer) {
    return;
  }
  if (const double bound = bound_of(record, identity.constraint); std::isfinite(bound)) {
    double& least = open.bounds.try_emplace(variant.solver->name, bound).first->second;
    least = std::min(least, bound);
    open.largest_bound = open.largest_bound >= bound ? open.largest_bound : bound;
  }
  const double plain = metric_of(record, "explained_variance");
  const double total = plain / metric_of(record, "variance_share");
  const double pca = plain / metric_of(record, "explained_variance_ratio");
  problem.total_variance = std::isfinite(total) ? total : problem.total_variance;
  problem.pca_variance = std::isfinite(pca) ? pca : problem.pca_variance;
}

/// Chooses the measure, and sets the values of the answers in it.
void choose_measure(PosedProblem& problem, const std::vector<Values>& values) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    const auto count = static_cast<std::size_t>(std::count_if(
        values.begin(), values.end(), [i](const Values& of) { return std::isfinite(of[i]); }));
    if (count > most) {
      most = count;
      problem.measure = static_cast<ValueMeasure>(i);
    }
  }
  if (problem.measure == ValueMeasure::kNone) {
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i][static_cast<std::size_t>(problem.measure)];
    problem.answers[i].value = value;
    problem.best = std::isfinite(value) && !(value <= problem.best) ? value : problem.best;
  }
}

/// Sets the least of the bounds and the solvers that have it.
void choose_bound(const OpenProblem& open, PosedProblem& problem) {
  if (problem.measure != ValueMeasure::kVariance) {
    return;  // the values have another unit
  }
  for (const auto& [solver, bound] : open.bounds) {
    problem.bound = problem.bound <= bound ? problem.bound : bound;
  }
  // Sums in different orders differ by far less than kRoundingOfBounds.
  constexpr double kRoundingOfBounds = 1e-12;
  const double nearly = problem.bound * (1 + kRoundingOfBounds);
  if (open.bounds.size() > 1 && open.largest_bound <= nearly) {
    return;
  }
  for (const auto& [solver, bound] : open.bounds) {
    if (bound <= nearly) {
      problem.bound_by.push_back(solver);
    }
  }
}

std::vector<PosedProblem> Reader::finish() {
  std::vector<PosedProblem> problems;
  problems.reserve(open_.size());
  for (auto& [text, open] : open_) {
    PosedProblem& problem = open.problem;
    choose_measure(problem, open.values);
    choose_bound(open, problem);
    problem.is_contradicted = problem.best > problem.bound * (1 + kSameValue);
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

const char* constraint_name(Constraint constraint) {
  switch (constraint) {
    case Constraint::kOne:
      return "one component";
    case Constraint::kDisjoint:
      return "disjoint supports";
    case Constraint::kOrthogonalLoadings:
      return "orthogonal loadings";
    case Constraint::kUncorrelatedScores:
      return "uncorrelated scores";
    case Constraint::kOrthogonalAndUncorrelated:
      return "orthogonal loadings, uncorrelated scores";
    case Constraint::kDeflation:
      return "deflation";
    case Constraint::kJoint:
      return "components together";
  }
  SPCA_CHECK(false, "a constraint without a name");
}

const char* value_measure_name(ValueMeasure measure) {
  switch (measure) {
    case ValueMeasure::kVariance:
      return "variance";
    case ValueMeasure::kShareOfTotal:
      return "share of the total variance";
    case ValueMeasure::kShareOfPca:
      return "share of PCA's variance";
    case ValueMeasure::kNone:
      return "no variance";
  }
  SPCA_CHECK(false, "a measure without a name");
}

Constraint constraint_of(const Variant& variant) {
  if (variant.components == 1) {
    return Constraint::kOne;
  }
  if (must_be_disjoint(*variant.solver, variant.components, variant.deflation)) {
    return Constraint::kDisjoint;
  }
  if (!is_joint(variant)) {
    return Constraint::kDeflation;
  }
  const Orthogonality asked = orthogonality_of(*variant.solver, variant.solver_options);
  return asked.of_loadings || asked.of_scores ? of_orthogonality(asked) : Constraint::kJoint;
}

std::string identity_text(const ProblemIdentity& identity) {
  // Numbers are padded, so that the texts sort by number.
  std::string cardinality;
  for (const Index k : identity.cardinality) {
    cardinality += fmt::format("{:09} ", k);
  }
  return fmt::format(
      "{}\n{}\n{}\n{:04}\n{}\n{}\n{}\n{}", identity.dataset, json_line(identity.dataset_options),
      identity.data_checksum, identity.cardinality.size(), static_cast<int>(identity.constraint),
      identity.deflation, cardinality, identity.draw ? fmt::format("{:020}", *identity.draw) : "");
}

bool PosedProblem::is_certified() const {
  return !is_contradicted && best >= bound * (1 - kSameValue);
}

double PosedProblem::gap() const {
  if (is_contradicted) {
    return kNotMeasured;
  }
  return is_certified() ? 0 : (bound - best) / bound;
}

bool PosedProblem::holds_best(const ProblemAnswer& answer) const {
  return answer.value >= best * (1 - kSameValue);
}

std::size_t PosedProblem::solvers_with_value() const {
  std::set<std::string> solvers;
  for (const ProblemAnswer& answer : answers) {
    if (std::isfinite(answer.value)) {
      solvers.insert(answer.solver);
    }
  }
  return solvers.size();
}

std::optional<ProblemIdentity> problem_of(const ProblemSource& run, std::size_t index,
                                          const Record& record) {
  const Variant& variant = run.experiment->variants[index];
  if (record.unconstrained || variant.cardinality.empty() ||
      variant.solver->traits.rule == SparsityRule::kDense) {
    return std::nullopt;
  }
  ProblemIdentity identity{.dataset = variant.dataset->name,
                           .dataset_options = variant.dataset_options,
                           .data_checksum = "",
                           .draw = {},
                           .constraint = constraint_of(variant),
                           .deflation = "",
                           .cardinality = variant.cardinality};
  if (identity.constraint == Constraint::kDeflation) {
    identity.deflation = variant.deflation->name;
  }
  if (variant.dataset->traits.generated) {
    identity.draw = data_seed(*run.experiment, {.variant = index, .repeat = record.repeat});
  }
  if (record.key.size() > kIdentityDigits) {
    const auto checksum = run.data_checksums.find(std::string(identity_of_key(record.key)));
    identity.data_checksum = checksum == run.data_checksums.end() ? "" : checksum->second;
  }
  return identity;
}

std::vector<PosedProblem> problems_of(const std::vector<ProblemSource>& runs) {
  Reader reader;
  for (const ProblemSource& run : runs) {
    reader.read(run);
  }
  return reader.finish();
}

}  // namespace spca
