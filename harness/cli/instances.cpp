/// Lists, checks and updates the library of instances: data, class, r and k with the best known
/// answer and a proved bound.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/instances_text.h"
#include "harness/cli/output.h"
#include "harness/instances/instance_candidates.h"
#include "harness/instances/instance_check.h"
#include "harness/instances/instance_verdict.h"
#include "harness/instances/library_update.h"
#include "harness/records/manifest.h"
#include "harness/runs/find_run.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"
#include "spca/base/standard_error.h"
#include "spca/data/data_folder.h"
#include "spca/io/json_file.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

/// Time limit, in seconds, of a proof of `update` if neither the command line nor the experiment of
/// the run has one.
constexpr double kDefaultProof = 60;

struct InstancesOptions {
  std::string action, what, instance_class, size, library, time_limit, threads, matrix,
      answer_matrix;
  bool open = false, prove = false, json = false, quiet = false;
};

/// The arguments, library and data folder of an action.
struct Session {
  const InstancesOptions& options;
  InstanceLibrary library;
  fs::path data_dir;

  bool speaks() const { return !options.quiet; }
};

std::string instances_word(const InstancesOptions& options, const char* name) {
  return required_word("instances " + options.action, options.what, name);
}

void accept_only(const InstancesOptions& options, const std::vector<std::string>& accepted) {
  refuse_others({{"--class", !options.instance_class.empty()},
                 {"--size", !options.size.empty()},
                 {"--open", options.open},
                 {"--prove", options.prove},
                 {"--time-limit", !options.time_limit.empty()},
                 {"--threads", !options.threads.empty()},
                 {"--matrix", !options.matrix.empty()},
                 {"--answer-matrix", !options.answer_matrix.empty()}},
                accepted, "instances " + options.action);
}

InstanceFilter filter_from(const InstancesOptions& options) {
  if (!options.instance_class.empty()) {
    InstanceClasses::instance().get(options.instance_class, "--class");
  }
  return {.instance_class = options.instance_class,
          .extents = options.size.empty() ? std::set<InstanceExtent>()
                                          : extents_from_names(options.size, "--size"),
          .is_only_open = options.open};
}

double seconds_or(const InstancesOptions& options, double otherwise) {
  return options.time_limit.empty() ? otherwise
                                    : parse_positive("--time-limit", options.time_limit);
}

int threads_of(const InstancesOptions& options) {
  constexpr Index kMostThreads = 4096;  // far beyond any machine; guards against a mistyped number
  return options.threads.empty() ? 1
                                 : static_cast<int>(std::min(
                                       parse_whole("--threads", options.threads, 1), kMostThreads));
}

/// Throws InputError for a word after an action that takes none.
void refuse_word(const InstancesOptions& options) {
  if (!options.what.empty()) {
    throw InputError(fmt::format(
        "instances {}: found \"{}\"; accepted: no word; --class, --size and --open select",
        options.action, options.what));
  }
}

int list(const Session& session) {
  accept_only(session.options, {"--class", "--size", "--open"});
  refuse_word(session.options);
  const std::vector<KnownInstance> instances =
      session.library.instances(filter_from(session.options));
  if (session.options.json) {
    write_json(instances_json(session.library, instances));
  } else {
    write_stdout(instances_text(instances));
  }
  return kExitOk;
}

int show(const Session& session) {
  accept_only(session.options, {"--matrix", "--answer-matrix"});
  const KnownInstance known = session.library.instance(instances_word(session.options, "ID"), "ID");
  const std::string& all = session.options.matrix;
  const std::string& of_answer = session.options.answer_matrix;
  check_output_file("--matrix", all, {".npy"});
  check_output_file("--answer-matrix", of_answer, {".npy"});
  if (!all.empty() && all == of_answer) {
    throw InputError(
        fmt::format("--answer-matrix: found {}, which --matrix writes; accepted: "
                    "another file",
                    of_answer));
  }
  if (!all.empty()) {
    write_matrix(all, known, WrittenVariables::kAll, session.data_dir);
  }
  if (!of_answer.empty()) {
    write_matrix(of_answer, known, WrittenVariables::kOfAnswer, session.data_dir);
  }
  if (session.options.json) {
    write_json(shown_json(known, session.data_dir));
  } else {
    write_stdout(shown_text(known, session.data_dir));
  }
  return kExitOk;
}

