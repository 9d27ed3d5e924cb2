#include "harness/cells/runner_cell.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "harness/cells/instruction_counter.h"
#include "harness/cells/known_spectra.h"
#include "harness/cells/library_check.h"
#include "harness/cells/rank_job.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/experiment_match.h"
#include "harness/records/optimisation.h"
#include "harness/records/record_line.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/parallel.h"
#include "spca/base/text.h"
#include "spca/io/external_program.h"
#include "spca/measure/judge.h"
#include "spca/measure/metrics.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/upper_bound.h"

namespace spca {

RunContext make_context(const Experiment& experiment, std::vector<Cell> cells,
                        const std::filesystem::path& data_dir, int threads) {
  RunContext context{.experiment = experiment,
                     .cells = std::move(cells),
                     .data_dir = data_dir,
                     .threads = threads,
                     .identities = {},
                     .digests = {},
                     .metrics = {}};
  std::map<std::string, DataFiles> files;
  for (const Variant& variant : experiment.variants) {
    // Options name files of the user; a data set's own files do not depend on options.
    const bool is_named = !variant.dataset->traits.path_options.empty();
    const auto [found, is_new] = files.try_emplace(
        variant.dataset->name + (is_named ? json_line(variant.dataset_options) : ""));
    if (is_new) {
      found->second = data_files(*variant.dataset, variant.dataset_options,
                                 {.data_dir = data_dir, .base_dir = experiment.folder});
      // Read here once, and not in each child process.
      installed_library().instances_on(variant.dataset->name);
    }
    context.identities.push_back(variant_identity(experiment, variant, found->second));
    context.digests.push_back(identity_digest(context.identities.back()));
    context.metrics.push_back(metrics_source(variant));
  }
  return context;
}

std::string RunContext::key(std::size_t cell) const {
  return cell_key(digests[cells[cell].variant], experiment.seed, cells[cell].repeat);
}

bool RunContext::cell_matches(std::size_t cell, std::string_view glob) const {
  const Variant& place = variant(cell);
  const std::string& solver = place.solver->name;
  const std::string& dataset = place.dataset->name;
  return glob_matches(glob, place.solver_label) || glob_matches(glob, solver) ||
         glob_matches(glob, place.dataset_label) || glob_matches(glob, dataset) ||
         glob_matches(glob, place.solver_label + "/" + place.dataset_label) ||
         glob_matches(glob, solver + "/" + dataset);
}

Record make_record(const RunContext& context, std::size_t cell) {
  const Variant& variant = context.variant(cell);
  Record record;
  static_cast<CellIdentity&>(record) = context.identity(cell);
  record.key = context.key(cell);
  record.solver_name = variant.solver->name;
  record.dataset_name = variant.dataset->name;
  record.dataset_options = variant.dataset_options;
  record.options = variant.solver_options;
  record.components = variant.components;
  record.seed = solver_seed(context.experiment, context.cells[cell]);
  const SparsityRule rule = variant.solver->traits.rule;
  if (!context.metrics.empty()) {
    record.measured_by = context.metrics[context.cells[cell].variant];
  }
  record.unconstrained =
      rule == SparsityRule::kDense || (rule == SparsityRule::kPenalty && !variant.tune);
  record.unoptimised = is_unoptimised(*variant.solver);
  return record;
}

bool is_failure(const Record& record) {
  return is_failure(record.status, !record.loadings.empty());
}

namespace {

/// Puts "time limit of 5 s" before the message of a record if it reached the limit.
void add_time_limit(double seconds, Record& record) {
  if (record.status == Status::kTimeLimit) {
    record.message = fmt::format("time limit of {} s{}{}", seconds,
                                 record.message.empty() ? "" : ": ", record.message);
  }
}

void add_to_message(Record& record, const std::string& note) {
  record.message += record.message.empty() || note.empty() ? note : "; " + note;
}

/// Returns a number of /proc/self/status in bytes, or NaN if /proc does not provide it.
double status_bytes(const std::string& name) {
  constexpr double kBytesOfAKilobyte = 1024;
  std::ifstream lines("/proc/self/status");
  std::string word;
  while (lines >> word) {
    if (word == name) {
      double kilobytes = kNotMeasured;
      lines >> kilobytes;
      return kilobytes * kBytesOfAKilobyte;
    }
  }
  return kNotMeasured;
}

/// Gives back what the allocator keeps of earlier cells, and returns the resident memory that is
/// left. The process measures its peak from here.
double reset_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return status_bytes("VmRSS:");
}

}  // namespace

