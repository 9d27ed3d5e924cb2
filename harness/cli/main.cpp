/// The program. It declares every registered subcommand, parses the command line and runs one
/// subcommand. An error becomes one line on stderr and an exit code.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <new>
#include <nlohmann/json.hpp>

#include "harness/cli/command.h"
#include "harness/cli/declared_arguments.h"
#include "harness/cli/help.h"
#include "harness/cli/output.h"
#include "harness/cli/ranks.h"
#include "harness/experiments/experiment.h"
#include "harness/records/manifest.h"
#include "harness/records/record.h"
#include "spca/base/input_file.h"
#include "spca/base/interrupt.h"
#include "spca/base/standard_error.h"
#include "spca/base/text.h"
#include "spca/data/dataset.h"
#include "spca/io/json_file.h"
#include "spca/solving/solver.h"

namespace spca::cli {
namespace {

const std::vector<HelpRow>& exit_codes() {
  static const std::vector<HelpRow> kRows = {
      {"0", "done; for solve: a usable answer"},
      {"1", "an internal error, memory ran out, or standard output cannot be written"},
      {"2",
       "a wrong command line, configuration or data that cannot be used, or a place that cannot be "
       "written; the finished part of a run is kept"},
      {"3", "the solve failed, or some cells of a run did"},
      {"4",
       "worse than the baseline, on the wrong side of a published number, or a failed claim, "
       "without "
       "a recorded reason; or a recorded reason no longer applies"},
      {"5", "nothing to compare with"},
      {"6", "slower than the baseline, and nothing else"},
      {"130", "interrupted; the finished part is kept"}};
  return kRows;
}

std::string program_footer() {
  constexpr std::size_t kColumn = 7;
  const std::size_t width = help_width();
  return "exit codes:\n" + help_rows(exit_codes(), kColumn, width) +
         wrapped(
             "Data go to standard output, messages and progress to standard error. If the "
             "reader of a pipe closes it, the program ends quietly.",
             0, width) +
         "\n\nexamples:\n"
         "  spca list solvers\n"
         "  spca solve --dataset pitprops --solver tpower --cardinality 5\n"
         "  spca reproduce quickstart\n" +
         wrapped("`spca SUBCOMMAND --help` shows the options and more examples.", 0, width);
}

std::string command_footer(const CommandEntry& entry) {
  return "examples:\n" + entry.examples + "\n\n" +
         wrapped(
             "exit codes: 0 done, 1 internal error, 2 usage, 3 failed, 4 worse, 5 not "
             "comparable, 6 slower, 130 interrupted; `spca --help` explains them",
             0, help_width());
}

/// The heading of a group in `spca --help`.
const char* title(CommandGroup group) {
  switch (group) {
    case CommandGroup::kYourData:
      return "Your data";
    case CommandGroup::kExperiments:
      return "Experiments";
    case CommandGroup::kResults:
      return "Results";
    case CommandGroup::kProgram:
      break;
  }
  return "Plugins and the program";
}

/// Returns all subcommands in the order of their groups, in alphabetical order within a group.
std::vector<const CommandEntry*> grouped_commands() {
  std::vector<const CommandEntry*> commands;
  for (const auto& [name, entry] : CommandRegistry::instance().entries()) {
    commands.push_back(&entry);
  }
  std::stable_sort(
      commands.begin(), commands.end(),
      [](const CommandEntry* a, const CommandEntry* b) { return a->group < b->group; });
  return commands;
}

/// The subcommand that several ranks run together, apart from those that only spca-mpi has.
const char* const kOfRanks = "solve";

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The long names of an app's options, for "did you mean".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// Returns true for an option that may stand alone or have a value after an equals sign.
bool is_flag_or_value(const CLI::Option& option) {
  return option.get_type_name().starts_with("[=");
}

/// Returns whether the word looks like a file: there is one, or the word has an extension.
bool is_file_word(const std::string& word) {
  std::error_code error;
  return std::filesystem::is_regular_file(word, error) ||
         !std::filesystem::path(word).extension().empty();
}

/// Returns the option that the word without one may belong to: a file of data, a data set, a
/// solver, or the value of a flag that was given. Empty if the command has no such option.
std::string option_for(const CLI::App& command, const std::string& word) {
  for (const CLI::Option* option : command.get_options()) {
    if (is_flag_or_value(*option) && option->count() > 0) {
      return fmt::format("{}={}", option->get_name(), word);
    }
  }
  const bool is_dataset = DatasetRegistry::instance().find(word) != nullptr;
  const std::vector<std::pair<std::string, bool>> options = {
      {"--data", is_file_word(word) && !word.ends_with(".json")},
      {"--dataset", is_dataset},
      {"--solver", SolverRegistry::instance().find(word) != nullptr}};
  for (const auto& [name, is_meant] : options) {
    if (is_meant && command.get_option_no_throw(name) != nullptr) {
      return fmt::format("{} {}", name, word);
    }
  }
  return "";
}

std::string unexpected_argument(const CLI::App& app, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  if (!name.starts_with("-")) {
    const std::string accepted = option_for(app, argument);
    return fmt::format("unexpected argument \"{}\"{}", printable(argument),
                       accepted.empty() ? "" : "; accepted: " + printable(accepted));
  }
  return fmt::format("{}: unknown option{}; accepted: {}", name,
                     did_you_mean(name, option_names(app)), join(option_names(app)));
}

/// Returns the words that an option accepts, or the name of its value with its help.
std::string accepted_values(const CLI::Option& option) {
  const DeclaredArgument argument = declared_argument(option);
  const std::vector<std::string> words = words_listed_in(argument.help);
  if (!words.empty()) {
    return join(words);
  }
  return argument.value.empty() ? argument.help
                                : fmt::format("{}: {}", argument.value, argument.help);
}

/// Adds what is accepted to CLI11's message about a missing argument, a missing value, or
/// an option that is given more than once.
std::string missing_argument(const CLI::App& command, const std::string& message) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();
    if (message == name + " is required") {
      return fmt::format("{}; accepted: {}", message, accepted_values(*option));
    }
    if (message.starts_with(name + ": ") && message.ends_with(" missing")) {
      return fmt::format("{}: found no value, or too few; accepted: {}", name,
                         accepted_values(*option));
    }
    // CLI11 says "At Most 1 required but received 2".
    const std::string too_many = name + ": At Most 1 required but received ";
    if (message.starts_with(too_many)) {
      return fmt::format("{}: found {} times; accepted: once", name,
                         message.substr(too_many.size()));
    }
  }
  return message;
}