int verify(const Session& session) {
  accept_only(session.options, {});
  InstanceDataInTurn data(session.data_dir);
  std::vector<AnswerVerdict> verdicts;
  std::vector<std::string> errors;  // of answers that cannot be judged
  for (const SubmittedAnswer& answer : read_answers(instances_word(session.options, "FILE"))) {
    try {
      verdicts.push_back(verify_answer(session.library, answer, data));
    } catch (const InputError& error) {
      errors.emplace_back(error.what());
    }
  }
  std::string text;
  Json json = Json::array();
  bool is_wrong = false;
  bool is_compared = false;
  for (const AnswerVerdict& verdict : verdicts) {
    text += verdict_text(verdict) + "\n";
    json.push_back(verdict_json(verdict));
    is_compared = is_compared || verdict.outcome != AnswerOutcome::kNoData;
    is_wrong = is_wrong || (verdict.outcome != AnswerOutcome::kNoData && !verdict.is_usable());
  }
  session.options.json ? write_json({{"answers", json}}) : write_stdout(text);
  for (const std::string& error : errors) {
    say("spca: error: {}", error);
  }
  if (is_wrong) {
    return kExitFailed;
  }
  if (!errors.empty()) {
    return kExitUsage;
  }
  return is_compared ? kExitOk : kExitNotComparable;
}

int exit_code_of(const std::vector<InstanceCheck>& checks) {
  const auto count = [&](CheckOutcome outcome) {
    return std::count_if(checks.begin(), checks.end(), [outcome](const InstanceCheck& check) {
      return check.outcome == outcome;
    });
  };
  if (stop_requested()) {
    return kExitInterrupted;
  }
  if (count(CheckOutcome::kWrong) > 0) {
    return kExitFailed;
  }
  if (count(CheckOutcome::kWeaker) > 0) {
    return spca::exit_code(Verdict::kWorse);
  }
  return count(CheckOutcome::kRight) > 0 ? kExitOk : kExitNotComparable;
}

int check(const Session& session) {
  const InstancesOptions& options = session.options;
  accept_only(options, {"--class", "--size", "--open", "--prove", "--time-limit", "--threads"});
  refuse_word(options);
  const StopSignals signals(StopSignals::Repeat::kOnce);
  CheckRequest request{.data_dir = session.data_dir,
                       .proves = options.prove,
                       .seconds = seconds_or(options, 0),
                       .threads = threads_of(options)};
  if (options.prove && session.speaks()) {
    request.on_check = [](const InstanceCheck& done) { say("spca: {}", check_line(done)); };
  }
  const std::vector<KnownInstance> instances = session.library.instances(filter_from(options));
  for (const auto& [name, of] : InstanceClasses::instance().entries()) {
    const bool is_asked = options.instance_class.empty() || options.instance_class == name;
    if (is_asked && !fs::exists(session.library.file_of(of))) {
      say("spca: {}: no such file, and no instances of {}", session.library.file_of(of).string(),
          name);
    }
  }
  const std::vector<InstanceCheck> checks = check_instances(instances, request);
  if (stop_requested()) {
    say("spca: interrupted: {} of {} instances are checked", checks.size(), instances.size());
  }
  options.json ? write_json(checks_json(checks)) : write_stdout(checks_text(checks));
  return exit_code_of(checks);
}

/// Returns whether a JSON file is an experiment.
bool is_experiment(const fs::path& file) {
  const Json json = try_json_file(file);
  return json.is_object() && json.contains("grids");
}

/// Returns the version of the program that ran; "" if the manifest does not say it.
std::string version_of_run(const fs::path& run) {
  const Json manifest = try_json_file(run / "manifest.json");
  const auto pointer = Json::json_pointer("/build/version");
  return manifest.is_object() && manifest.contains(pointer) && manifest[pointer].is_string()
             ? manifest[pointer].get<std::string>()
             : "";
}