/// The facts about an answer in addition to its loadings.
struct CellRunner::Circumstances {
  bool disjoint = false;
  std::optional<double> upper_bound = std::nullopt;  // argument of judge()
  std::shared_ptr<const BoundCertificate> certificate = nullptr;
  std::uint64_t seed = 0;
  double check_limit = std::numeric_limits<double>::infinity();
  std::map<std::string, std::string> failed = {};  // Job::failed
  std::function<void(const std::string& metric)> on_metric = {};
  /// Called with the record and its bound as soon as the certificate has been checked.
  std::function<void(const Record& record)> on_bound = {};
};

struct CellRunner::Loaded {
  const DatasetEntry* source = nullptr;
  Json options;
  Index repeat = 0;
  Dataset dataset;
  std::optional<Spectrum> spectrum;
  double reading_seconds = kNotMeasured;
  // The error if loading failed:
  Status status = Status::kConverged;
  std::string message;

  /// Judges feasibility, laws and metrics from the loadings and the data alone, and writes them
  /// into the record.
  Judgement judge(const Variant& variant, Circumstances circumstances, Record& record) const;
};

Judgement CellRunner::Loaded::judge(const Variant& variant, Circumstances circumstances,
                                    Record& record) const {
  const bool answered = !record.loadings.empty() || record.status != Status::kTimeLimit;
  if (!is_usable(record.status) || !answered) {
    record.loadings.clear();
    return {};
  }
  Solution solution;
  solution.status = record.status;
  solution.components = record.loadings;
  solution.certificate = std::move(circumstances.certificate);
  std::set<std::string> without;
  for (const auto& [metric, why] : circumstances.failed) {
    without.insert(metric);
    add_to_message(record,
                   unmeasured_note(metric.empty() ? "the upper bound" : metric.c_str(), why));
  }
  bool is_bound_told = false;
  const auto on_metric = [&](const std::string& metric, const Judgement& so_far) {
    if (circumstances.on_bound && !metric.empty() && !is_bound_told &&
        std::isfinite(so_far.check_seconds)) {
      is_bound_told = true;
      Record with_bound = record;
      with_bound.bound = so_far.upper_bound;
      with_bound.cost.check_seconds = so_far.check_seconds;
      add_to_message(with_bound, so_far.note);
      circumstances.on_bound(with_bound);
    }
    if (circumstances.on_metric) {
      circumstances.on_metric(metric);
    }
  };
  Judgement judgement =
      spca::judge({.solver = *variant.solver,
                   .options = record.options,
                   .solution = std::move(solution),
                   .components = record.components,
                   .cardinality = record.unconstrained ? std::vector<Index>{} : record.cardinality,
                   .disjoint = circumstances.disjoint,
                   .cost = record.cost,
                   .upper_bound = circumstances.upper_bound,
                   .check_limit = circumstances.check_limit,
                   .penalty = variant.penalty,
                   .seed = circumstances.seed,
                   .without = std::move(without),
                   .on_metric = on_metric},
                  dataset, *spectrum, variant.metrics);
  if (!judgement.wrong.empty()) {
    record.status = Status::kInvalid;
    record.message = std::move(judgement.wrong);
    // The stored loadings must be JSON that every reader accepts.
    if (!std::all_of(record.loadings.begin(), record.loadings.end(),
                     [&](const Component& component) {
                       return find_malformation(component, record.p).empty();
                     })) {
      record.loadings.clear();
    }
    return judgement;
  }
  record.bound = judgement.upper_bound;
  if (std::isfinite(judgement.check_seconds)) {
    record.cost.check_seconds = judgement.check_seconds;
  }
  add_to_message(record, judgement.note);
  for (auto& [name, values] : judgement.metrics) {
    const bool timing = MetricRegistry::instance().get(name, "metrics").traits.timing;
    (timing ? record.timing : record.metrics)[name] = std::move(values);
  }
  return judgement;
}