/// Returns the name that differs from the word only by the order of two neighbouring letters
/// ("slove"), which did_you_mean() counts as two mistakes; otherwise did_you_mean().
std::string did_you_mean_command(const std::string& word, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    std::string swapped = word;
    std::swap(swapped[i], swapped[i + 1]);
    if (std::find(names.begin(), names.end(), swapped) != names.end()) {
      return fmt::format(" (did you mean \"{}\"?)", swapped);
    }
  }
  return did_you_mean(word, names);
}

/// Returns the command that takes a file of JSON: an experiment, or the file of a peer.
std::string command_for_json(const std::string& file) {
  const Json json = try_json_file(file);
  const bool is_peer = json.is_object() && json.contains("command") && !json.contains("grids");
  return is_peer ? "spca solve --solver " + file + " --dataset NAME" : "spca run " + file;
}

/// Returns a command for a word in place of a subcommand: a file, the folder of a run, a data set,
/// a solver or an experiment; "" for any other word. A word with an extension counts as a file.
std::string command_for(const std::string& word) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::is_directory(word, error)) {
    return fs::exists(fs::path(word) / "cells.jsonl", error) ? "spca table " + word : "";
  }
  if (is_file_word(word)) {
    return word.ends_with(".json") ? command_for_json(word) : "spca solve --data " + word;
  }
  if (DatasetRegistry::instance().find(word) != nullptr) {
    return "spca solve --dataset " + word;
  }
  if (SolverRegistry::instance().find(word) != nullptr) {
    return "spca describe solver " + word;
  }
  const std::vector<std::string> experiments = experiment_names();
  const bool is_experiment =
      std::find(experiments.begin(), experiments.end(), word) != experiments.end();
  return is_experiment ? "spca run " + word : "";
}

std::string unknown_command(const std::string& word) {
  const std::string command = command_for(word);
  if (!command.empty()) {
    return fmt::format("spca: \"{}\" is not a subcommand; did you mean `{}`?", printable(word),
                       printable(command));
  }
  const std::vector<std::string> names = CommandRegistry::instance().names();
  return fmt::format("spca: unknown subcommand \"{}\"{}; accepted: {}", printable(word),
                     did_you_mean_command(word, names), join(names));
}

/// Describes the error in the command line, in one line.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    const std::vector<std::string> rest = app.remaining();
    const std::vector<std::string> names = CommandRegistry::instance().names();
    if (!rest.empty() && !rest.front().starts_with("-")) {
      return unknown_command(rest.front());
    }
    return rest.empty() && error.get_name() == "RequiredError"
               ? fmt::format("spca: a subcommand is missing; accepted: {}", join(names))
           : rest.empty() ? fmt::format("spca: {}", first_line(error.what()))
                          : "spca: " + unexpected_argument(app, rest.front());
  }
  const std::vector<std::string> rest = chosen.front()->remaining();
  return fmt::format("spca {}: {}", chosen.front()->get_name(),
                     rest.empty() ? missing_argument(*chosen.front(), first_line(error.what()))
                                  : unexpected_argument(*chosen.front(), rest.front()));
}