InstanceCandidate candidate_for(const KnownInstance& known, std::vector<CandidateAnswer> answers) {
  return {.of = known.of,
          .data = *known.data,
          .r = known.instance->r,
          .k = known.instance->k,
          .answers = std::move(answers)};
}

/// Returns the open instances that the options select. The library has their answers.
std::vector<InstanceCandidate> open_candidates(const Session& session) {
  std::vector<InstanceCandidate> candidates;
  for (const KnownInstance& known : session.library.instances(filter_from(session.options))) {
    candidates.push_back(candidate_for(known, {}));
  }
  return candidates;
}

/// Returns the answers of a file as candidates. Each is for an instance of the library.
std::vector<InstanceCandidate> candidates_of_file(const Session& session, const fs::path& file) {
  InstanceDataInTurn data(session.data_dir);
  std::vector<InstanceCandidate> candidates;
  for (const SubmittedAnswer& given : read_answers(file)) {
    const AnswerVerdict verdict = verify_answer(session.library, given, data);
    // An answer beyond a bound is a candidate, which the update refuses as a contradiction.
    if (!verdict.is_usable() && verdict.outcome != AnswerOutcome::kContradicts) {
      throw InputError(fmt::format("{}: {}", given.place, verdict_text(verdict)));
    }
    FoundBy found_by = verdict.answer.found_by;
    if (found_by.solver.empty()) {
      throw InputError(fmt::format(
          "{}: found no \"found_by\"; accepted: the name of the answer's source, as a member in "
          "JSON or a column in CSV",
          given.place));
    }
    candidates.push_back(candidate_for(
        verdict.known,
        {{.components = {}, .given = verdict.answer, .found_by = std::move(found_by)}}));
  }
  return candidates;
}

/// The candidates of an update, and the time limit of their proofs.
struct Offered {
  std::vector<InstanceCandidate> candidates;
  const char* source = "run";  // or "file" or "library"
  double seconds = kDefaultProof;
};

Offered offered(const Session& session) {
  if (session.options.open) {
    refuse_word(session.options);
    return {.candidates = open_candidates(session), .source = "library"};
  }
  const std::string what = instances_word(session.options, "RUN_OR_FILE or --open");
  const fs::path file = what;
  if (fs::is_regular_file(file) && (file.extension() == ".json" || file.extension() == ".csv") &&
      !is_experiment(file)) {
    return {.candidates = candidates_of_file(session, file), .source = "file"};
  }
  if ((file.extension() == ".json" || file.extension() == ".csv") && !fs::exists(file)) {
    throw InputError(fmt::format(
        "RUN_OR_FILE: found no file {}; accepted: a file of answers (.json or .csv), a run folder, "
        "or an experiment that was run",
        file.string()));
  }
  const fs::path run = find_run(what);
  const Experiment experiment = experiment_of_run(run, session.data_dir);
  return {.candidates = candidates_of(experiment, read_records(run / "cells.jsonl"),
                                      version_of_run(run), session.library, session.data_dir),
          .seconds = experiment.time_limit > 0 ? experiment.time_limit : kDefaultProof};
}

int update(const Session& session) {
  const InstancesOptions& options = session.options;
  options.open ? accept_only(options, {"--class", "--size", "--open", "--time-limit", "--threads"})
               : accept_only(options, {"--open", "--time-limit", "--threads"});
  const StopSignals signals(StopSignals::Repeat::kOnce);
  Offered of = offered(session);
  UpdateRequest request{.data_dir = session.data_dir,
                        .seconds = seconds_or(options, of.seconds),
                        .threads = threads_of(options)};
  if (session.speaks()) {
    request.on_update = [](const InstanceUpdate& done) { say("spca: {}", update_text(done)); };
  }
  const std::size_t candidates = of.candidates.size();
  const std::vector<InstanceUpdate> updates =
      update_library(session.library, std::move(of.candidates), request);
  if (stop_requested()) {
    say("spca: interrupted in instance {} of {}", updates.size(), candidates);
  }
  options.json ? write_json(updates_json(session.library, updates))
               : write_stdout(updates_text(session.library, updates, of.source));
  const bool is_contradicted =
      std::any_of(updates.begin(), updates.end(),
                  [](const InstanceUpdate& one) { return one.is_contradicted; });
  return stop_requested() ? kExitInterrupted : is_contradicted ? kExitFailed : kExitOk;
}