std::string KnownSpectra::name_of_data(const RunContext& context, std::size_t cell) {
  const Variant& variant = context.variant(cell);
  // The condition of CellRunner::holds_data_of().
  const Index repeat = variant.dataset->traits.generated ? context.cells[cell].repeat : 0;
  return fmt::format("{}\n{}\n{}", variant.dataset->name, json_line(variant.dataset_options),
                     repeat);
}

CellRunner::CellRunner(const RunContext& context, CellListener listener, const KnownSpectra* known)
    : context_(context), listener_(std::move(listener)), known_(known) {}

CellRunner::CellRunner(const RunContext& context, CellListener listener, LoadTogether together)
    : context_(context), listener_(std::move(listener)), together_(std::move(together)) {}

CellRunner::~CellRunner() = default;

std::string CellRunner::memory_message() const {
  const double limit = context_.experiment.memory_limit;
  return limit > 0 ? fmt::format("memory limit of {} MB exceeded", limit) : "out of memory";
}

bool CellRunner::is_for_ranks(const Job& job) const {
  return !together_ && context_.variant(job.cells.front()).ranks > 0;
}

bool CellRunner::has_loaded(const Job& job) const {
  if (is_for_ranks(job)) {
    return job.only_measures;
  }
  return holds_data_of(job);
}

bool CellRunner::holds_data_of(const Job& job) const {
  const std::size_t cell = job.cells.front();
  const Variant& variant = context_.variant(cell);
  // These fields determine the data, and comparing them is faster than computing their seed.
  return loaded_ && loaded_->source == variant.dataset &&
         loaded_->options == variant.dataset_options &&
         (!variant.dataset->traits.generated || loaded_->repeat == context_.cells[cell].repeat);
}

void CellRunner::load(const Job& job) {
  if (has_loaded(job)) {
    return;
  }
  if (is_for_ranks(job)) {
    start_ranks(job);
  } else {
    load_here(job);
  }
}

void CellRunner::start_ranks(const Job& job) {
  loaded_.reset();
  rank_job_.reset();
  no_ranks_ = RankJob::missing();
  if (!no_ranks_.empty()) {
    return;
  }
  try {
    rank_job_ = std::make_unique<RankJob>(context_, job);
    rank_job_->wait_until_loaded();
  } catch (const std::exception& error) {
    no_ranks_ = kept_message(error.what());
  }
}

std::vector<Record> CellRunner::run_in_ranks(const Job& job) {
  if (no_ranks_.empty() && rank_job_ != nullptr) {
    const std::unique_ptr<RankJob> ended = std::move(rank_job_);
    return ended->wait(listener_.on_found);
  }
  std::vector<Record> records;
  for (const std::size_t cell : job.cells) {
    records.push_back(make_record(context_, cell));
    records.back().status = Status::kSkipped;
    records.back().message = no_ranks_;
  }
  return records;
}

