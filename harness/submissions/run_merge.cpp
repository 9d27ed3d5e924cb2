#include "harness/submissions/run_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/cells/measured_metrics.h"
#include "harness/records/record_line.h"
#include "harness/runs/run_folder.h"
#include "harness/submissions/task_files.h"
#include "spca/base/json_text.h"
#include "spca/base/standard_error.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

void check_same(const RunFolder& first, const RunFolder& other) {
  const auto reject = [&](const std::string& difference) {
    throw InputError(fmt::format("{} and {}: {}; accepted: runs of one experiment by one revision",
                                 (first.directory() / "manifest.json").string(),
                                 (other.directory() / "manifest.json").string(), difference));
  };
  const Json& one = first.manifest();
  const Json& two = other.manifest();
  if (one.at("experiment") != two.at("experiment")) {
    reject(
        fmt::format("of {} and of {}", json_line(one["experiment"]), json_line(two["experiment"])));
  }
  for (const char* field : {"overrides", "seed", "time_limit_seconds", "memory_limit_mb"}) {
    if (one.at(field) != two.at(field)) {
      reject(fmt::format("different \"{}\"", field));
    }
  }
  if (first.experiment_json() != other.experiment_json()) {
    reject("the experiment was edited in between");
  }
  if (one.at("build").at("sources") != two.at("build").at("sources")) {
    reject("different sources of the program");
  }
  if (one.at("identities") != two.at("identities")) {
    reject("different data files");
  }
}

/// A record of one of the runs.
struct Choice {
  std::size_t run = 0;
  StoredRecord record;
  Envelope envelope;
  std::string answer;
};

bool is_better(const Choice& a, const Choice& b) {
  const auto rank = [](const Choice& choice) {
    return std::tuple(is_final(choice.record.status), is_repeatable(choice.record.status),
                      !choice.envelope.contended);
  };
  return rank(a) > rank(b);
}

/// If both records have the same answer but different measured metrics, gives both records all
/// metrics. Returns false if the answers differ.
bool unite_metrics(const Variant& variant, Choice& a, Choice& b) {
  const auto record_of = [](const Choice& choice) {
    return record_from_line(compose_line(choice.envelope, choice.answer));
  };
  Record one = record_of(a);
  Record two = record_of(b);
  if (!is_same_answer(one, two)) {
    return false;
  }
  const Record as_it_was = one;
  add_metrics(two, variant, one);
  add_metrics(as_it_was, variant, two);
  a.answer = answer_text(one);
  b.answer = answer_text(two);
  return true;
}

/// Returns the line for a merged run whose origin is `base`. `of_run` is the origin of the run that
/// has the record.
std::string with_origin(const Choice& choice, const std::string& of_run, const std::string& base) {
  Envelope envelope = choice.envelope;
  if (envelope.origin.empty() && of_run != base) {
    envelope.origin = of_run;
  }
  envelope.elsewhere = !envelope.origin.empty() && envelope.origin != base;
  return compose_line(envelope, choice.answer);
}

/// Stores in `other` the better of `choice` and `other`, two records of the cell. `folder` returns
/// the folder of a run's records. Throws MergeConflict.
void merge_choice(const RunContext& context, std::size_t cell,
                  const std::function<fs::path(std::size_t run)>& folder, Choice choice,
                  std::optional<Choice>& other) {
  if (other && is_repeatable(other->record.status) && is_repeatable(choice.record.status) &&
      stable_part(other->answer) != stable_part(choice.answer) &&
      !unite_metrics(context.variant(cell), *other, choice)) {
    throw MergeConflict(fmt::format("{} and {}: different answers for the key {} ({})",
                                    (folder(other->run) / "cells.jsonl").string(),
                                    (folder(choice.run) / "cells.jsonl").string(),
                                    context.key(cell), cell_name(context.identity(cell))));
  }
  if (!other || is_better(choice, *other)) {
    other = std::move(choice);
  }
}

Choice choice_from(std::size_t run, const StoredRecord& record, const std::string& line) {
  return {.run = run,
          .record = record,
          .envelope = read_envelope(line),
          .answer = answer_of_line(line)};
}

/// Returns the best record of each cell.
std::vector<std::optional<Choice>> choose(const std::vector<RunFolder>& runs,
                                          const RunContext& context, Damage damage) {
  const auto folder = [&](std::size_t run) { return runs[run].directory(); };
  std::vector<std::optional<Choice>> chosen(context.cells.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::vector<StoredRecord> records =
        find_finished_cells(context, runs[run].directory(), damage);
    for (std::size_t cell = 0; cell < records.size(); ++cell) {
      if (records[cell].exists) {
        merge_choice(context, cell, folder,
                     choice_from(run, records[cell], runs[run].line(records[cell])), chosen[cell]);
      }
    }
  }
  return chosen;
}

