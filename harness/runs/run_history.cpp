#include "harness/runs/run_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/experiments/experiment_identity.h"
#include "harness/records/median.h"
#include "harness/records/record_line.h"
#include "harness/runs/run_writer.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// A part of an identity that may differ between two states of one cell, and the words for its
/// change. Every part is here or in place_of().
struct Part {
  const char* pointer;
  const char* change;
  bool names_members = false;  // true: the object's changed members are named too
};
constexpr Part kParts[] = {{"/format", "form of records changed"},
                           {"/solver_source", "solver source changed"},
                           {"/solver_parts", "library of the solver changed", true},
                           {"/dataset_source", "data set source changed"},
                           {"/dataset_parts", "library of the data set changed", true},
                           {"/data_checksum", "data changed"},
                           {"/dataset/options", "data set options changed"},
                           {"/solve/options", "solver options changed"},
                           {"/solve/tune", "tuning of the penalty changed"},
                           {"/ranks", "ranks changed"},
                           {"/keeps", "a metric needs what was not kept"},
                           {"/trace", "trace changed"},
                           {"/time_limit", "time limit changed"},
                           {"/memory_limit", "memory limit changed"}};

Json part_of(const Json& identity, const char* pointer) {
  const Json::json_pointer at(pointer);
  return identity.contains(at) ? identity.at(at) : Json(nullptr);
}

/// Describes the difference of a part, with the names of an object's changed members.
std::string change_of(const Part& part, const Json& now, const Json& then) {
  if (!part.names_members || !now.is_object() || !then.is_object()) {
    return part.change;
  }
  std::vector<std::string> names;
  for (const auto& [name, digest] : now.items()) {
    if (!then.contains(name) || then[name] != digest) {
      names.push_back(name);
    }
  }
  for (const auto& [name, digest] : then.items()) {
    if (!now.contains(name)) {
      names.push_back(name);
    }
  }
  return fmt::format("{} ({})", part.change, join(names));
}

/// Returns the data set, solver, cardinality, number of components and deflation of a cell. A cell
/// that differs in one of them is another cell, not an earlier state of the same cell.
std::string place_of(const Json& identity) {
  std::string place;
  for (const char* pointer : {"/dataset/name", "/solve/solver", "/solve/cardinality",
                              "/solve/components", "/solve/deflation"}) {
    place += json_line(part_of(identity, pointer)) + "\n";
  }
  return place;
}

/// Returns the kinds of cells that may predict the time of this cell, from the nearest to the
/// farthest.
std::vector<std::string> kinds_of(const Json& identity) {
  const std::string place = place_of(identity);
  return {place + json_line(part_of(identity, "/dataset/options")) +
              json_line(part_of(identity, "/solve/options")),
          place,
          json_line(part_of(identity, "/dataset/name")) +
              json_line(part_of(identity, "/solve/solver"))};
}

}  // namespace

void RunHistory::add_identity(const std::string& digest, Json identity) {
  const auto [known, is_new] = identities_.emplace(digest, std::move(identity));
  if (is_new) {
    digests_of_place_[place_of(known->second)].push_back(digest);
  }
}

void RunHistory::add_seconds(const std::string& identity, double seconds) {
  if (std::isfinite(seconds)) {
    seconds_of_identity_[identity].push_back(seconds);
  }
}

void RunHistory::add_run(const std::filesystem::path& directory) {
  for (auto& [digest, identity] : read_identities(directory)) {
    add_identity(digest, identity);
  }
  std::ifstream file(directory / "cells.jsonl", std::ios::binary);
  for (std::string line; std::getline(file, line) && !file.eof();) {
    RecordLine record;
    try {
      record = scan_record_line(line);
    } catch (const InputError&) {
      continue;  // the cell of the line is unknown
    }
    const std::string key(record.key);
    EarlierCell& cell = cells_[key];
    cell = EarlierCell();
    cell.status = record.status;
    cell.in_run = true;
    try {
      require_check(line);
    } catch (const InputError&) {
      cell.damaged = true;
      continue;
    }
    if (!is_repeatable(record.status)) {
      cell.message = kept_message(text_of(raw_field(line, "message")));
    }
    add_seconds(key.substr(key.size() / 2), record.solve_seconds);
  }
}

