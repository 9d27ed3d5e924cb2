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

/// At least this many seconds are allowed for the measurements, which may otherwise take as long as
/// the solve: the eigenvalues of a large S take longer than the cheapest solvers.
constexpr double kLeastMeasuring = 10;

struct SolveOptions {
  SolveArguments arguments;
  std::string output, scores;
  bool json = false, quiet = false, verbose = false;
};

void say_notes(const PreparedSolve& prepared, const SolveOptions& options) {
  if (options.quiet || !speaks_for_all()) {
    return;
  }
  for (const std::string& note : prepared.notes) {
    say("spca: {}", note);
  }
  for (const std::string& note : prepared.dataset.notes) {
    say("spca: {}", note);
  }
  if (options.verbose) {
    const Dataset& dataset = prepared.dataset;
    const Covariance& covariance = *dataset.covariance;
    say("spca: read in {:.3g} s: {}p = {}, {} names of variables, {} names of samples",
        prepared.reading_seconds,
        covariance.samples() > 0 ? fmt::format("n = {}, ", covariance.samples()) : "",
        covariance.variables(), dataset.variable_names.size(), dataset.sample_names.size());
    say("spca: data: {}", json_line(prepared.data));
    say("spca: solver {} with {}", prepared.request.solver->name,
        json_line(prepared.request.options));
  }
}

/// The files to which the result is written.
class Results {
 public:
  Results(const SolveOptions& options, const PreparedSolve& prepared, const GlobalOptions& global)
      : options_(options), prepared_(prepared), global_(global) {}

  void write(const SolveReport& report) {
    const std::vector<Component>& components = report.outcome.solution.components;
    const bool is_data = prepared_.dataset.covariance->samples() > 0;
    if (!options_.scores.empty()) {
      write_file_atomically(options_.scores,
                            scores_csv(prepared_.dataset.sample_names,
                                       sample_scores(raw(), components, prepared_of(components))));
    }
    if (options_.output.ends_with(".csv")) {
      write_one(options_.output, loadings_csv(prepared_.dataset, components));
    } else if (!options_.output.empty()) {
      std::vector<Preparation> prepared;
      try {
        prepared = is_data ? prepared_of(components) : std::vector<Preparation>();
        refuse_unknown_alleles(prepared);
      } catch (const InputError& error) {
        prepared.clear();
        // In ranks, and for genotypes whose alleles .spca does not keep, the result is complete
        // except for the values that a projection needs.
        if (speaks_for_all()) {
          say("spca: {}: without means: {}", options_.output, error.what());
        }
      }
      write_one(options_.output, json_lines(result_json(prepared_, report, prepared), 2));
    }
  }

 private:
  /// In ranks, all make the text, because it uses S, and one writes it.
  static void write_one(const std::string& file, const std::string& text) {
    if (speaks_for_all()) {
      write_file_atomically(file, text);
    }
  }

  void refuse_unknown_alleles(const std::vector<Preparation>& prepared) const {
    const bool is_of_genotypes = genotypes_of(prepared_.dataset) != nullptr;
    if (is_of_genotypes && !prepared.empty() && prepared.front().alleles.empty()) {
      throw InputError("a .spca file keeps no alleles; accepted for `spca project`: FILE.bed");
    }
  }

  const Dataset& raw() {
    if (ranks() != nullptr) {
      throw InputError("ranks hold the data in one form; accepted: with `spca solve`");
    }
    if (genotypes_of(prepared_.dataset) != nullptr) {
      return prepared_.dataset;
    }
    if (!raw_) {
      raw_ = load_raw(options_.arguments.data, read_settings(options_.arguments.settings), global_,
                      prepared_.seed);
    }
    return *raw_;
  }
  std::vector<Preparation> prepared_of(const std::vector<Component>& components) {
    return preparations(raw(), components,
                        {.centered = prepared_.dataset.covariance->is_centered(),
                         .standardized = options_.arguments.data.standardize});
  }

  const SolveOptions& options_;
  const PreparedSolve& prepared_;
  const GlobalOptions& global_;
  std::optional<Dataset> raw_;
};

SolveReport solve_and_judge(PreparedSolve& prepared, double certify_seconds, bool quiet) {
  SolveProgress progress(prepared.request.solver->name, prepared.request.components,
                         quiet || !speaks_for_all());
  prepared.request.watch = progress.watch();
  SolveOutcome outcome;
  {
    const SolveWatchdog watchdog(prepared.request.solver->name, prepared.request.seconds);
    outcome = solve(prepared.request);
  }
  prepared.measuring_limit = std::max(kLeastMeasuring, outcome.cost.solve_seconds);
  if (certify_seconds > 0 && !stop_requested()) {
    SolveWatch* watch = progress.begin_watched_phase("certifying");
    return certified_report(prepared, std::move(outcome), certify_seconds, watch);
  }
  progress.begin_phase("measuring");
  return judged_report(prepared, std::move(outcome));
}

int run_solve(const SolveOptions& options, const GlobalOptions& global) {
  check_output_file("-o", options.output, {".json", ".csv"});
  check_output_file("--scores", options.scores, {".csv"});
  const double certify_seconds = options.arguments.certify.empty()
                                     ? 0
                                     : parse_positive("--certify", options.arguments.certify);
  if (ranks() != nullptr && !options.scores.empty()) {
    throw InputError("--scores: not in ranks; accepted: with `spca solve`");
  }
  PreparedSolve prepared = prepare_solve(options.arguments, global);
  if (!options.scores.empty() && prepared.dataset.covariance->samples() == 0) {
    throw InputError("--scores: S itself has no samples; accepted: with data");
  }
  say_notes(prepared, options);
  const StopSignals signals(StopSignals::Repeat::kOnce);
  const SolveReport report = solve_and_judge(prepared, certify_seconds, options.quiet);
  Results(options, prepared, global).write(report);
  // In ranks, all make the report, because it uses S, and one prints it.
  options.json ? write_json(result_json(prepared, report, {}))
               : write_stdout(report_text(prepared, report));
  const Solution& solution = report.outcome.solution;
  if (stop_requested()) {
    if (speaks_for_all()) {
      say("spca: interrupted; the answers found before are printed");
    }
    return kExitInterrupted;
  }
  if (!report.usable && speaks_for_all()) {
    say("spca: {}: {}{}{}", prepared.request.solver->name, status_name(solution.status),
        solution.message.empty() ? "" : ": ", solution.message);
  }
  return report.usable ? kExitOk : kExitFailed;
}

std::function<int()> declare_solve(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<SolveOptions>();
  declare_solve_words(declare, options->arguments);
  declare.option(
      "-o,--output FILE", options->output,
      "Also write the result to FILE.json (`spca schema result`), or the loadings to FILE.csv.");
  declare.option("--scores FILE.csv", options->scores,
                 "Also write the scores of the samples, with their names, to FILE.csv.");
  declare.flag("--json", options->json, "Print JSON (`spca schema result`) instead of a table.");
  declare.flag("-q,--quiet", options->quiet, "Print no notes and no progress on standard error.");
  declare.flag("-v,--verbose", options->verbose,
               "Also print how the data were read and which options the solver uses.");
  return [options, &global] { return run_solve(*options, global); };
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
