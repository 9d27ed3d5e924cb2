#include "harness/runs/runner.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment_document.h"
#include "harness/records/manifest.h"
#include "harness/records/record_line.h"
#include "harness/records/shown_message.h"
#include "harness/runs/cell_cache.h"
#include "harness/runs/missing_data.h"
#include "harness/runs/runner_supervisor.h"
#include "spca/base/interrupt.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

Json read_reused_from(const std::filesystem::path& directory) {
  try {
    return read_manifest(directory).value("reused_from", Json::object());
  } catch (const InputError&) {
    return Json::object();  // the manifest is missing or was changed
  }
}

Json start_manifest(const RunRequest& request, const RunContext& context) {
  Json manifest = make_manifest(*request.experiment, request.invocation);
  manifest["cells"] = context.cells.size();
  manifest["shard"] = request.shard.of > 1 ? Json(shard_text(request.shard)) : Json(nullptr);
  if (request.chunk) {
    manifest["chunk"] = request.chunk->name;
  }
  manifest["identities"] = context.digests;
  manifest["jobs"] = request.jobs;
  manifest["threads"] = request.threads;
  manifest["origin"] = origin_digest(timing_origin(request.threads));
  // The origins of kept records are still needed.
  manifest["reused_from"] = read_reused_from(request.directory);
  manifest["began"] = utc_now();
  manifest["ended"] = nullptr;
  return manifest;
}

/// Returns the facts that must agree for two runs to share a folder, or null if this is no
/// manifest.
Json run_identity(const Json& manifest) {
  if (!manifest.is_object()) {
    return {};
  }
  Json overrides = manifest.value("overrides", Json::object());
  if (overrides.is_object()) {
    overrides.erase("maximum_cells");
  }
  return {{"experiment", manifest.value("experiment", Json(nullptr))},
          {"profile", manifest.value("profile", Json(nullptr))},
          {"overrides", overrides},
          {"shard", manifest.value("shard", Json(nullptr))},
          {"chunk", manifest.value("chunk", Json(nullptr))}};
}

/// Returns the string with this name, or "?" if there is none.
std::string word_of(const Json& manifest, const char* name) {
  const bool exists = manifest.is_object() && manifest.contains(name);
  return exists && manifest[name].is_string() ? manifest[name].get<std::string>() : "?";
}

/// Throws InputError if the folder holds another run, whose records would be lost.
void refuse_other_run(const RunRequest& request, const Json& manifest) {
  const std::filesystem::path file = request.directory / "manifest.json";
  if (!std::filesystem::exists(request.directory / "cells.jsonl") ||
      !std::filesystem::exists(file) || (request.force && request.force_glob.empty())) {
    return;
  }
  std::string wrong;
  Json there;
  try {
    there = read_manifest(request.directory);
  } catch (const InputError& error) {
    wrong = error.what();
    there = try_json_file(file);
  }
  if (run_identity(there) != run_identity(manifest)) {
    const std::string experiment = word_of(there, "experiment");
    throw InputError(fmt::format(
        "{}: holds the run of {}, profile {}{}{}; accepted: another folder (-o), or --force, which "
        "replaces it{}",
        request.directory.string(), experiment, word_of(there, "profile"),
        experiment == request.experiment->name ? ", with other options" : "",
        wrong.empty() ? "" : ", by a manifest.json that was changed",
        wrong.empty() || there.is_object()
            ? ""
            : "; or delete manifest.json, which keeps the records of this experiment"));
  }
  if (!wrong.empty()) {
    fmt::print(stderr, "spca: {}: was changed, or is of an older version; it is rewritten\n",
               file.string());
  }
}

void end_manifest(const RunSummary& summary, Json& manifest) {
  manifest["ended"] = utc_now();
  manifest["interrupted"] = summary.interrupted;
  manifest["run"] = summary.run;
  manifest["measured"] = summary.measured;
  Json by_status = Json::object();
  for (const auto& [status, count] : summary.by_status) {
    by_status[status_name(status)] = count;
  }
  manifest["by_status"] = by_status;
}