/// Adds the run that measured the records of a part to "reused_from" and "merged" of `manifest`.
void add_part(const fs::path& directory, const Json& part, Json& manifest) {
  Json entry = {{"directory", directory.string()}};
  for (const char* field : {"shard", "origin", "machine", "jobs", "threads", "began", "ended"}) {
    entry[field] = part.at(field);
  }
  manifest["merged"].push_back(entry);
  manifest["reused_from"][part["origin"].get<std::string>()] = {
      {"machine", part.at("machine")}, {"build", part.at("build")}, {"threads", part["threads"]}};
  manifest["reused_from"].update(part.at("reused_from"));
}

/// Sets the counts of cells in the manifest of a merged run, which has solved none of them.
void count_merged(const RunContext& context, const RunStore& store, Json& manifest) {
  Json by_status = Json::object();
  std::size_t there = 0;
  for (const StoredRecord& record : store.records()) {
    if (record.exists) {
      Json& count = by_status[status_name(record.status)];
      count = count.is_null() ? 1 : count.get<std::size_t>() + 1;
      ++there;
    }
  }
  manifest["reused_from"].erase(manifest["origin"].get<std::string>());
  manifest["cells"] = context.cells.size();
  manifest["interrupted"] = there < context.cells.size();
  manifest["kept"] = there;
  manifest["reused"] = 0;
  manifest["run"] = 0;
  manifest["by_status"] = by_status;
}

Json merged_manifest(const std::vector<RunFolder>& runs, const RunContext& context,
                     const RunStore& store, const Json& invocation) {
  Json manifest = runs.front().manifest();
  manifest["merged"] = Json::array();
  for (const RunFolder& run : runs) {
    const Json& part = run.manifest();
    add_part(run.directory(), part, manifest);
    manifest["began"] = std::min(manifest["began"], part["began"]);
    if (part["ended"].is_string()) {
      manifest["ended"] = std::max(manifest["ended"], part["ended"]);
    }
  }
  manifest["shard"] = nullptr;
  manifest.erase("chunk");
  manifest["invocation"] = invocation;
  count_merged(context, store, manifest);
  return manifest;
}

/// The folder and the manifest of a task of a submitted run.
struct TaskPart {
  fs::path directory;
  Json manifest;
};

/// Returns the tasks to be merged: they have records, no longer run, and their folders can be read.
std::vector<TaskPart> task_parts(const fs::path& run) {
  std::vector<TaskPart> parts;
  for (const Submission& submission : submissions_of(run)) {
    for (std::size_t task = 1; task <= submission.tasks; ++task) {
      TaskPart part{.directory = task_folder(submission, task), .manifest = {}};
      if (!fs::exists(part.directory / "cells.jsonl")) {
        continue;  // the task has not begun, or was killed before its first cell
      }
      try {
        if (const auto process = running_process(part.directory)) {
          say("spca: {}: {} still runs in this folder; it is left out", part.directory.string(),
              *process);
          continue;
        }
        part.manifest = task_manifest(submission, task);
        parts.push_back(std::move(part));
      } catch (const InputError& error) {
        say("spca: {}; this task is left out", error.what());
      }
    }
  }
  return parts;
}

/// Removes what a merge has written when it ends by an error, such as a full disk: the folder would
/// pass for one that holds a run. Keeps what was there before.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(fs::path folder) : folder_(std::move(folder)) {
    for (const char* name :
         {"cells.jsonl", ".lock", "identities.jsonl", "experiment.json", "manifest.json"}) {
      if (std::error_code error; !fs::exists(folder_ / name, error)) {
        written_.push_back(folder_ / name);
      }
    }
  }
  ~UnfinishedFolder() {
    std::error_code ignored;
    for (const fs::path& file : written_) {
      fs::remove(file, ignored);
    }
    if (!written_.empty()) {
      fs::remove(folder_, ignored);  // fails if the folder holds anything else
    }
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;
  void keep() { written_.clear(); }

 private:
  fs::path folder_;
  std::vector<fs::path> written_;
};

}  // namespace