void CellRunner::load_here(const Job& job) {
  if (holds_data_of(job)) {
    return;
  }
  const std::size_t cell = job.cells.front();
  const Variant& variant = context_.variant(cell);
  loaded_.reset();  // two data sets at once may not fit into memory
  auto loaded = std::make_unique<Loaded>();
  loaded->source = variant.dataset;
  loaded->options = variant.dataset_options;
  loaded->repeat = context_.cells[cell].repeat;
  const auto fail = [&loaded](Status status, const std::string& message) {
    loaded->spectrum.reset();
    loaded->dataset = {};
    loaded->status = status;
    loaded->message = message;
  };
  const Budget clock;
  try {
    const auto load_whole = [&] {
      return variant.dataset->load(variant.dataset_options,
                                   {.data_dir = context_.data_dir,
                                    .seed = data_seed(context_.experiment, context_.cells[cell]),
                                    .base_dir = context_.experiment.folder});
    };
    loaded->dataset = together_ ? together_(load_whole) : load_whole();
    loaded->spectrum.emplace(*loaded->dataset.covariance);
    if (known_ != nullptr) {
      known_->seed(context_, cell, *loaded->spectrum);
    }
    if (listener_.on_spectrum) {
      loaded->spectrum->set_observer(
          [this, cell](const Vector& values) { listener_.on_spectrum(cell, values); });
    }
    // Cached now: otherwise the first solver's time would include it.
    loaded->dataset.covariance->diagonal();
    loaded->reading_seconds = clock.elapsed_seconds();
  } catch (const MissingData& error) {
    fail(Status::kSkipped, error.what());
  } catch (const std::bad_alloc&) {
    if (together_) {
      throw;
    }
    out_of_memory_ = true;
    fail(Status::kFailed, memory_message());
  } catch (const std::exception& error) {
    fail(Status::kFailed, kept_message(error.what()));
  }
  loaded_ = std::move(loaded);
}

void CellRunner::describe_data(Record& record) const {
  if (loaded_->dataset.covariance == nullptr) {
    record.status = loaded_->status;
    record.message = loaded_->message;
  } else {
    record.n = loaded_->dataset.covariance->samples();
    record.p = loaded_->dataset.covariance->variables();
  }
}

/// Runs `solve`, which fills `count` records. An exception that leaves it fails all of them or,
/// if several processes solve together, leaves this function.
template <class Solve>
void CellRunner::guard(Record* records, std::size_t count, Solve solve) {
  if (together_) {
    solve();
    return;
  }
  std::string message;
  try {
    solve();
    return;
  } catch (const std::bad_alloc&) {
    out_of_memory_ = true;
    message = memory_message();
  } catch (const std::exception& error) {
    message = kept_message(error.what());
  } catch (...) {
    message = "an exception that is not a std::exception";
  }
  for (Record& record : std::span(records, count)) {
    record.status = Status::kFailed;
    record.message = message;
    record.metrics.clear();
    record.timing.clear();
    record.loadings.clear();
    record.bound = kNotMeasured;
    record.cost = {};
  }
}

SolveRequest CellRunner::make_request(std::size_t cell) const {
  const Variant& variant = context_.variant(cell);
  const double limit = context_.time_limit(cell);
  return {.covariance = loaded_->dataset.covariance,
          .solver = variant.solver,
          .options = variant.solver_options,
          .components = variant.components,
          .cardinality = variant.cardinality,
          .deflation = variant.deflation,
          .seed = solver_seed(context_.experiment, context_.cells[cell]),
          .seconds = limit > 0 ? limit : std::numeric_limits<double>::infinity(),
          .threads = context_.threads,
          .trace = variant.trace,
          .tune = variant.tune};
}

/// Limits the time of the spectrum, which dominates the measuring of a cell.
void CellRunner::limit_measuring(std::size_t cell) {
  const double limit = context_.time_limit(cell);
  loaded_->spectrum->limit(limit > 0 ? check_time_limit(limit)
                                     : std::numeric_limits<double>::infinity());
}

/// Reports an answer if it can be written and read again.
void CellRunner::report_found(std::size_t cell, const Record& record) const {
  const bool is_whole = std::all_of(
      record.loadings.begin(), record.loadings.end(),
      [&](const Component& component) { return find_malformation(component, record.p).empty(); });
  if (listener_.on_found && is_whole && is_answer(record.status, !record.loadings.empty())) {
    listener_.on_found(cell, record);
  }
}