int act(const InstancesOptions& options, const GlobalOptions& global) {
  const std::vector<std::pair<std::string, int (*)(const Session&)>> actions = {
      {"list", list}, {"show", show}, {"verify", verify}, {"check", check}, {"update", update}};
  const Session session{
      .options = options,
      .library =
          InstanceLibrary(options.library.empty() ? instances_folder() : fs::path(options.library)),
      .data_dir = data_directory(global.data_dir)};
  std::vector<std::string> names;
  for (const auto& [name, action] : actions) {
    if (name == options.action) {
      const bool makes_folder = action == update && !options.open;
      if (!makes_folder && !options.library.empty() && !fs::is_directory(options.library)) {
        throw InputError(fmt::format(
            "--library: found \"{}\", which is no folder; accepted: a folder with files such as "
            "one-component.json",
            options.library));
      }
      return action(session);
    }
    names.push_back(name);
  }
  throw InputError(fmt::format("ACTION: found \"{}\"{}; accepted: {}", options.action,
                               did_you_mean(options.action, names), join(names)));
}

std::function<int()> declare_instances(Declarations& declare, const GlobalOptions& global) {
  const auto options = std::make_shared<InstancesOptions>();
  declare.positional(
      "ACTION", options->action,
      "Action: list, show, verify, check or update. list prints the instances; show prints one; "
      "verify judges answers of a file; check recomputes the values; update adds better answers "
      "and bounds.");
  declare.optional_positional(
      "WHAT", options->what,
      "show: an id; verify: FILE.json or FILE.csv with answers; update: folder of a run, an "
      "experiment (its newest run), or a file of answers; none with --open.");
  declare.option("--class NAME", options->instance_class,
                 fmt::format("Restrict list, check and update --open to one class: {}.",
                             class_alternatives()));
  declare.option(
      "--size SIZE[,SIZE...]", options->size,
      "Restrict list, check and update --open to sizes: built-in, small, large, huge or "
      "all (default). Small instances have at most 101 variables, and built-in ones also "
      "need no file; large ones have 102 to 50,000, and huge ones more.");
  declare.flag("--open", options->open,
               "list, check: only instances without a proved optimum; update: prove these again, "
               "if the time limit is longer than that of their bounds.");
  declare.flag("--prove", options->prove, "check: prove the bounds again as well.");
  declare.option("--time-limit SECONDS", options->time_limit,
                 "check --prove, update: time limit of each proof (default: the one that the "
                 "library or the run has).");
  declare.option("--threads N", options->threads,
                 "check --prove, update: number of threads of a proof (default 1).");
  declare.option("--matrix FILE.npy", options->matrix, "show: also write S to FILE.npy, p x p.");
  declare.option("--answer-matrix FILE.npy", options->answer_matrix,
                 "show: also write S on the variables of the best answer, ascending.");
  declare.option("--library FOLDER", options->library,
                 "Folder of the library (default: SPCA_INSTANCES, or else results/instances).");
  declare.flag("--json", options->json, "Print JSON instead of text.");
  declare.flag("-q,--quiet", options->quiet, "Print no progress on standard error.");
  return [options, &global] { return act(*options, global); };
}

SPCA_COMMAND("instances", CommandGroup::kResults,
             "List instances with their best known answers and proved bounds, and judge answers "
             "(exit code 3: infeasible, wrong, or above a bound)",
             "  spca instances list --class disjoint --open\n"
             "  spca instances show pitprops-k5\n"
             "  spca instances verify mine.csv\n"
             "  spca instances check --size built-in --prove\n"
             "  spca instances update instances/one-component\n"
             "  spca instances update --open --class disjoint --time-limit 600",
             declare_instances);

}  // namespace
}  // namespace spca::cli
