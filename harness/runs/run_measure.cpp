#include "harness/runs/run_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "harness/experiments/experiment_match.h"
#include "harness/runs/cell_cache.h"
#include "harness/runs/run_folder.h"
#include "harness/runs/runner.h"
#include "harness/runs/runner_supervisor.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/data/data_folder.h"
#include "spca/io/progress.h"
#include "spca/measure/judge.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

using Identities = std::map<std::string, Json>;

/// Returns null if identities.jsonl lacks the digest.
const Json& identity_of(const Identities& identities, const std::string& digest) {
  static const Json none;
  const auto identity = identities.find(digest);
  return identity == identities.end() ? none : identity->second;
}

/// Returns an input of the metric that this variant's answers lack, or "" if none is missing.
std::string missing_for(const MetricEntry& metric, const Json& identity) {
  const Json kept = identity.value("keeps", Json::array());
  const auto lacks = [&kept](const char* what) {
    return std::find(kept.begin(), kept.end(), what) == kept.end();
  };
  if (metric.traits.needs_bound && lacks("upper_bound")) {
    return "the bound that the solver proved, which this run did not keep";
  }
  if (metric.traits.needs_peak && lacks("peak_bytes")) {
    return "the memory of the solve, which this run did not measure";
  }
  if (metric.traits.needs_instructions && lacks("instructions")) {
    return "the instructions of the solve, which this run did not count";
  }
  return "";
}

/// Expands a list of names and patterns to names. A pattern skips metrics that cannot be measured;
/// a name must be a metric that can.
std::vector<std::string> names_of(const std::vector<std::string>& words,
                                  const std::vector<Json>& identities) {
  const auto why_not = [&identities](const MetricEntry& metric) {
    for (const Json& identity : identities) {
      std::string missing = missing_for(metric, identity);
      if (!missing.empty()) {
        return missing;
      }
    }
    return std::string();
  };
  std::set<std::string> names;
  for (const std::string& word : words) {
    const bool is_pattern = is_glob(word);
    if (!is_pattern) {
      const std::string missing = why_not(MetricRegistry::instance().get(word, "--metric"));
      if (!missing.empty()) {
        throw InputError(
            fmt::format("--metric: {} needs {}; `spca run` of an experiment that asks "
                        "for it solves again",
                        word, missing));
      }
    }
    const std::size_t before = names.size();
    for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
      if (is_pattern ? glob_matches(word, name) && why_not(metric).empty() : name == word) {
        names.insert(name);
      }
    }
    if (is_pattern && names.size() == before) {
      throw InputError(
          fmt::format("--metric: found \"{}\", which matches no further metric that "
                      "can be measured; accepted: a name, or a pattern with * and ?",
                      word));
    }
  }
  return {names.begin(), names.end()};
}

/// Checks that loading the data set gives the data that the run solved.
void check_data(const Experiment& experiment, const std::vector<Json>& identities,
                const MeasureRequest& request) {
  std::map<std::string, DataFiles> files;
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    const Variant& variant = experiment.variants[i];
    const bool is_named = !variant.dataset->traits.path_options.empty();
    const auto [found, is_new] = files.try_emplace(
        variant.dataset->name + (is_named ? json_line(variant.dataset_options) : ""));
    if (is_new) {
      for (const std::string& file : variant.dataset->traits.files) {
        // Throws MissingData, which says how to get the file.
        find_data_file(request.data_dir, file);
      }
      found->second = data_files(*variant.dataset, variant.dataset_options,
                                 {.data_dir = request.data_dir, .base_dir = experiment.folder});
    }
    const Json now = variant_identity(experiment, variant, found->second);
    for (const char* member : {"data_checksum", "dataset_source", "dataset_parts"}) {
      if (identities[i].is_null() || identities[i].value(member, Json()) != now.at(member)) {
        throw InputError(fmt::format(
            "{}: its cells on {} were solved on other data, or on data that other code loaded; "
            "`spca run` solves them again",
            request.directory.string(), variant.dataset_label));
      }
    }
  }
}

