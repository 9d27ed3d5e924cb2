#include "harness/submissions/slurm_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/captured_program.h"
#include "spca/io/external_program.h"

namespace spca {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const std::string_view line = trim(text.substr(0, end)); !line.empty()) {
      lines.emplace_back(line);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    fields.emplace_back(trim(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return fields;
}

InputError failed_command(const std::string& program, const CapturedOutput& output) {
  const std::vector<std::string> lines = lines_of(output.errors);
  return InputError(fmt::format("{}: exit code {}{}", program, output.exit_code,
                                lines.empty() ? "" : ": " + kept_message(lines.back())));
}

InputError unexpected_output(const std::string& program, const std::string& text,
                             const char* accepted) {
  const std::vector<std::string> lines = lines_of(text);
  return InputError(fmt::format("{}: printed {}; accepted: {}", program,
                                in_quotes(lines.empty() ? "" : lines.front()), accepted));
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char digit) { return digit >= '0' && digit <= '9'; });
}

std::optional<std::size_t> number_from(std::string_view text) {
  const auto number = is_number(text) ? parse_integer(text) : std::nullopt;
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

}  // namespace

bool has_slurm() { return find_program("sbatch").has_value(); }

std::string submit_job(const std::vector<std::string>& command) {
  const CapturedOutput output = capture_program(command, {}, ProgramErrors::kKept);
  if (output.exit_code != 0) {
    throw failed_command(command.front(), output);
  }
  // The output is "12" or "12;cluster".
  const std::vector<std::string> lines = lines_of(output.text);
  const std::string job = lines.size() == 1 ? lines.front().substr(0, lines.front().find(';')) : "";
  if (!is_number(job)) {
    throw JobOfUnknownNumber(
        unexpected_output(command.front(), output.text, "the number of a job").what());
  }
  return job;
}

bool is_queued(const std::string& state) {
  constexpr std::array<std::string_view, 6> kHeldStates = {
      "PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
  return std::find(kHeldStates.begin(), kHeldStates.end(), state) != kHeldStates.end();
}

bool is_running(const std::string& state) {
  constexpr std::array<std::string_view, 8> kStartedStates = {
      "CONFIGURING", "RUNNING",   "COMPLETING", "SIGNALING",
      "STAGE_OUT",   "SUSPENDED", "STOPPED",    "RESIZING"};
  return std::find(kStartedStates.begin(), kStartedStates.end(), state) != kStartedStates.end();
}

JobStates ask_queue(const std::vector<std::string>& jobs) {
  JobStates states;
  if (jobs.empty()) {
    return states;
  }
  const std::string program = "squeue";
  const CapturedOutput output =
      capture_program({program, "--noheader", "--array", "--states=all", "--format=%F|%K|%T|%r",
                       "--jobs=" + join(jobs, ",")},
                      {}, ProgramErrors::kKept);
  if (output.exit_code != 0) {
    // All jobs ended so long ago that Slurm has forgotten them.
    if (output.errors.find("Invalid job id") != std::string::npos) {
      return states;
    }
    throw failed_command(program, output);
  }
  for (const std::string& line : lines_of(output.text)) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != 4 || !is_number(fields[0]) || fields[2].empty()) {
      throw unexpected_output(program, line, "JOB|TASK|STATE|REASON");
    }
    states[{fields[0], number_from(fields[1]).value_or(0)}] = {.state = fields[2],
                                                               .reason = fields[3]};
  }
  return states;
}

void add_from_accounting(const std::vector<std::string>& jobs, JobStates& states) {
  if (jobs.empty() || !find_program("sacct")) {
    return;
  }
  const CapturedOutput output =
      capture_program({"sacct", "--noheader", "--parsable2", "--allocations",
                       "--format=JobID,State", "--jobs=" + join(jobs, ",")},
                      {}, ProgramErrors::kKept);
  for (const std::string& line : lines_of(output.exit_code == 0 ? output.text : "")) {
    const std::vector<std::string> fields = fields_of(line);  // "12_3|CANCELLED by 0"
    const std::size_t underscore = fields[0].find('_');
    const std::string job = fields[0].substr(0, underscore);
    const std::size_t task =
        underscore == std::string::npos
            ? 0
            : number_from(std::string_view(fields[0]).substr(underscore + 1)).value_or(0);
    if (fields.size() == 2 && is_number(job)) {
      states.try_emplace({job, task},
                         JobState{.state = fields[1].substr(0, fields[1].find(' ')), .reason = ""});
    }
  }
}

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char letter : text) {
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return word + "'";
}

}  // namespace spca
