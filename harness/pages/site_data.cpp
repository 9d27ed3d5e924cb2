#include "harness/pages/site_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/answers/descriptions.h"
#include "harness/comparisons/compared_run.h"
#include "harness/experiments/experiment_identity.h"
#include "harness/pages/best_known.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/standings.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/io/json_file.h"
#include "spca/spectrum/spectrum.h"

namespace spca {
namespace {

// The limits of the spectra are sizes and not times, so that equal runs give equal pages on every
// machine.
constexpr Index kSpectrumValues = 20;
constexpr Index kSpectrumVariables = 15000;
constexpr std::size_t kSpectrumPreparations = 3;  // of one data set

/// Returns a text such as "rank = 3, polish = false": the options that differ from `defaults`.
std::string options_words(const Json& options, const Json& defaults) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options.items()) {
    const auto usual = defaults.find(name);
    if (usual == defaults.end() || *usual != value) {
      words.push_back(fmt::format("{} = {}", name,
                                  value.is_string() ? value.get<std::string>() : json_line(value)));
    }
  }
  return join(words);
}

/// Returns the default options of an entry of a registry, or none if the entry is null or an option
/// is required.
template <class Entry>
Json defaults_of(const Entry* entry) {
  try {
    return entry == nullptr ? Json::object() : entry->complete_options(Json::object(), "");
  } catch (const InputError&) {
    return Json::object();
  }
}

std::string solver_words(const std::string& solver, const Json& options) {
  return options_words(options, defaults_of(SolverRegistry::instance().find(solver)));
}

std::string dataset_words(const ProblemIdentity& identity) {
  return options_words(identity.dataset_options,
                       defaults_of(DatasetRegistry::instance().find(identity.dataset)));
}

std::string constraint_words(const ProblemIdentity& identity) {
  return identity.constraint == Constraint::kDeflation
             ? fmt::format("deflation {}", identity.deflation)
             : constraint_name(identity.constraint);
}

Json standing_json(const Standing& standing) {
  return {{"problems", standing.problems},
          {"cells", standing.cells},
          {"answered", standing.answered},
          {"shares", standing.shares},
          {"median_share", number_to_json(standing.median_share)},
          {"least_share", number_to_json(standing.least_share)},
          {"best", standing.best},
          {"certified", standing.certified},
          {"reached", standing.reached},
          {"times", standing.times},
          {"mean_ratio", number_to_json(standing.mean_ratio)},
          {"timed_alone", standing.timed_alone},
          {"median_seconds", number_to_json(standing.median_seconds)},
          {"failed", standing.failed},
          {"skipped", standing.skipped}};
}

Json failures_json(const std::vector<StandingFailure>& failures) {
  constexpr std::size_t kMostFailures = 20;
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(failures.size(), kMostFailures); ++i) {
    list.push_back({{"status", status_name(failures[i].status)},
                    {"message", failures[i].message},
                    {"count", failures[i].count},
                    {"datasets", failures[i].datasets},
                    {"experiments", failures[i].experiments}});
  }
  return {{"groups", list}, {"left_out", failures.size() - list.size()}};
}

std::vector<std::string> cardinality_texts(const std::vector<std::vector<Index>>& cardinalities) {
  std::vector<std::string> texts;
  texts.reserve(cardinalities.size());
  for (const std::vector<Index>& cardinality : cardinalities) {
    texts.push_back(cardinality_text(cardinality));
  }
  return texts;
}

Json solver_json(const SolverStanding& standing) {
  const SolverEntry* entry = SolverRegistry::instance().find(standing.solver);
  Json by_options = Json::array();
  for (const auto& [options, of_options] : standing.by_options) {
    by_options.push_back({{"words", solver_words(standing.solver, options)},
                          {"standing", standing_json(of_options)}});
  }
  Json by_group = Json::array();
  for (const StandingOnGroup& group : standing.by_group) {
    by_group.push_back({{"dataset", group.group.dataset},
                        {"preparation", dataset_words(group.group)},
                        {"constraint", constraint_words(group.group)},
                        {"r", group.group.cardinality.size()},
                        {"cardinalities", cardinality_texts(group.cardinalities)},
                        {"standing", standing_json(group.standing)}});
  }
  return {{"name", standing.solver},
          {"description", entry == nullptr ? Json(nullptr) : solver_description(*entry)},
          {"overall", standing_json(standing.overall)},
          {"by_options", by_options},
          {"by_group", by_group},
          {"failures", failures_json(standing.failures)},
          {"experiments", standing.experiments}};
}