MergedRuns merge_runs(const std::vector<fs::path>& directories, const fs::path& output,
                      const fs::path& data_dir, const Json& invocation, Damage damage) {
  if (fs::exists(output / "cells.jsonl")) {
    throw InputError(
        fmt::format("{}: holds a run already; accepted: a new folder", output.string()));
  }
  std::vector<RunFolder> runs;
  for (const fs::path& directory : directories) {
    if (const auto process = running_process(directory)) {
      throw InputError(
          fmt::format("{}: {} still runs in this folder", directory.string(), *process));
    }
    runs.emplace_back(directory, data_dir, damage);
    check_same(runs.front(), runs.back());
  }
  RunContext context = runs.front().context(true);
  const std::vector<std::optional<Choice>> chosen = choose(runs, context, damage);
  MergedRuns merged{.cells = context.cells.size(), .failures = 0, .missing = {}};
  const std::string base = runs.front().manifest()["origin"].get<std::string>();
  UnfinishedFolder unfinished(output);
  RunStore store(output);
  store.open(context, {});
  for (std::size_t cell = 0; cell < chosen.size(); ++cell) {
    if (!chosen[cell]) {
      merged.missing.push_back(cell_name(context.identity(cell)));
      continue;
    }
    const Choice& choice = *chosen[cell];
    const std::string of_run = runs[choice.run].manifest()["origin"].get<std::string>();
    store.append(cell, with_origin(choice, of_run, base));
    merged.failures += choice.record.is_failure ? 1 : 0;
  }
  const std::map<std::string, Json> identities = read_identities(runs.front().directory());
  for (const std::string& digest : context.digests) {
    const auto known = identities.find(digest);
    context.identities.push_back(known == identities.end() ? Json() : known->second);
  }
  store.add_identities(context);
  store.write_experiment(runs.front().experiment_json());
  store.write_manifest(merged_manifest(runs, context, store, invocation), Seal::kEnded);
  unfinished.keep();
  return merged;
}

MergedRuns merge_tasks(const fs::path& run, const fs::path& data_dir, const Json& invocation) {
  RunStore store(run);
  const RunFolder whole(run, data_dir);
  const RunContext context = whole.context(true);
  store.open(context, {});
  const std::vector<TaskPart> parts = task_parts(run);
  std::vector<fs::path> folders;
  for (const TaskPart& part : parts) {
    folders.push_back(part.directory);
  }
  // Part 0 is the run itself; part i is parts[i - 1].
  const auto folder = [&](std::size_t part) { return part == 0 ? run : folders[part - 1]; };
  const auto origin = [&](std::size_t part) {
    const Json& manifest = part == 0 ? whole.manifest() : parts[part - 1].manifest;
    return manifest["origin"].get<std::string>();
  };
  std::vector<std::optional<Choice>> chosen(context.cells.size());
  bool has_own = false;
  for (std::size_t cell = 0; cell < chosen.size(); ++cell) {
    if (store.records()[cell].exists) {
      chosen[cell] = choice_from(0, store.records()[cell], store.line(cell));
      has_own = has_own || chosen[cell]->envelope.origin.empty();
    }
  }
  const std::size_t bad_lines = for_each_record(
      context, folders,
      [&](std::size_t part, std::size_t cell, const StoredRecord& record, const std::string& line) {
        merge_choice(context, cell, folder, choice_from(part + 1, record, line), chosen[cell]);
      });
  if (bad_lines > 0) {
    say("spca: {} lines of tasks do not match their checks and are left out", bad_lines);
  }
  Json manifest = whole.manifest();
  if (!has_own && !parts.empty()) {
    for (const char* field : {"origin", "machine", "build", "threads", "jobs"}) {
      manifest[field] = parts.front().manifest.at(field);
    }
  }
  manifest["merged"] = Json::array();
  for (const TaskPart& part : parts) {
    add_part(part.directory, part.manifest, manifest);
    if (part.manifest["ended"].is_string()) {
      manifest["ended"] = std::max(manifest["ended"], part.manifest["ended"]);
    }
  }
  manifest["invocation"] = invocation;
  store.write_manifest(manifest, Seal::kOpen);
  const std::string base = manifest["origin"].get<std::string>();
  MergedRuns merged{.cells = context.cells.size(), .failures = 0, .missing = {}};
  for (std::size_t cell = 0; cell < chosen.size(); ++cell) {
    if (!chosen[cell]) {
      merged.missing.push_back(cell_name(context.identity(cell)));
      continue;
    }
    const std::string line = with_origin(*chosen[cell], origin(chosen[cell]->run), base);
    if (!store.records()[cell].exists || store.line(cell) != line) {
      store.append(cell, line);
    }
    merged.failures += chosen[cell]->record.is_failure ? 1 : 0;
  }
  store.put_in_canonical_order();
  count_merged(context, store, manifest);
  store.write_manifest(manifest, Seal::kEnded);
  return merged;
}

}  // namespace spca