/// Returns the origin of the records that this run adds to the cache, with all facts about it.
Json cache_origin(const RunRequest& request) {
  Json origin = timing_origin(request.threads);
  origin["experiment"] = request.experiment->name;
  origin["profile"] = request.experiment->profile;
  origin["directory"] = std::filesystem::absolute(request.directory).string();
  origin["began"] = utc_now();
  origin["seconds_since_1970"] = std::time(nullptr);
  return origin;
}

std::vector<std::size_t> pending_cells(const std::vector<StoredRecord>& records) {
  std::vector<std::size_t> pending;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    if (needs_solve(records[cell])) {
      pending.push_back(cell);
    }
  }
  return pending;
}

std::vector<std::size_t> stale_cells(const std::vector<StoredRecord>& records) {
  std::vector<std::size_t> stale;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    if (needs_measuring(records[cell])) {
      stale.push_back(cell);
    }
  }
  return stale;
}

void count_statuses(const std::vector<StoredRecord>& records, RunSummary& summary) {
  for (const StoredRecord& record : records) {
    if (record.exists) {
      ++summary.by_status[record.status];
      summary.failures += record.is_failure ? 1 : 0;
    }
  }
}

/// Quotes the first failed and the first skipped cell: if many fail, they mostly do so for one
/// reason.
void quote_without_answer(const RunContext& context, const RunStore& store, RunSummary& summary) {
  const std::vector<StoredRecord>& records = store.records();
  const auto quote_first = [&](const auto& is_meant) {
    const auto first = std::find_if(records.begin(), records.end(), is_meant);
    if (first == records.end()) {
      return;
    }
    const auto cell = static_cast<std::size_t>(first - records.begin());
    const std::string message = text_of(raw_field(store.line(cell), "message"));
    if (!message.empty()) {
      summary.without_answer.push_back(fmt::format("{}: {}: {}", cell_name(context.identity(cell)),
                                                   status_name(first->status),
                                                   shown_message(kept_message(message))));
    }
  };
  quote_first([](const StoredRecord& record) { return record.exists && record.is_failure; });
  quote_first([](const StoredRecord& record) {
    return record.exists && record.status == Status::kSkipped;
  });
}

/// Writes the cached records of pending cells that are not forced, adds their origins to
/// `reused_from`, and returns their number.
std::size_t copy_from_cache(const RunRequest& request, const RunContext& context,
                            const std::vector<bool>& forced, CellCache& cache, RunStore& store,
                            Json& reused_from) {
  std::vector<std::size_t> wanted;
  for (const std::size_t cell : pending_cells(store.records())) {
    if (!forced[cell]) {
      wanted.push_back(cell);
    }
  }
  const Json here = timing_origin(request.threads);
  const std::string here_digest = origin_digest(here);
  std::size_t reused = 0;
  const auto take = [&](std::size_t cell, const std::string& cached, const Json& origin) {
    if (needs_solve(as_stored(context, cell, cached))) {
      return;
    }
    const Variant& variant = context.variant(cell);
    const std::string digest = origin_digest(origin);
    const std::string line = compose_line({.key = context.key(cell),
                                           .grid = variant.grid,
                                           .dataset = variant.dataset_label,
                                           .solver = variant.solver_label,
                                           .origin = digest,
                                           .elsewhere = digest != here_digest,
                                           .contended = read_envelope(cached).contended},
                                          answer_of_line(cached));
    store.append(cell, line);
    reused_from[digest] = {
        {"machine", origin["machine"]}, {"build", origin["build"]}, {"threads", origin["threads"]}};
    ++reused;
  };
  for_each_hit(cache, context, wanted, here["build"], take);
  return reused;
}

