#include "spca/runner.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "spca/runner_supervisor.h"
#include "spca/sha256.h"

namespace spca {
namespace {

/// Of all files that a data set may read. One that is not there is part of it too: with the file,
/// the cell is another one.
std::string data_checksum(const DatasetEntry& dataset, const std::filesystem::path& data_dir) {
  if (dataset.traits.files.empty()) {
    return "";
  }
  std::string digests;
  for (const std::string& file : dataset.traits.files) {
    try {
      digests += sha256_of_file(find_data_file(data_dir, file)) + "\n";
    } catch (const MissingData&) {
      digests += "missing\n";
    }
  }
  return sha256(digests);
}

RunContext make_context(const RunRequest& request) {
  RunContext context{.experiment = *request.experiment,
                     .cells = request.experiment->cells(),
                     .data_dir = request.data_dir,
                     .threads = request.threads,
                     .data_checksums = {}};
  for (const Variant& variant : request.experiment->variants) {
    if (!context.data_checksums.contains(variant.dataset->name)) {
      context.data_checksums[variant.dataset->name] =
          data_checksum(*variant.dataset, request.data_dir);
    }
  }
  return context;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Json start_manifest(const RunRequest& request) {
  Json manifest = make_manifest(*request.experiment, request.invocation);
  manifest["jobs"] = request.jobs;
  manifest["threads"] = request.threads;
  manifest["began"] = utc_now();
  manifest["ended"] = nullptr;
  return manifest;
}

void end_manifest(const RunSummary& summary, Json& manifest) {
  manifest["ended"] = utc_now();
  manifest["interrupted"] = summary.interrupted;
  manifest["kept"] = summary.kept;
  manifest["run"] = summary.run;
  Json by_status = Json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[status_name(status)] = count;
  }
  manifest["by_status"] = by_status;
}

std::vector<std::size_t> pending_cells(const std::vector<StoredRecord>& records) {
  std::vector<std::size_t> pending;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    if (!records[cell].is_there || !is_final(records[cell].status)) {
      pending.push_back(cell);
    }
  }
  return pending;
}

void count_statuses(const std::vector<StoredRecord>& records, RunSummary& summary) {
  for (const StoredRecord& record : records) {
    if (record.is_there) {
      ++summary.by_status[record.status];
      summary.failures += record.is_failure ? 1 : 0;
    }
  }
}

}  // namespace

std::filesystem::path default_run_directory(const Experiment& experiment) {
  const ExperimentOverrides& overrides = experiment.overrides;
  std::string name = experiment.profile;
  if (overrides.seed) {
    name += fmt::format("-seed{}", *overrides.seed);
  }
  if (overrides.repeats) {
    name += fmt::format("-repeats{}", *overrides.repeats);
  }
  if (!overrides.only_solvers.empty() || !overrides.only_datasets.empty()) {
    constexpr std::size_t kDigits = 8;
    const std::string filters =
        join(overrides.only_solvers, "\n") + "\n\n" + join(overrides.only_datasets, "\n");
    name += fmt::format("-{:.{}}", sha256(filters), kDigits);
  }
  return std::filesystem::path("results") / "runs" / experiment.name / name;
}

RunSummary run_experiment(const RunRequest& request) {
  const double began = monotonic_seconds();
  const RunContext context = make_context(request);
  RunSummary summary;
  summary.cells = context.cells.size();
  if (request.dry_run) {
    std::vector<StoredRecord> records(context.cells.size());
    if (!request.force) {
      records = find_finished_cells(context, request.directory);
    }
    summary.kept = context.cells.size() - pending_cells(records).size();
    count_statuses(records, summary);
    summary.seconds = monotonic_seconds() - began;
    return summary;
  }
  RunStore store(request.directory);
  store.open(context, request.force);
  Json manifest = start_manifest(request);
  store.write_json("experiment.json", request.experiment->json);
  store.write_json("manifest.json", manifest);
  const std::vector<std::size_t> pending = pending_cells(store.records());
  summary.kept = context.cells.size() - pending.size();
  Progress progress(pending.size(), request.quiet);
  Supervisor supervisor(context,
                        make_blocks(context.experiment, context.cells, pending, request.jobs),
                        request.jobs, store, progress);
  summary.interrupted = !supervisor.run();
  progress.finish();
  summary.run = supervisor.done();
  if (summary.interrupted) {
    fmt::print(stderr, "spca: interrupted with {} of {} cells done; the same command continues\n",
               summary.kept + summary.run, summary.cells);
  } else {
    store.put_in_canonical_order();
  }
  count_statuses(store.records(), summary);
  end_manifest(summary, manifest);
  store.write_json("manifest.json", manifest);
  summary.seconds = monotonic_seconds() - began;
  return summary;
}

int exit_code(const RunSummary& summary) {
  constexpr int kSomeCellsFailed = 3;
  constexpr int kInterrupted = 130;
  if (summary.interrupted) {
    return kInterrupted;
  }
  return summary.failures > 0 ? kSomeCellsFailed : 0;
}

}  // namespace spca