/// Refuses stand-ins for solvers and metrics of another program (stand_in_plugins.h), which have no
/// file and measure nothing. check_data() refuses those for data sets.
void refuse_stand_ins(const Experiment& experiment, const std::filesystem::path& directory) {
  const auto refuse = [&](const char* kind, const std::string& name) {
    throw InputError(fmt::format("{}: names the {} \"{}\", which this program does not have",
                                 directory.string(), kind, name));
  };
  for (const Variant& variant : experiment.variants) {
    if (variant.solver->file.empty()) {
      refuse("solver", variant.solver->name);
    }
    for (const std::string& name : variant.metrics) {
      if (MetricRegistry::instance().get(name, "").file.empty()) {
        refuse("metric", name);
      }
    }
  }
}

/// Adds metrics to the experiment, with the digests of the sources that measure them now.
void ask_for(const std::vector<std::string>& metrics, Experiment& experiment) {
  for (Variant& variant : experiment.variants) {
    std::vector<std::string> names;
    for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
      const bool is_further = std::find(metrics.begin(), metrics.end(), name) != metrics.end();
      if (is_further || wants_metric(variant.metrics, name)) {
        names.push_back(name);
      }
    }
    variant.metrics = std::move(names);
    variant.identity = identify(variant);
  }
}

}  // namespace

MeasuredRun measure_run(const MeasureRequest& request) {
  if (const auto process = running_process(request.directory)) {
    throw InputError(
        fmt::format("{}: {} still runs in this folder", request.directory.string(), *process));
  }
  const RunFolder run(request.directory, request.data_dir);
  RunContext then = run.context(false);
  const Identities known = read_identities(request.directory);
  std::vector<Json> identities;
  for (const std::string& digest : then.digests) {
    identities.push_back(identity_of(known, digest));
  }
  Experiment experiment = then.experiment;
  refuse_stand_ins(experiment, request.directory);
  check_data(experiment, identities, request);
  MeasuredRun measured;
  measured.metrics = names_of(request.metrics, identities);
  ask_for(measured.metrics, experiment);
  RunContext context{.experiment = experiment,
                     .cells = std::move(then.cells),
                     .data_dir = request.data_dir,
                     .threads = 1,
                     .identities = std::move(identities),
                     .digests = std::move(then.digests),
                     .metrics = {}};
  for (const Variant& variant : experiment.variants) {
    context.metrics.push_back(metrics_source(variant));
  }
  RunStore store(request.directory);
  store.write_manifest(run.manifest(), Seal::kOpen);
  store.open(context, {});
  store.restrict_metrics();
  std::vector<std::size_t> stale;
  for (std::size_t cell = 0; cell < context.cells.size(); ++cell) {
    const StoredRecord& record = store.records()[cell];
    measured.answers += record.exists && record.is_answer ? 1 : 0;
    if (needs_measuring(record)) {
      stale.push_back(cell);
    }
  }
  CellCache cache(request.cache_dir, SqlAccess::kExisting);
  Progress progress(stale.size(), "cells", request.quiet);
  Supervisor supervisor(
      context, make_measuring_blocks(context.experiment, context.cells, stale, request.jobs),
      request.jobs, store, cache, progress);
  measured.interrupted = !supervisor.run();
  progress.finish();
  store.put_in_canonical_order();
  store.write_manifest(run.manifest(), Seal::kEnded);
  measured.measured = supervisor.measured();
  measured.unmeasured = supervisor.unmeasured();
  measured.why_unmeasured = supervisor.why_unmeasured();
  for (const StoredRecord& record : store.records()) {
    measured.failures += record.exists && record.is_failure ? 1 : 0;
  }
  return measured;
}

int exit_code(const MeasuredRun& measured) {
  if (measured.interrupted) {
    return kInterruptedExitCode;
  }
  return measured.failures > 0 || measured.unmeasured > 0 ? kSomeCellsFailedExitCode : 0;
}

}  // namespace spca