/// Removes the cells outside the chunk.
void select_chunk(const TaskChunk& chunk, RunContext& context) {
  const std::set<std::string> wanted(chunk.keys.begin(), chunk.keys.end());
  std::set<std::string> found;
  std::vector<Cell> cells;
  for (std::size_t cell = 0; cell < context.cells.size(); ++cell) {
    const std::string key = context.key(cell);
    if (wanted.contains(key)) {
      found.insert(key);
      cells.push_back(context.cells[cell]);
    }
  }
  if (found.size() < wanted.size()) {
    throw InputError(fmt::format(
        "{}: {} of its {} cells no longer belong to this program and these data; accepted: a chunk "
        "that `spca submit` wrote, before either was changed",
        chunk.file.string(), wanted.size() - found.size(), wanted.size()));
  }
  context.cells = std::move(cells);
}

RunContext context_of(const RunRequest& request) {
  RunContext context =
      make_context(*request.experiment, cells_of_shard(*request.experiment, request.shard),
                   request.data_dir, request.threads);
  keep_answers_without_data(request, context);
  if (request.chunk) {
    select_chunk(*request.chunk, context);
  }
  return context;
}

/// A run whose folder is locked and holds every record that needs no solve.
struct BegunRun {
  explicit BegunRun(const RunRequest& request);
  /// Counts the statuses and seals the folder.
  void end();

  const RunContext context;
  /// Computed before the folder is created: a wrong GLOB must not leave a folder.
  const std::vector<bool> forced;
  RunStore store;
  Json manifest;
  CellCache cache;
  RunSummary summary;
};

BegunRun::BegunRun(const RunRequest& request)
    : context(context_of(request)),
      forced(forced_cells(request, context)),
      store(request.directory),
      manifest(start_manifest(request, context)),
      cache(request.cache_dir, SqlAccess::kMade, cache_origin(request)) {
  summary.cells = context.cells.size();
  refuse_other_run(request, manifest);
  // This precedes the removal of the run's own records: a forced run that is killed here starts
  // again.
  for (std::size_t cell = 0; cell < forced.size(); ++cell) {
    if (forced[cell]) {
      cache.forget(context.key(cell));
    }
  }
  cache.commit();
  // A run that ends before the counts are known, because the disk is full, needs values too.
  manifest["kept"] = 0U;
  manifest["reused"] = 0U;
  store.write_manifest(manifest, Seal::kOpen);
  store.open(context, forced);
  store.add_identities(context);
  store.write_experiment(request.experiment->json);
  summary.kept = context.cells.size() - pending_cells(store.records()).size();
  summary.reused = copy_from_cache(request, context, forced, cache, store, manifest["reused_from"]);
  store.restrict_metrics();
  manifest["kept"] = summary.kept;
  manifest["reused"] = summary.reused;
  store.write_manifest(manifest, Seal::kRunning);
}

void BegunRun::end() {
  count_statuses(store.records(), summary);
  quote_without_answer(context, store, summary);
  end_manifest(summary, manifest);
  store.write_manifest(manifest, Seal::kEnded);
}

}  // namespace

std::vector<bool> forced_cells(const RunRequest& request, const RunContext& context) {
  std::vector<bool> forced(context.cells.size(), request.force && request.force_glob.empty());
  if (request.force && !request.force_glob.empty()) {
    for (std::size_t cell = 0; cell < forced.size(); ++cell) {
      forced[cell] = context.cell_matches(cell, request.force_glob);
    }
    if (std::find(forced.begin(), forced.end(), true) == forced.end()) {
      throw InputError(
          fmt::format("--force: found \"{}\", which matches no cell; accepted: a pattern of a "
                      "solver, a data set or SOLVER/DATASET",
                      request.force_glob));
    }
  }
  return forced;
}

