#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/experiment_run.h"
#include "harness/cli/output.h"
#include "harness/submissions/run_merge.h"
#include "harness/submissions/submission.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/io/progress.h"

namespace spca::cli {
namespace {

struct SubmitOptions {
  std::string experiment;
  RunArguments arguments;
  std::string tasks, partition, time, memory;
  std::vector<std::string> sbatch;
  bool json = false;
};

/// Returns the text. Throws InputError unless it is a time above 0 in a format of sbatch: minutes,
/// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes,
/// days-hours:minutes:seconds.
std::string checked_time(const std::string& text) {
  constexpr std::size_t kMostFields = 3;
  const auto is_count = [](const std::string& field) {
    return !field.empty() && std::isdigit(static_cast<unsigned char>(field[0])) != 0 &&
           parse_integer(field).has_value();
  };
  std::string rest = text;
  bool is_time = true;
  if (const std::size_t dash = text.find('-'); dash != std::string::npos) {
    is_time = is_count(text.substr(0, dash));
    rest = text.substr(dash + 1);
  }
  std::size_t fields = 0;
  for (std::size_t begin = 0; begin <= rest.size(); ++fields) {
    const std::size_t end = std::min(rest.find(':', begin), rest.size());
    is_time = is_time && is_count(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!is_time || fields > kMostFields || text.find_first_of("123456789") == std::string::npos) {
    throw InputError(fmt::format(
        "--time: found {}; accepted: a time > 0 as Slurm writes it: minutes, 2:30:00, 1-12 "
        "(days-hours)",
        in_quotes(text)));
  }
  return text;
}

/// Returns the text. Throws InputError unless it is a whole number > 0, optionally followed by K,
/// M, G or T.
std::string checked_memory(const std::string& text) {
  const bool has_unit = !text.empty() && std::string("KMGT").find(text.back()) != std::string::npos;
  const std::string number = has_unit ? text.substr(0, text.size() - 1) : text;
  if (parse_integer(number).value_or(0) <= 0 || number.front() == '+') {
    throw InputError(
        fmt::format("--memory: found {}; accepted: a whole number > 0 of MB, or one with K, M, G "
                    "or T, such as 8G",
                    in_quotes(text)));
  }
  return text;
}

SubmitRequest submit_request(const SubmitOptions& options, const Experiment& experiment,
                             const GlobalOptions& global) {
  SubmitRequest request;
  request.run = run_request(experiment, options.arguments, options.arguments.directory, global);
  if (!options.tasks.empty()) {
    request.tasks = static_cast<std::size_t>(parse_whole("--tasks", options.tasks, 1));
  }
  request.partition = options.partition;
  request.time = options.time.empty() ? "" : checked_time(options.time);
  request.memory = options.memory.empty() ? "" : checked_memory(options.memory);
  request.options = options.sbatch;
  return request;
}

/// Returns a text such as "the longest of about 2 min 05 s", with the number of cells whose time is
/// a guess, or "of unknown time" if all are.
std::string time_text(const SubmitRequest& request, const SubmissionPlan& plan) {
  double longest = 0;
  std::size_t cells = 0;
  std::size_t unpredicted = 0;
  for (const CellChunk& chunk : plan.chunks) {
    longest = std::max(longest, chunk.predicted_seconds);
    cells += chunk.cells.size();
    unpredicted += chunk.unpredicted;
  }
  if (unpredicted == cells) {
    return "of unknown time";
  }
  return fmt::format(
      "the longest of about {}{}", format_duration(longest / request.run.jobs),
      unpredicted == 0 ? "" : fmt::format(" (the time of {} cells is a guess)", unpredicted));
}

Json plan_json(const SubmitRequest& request, const SubmissionPlan& plan, bool is_submitted) {
  Json chunks = Json::array();
  for (const CellChunk& chunk : plan.chunks) {
    chunks.push_back(
        {{"cells", chunk.cells.size()},
         {"predicted_seconds",
          chunk.unpredicted == chunk.cells.size() ? Json(nullptr) : Json(chunk.predicted_seconds)},
         {"unpredicted", chunk.unpredicted}});
  }
  const bool is_any = !plan.chunks.empty();
  const auto job = [&](const std::string& number) {
    return is_submitted && is_any ? Json(number) : Json(nullptr);
  };
  return {{"experiment", request.run.experiment->name},
          {"profile", request.run.experiment->profile},
          {"directory", request.run.directory.string()},
          {"submission", is_any ? Json(plan.submission.folder.string()) : Json(nullptr)},
          {"job", job(plan.submission.job)},
          {"merge_job", job(plan.submission.merge_job)},
          {"cells", plan.cells},
          {"on_the_way", plan.on_the_way},
          {"to_measure", plan.to_measure},
          {"chunks", chunks},
          {"commands", is_any ? Json{plan.task_command, plan.merge_command} : Json::array()}};
}

/// Returns the text of --dry-run.
std::string plan_text(const SubmissionPlan& plan) {
  std::vector<std::vector<std::string>> rows = {{"task", "cells", "predicted"}};
  for (std::size_t i = 0; i < plan.chunks.size(); ++i) {
    rows.push_back({std::to_string(i + 1), std::to_string(plan.chunks[i].cells.size()),
                    plan.chunks[i].unpredicted == plan.chunks[i].cells.size()
                        ? "unknown"
                        : fmt::format("{:.3g} s", plan.chunks[i].predicted_seconds)});
  }
  return plan.chunks.empty()
             ? ""
             : fmt::format("{}\n# {}\n{}\n# {}\n{}", aligned(rows), command_line(plan.task_command),
                           plan.task_script, command_line(plan.merge_command), plan.merge_script);
}

void say_plan(const SubmitRequest& request, const SubmissionPlan& plan, bool is_submitted) {
  std::size_t cells = 0;
  for (const CellChunk& chunk : plan.chunks) {
    cells += chunk.cells.size();
  }
  const std::string& name = request.run.experiment->name;
  const std::string on_the_way =
      plan.on_the_way == 0 ? "" : fmt::format("; {} cells are queued or running", plan.on_the_way);
  if (cells == 0) {
    say("{}: nothing to submit of {} cells{}", name, plan.cells, on_the_way);
  } else {
    say("{}: {} of {} cells in {} tasks, {}{}{}", name, cells, plan.cells, plan.chunks.size(),
        time_text(request, plan),
        is_submitted ? fmt::format("; job {}, merged by job {}", plan.submission.job,
                                   plan.submission.merge_job)
                     : "; nothing is submitted",
        on_the_way);
  }
  if (plan.to_measure > 0) {
    say("{}: {} cells have an answer, but outdated metrics; `spca measure` measures them again",
        name, plan.to_measure);
  }
}

int submit(const SubmitOptions& options, const GlobalOptions& global) {
  const Experiment experiment = load_with(options.experiment, options.arguments, global);
  const SubmitRequest request = submit_request(options, experiment, global);
  const bool is_submitted = !options.arguments.dry_run;
  SubmissionPlan plan;
  try {
    plan = is_submitted ? Submitter(request).submit() : plan_submission(request);
  } catch (const MergeConflict& conflict) {
    say("spca: error: {}", conflict.what());
    return kExitNotComparable;
  }
  if (options.json) {
    write_json(plan_json(request, plan, is_submitted));
  } else {
    write_stdout(is_submitted ? request.run.directory.string() + "\n" : plan_text(plan));
  }
  say_plan(request, plan, is_submitted);
  return kExitOk;
}

std::function<int()> declare_submit(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<SubmitOptions>();
  declare.positional("EXPERIMENT", options->experiment, "File or name of an experiment.");
  declare_profile_and_jobs(declare, options->arguments);
  declare_cell_words(declare, options->arguments);
  declare.option("--tasks N", options->tasks,
                 "Largest number of tasks (default: tasks of about ten minutes each).");
  declare.option("--partition NAME", options->partition, "Slurm partition.");
  declare.option("--time TIME", options->time,
                 "Time limit of a task as sbatch accepts it: 90, 2:30:00, 1-12.");
  declare.option("--memory MB", options->memory,
                 "Memory of a task in MB, or with a unit, such as 8G.");
  declare.flag("--dry-run", options->arguments.dry_run,
               "Print tasks, commands and scripts without submitting or writing anything.");
  declare.flag("--json", options->json,
               "Print jobs and tasks as JSON instead of the run's folder.");
  declare.optional_positional("SBATCH", options->sbatch,
                              "After --, further options of sbatch, for example --account=NAME.");
  return [options, &global] { return submit(*options, global); };
}

SPCA_COMMAND("submit", CommandGroup::kExperiments,
             "Run the unfinished cells of an experiment as a Slurm job array",
             "  spca submit quickstart --tasks 4\n"
             "  spca submit quickstart --tasks 4 --dry-run\n"
             "  spca submit spannogram/spiked --partition short --time 2:00:00 --memory 8G\n"
             "  spca submit bipart/table2 -j 4 -- --account=physics --exclude=node7",
             declare_submit);

}  // namespace
}  // namespace spca::cli