void RunHistory::add_cache(CellCache& cache, const Json& build) {
  for (auto& [digest, identity] : cache.identities()) {
    add_identity(digest, identity);
  }
  std::unordered_map<std::string, bool> is_other_build;  // key: digest of an origin
  cache.for_each([&](const CacheRow& row) {
    EarlierCell& cell = cells_[row.answer.key];
    cell = EarlierCell();
    cell.status = row.answer.status;
    cell.forgotten = row.kind == CacheRowKind::kForgotten;
    cell.damaged = row.kind == CacheRowKind::kDamaged;
    if (row.kind != CacheRowKind::kAnswer) {
      return;
    }
    const auto [other, is_new] = is_other_build.try_emplace(row.origin);
    if (is_new) {
      const Json& origin = cache.origin(row.origin);
      other->second = !origin.is_object() || !origin.contains("build") || origin["build"] != build;
    }
    cell.other_build = other->second;
    if (!is_repeatable(cell.status)) {
      cell.message = kept_message(text_of(raw_field(row.answer.text, "message")));
    }
    add_seconds(row.identity, row.answer.solve_seconds);
  });
}

const EarlierCell* RunHistory::find(const std::string& key) const {
  const auto position = cells_.find(key);
  return position == cells_.end() ? nullptr : &position->second;
}

RunHistory::RunHistory(const RunContext& context)
    : context_(context), current_(context.digests.begin(), context.digests.end()) {}

const std::vector<RunHistory::Candidate>& RunHistory::candidates(std::size_t variant) {
  const auto [found, is_new] = candidates_.try_emplace(variant);
  if (!is_new) {
    return found->second;
  }
  const Json& identity = context_.identities[variant];
  for (const std::string& digest : digests_of_place_[place_of(identity)]) {
    // Another cell of this run is not an earlier state of this cell.
    if (current_.contains(digest)) {
      continue;
    }
    Candidate candidate{.digest = digest, .changes = {}};
    for (const Part& part : kParts) {
      const Json now = part_of(identity, part.pointer);
      const Json then = part_of(identities_.at(digest), part.pointer);
      if (now != then) {
        candidate.changes.push_back(change_of(part, now, then));
      }
    }
    found->second.push_back(std::move(candidate));
  }
  std::stable_sort(
      found->second.begin(), found->second.end(),
      [](const Candidate& a, const Candidate& b) { return a.changes.size() < b.changes.size(); });
  return found->second;
}

std::string RunHistory::why_missing(std::size_t cell) {
  if (const EarlierCell* earlier = find(context_.key(cell))) {
    const auto with_message = [earlier](const char* what) {
      return earlier->message.empty() ? std::string(what)
                                      : fmt::format("{}: {}", what, earlier->message);
    };
    if (earlier->forgotten) {
      return "forced before, not solved since";
    }
    if (earlier->damaged) {
      return earlier->in_run ? "its record was changed, or is of an older version"
                             : "its record in the cache is damaged";
    }
    if (earlier->status == Status::kFailed) {
      return with_message("failed before");
    }
    if (earlier->status == Status::kSkipped) {
      return with_message("skipped before");
    }
    if (earlier->status == Status::kInvalid) {
      return with_message("invalid before, by other metrics");
    }
    if (earlier->in_run) {
      // The run's folder is searched by labels. Only an answer of the cache gets new labels.
      return "solved under other labels";
    }
    if (earlier->other_build) {
      return "build changed (compiler or flags)";
    }
    return earlier->status == Status::kTimeLimit ? with_message("time-limited before")
                                                 : "what the cache has of it cannot be read";
  }
  const Cell& place = context_.cells[cell];
  for (const Candidate& candidate : candidates(place.variant)) {
    if (find(cell_key(candidate.digest, context_.experiment.seed, place.repeat)) != nullptr) {
      return candidate.changes.empty() ? "definition of the cell changed" : join(candidate.changes);
    }
  }
  return "never run";
}

void RunHistory::gather_seconds() {
  for (const auto& [digest, identity] : identities_) {
    const auto seconds = seconds_of_identity_.find(digest);
    if (seconds != seconds_of_identity_.end()) {
      for (const std::string& kind : kinds_of(identity)) {
        std::vector<double>& all = seconds_[kind];
        all.insert(all.end(), seconds->second.begin(), seconds->second.end());
      }
    }
  }
  seconds_of_identity_.clear();
}

double RunHistory::predict_seconds(std::size_t variant) {
  const auto [known, is_new] = predicted_.try_emplace(variant, kNotMeasured);
  if (!is_new) {
    return known->second;
  }
  if (!seconds_of_identity_.empty()) {
    gather_seconds();
  }
  for (const std::string& kind : kinds_of(context_.identities[variant])) {
    const auto seconds = seconds_.find(kind);
    if (seconds != seconds_.end()) {
      known->second = median_of(seconds->second);
      break;
    }
  }
  return known->second;
}

}  // namespace spca