std::filesystem::path default_run_directory(const Experiment& experiment, const Shard& shard) {
  const ExperimentOverrides& overrides = experiment.overrides;
  std::string name = experiment.profile;
  if (overrides.seed) {
    name += fmt::format("-seed{}", *overrides.seed);
  }
  if (overrides.repeats) {
    name += fmt::format("-repeats{}", *overrides.repeats);
  }
  if (overrides.time_limit) {
    name += fmt::format("-limit{:g}s", *overrides.time_limit);
  }
  if (overrides.memory_limit) {
    name += fmt::format("-limit{:g}MB", *overrides.memory_limit);
  }
  constexpr std::size_t kDigits = 8;
  if (!overrides.settings.empty()) {
    std::string settings;
    for (const std::string& assignment : overrides.settings) {
      const Setting setting = parse_setting(assignment);
      settings += fmt::format("{}={}\n", setting.pointer, json_line(setting.value));
    }
    name += fmt::format("-set-{:.{}}", sha256(settings), kDigits);
  }
  if (!overrides.only_solvers.empty() || !overrides.only_datasets.empty()) {
    const std::string filters =
        join(overrides.only_solvers, "\n") + "\n\n" + join(overrides.only_datasets, "\n");
    name += fmt::format("-{:.{}}", sha256(filters), kDigits);
  }
  if (!overrides.also.empty()) {
    name += fmt::format("-also-{:.{}}", sha256(join(overrides.also, "\n")), kDigits);
  }
  if (shard.of > 1) {
    name += fmt::format("-shard{}of{}", shard.index, shard.of);
  }
  return std::filesystem::path("results") / "runs" / experiment.name / name;
}

RunSummary run_experiment(const RunRequest& request) {
  const double began = monotonic_seconds();
  BegunRun run(request);
  const RunContext& context = run.context;
  RunSummary& summary = run.summary;
  const std::vector<std::size_t> pending = pending_cells(run.store.records());
  const std::vector<std::size_t> stale = stale_cells(run.store.records());
  std::vector<Block> blocks =
      make_measuring_blocks(context.experiment, context.cells, stale, request.jobs);
  for (Block& block : make_blocks(context.experiment, context.cells, pending, request.jobs)) {
    blocks.push_back(std::move(block));
  }
  const std::size_t to_do = pending.size() + stale.size();
  Progress own(to_do, "cells", request.quiet || request.progress != nullptr);
  Progress& progress = request.progress == nullptr ? own : *request.progress;
  if (request.progress != nullptr) {
    progress.begin_part(request.experiment->name, to_do);
  }
  Supervisor supervisor(context, std::move(blocks), request.jobs, run.store, run.cache, progress);
  summary.interrupted = !supervisor.run();
  own.finish();
  summary.run = supervisor.done();
  summary.measured = supervisor.measured();
  summary.unmeasured = supervisor.unmeasured();
  summary.why_unmeasured = supervisor.why_unmeasured();
  if (summary.interrupted) {
    say("spca: interrupted with {} of {} cells done; the same command continues",
        summary.kept + summary.reused + summary.run, summary.cells);
  } else {
    run.store.put_in_canonical_order();
  }
  run.end();
  summary.seconds = monotonic_seconds() - began;
  return summary;
}

RunSummary prepare_run(const RunRequest& request) {
  const Json before = try_json_file(request.directory / "manifest.json");
  BegunRun run(request);
  const std::vector<StoredRecord>& records = run.store.records();
  const bool has_records = std::any_of(records.begin(), records.end(),
                                       [](const StoredRecord& record) { return record.exists; });
  for (const char* field : {"origin", "machine", "threads", "jobs"}) {
    if (has_records && before.is_object() && before.contains(field)) {
      run.manifest[field] = before[field];
    }
  }
  run.summary.interrupted = !pending_cells(records).empty();
  run.store.put_in_canonical_order();
  run.end();
  return run.summary;
}

int exit_code(const RunSummary& summary) {
  if (summary.interrupted) {
    return kInterruptedExitCode;
  }
  return summary.failures > 0 || summary.unmeasured > 0 ? kSomeCellsFailedExitCode : 0;
}

}  // namespace spca
