#include "harness/runs/run_status.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "harness/records/record_line.h"
#include "harness/runs/finished_run.h"
#include "spca/base/text.h"

namespace spca {
namespace {

constexpr std::size_t kMostFailures = 5;

/// Seconds since 1970 of "2026-01-31T12:00:00Z".
double utc_seconds(const Json& text) {
  std::tm time{};
  strptime(text.get<std::string>().c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  return static_cast<double>(timegm(&time));
}

double changed_at(const std::filesystem::path& file) {
  struct stat state {};
  ::stat(file.c_str(), &state);
  return static_cast<double>(state.st_mtime);
}

std::size_t& count_of(const StoredRecord& record, CellCounts& counts) {
  if (!record.is_there) {
    return counts.missing;
  }
  if (record.status == Status::kTimeLimit) {
    return counts.time_limited;
  }
  if (record.status == Status::kSkipped) {
    return counts.skipped;
  }
  return record.is_failure ? counts.failed : counts.done;
}

std::vector<FailedCell> last_failures(const RunFolder& run, const RunContext& context,
                                      const std::vector<StoredRecord>& records) {
  std::vector<std::size_t> failed;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    if (records[cell].is_there && records[cell].is_failure) {
      failed.push_back(cell);
    }
  }
  std::sort(failed.begin(), failed.end(),
            [&](std::size_t a, std::size_t b) { return records[a].offset > records[b].offset; });
  failed.resize(std::min(failed.size(), kMostFailures));
  std::vector<FailedCell> failures;
  for (const std::size_t cell : failed) {
    FailedCell& failure = failures.emplace_back();
    failure.cell = cell_name(context.identity(cell));
    failure.status = status_name(records[cell].status);
    try {
      failure.message = kept_message(text_of(raw_field(run.line(records[cell]), "message")));
    } catch (const InputError&) {
      // The run has ended just now and put its records in order: they stand elsewhere.
    }
  }
  return failures;
}

void add_times(const RunFolder& run, RunStatus& status) {
  const Json& manifest = run.manifest();
  double end = changed_at(run.cells_file());
  if (status.process) {
    end = static_cast<double>(std::time(nullptr));
  } else if (manifest["ended"].is_string()) {
    end = utc_seconds(manifest["ended"]);
  }
  status.elapsed_seconds = std::max(0.0, end - utc_seconds(manifest["began"]));
  const auto before = manifest["kept"].get<std::size_t>() + manifest["reused"].get<std::size_t>();
  const std::size_t there = status.cells - status.total.missing;
  if (status.total.missing == 0) {
    status.rest_seconds = 0;
  } else if (there > before && status.elapsed_seconds > 0) {
    status.rest_seconds = status.elapsed_seconds * static_cast<double>(status.total.missing) /
                          static_cast<double>(there - before);
  }
}

}  // namespace

RunStatus status_of_run(const std::filesystem::path& directory,
                        const std::filesystem::path& data_dir) {
  // Before the records are read: who ends meanwhile leaves them complete.
  const std::optional<std::string> process = running_process(directory);
  const RunFolder run(directory, data_dir);
  const RunContext context = run.context(false);
  const std::vector<StoredRecord> records = find_finished_cells(context, directory);
  const Json& manifest = run.manifest();
  RunStatus status;
  status.experiment = manifest.at("experiment").get<std::string>();
  status.profile = manifest.at("profile").get<std::string>();
  status.shard = manifest["shard"].is_string() ? manifest["shard"].get<std::string>() : "";
  status.process = process;
  status.cells = context.cells.size();
  std::map<std::pair<std::string, std::string>, std::size_t> position;
  for (std::size_t cell = 0; cell < records.size(); ++cell) {
    const Variant& variant = context.variant(cell);
    const std::pair group(variant.solver_label, variant.dataset_label);
    const auto [found, is_new] = position.emplace(group, status.groups.size());
    if (is_new) {
      status.groups.emplace_back(group, CellCounts());
    }
    ++count_of(records[cell], status.groups[found->second].second);
    ++count_of(records[cell], status.total);
  }
  const bool ended = manifest["ended"].is_string();
  status.state = process                                ? "running"
                 : !ended                               ? "killed"
                 : manifest.value("interrupted", false) ? "interrupted"
                                                        : "finished";
  add_times(run, status);
  status.failures = last_failures(run, context, records);
  return status;
}

}  // namespace spca
