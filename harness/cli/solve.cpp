#include "spca/solving/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/answers/certify.h"
#include "harness/answers/solve_report.h"
#include "harness/cli/arguments.h"
#include "harness/cli/output.h"
#include "harness/cli/ranks.h"
#include "harness/cli/solve_arguments.h"
#include "harness/cli/solve_progress.h"
#include "harness/cli/solve_result.h"
#include "harness/cli/solve_text.h"
#include "harness/cli/solve_watchdog.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"
#include "spca/io/file_descriptor.h"

namespace spca::cli {
namespace {

/// At least this number of seconds is allowed for the measurements, or as many as the solve took:
/// the eigenvalues of a large S take longer than the cheapest solvers.
constexpr double kLeastMeasuring = 10;

void say_notes(const Request& request, const SolveArguments& arguments) {
  if (arguments.quiet || !speaks_for_all()) {
    return;
  }
  for (const std::string& note : request.notes) {
    say("spca: {}", note);
  }
  for (const std::string& note : request.dataset.notes) {
    say("spca: {}", note);
  }
  if (arguments.verbose) {
    const Dataset& dataset = request.dataset;
    const Covariance& covariance = *dataset.covariance;
    say("spca: read in {:.3g} s: {}p = {}, {} names of variables, {} names of samples",
        request.reading_seconds,
        covariance.samples() > 0 ? fmt::format("n = {}, ", covariance.samples()) : "",
        covariance.variables(), dataset.variable_names.size(), dataset.sample_names.size());
    say("spca: data: {}", json_line(request.data));
    say("spca: solver {} with {}", request.solve.solver->name, json_line(request.solve.options));
  }
}

/// The files to which the result is written.
class Results {
 public:
  Results(const SolveArguments& arguments, const Request& request, const GlobalOptions& global)
      : arguments_(arguments), request_(request), global_(global) {}

  void write(const SolveReport& report) {
    const std::vector<Component>& components = report.outcome.solution.components;
    const bool is_data = request_.dataset.covariance->samples() > 0;
    if (!arguments_.scores.empty()) {
      write_file_atomically(arguments_.scores,
                            scores_csv(request_.dataset.sample_names,
                                       sample_scores(raw(), components, prepared_of(components))));
    }
    if (arguments_.output.ends_with(".csv")) {
      write_one(arguments_.output, loadings_csv(request_.dataset, components));
    } else if (!arguments_.output.empty()) {
      std::vector<Preparation> prepared;
      try {
        prepared = is_data ? prepared_of(components) : std::vector<Preparation>();
        refuse_unknown_alleles(prepared);
      } catch (const InputError& error) {
        prepared.clear();
        // In ranks, and for genotypes whose alleles .spca does not keep, the result is complete
        // except for the values that a projection needs.
        if (speaks_for_all()) {
          say("spca: {}: without means: {}", arguments_.output, error.what());
        }
      }
      write_one(arguments_.output, json_lines(result_json(request_, report, prepared), 2));
    }
  }

 private:
  /// All ranks make the text, because it uses S, and rank 0 writes it.
  static void write_one(const std::string& file, const std::string& text) {
    if (speaks_for_all()) {
      write_file_atomically(file, text);
    }
  }

  void refuse_unknown_alleles(const std::vector<Preparation>& prepared) const {
    const bool is_of_genotypes = genotypes_of(request_.dataset) != nullptr;
    if (is_of_genotypes && !prepared.empty() && prepared.front().alleles.empty()) {
      throw InputError("a .spca file keeps no alleles; accepted for `spca project`: FILE.bed");
    }
  }

  const Dataset& raw() {
    if (ranks() != nullptr) {
      throw InputError("ranks hold the data in one form; accepted: with `spca solve`");
    }
    if (genotypes_of(request_.dataset) != nullptr) {
      return request_.dataset;
    }
    if (!raw_) {
      raw_ = load_raw(arguments_.data, read_settings(arguments_.settings), global_, request_.seed);
    }
    return *raw_;
  }
  std::vector<Preparation> prepared_of(const std::vector<Component>& components) {
    return preparations(raw(), components,
                        {.centered = request_.dataset.covariance->is_centered(),
                         .standardized = arguments_.data.standardize});
  }

  const SolveArguments& arguments_;
  const Request& request_;
  const GlobalOptions& global_;
  std::optional<Dataset> raw_;
};

SolveReport solve_and_judge(Request& request, double certify_seconds, bool quiet) {
  SolveProgress progress(request.solve.solver->name, request.solve.components,
                         quiet || !speaks_for_all());
  request.solve.watch = progress.watch();
  SolveOutcome outcome;
  {
    const SolveWatchdog watchdog(request.solve.solver->name, request.solve.seconds);
    outcome = solve(request.solve);
  }
  request.measuring_limit = std::max(kLeastMeasuring, outcome.cost.solve_seconds);
  if (certify_seconds > 0 && !stop_requested()) {
    SolveWatch* watch = progress.begin_watched_phase("certifying");
    return certified_report(request, std::move(outcome), certify_seconds, watch);
  }
  progress.begin_phase("measuring");
  return judged_report(request, std::move(outcome));
}

int run_solve(const SolveArguments& arguments, const GlobalOptions& global) {
  check_output_file("-o", arguments.output, {".json", ".csv"});
  check_output_file("--scores", arguments.scores, {".csv"});
  const double certify_seconds =
      arguments.certify.empty() ? 0 : parse_positive("--certify", arguments.certify);
  if (ranks() != nullptr && !arguments.scores.empty()) {
    throw InputError("--scores: not in ranks; accepted: with `spca solve`");
  }
  Request request = make_request(arguments, global);
  if (!arguments.scores.empty() && request.dataset.covariance->samples() == 0) {
    throw InputError("--scores: S itself has no samples; accepted: with data");
  }
  say_notes(request, arguments);
  const StopSignals signals(StopSignals::Repeat::kOnce);
  const SolveReport report = solve_and_judge(request, certify_seconds, arguments.quiet);
  Results(arguments, request, global).write(report);
  // All ranks make the text of the report, because it uses S, and rank 0 prints it.
  arguments.json ? write_json(result_json(request, report, {}))
                 : write_stdout(report_text(request, report));
  const Solution& solution = report.outcome.solution;
  if (stop_requested()) {
    if (speaks_for_all()) {
      say("spca: interrupted; the answers found before are printed");
    }
    return kExitInterrupted;
  }
  if (!report.usable && speaks_for_all()) {
    const std::string reason = reason_text(request, report);
    say("spca: {}: {}{}{}", request.solve.solver->name, status_name(solution.status),
        reason.empty() ? "" : ": ", reason);
  }
  return report.usable ? kExitOk : kExitFailed;
}

std::function<int()> declare_solve(Declarations& declare, const GlobalOptions& global) {
  const auto arguments = std::make_shared<SolveArguments>();
  declare_solve_arguments(declare, *arguments);
  return [arguments, &global] { return run_solve(*arguments, global); };
}

SPCA_COMMAND(
    "solve", CommandGroup::kYourData, "Compute sparse principal components of a file or a data set",
    "  spca solve --data x.csv\n"
    "  spca solve --data x.csv --solver tpower --cardinality 10 --components 3 -o result.json\n"
    "  spca solve --data x.tsv --standardize --missing mean --cardinality 5 --certify 30\n"
    "  spca solve --data s.npy --kind covariance --solver fullpath --cardinality 5 --json\n"
    "  spca solve --dataset pitprops --solver tpower --cardinality 7,2,1,1,1,1",
    declare_solve);

}  // namespace
}  // namespace spca::cli
