#include "harness/cells/rank_job.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/records/manifest.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/text.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRankProgram = "spca-mpi";

/// Finds kRankProgram beside this program or on the PATH.
std::optional<fs::path> find_rank_program() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    if (const auto beside = find_program((self.parent_path() / kRankProgram).string())) {
      return beside;
    }
  }
  return find_program(kRankProgram);
}

/// Describes how the job ended. mpirun exits with 128 plus the signal that killed a rank.
std::string how_it_ended(int state) {
  const int code = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
  return code > kKilledExitCode ? "a rank was " + describe_program_end(code - kKilledExitCode)
                                : "the ranks ended with " + describe_program_end(state);
}

}  // namespace

std::vector<std::string> rank_launcher() {
  const char* const words = std::getenv("SPCA_MPIRUN");
  std::vector<std::string> launcher;
  for (const std::string_view word : split_blanks(words == nullptr ? "mpirun -q" : words)) {
    launcher.emplace_back(word);
  }
  return launcher;
}

std::string RankJob::missing() {
  if (!find_rank_program()) {
    return fmt::format(
        "\"ranks\" needs {}, which is neither beside this program nor on the PATH; it is built "
        "with "
        "SPCA_MPI=ON",
        kRankProgram);
  }
  const std::vector<std::string> launcher = rank_launcher();
  if (launcher.empty() || !find_program(launcher.front())) {
    return fmt::format("\"ranks\" needs {}, which is not on the PATH (Debian: openmpi-bin)",
                       launcher.empty() ? "a word in SPCA_MPIRUN" : launcher.front());
  }
  return "";
}

RankJob::RankJob(const RunContext& context, const Job& job)
    : context_(context), job_(job), program_([&](const fs::path& folder) {
        ProgramCall call;
        call.command = rank_launcher();
        call.command.front() = find_program(call.command.front())->string();
        const Variant& variant = context.variant(job.cells.front());
        call.command.insert(call.command.end(),
                            {"-n", std::to_string(variant.ranks), find_rank_program()->string(),
                             "cell", (folder / kRankRequest).string()});
        return call;
      }) {
  const Experiment& experiment = context.experiment;
  const fs::path& folder = program_.folder();
  write_json_file(folder / "experiment.json", experiment.json);
  Json cells = Json::array();
  for (const std::size_t cell : job.cells) {
    cells.push_back(
        {{"variant", context.cells[cell].variant}, {"repeat", context.cells[cell].repeat}});
  }
  write_json_file(folder / kRankRequest, {{"overrides", overrides_to_json(experiment.overrides)},
                                          {"data_dir", context.data_dir.string()},
                                          {"folder", experiment.folder.string()},
                                          {"cells", cells}});
  program_.start();
}

bool RankJob::has_file(const char* name) const {
  std::error_code error;
  return fs::exists(program_.folder() / name, error);
}

void RankJob::wait_until_loaded() {
  while (!end_ && !has_file(kRanksHaveLoaded)) {
    end_ = program_.wait_a_little();
  }
}

std::vector<Record> RankJob::read_records() const {
  std::ifstream lines(program_.folder() / kRankRecords);
  std::vector<Record> records;
  std::string line;
  for (const std::size_t cell : job_.cells) {
    if (!std::getline(lines, line)) {
      throw InputError("the ranks wrote no record");
    }
    records.push_back(completed(cell, line));
  }
  return records;
}

/// Returns the record of a line, with the fields that the job cannot set.
Record RankJob::completed(std::size_t cell, const std::string& line) const {
  Record record = record_from_line(line);
  const Record asked = make_record(context_, cell);
  static_cast<CellIdentity&>(record) = asked;
  record.key = asked.key;
  record.measured_by = asked.measured_by;
  return record;
}

/// Returns the answers found so far, or failures.
std::vector<Record> RankJob::without_metrics(const std::string& message) const {
  std::vector<Record> records;
  for (const std::size_t cell : job_.cells) {
    if (const auto found = found_.find(cell); found != found_.end()) {
      records.push_back(found->second);
      std::string& text = records.back().message;
      text += fmt::format("{}the answer is not measured: {}", text.empty() ? "" : "; ", message);
      continue;
    }
    records.push_back(make_record(context_, cell));
    records.back().status = Status::kFailed;
    records.back().message = message;
  }
  return records;
}

std::vector<Record> RankJob::wait(
    const std::function<void(std::size_t cell, const Record& record)>& on_found) {
  std::ifstream lines;
  // A line is complete once its line feed is written.
  const auto read_found = [&] {
    if (!lines.is_open() && has_file(kRanksFound)) {
      lines.open(program_.folder() / kRanksFound);
    }
    for (std::string line; lines.is_open();) {
      lines.clear();
      const auto begin = lines.tellg();
      if (!std::getline(lines, line) || lines.eof()) {
        lines.clear();
        lines.seekg(begin);
        return;
      }
      const std::size_t blank = line.find(' ');
      const std::size_t cell = job_.cells.at(std::stoul(line.substr(0, blank)));
      found_[cell] = completed(cell, line.substr(blank + 1));
      if (on_found) {
        on_found(cell, found_[cell]);
      }
    }
  };
  while (!end_) {
    end_ = program_.wait_a_little();
    read_found();
  }
  if (end_->state != 0) {
    return without_metrics(how_it_ended(end_->state) +
                           (end_->last_line.empty() ? "" : ": " + end_->last_line));
  }
  try {
    return read_records();
  } catch (const InputError& error) {
    return without_metrics(error.what());
  }
}

RankRequest read_rank_request(const fs::path& file) {
  try {
    const Json request = read_json_file(file).json();
    RankRequest result;
    result.folder = file.parent_path();
    result.data_dir = request.at("data_dir").get<std::string>();
    result.experiment =
        load_experiment(result.folder / "experiment.json",
                        overrides_from_json(request.at("overrides")), result.data_dir);
    result.experiment.folder = request.at("folder").get<std::string>();
    for (const Json& cell : request.at("cells")) {
      result.cells.push_back({.variant = cell.at("variant").get<std::size_t>(),
                              .repeat = cell.at("repeat").get<Index>()});
      if (result.cells.back().variant >= result.experiment.variants.size()) {
        throw InputError(fmt::format("{}: a variant that the experiment lacks", file.string()));
      }
    }
    return result;
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace spca
