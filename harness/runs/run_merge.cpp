#include "harness/runs/run_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "harness/records/record_line.h"
#include "harness/runs/finished_run.h"
#include "harness/runs/measured_metrics.h"
#include "spca/base/json_text.h"

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

/// If both are one answer, of which not the same metrics were measured, both get all of them.
/// Returns false if the answers differ.
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

/// The line as it stands in a run of the machine and threads of `base`.
std::string with_origin(const Choice& choice, const std::string& of_run, const std::string& base) {
  Envelope envelope = choice.envelope;
  if (envelope.origin.empty() && of_run != base) {
    envelope.origin = of_run;
  }
  envelope.elsewhere = !envelope.origin.empty() && envelope.origin != base;
  return compose_line(envelope, choice.answer);
}

/// The best record of each cell.
std::vector<std::optional<Choice>> choose(const std::vector<RunFolder>& runs,
                                          const RunContext& context, Damage damage) {
  std::vector<std::optional<Choice>> chosen(context.cells.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const std::vector<StoredRecord> records =
        find_finished_cells(context, runs[run].directory(), damage);
    for (std::size_t cell = 0; cell < records.size(); ++cell) {
      if (!records[cell].is_there) {
        continue;
      }
      const std::string line = runs[run].line(records[cell]);
      Choice choice{.run = run,
                    .record = records[cell],
                    .envelope = read_envelope(line),
                    .answer = answer_of_line(line)};
      std::optional<Choice>& other = chosen[cell];
      if (other && is_repeatable(other->record.status) && is_repeatable(choice.record.status) &&
          stable_part(other->answer) != stable_part(choice.answer) &&
          !unite_metrics(context.variant(cell), *other, choice)) {
        throw MergeConflict(fmt::format("{} and {}: different answers for the key {} ({})",
                                        runs[other->run].cells_file().string(),
                                        runs[run].cells_file().string(), context.key(cell),
                                        cell_name(context.identity(cell))));
      }
      if (!other || is_better(choice, *other)) {
        other = std::move(choice);
      }
    }
  }
  return chosen;
}

Json merged_manifest(const std::vector<RunFolder>& runs, const RunContext& context,
                     const RunStore& store, const Json& invocation) {
  Json manifest = runs.front().manifest();
  Json parts = Json::array();
  Json by_status = Json::object();
  std::size_t there = 0;
  for (const RunFolder& run : runs) {
    const Json& part = run.manifest();
    Json entry = {{"directory", run.directory().string()}};
    for (const char* field : {"shard", "origin", "machine", "jobs", "threads", "began", "ended"}) {
      entry[field] = part.at(field);
    }
    parts.push_back(entry);
    manifest["reused_from"][part["origin"].get<std::string>()] = {
        {"machine", part.at("machine")}, {"build", part.at("build")}, {"threads", part["threads"]}};
    manifest["reused_from"].update(part.at("reused_from"));
    manifest["began"] = std::min(manifest["began"], part["began"]);
    if (part["ended"].is_string()) {
      manifest["ended"] = std::max(manifest["ended"], part["ended"]);
    }
  }
  manifest["reused_from"].erase(runs.front().manifest()["origin"].get<std::string>());
  for (const StoredRecord& record : store.records()) {
    if (record.is_there) {
      Json& count = by_status[status_name(record.status)];
      count = count.is_null() ? 1 : count.get<std::size_t>() + 1;
      ++there;
    }
  }
  manifest["cells"] = context.cells.size();
  manifest["shard"] = nullptr;
  manifest["merged"] = parts;
  manifest["invocation"] = invocation;
  manifest["interrupted"] = there < context.cells.size();
  manifest["kept"] = there;
  manifest["reused"] = 0;
  manifest["run"] = 0;
  manifest["by_status"] = by_status;
  return manifest;
}

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
  return merged;
}

}  // namespace spca