void CellRunner::solve_one(std::size_t cell, Record& record) {
  const Variant& variant = context_.variant(cell);
  const bool measures_memory = any_metric(variant.metrics, &MetricTraits::needs_peak);
  double resident_before = kNotMeasured;
  if (measures_memory) {
    resident_before = reset_peak();
    reset_program_peak();
  }
  const SolveRequest request = make_request(cell);
  std::optional<InstructionCounter> counter;
  if (any_metric(variant.metrics, &MetricTraits::needs_instructions)) {
    counter.emplace();
  }
  SolveOutcome outcome = solve(request);
  if (counter) {
    outcome.cost.instructions = counter->count();
  }
  if (measures_memory) {
    // The list of cells, which a long run holds, is no part of what a solver needs.
    const double added = std::max(status_bytes("VmHWM:") - resident_before, 0.0);
    outcome.cost.peak_bytes = std::max(added, program_totals().peak_bytes);
  }
  record.status = outcome.solution.status;
  record.message = outcome.solution.message;
  record.options = std::move(outcome.options);
  record.tuned = outcome.tuned;
  record.cardinality_missed = outcome.cardinality_missed;
  record.truncated = outcome.truncated;
  record.loadings = std::move(outcome.solution.components);
  record.trace = std::move(outcome.trace);
  record.facts = std::move(outcome.facts);
  record.cost = std::move(outcome.cost);
  record.cost.reading_seconds = loaded_->reading_seconds;
  add_time_limit(context_.time_limit(cell), record);
  limit_measuring(cell);
  report_found(cell, record);
  judge(cell,
        {.disjoint = outcome.disjoint,
         .certificate = outcome.solution.certificate,
         .check_limit = check_time_limit(request.seconds),
         .on_bound = [&](const Record& with_bound) { report_found(cell, with_bound); }},
        record);
}

Judgement CellRunner::judge(std::size_t cell, Circumstances circumstances, Record& record) {
  circumstances.seed = data_seed(context_.experiment, context_.cells[cell]);
  if (listener_.on_metric) {
    circumstances.on_metric = [&](const std::string& metric) { listener_.on_metric(cell, metric); };
  }
  Judgement judgement = loaded_->judge(context_.variant(cell), std::move(circumstances), record);
  hold_against_library(cell, record);
  out_of_memory_ = out_of_memory_ || judgement.out_of_memory;
  return judgement;
}

/// Makes an answer invalid that lies beyond a bound of the library of instances, or whose bound is
/// below the best known answer.
void CellRunner::hold_against_library(std::size_t cell, Record& record) const {
  // A process of a job of ranks has only some rows of the data, and no identities.
  if (together_ || !is_answer(record.status, !record.loadings.empty())) {
    return;
  }
  // Files of the user have no name that the library knows.
  const bool is_named = context_.variant(cell).dataset->traits.path_options.empty();
  const LibraryComparison comparison = compare_with_library(
      installed_library(), is_named ? std::optional(origin_of_cell(context_, cell)) : std::nullopt,
      {.solver = context_.variant(cell).solver->name,
       .covariance = *loaded_->dataset.covariance,
       .components = record.loadings,
       .k = record.unconstrained ? 0 : shared_cardinality(record.cardinality),
       .bound = record.bound});
  if (!comparison.contradiction.empty()) {
    record.status = Status::kInvalid;
    record.message = comparison.contradiction;
    record.metrics.clear();
    record.timing.clear();
    record.bound = kNotMeasured;
  }
}