Json entry_json(const Entry& entry) {
  Json seconds = Json::object();
  for (const auto& [machine, of_machine] : entry.seconds) {
    seconds[machine] = of_machine;
  }
  return {{"solver", entry.solver},
          {"words", solver_words(entry.solver, entry.options)},
          {"cells", entry.cells},
          {"values", entry.values},
          {"value", number_to_json(entry.value)},
          {"share", number_to_json(entry.share)},
          {"least_share", number_to_json(entry.least_share)},
          {"best", entry.best},
          {"seconds", seconds}};
}

Json entry_row_json(const EntryRow& row) {
  Json entries = Json::array();
  std::transform(row.entries.begin(), row.entries.end(), std::back_inserter(entries), entry_json);
  return {{"k", cardinality_text(row.cardinality)},
          {"problems", row.problems},
          {"best", number_to_json(row.best)},
          {"bound", number_to_json(row.bound)},
          {"bound_by", row.bound_by},
          {"bounded", row.bounded},
          {"certified", row.certified},
          {"contradicted", row.contradicted},
          {"gap", number_to_json(row.gap)},
          {"entries", entries}};
}

Json table_json(const EntryTable& table) {
  Json rows = Json::array();
  std::transform(table.rows.begin(), table.rows.end(), std::back_inserter(rows), entry_row_json);
  return {{"constraint", constraint_words(table.group)},
          {"r", table.group.cardinality.size()},
          {"measure", value_measure_name(table.measure)},
          {"is_mixed", table.is_mixed},
          {"pca_variance", number_to_json(table.pca_variance)},
          {"total_variance", number_to_json(table.total_variance)},
          {"rows", rows}};
}

/// Returns the spectrum of one preparation, or the reason why it is missing.
Json spectrum_json(const ProblemIdentity& identity, Index p, const std::filesystem::path& base_dir,
                   const std::filesystem::path& data_dir) {
  const auto why_not = [](const std::string& reason) {
    return Json{{"values", Json::array()}, {"total", nullptr}, {"why_not", reason}};
  };
  if (p > kSpectrumVariables) {
    return why_not(fmt::format("not computed for more than {} variables", kSpectrumVariables));
  }
  const DatasetEntry* entry = DatasetRegistry::instance().find(identity.dataset);
  if (entry == nullptr || p == 0) {
    return why_not("no cell could load the data");
  }
  const DatasetRequest request{
      .data_dir = data_dir, .seed = identity.draw.value_or(0), .base_dir = base_dir};
  try {
    if (!identity.data_checksum.empty() &&
        data_files(*entry, identity.dataset_options, request).checksum != identity.data_checksum) {
      return why_not("the files of the data set are not here, or not those of the runs");
    }
    const Dataset data = entry->load(identity.dataset_options, request);
    const Spectrum spectrum(*data.covariance);
    const Index count = std::min(kSpectrumValues, data.covariance->variables());
    const Vector values = spectrum.leading(count).head(count);
    return {{"values", std::vector<double>(values.begin(), values.end())},
            {"total", data.covariance->total_variance()},
            {"why_not", ""}};
  } catch (const InputError&) {
    // The message of the exception would name a folder of this machine.
    return why_not("the files of the data set are not here");
  } catch (const NumericalError& error) {
    return why_not(error.what());
  }
}

/// Returns the description of a data set for its page; null if this program lacks the data set.
Json dataset_description(const std::string& name) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(name);
  if (entry == nullptr) {
    return nullptr;
  }
  return {{"summary", entry->traits.summary}, {"shape", entry->traits.shape},
          {"source", entry->traits.source},   {"generated", entry->traits.generated},
          {"files", entry->traits.files},     {"options", entry->describe()}};
}

/// Returns a text that is equal for tables of one data set that was prepared in one way.
std::string preparation_text(const ProblemIdentity& identity) {
  return fmt::format("{}\n{}", json_line(identity.dataset_options), identity.data_checksum);
}

class DatasetPages {
 public:
  DatasetPages(const std::vector<ReportedRun>& runs, std::filesystem::path data_dir)
      : data_dir_(std::move(data_dir)) {
    for (const ReportedRun& run : runs) {
      for (const Variant& variant : run.experiment.variants) {
        base_dirs_.try_emplace(json_line(Json{variant.dataset->name, variant.dataset_options}),
                               run.experiment.folder);
      }
    }
  }

  void add(const EntryTable& table) {
    const std::string& name = table.group.dataset;
    if (pages_.empty() || pages_.back()["name"] != name) {
      pages_.push_back({{"name", name},
                        {"description", dataset_description(name)},
                        {"preparations", Json::array()}});
      preparation_.clear();
    }
    Json& preparations = pages_.back()["preparations"];
    if (std::string of = preparation_text(table.group);
        preparations.empty() || of != preparation_) {
      preparation_ = std::move(of);
      preparations.push_back(preparation_json(table, preparations.size()));
    }
    preparations.back()["tables"].push_back(table_json(table));
  }

  Json release() { return std::move(pages_); }