/// Throws InputError for "--components=": CLI11 takes it for the option without a value.
void refuse_empty_values(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string empty = option->get_name() + "=";
    if (is_flag_or_value(*option) &&
        std::find(arguments.begin(), arguments.end(), empty) != arguments.end()) {
      const std::string type = option->get_type_name();  // "[=MOST]"
      throw InputError(fmt::format("{0}: found \"\"; accepted: {0}{1}, or {0} alone",
                                   option->get_name(), type.substr(1, type.size() - 2)));
    }
  }
}

struct Program {
  CLI::App app{
      "Sparse principal component analysis: which algorithm to trust, and does it do what its "
      "paper says?",
      "spca"};
  GlobalOptions global;
  std::map<const CLI::App*, std::function<int()>> runs;

  Program(int argc, char** argv) : global{.data_dir = "", .arguments = {argv + 1, argv + argc}} {
    app.formatter(help_formatter());
    app.footer(program_footer());
    app.set_version_flag("--version", "spca " + build_information()["version"].get<std::string>(),
                         "Print the version and exit.");
    app.require_subcommand(1);
    add_common(app);
    for (const CommandEntry* entry : grouped_commands()) {
      CLI::App* command = app.add_subcommand(entry->name, entry->summary);
      command->group(title(entry->group));
      runs[command] = declared(*entry, *command);
      command->footer(command_footer(*entry));
      add_common(*command);
    }
  }

  /// Adds the options that are accepted before and after the subcommand.
  void add_common(CLI::App& target) {
    target.set_help_flag("-h,--help", "Print this help and exit.");
    target
        .add_option("--data-dir", global.data_dir,
                    "Folder of the data sets (default: SPCA_DATA_DIR, or else ~/.cache/spca).")
        ->type_name("FOLDER");
  }

  std::function<int()> declared(const CommandEntry& entry, CLI::App& command) {
    Declarations declarations(command);
    return entry.declare(declarations, global);
  }

  int run() {
    const CLI::App* const chosen = app.get_subcommands().front();
    refuse_empty_values(*chosen, global.arguments);
    const CommandEntry& entry = CommandRegistry::instance().get(chosen->get_name(), "spca-mpi");
    const bool is_of_ranks =
        entry.name == kOfRanks || entry.file.find("harness/cli/") == std::string::npos;
    if (ranks() != nullptr && !is_of_ranks) {
      throw InputError(
          fmt::format("found the subcommand {}; accepted in spca-mpi: {}; `spca` has "
                      "all others",
                      chosen->get_name(), kOfRanks));
    }
    const int code = runs.at(chosen)();
    if (ranks() != nullptr && ranks()->is_connected()) {
      ranks()->disconnect();
    }
    return code;
  }
};

int report(const std::string& line, int code) {
  if (ranks() != nullptr) {
    fail_in_ranks(line, code);
  }
  say_line(line);
  return code;
}

/// Returns the arguments, last one first. `spca help run` is `spca run --help`.
std::vector<std::string> reversed_arguments(std::vector<std::string> arguments) {
  if (!arguments.empty() && arguments.front() == "help") {
    arguments.erase(arguments.begin());
    if (arguments.empty() || CommandRegistry::instance().find(arguments.front()) != nullptr) {
      arguments.emplace_back("--help");
    }
  }
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

int parse_and_run(Program& program) {
  try {
    program.app.parse(reversed_arguments(program.global.arguments));
    return program.run();
  } catch (const CLI::CallForHelp&) {
    write_stdout(program.app.help());
    return kExitOk;
  } catch (const CLI::CallForVersion& version) {
    write_stdout(std::string(version.what()) + "\n");
    return kExitOk;
  } catch (const CLI::ValidationError& error) {
    return report(fmt::format("spca: error: {}", first_line(error.what())), kExitUsage);
  } catch (const CLI::ParseError& error) {
    return report(usage_message(program.app, error), kExitUsage);
  }
}

int guarded_main(int argc, char** argv) {
  try {
    Program program(argc, argv);
    return parse_and_run(program);
  } catch (const InputError& error) {
    return report(fmt::format("spca: error: {}", error.what()), kExitUsage);
  } catch (const std::bad_alloc&) {
    return report("spca: error: memory ran out", kExitInternal);
  } catch (const OutputError& error) {
    return report(fmt::format("spca: error: {}", error.what()), kExitInternal);
  } catch (const std::filesystem::filesystem_error& error) {
    return report(
        fmt::format("spca: error: {}: {}", error.path1().string(), error.code().message()),
        kExitUsage);
  } catch (const std::exception& error) {
    return report(fmt::format("spca: internal error: {}", error.what()), kExitInternal);
  }
}

}  // namespace
}  // namespace spca::cli

int main(int argc, char** argv) {
  spca::open_standard_descriptors();
  // A write beyond the limit of file sizes (ulimit -f) then fails like a write on a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  spca::retain_piped_input();
  if (spca::cli::ranks() == nullptr) {
    spca::exit_on_interrupt();  // the launcher ends the ranks
  }
  return spca::cli::guarded_main(argc, argv);
}
