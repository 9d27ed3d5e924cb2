#include "harness/benchmarks/benchmark_cells.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "harness/instances/asked_instances.h"
#include "harness/records/record_index.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

double value_of(const Record& record, const std::string& metric) {
  const auto found = record.metrics.find(metric);
  return found == record.metrics.end() || found->second.empty() ? kNotMeasured
                                                                : found->second.front();
}

/// Returns why the record's answer is not an answer of the class; empty if it is one.
std::string find_other_question(const KnownInstance& known, const Record& record) {
  if (record.unconstrained) {
    return "no cardinality binds the answer";
  }
  const Instance& instance = *known.instance;
  return known.of->find_fault(record.loadings,
                              {.p = known.data->p, .r = instance.r, .k = instance.k});
}

/// Returns whether the bound of the record holds for every answer of the class. In classes without
/// a prover it does not count. In classes whose answers need loadings, because components may share
/// variables, only solvers of orthogonal components have such a bound: those of other solvers are
/// bounds on disjoint components.
bool bounds_class(const InstanceClass& of, const Record& record) {
  const SolverEntry* const solver = SolverRegistry::instance().find(record.solver_name);
  return !of.prover.empty() && (!of.needs_loadings() || (solver && solver->traits.orthogonal));
}

void judge_answer(BenchmarkCell& cell) {
  const Record& record = *cell.record;
  const double value = value_of(record, cell.known.of->metric);
  if (!std::isfinite(value)) {
    cell.message = fmt::format("the answer has no {}", cell.known.of->metric);
    return;
  }
  const std::string contradiction = find_contradiction(
      cell.known, value, fmt::format("the value of the answer of {}", record.solver));
  if (!contradiction.empty()) {
    cell.message = contradiction;
    cell.is_wrong = true;
    return;
  }
  cell.outcome = CellOutcome::kAnswered;
  cell.standing = standing_of(cell.known, value);
  cell.is_proof = bounds_class(*cell.known.of, record) &&
                  is_proved(cell.known.of->direction(), value, record.bound);
}

BenchmarkCell judge(const KnownInstance& known, const Record& record) {
  BenchmarkCell cell{.known = known, .record = &record, .message = record.message};
  cell.is_wrong = record.status == Status::kInvalid;
  if (record.status == Status::kSkipped) {
    cell.outcome = CellOutcome::kNotApplicable;
    return cell;
  }
  if (!is_answer(record.status, !record.loadings.empty())) {
    return cell;
  }
  if (std::ssize(record.loadings) < record.components) {
    cell.message = fmt::format("{} of {} components: {}", record.loadings.size(), record.components,
                               record.message);
    return cell;
  }
  const std::string other = find_other_question(known, record);
  if (!other.empty()) {
    cell.outcome = CellOutcome::kNotApplicable;
    cell.message = other;
    return cell;
  }
  judge_answer(cell);
  return cell;
}

}  // namespace

std::vector<double> time_limits_of(const std::vector<BenchmarkCell>& cells) {
  std::set<double> limits;
  for (const BenchmarkCell& cell : cells) {
    limits.insert(cell.time_limit);
  }
  return {limits.begin(), limits.end()};
}

double BenchmarkCell::shortfall() const {
  if (outcome != CellOutcome::kAnswered) {
    return kNotMeasured;
  }
  return standing.is_reached() ? 0 : standing.distance();
}

bool BenchmarkCell::is_improvement() const {
  return outcome == CellOutcome::kAnswered && standing.is_improvement();
}

std::vector<BenchmarkCell> benchmark_cells(const Experiment& experiment,
                                           const std::vector<Record>& records,
                                           const InstanceLibrary& library,
                                           const std::filesystem::path& data_dir) {
  const std::vector<std::optional<KnownInstance>> asked =
      asked_instances(experiment, library, data_dir);
  const RecordIndex index(records);
  std::vector<BenchmarkCell> cells;
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    if (!asked[i]) {
      continue;
    }
    for (const Record* record : index.of(experiment.variants[i])) {
      if (record->repeat == 0) {
        cells.push_back(judge(*asked[i], *record));
        cells.back().time_limit = experiment.time_limit_of(experiment.variants[i]);
      }
    }
  }
  return cells;
}

}  // namespace spca