 private:
  Json preparation_json(const EntryTable& table, std::size_t before) const {
    const ProblemIdentity& identity = table.group;
    const auto base_dir =
        base_dirs_.find(json_line(Json{identity.dataset, identity.dataset_options}));
    Json spectrum = {{"values", Json::array()},
                     {"total", nullptr},
                     {"why_not", fmt::format("only computed for the first {} preparations",
                                             kSpectrumPreparations)}};
    if (before < kSpectrumPreparations) {
      spectrum = spectrum_json(
          identity, table.p,
          base_dir == base_dirs_.end() ? std::filesystem::path() : base_dir->second, data_dir_);
    }
    return {{"words", dataset_words(identity)},
            {"checksum", identity.data_checksum},
            {"is_drawn", identity.draw.has_value()},
            {"n", table.n},
            {"p", table.p},
            {"spectrum", spectrum},
            {"tables", Json::array()}};
  }

  std::filesystem::path data_dir_;
  std::map<std::string, std::filesystem::path> base_dirs_;
  std::string preparation_;
  Json pages_ = Json::array();
};

/// Returns the facts that must agree for times to be compared, in one line.
std::string machine_words(const Json& manifest) {
  std::vector<std::string> words;
  for (const std::string& field : machine_fields()) {
    for (const char* part : {"build", "machine"}) {
      if (manifest.contains(part) && manifest[part].contains(field)) {
        const Json& value = manifest[part][field];
        const std::string text = value.is_string() ? value.get<std::string>() : json_line(value);
        words.push_back(field == "cores" ? text + " cores" : text);
      }
    }
  }
  words.push_back(
      fmt::format("threads of a solve {}", json_line(manifest.value("threads", Json(1)))));
  return join(words);
}

ProblemSource source_of(const ReportedRun& run) {
  return {.experiment = &run.experiment,
          .records = &run.records,
          .data_checksums = data_checksums(run.directory),
          .machine = machine_words(run.manifest)};
}

/// Returns the standings of the solvers over the problems of each kind alone: one component,
/// several one after the other, several together.
Json kinds_json(const std::vector<PosedProblem>& problems) {
  const auto kind_of = [](const PosedProblem& problem) {
    return problem.identity.constraint == Constraint::kOne ? "one component"
           : problem.identity.constraint == Constraint::kDeflation
               ? "several components, one at a time"
               : "several components together";
  };
  std::map<std::string, std::vector<PosedProblem>> by_kind;
  for (const PosedProblem& problem : problems) {
    by_kind[kind_of(problem)].push_back(problem);
  }
  Json kinds = Json::array();
  for (const auto& [kind, of_kind] : by_kind) {
    Json solvers = Json::array();
    for (const SolverStanding& standing : solver_standings(of_kind)) {
      solvers.push_back({{"name", standing.solver}, {"overall", standing_json(standing.overall)}});
    }
    kinds.push_back({{"words", kind}, {"problems", of_kind.size()}, {"solvers", solvers}});
  }
  return kinds;
}

Json problems_json(const std::vector<PosedProblem>& problems) {
  std::map<std::string, std::size_t> counts;
  for (const PosedProblem& problem : problems) {
    counts["compared"] += problem.solvers_with_value() > 1 ? 1 : 0;
    counts["bounded"] += std::isfinite(problem.bound) && !problem.is_contradicted ? 1 : 0;
    counts["certified"] += problem.is_certified() ? 1 : 0;
    counts["contradicted"] += problem.is_contradicted ? 1 : 0;
    counts["unmeasured"] += problem.measure == ValueMeasure::kNone ? 1 : 0;
  }
  return {{"all", problems.size()},
          {"compared", counts["compared"]},
          {"bounded", counts["bounded"]},
          {"certified", counts["certified"]},
          {"contradicted", counts["contradicted"]},
          {"unmeasured", counts["unmeasured"]}};
}

}  // namespace

Json standings_json(const std::vector<ReportedRun>& runs, const std::filesystem::path& data_dir) {
  std::vector<ProblemSource> sources;
  std::set<std::string> machines;
  for (const ReportedRun& run : runs) {
    sources.push_back(source_of(run));
    machines.insert(sources.back().machine);
  }
  const std::vector<PosedProblem> problems = problems_of(sources);
  Json solvers = Json::array();
  for (const SolverStanding& standing : solver_standings(problems)) {
    solvers.push_back(solver_json(standing));
  }
  DatasetPages datasets(runs, data_dir);
  for (const EntryTable& table : entry_tables(problems)) {
    datasets.add(table);
  }
  return {{"problems", problems_json(problems)},
          {"machines", machines},
          {"solvers", solvers},
          {"kinds", kinds_json(problems)},
          {"datasets", datasets.release()}};
}

}  // namespace spca