void CellRunner::solve_path(const Job& job, std::vector<Record>& records) {
  const SolveOutcome outcome = solve(make_request(job.cells.back()));
  const Solution& solution = outcome.solution;
  limit_measuring(job.cells.back());
  for (std::size_t i = 0; i < job.cells.size(); ++i) {
    Record& record = records[i];
    record.status = solution.status;
    record.message = solution.message;
    record.options = outcome.options;
    const auto k = static_cast<std::size_t>(record.cardinality.front());
    // Iterations, products, instructions and processor time belong to the whole path: they are not
    // measured for one point.
    record.cost.reading_seconds = loaded_->reading_seconds;
    if (k <= solution.path.size()) {
      const PathPoint& point = solution.path[k - 1];
      record.loadings = {point.component};
      record.cost.solve_seconds = point.seconds;
      if (record.status == Status::kTimeLimit) {
        record.status = Status::kConverged;  // this cardinality was finished before time ran out
      }
    } else if (is_usable(solution.status) && solution.status != Status::kTimeLimit) {
      record.status = Status::kInvalid;
      record.message = fmt::format("a path of {} cardinalities, not {}", solution.path.size(), k);
    }
    add_time_limit(context_.time_limit(job.cells[i]), record);
  }
  // All answers are reported before any is measured, because measuring may end this process.
  for (std::size_t i = 0; i < job.cells.size(); ++i) {
    report_found(job.cells[i], records[i]);
  }
  for (std::size_t i = 0; i < job.cells.size(); ++i) {
    judge(job.cells[i], {}, records[i]);
  }
}

Record CellRunner::measure(const Job& job, const std::string& line) {
  load_here(job);
  if (loaded_->dataset.covariance == nullptr) {
    throw InputError(loaded_->message);
  }
  const std::size_t cell = job.cells.front();
  const Variant& variant = context_.variant(cell);
  Record record = record_from_line(line);
  record.message = without_unmeasured_notes(record.message);
  record.metrics.clear();
  record.timing.clear();
  record.measured_by = context_.metrics.at(context_.cells[cell].variant);
  const bool is_found = !job.found.empty();
  // The certificate is no longer available, but the record has the result of its check.
  std::optional<double> bound;
  if (job.failed.contains("") ||
      (is_found ? std::isfinite(record.cost.check_seconds)
                : any_metric(variant.metrics, &MetricTraits::needs_bound))) {
    bound = record.bound;
  }
  limit_measuring(cell);
  const Judgement judgement =
      judge(cell,
            {.disjoint = must_be_disjoint(*variant.solver, variant.components, variant.deflation),
             .upper_bound = bound,
             .failed = job.failed},
            record);
  if (!is_found && (loaded_->spectrum->was_stopped() || judgement.has_failed)) {
    throw NumericalError(judgement.note);
  }
  return record;
}

std::vector<Record> CellRunner::run(const Job& job) {
  if (is_for_ranks(job)) {
    if (rank_job_ == nullptr && no_ranks_.empty()) {
      start_ranks(job);
    }
    return run_in_ranks(job);
  }
  load(job);
  // Measuring may use as many threads as the solve.
  const ThreadAllowance allowance(context_.threads);
  std::vector<Record> records;
  for (const std::size_t cell : job.cells) {
    records.push_back(make_record(context_, cell));
    describe_data(records.back());
  }
  if (loaded_->dataset.covariance == nullptr) {
    return records;
  }
  // A cardinality above p must fail only its own cell, not the smaller cardinalities of its path.
  std::vector<Record> beyond;
  Job within = job;
  while (within.cells.size() > 1 && records.back().cardinality.front() > records.back().p) {
    beyond.push_back(std::move(records.back()));
    guard(&beyond.back(), 1, [&] { solve_one(within.cells.back(), beyond.back()); });
    records.pop_back();
    within.cells.pop_back();
  }
  guard(records.data(), records.size(), [&] {
    if (is_path_variant(context_.variant(within.cells.front()))) {
      solve_path(within, records);
    } else {
      solve_one(within.cells.front(), records.front());
    }
  });
  std::move(beyond.rbegin(), beyond.rend(), std::back_inserter(records));
  return records;
}

}  // namespace spca
