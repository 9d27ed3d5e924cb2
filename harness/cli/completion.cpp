/// Completes command lines in a shell. The printed scripts pass the words of the line to `spca
/// completion words`, so that the suggestions always match the commands of the program.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "harness/cli/declared_arguments.h"
#include "harness/cli/output.h"
#include "harness/experiments/experiment.h"
#include "spca/base/error.h"
#include "spca/covariance/deflation.h"
#include "spca/data/data_sources.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"

namespace spca::cli {
namespace {

using Words = std::vector<std::string>;

const char* const kBash = R"(# Completion of spca in bash: source <(spca completion bash)
_spca() {
  local program="${COMP_WORDS[0]/#\~/$HOME}"
  # Nothing offered: bash completes names of files.
  mapfile -t COMPREPLY < <(
    "$program" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
}
complete -o bashdefault -o default -F _spca spca
)";

const char* const kZsh = R"(#compdef spca
# Completion of spca in zsh: source <(spca completion zsh), or save it as _spca in a folder of $fpath
_spca() {
  local line
  local -a lines offered
  lines=("${(@f)$("${(Q)words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "${lines[1]}" ]]; then
    _files
    return
  fi
  for line in "${lines[@]}"; do
    offered+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe -V spca offered
}
if [[ "${funcstack[1]}" == _spca ]]; then
  _spca "$@"
else
  compdef _spca spca
fi
)";

const char* const kFish = R"(# Completion of spca in fish: spca completion fish | source
function __spca_words
    set -l line (commandline -opc)
    $line[1] completion words -- $line[2..-1] (commandline -ct) 2>/dev/null
end
# Nothing offered: fish completes names of files.
complete -c spca -f -n 'test (count (__spca_words)) -gt 0' -k -a '(__spca_words)'
)";

struct Candidate {
  std::string word;
  std::string help;
};

template <class Registry>
Words names_in() {
  return Registry::instance().names();
}

Words data_sets_with_files() {
  Words names;
  for (const DataSource& source : built_in_data_sources()) {
    names.push_back(source.name);
  }
  return names;
}

/// Returns the names of a kind, "solver" or "solvers"; none if the kind is unknown.
Words names_of_kind(std::string kind) {
  kind += kind.ends_with('s') ? "" : "s";
  return kind == "solvers"       ? names_in<SolverRegistry>()
         : kind == "datasets"    ? names_in<DatasetRegistry>()
         : kind == "metrics"     ? names_in<MetricRegistry>()
         : kind == "deflations"  ? names_in<DeflationRegistry>()
         : kind == "experiments" ? experiment_names()
                                 : Words();
}

/// Returns the words that a positional accepts, after those in `before`.
Words positional_values(const DeclaredArgument& argument, const Words& before) {
  const std::string& name = argument.names.front();
  if (name == "NAME" && !before.empty() && !names_of_kind(before.back()).empty()) {
    return names_of_kind(before.back());  // `describe KIND NAME`
  }
  if (name.ends_with("EXPERIMENT") || name.starts_with("RUN")) {
    return experiment_names();
  }
  if (name == "SOLVER") {
    return names_in<SolverRegistry>();
  }
  if (name == "DATASET") {
    Words words = data_sets_with_files();
    words.push_back("all");
    return words;
  }
  return words_listed_in(argument.help);
}

/// Returns the words that may follow an option after its values `given`.
Words option_values(const DeclaredArgument& option, const Words& given) {
  const std::string& name = option.names.back();
  if (name == "--only") {
    return given.empty() ? Words{"solver", "dataset"} : names_of_kind(given.front());
  }
  const Words names = names_of_kind(name.substr(2));
  return names.empty() ? words_listed_in(option.help) : names;
}

/// Completes `spca COMMAND WORD... CURRENT`.
class Line {
 public:
  explicit Line(const CommandEntry& command) : declared_(declared_arguments(command)) {
    declared_.push_back({.names = {"--data-dir"}, .help = "Folder of the data sets.", .values = 1});
  }

  std::vector<Candidate> complete(const Words& words, const std::string& current) {
    for (const std::string& word : words) {
      read(word);
    }
    if (option_ != nullptr) {
      return described(option_values(*option_, values_), "");
    }
    const std::size_t equals = current.find('=');
    if (current.starts_with("--") && equals != std::string::npos) {
      const DeclaredArgument* option = find(current.substr(0, equals));
      return option == nullptr
                 ? std::vector<Candidate>()
                 : described(option_values(*option, {}), current.substr(0, equals + 1));
    }
    return current.starts_with("-") ? options() : described(next_positional(), "");
  }

 private:
  const DeclaredArgument* find(const std::string& name) const {
    for (const DeclaredArgument& word : declared_) {
      if (!word.is_positional &&
          std::find(word.names.begin(), word.names.end(), name) != word.names.end()) {
        return &word;
      }
    }
    return nullptr;
  }

  void read(const std::string& word) {
    if (option_ != nullptr) {
      values_.push_back(word);
    } else if (word.starts_with("-")) {
      option_ = find(word.substr(0, word.find('=')));
      values_.clear();
      if (option_ != nullptr) {
        given_.push_back(option_);
        if (word.find('=') != std::string::npos) {
          values_.push_back(word);
        }
      }
    } else {
      positionals_.push_back(word);
    }
    if (option_ != nullptr && values_.size() >= option_->values) {
      option_ = nullptr;
    }
  }

  std::vector<Candidate> options() const {
    std::vector<Candidate> candidates;
    for (const DeclaredArgument& word : declared_) {
      const bool is_given = std::find(given_.begin(), given_.end(), &word) != given_.end();
      if (!word.is_positional && (word.is_repeatable || !is_given)) {
        candidates.push_back({word.names.back(), word.help});
      }
    }
    return candidates;
  }

  Words next_positional() const {
    std::size_t position = 0;
    for (const DeclaredArgument& word : declared_) {
      if (word.is_positional && (position++ == positionals_.size() || word.is_repeatable)) {
        return positional_values(word, positionals_);
      }
    }
    return {};
  }

  static std::vector<Candidate> described(const Words& words, const std::string& prefix) {
    std::vector<Candidate> candidates;
    for (const std::string& word : words) {
      candidates.push_back({prefix + word, ""});
    }
    return candidates;
  }

  std::vector<DeclaredArgument> declared_;
  const DeclaredArgument* option_ = nullptr;  // an option whose values are not complete
  Words values_, positionals_;
  std::vector<const DeclaredArgument*> given_;
};

std::vector<Candidate> subcommands() {
  std::vector<Candidate> candidates;
  for (const auto& [name, entry] : CommandRegistry::instance().entries()) {
    candidates.push_back({name, entry.summary});
  }
  for (const char* option : {"--help", "--version", "--data-dir"}) {
    candidates.push_back({option, ""});
  }
  return candidates;
}

/// Returns the candidates for the last of `words`, into which the shell has split the line behind
/// the program's name. bash splits at "=" too.
std::vector<Candidate> candidates_for(Words words) {
  if (!words.empty() && words.back() == "=") {
    words.back() = "";
  }
  std::erase(words, "=");
  const std::string current = words.empty() ? "" : words.back();
  if (!words.empty()) {
    words.pop_back();
  }
  auto command = words.begin();
  while (command != words.end() && command->starts_with("-")) {
    const bool has_value = *command == "--data-dir";
    if (has_value && words.end() - command < 2) {
      return {};  // a folder, which the shell completes
    }
    command += has_value ? 2 : 1;
  }
  if (command == words.end()) {
    return subcommands();
  }
  const CommandEntry* entry = CommandRegistry::instance().find(*command);
  return entry == nullptr ? std::vector<Candidate>()
                          : Line(*entry).complete(Words(command + 1, words.end()), current);
}

std::string suggestions(const Words& words) {
  const std::string current = words.empty() ? "" : words.back();
  const std::string prefix = current == "=" ? "" : current;
  std::string text;
  for (const Candidate& candidate : candidates_for(words)) {
    // An option is offered only if the current word begins with a dash.
    const bool is_asked = !candidate.word.starts_with("-") || prefix.starts_with("-");
    if (candidate.word.starts_with(prefix) && is_asked) {
      text += candidate.help.empty() ? fmt::format("{}\n", candidate.word)
                                     : fmt::format("{}\t{}\n", candidate.word, candidate.help);
    }
  }
  return text;
}

std::string answer(const std::string& shell, const Words& words) {
  const Words shells = {"bash", "zsh", "fish", "words"};
  if (shell == "words") {
    return suggestions(words);
  }
  if (!words.empty()) {
    throw InputError(fmt::format("completion: unexpected argument \"{}\"", words.front()));
  }
  if (std::find(shells.begin(), shells.end(), shell) == shells.end()) {
    throw InputError(fmt::format("completion: unknown shell \"{}\"{}; accepted: bash, zsh, fish",
                                 shell, did_you_mean(shell, shells)));
  }
  return shell == "bash" ? kBash : shell == "zsh" ? kZsh : kFish;
}

std::function<int()> declare_completion(Declarations& declare, const GlobalOptions&) {
  struct Options {
    std::string shell;
    Words words;
  };
  const auto options = std::make_shared<Options>();
  declare.positional("SHELL", options->shell, "Shell: bash, zsh or fish.");
  declare.optional_positional(
      "WORDS", options->words,
      "Words of a command line, which the scripts pass to `spca completion words`.");
  return [options] {
    write_stdout(answer(options->shell, options->words));
    return kExitOk;
  };
}

SPCA_COMMAND(
    "completion", CommandGroup::kProgram,
    "Print a script that completes spca's commands, options and names in a shell",
    "  source <(spca completion bash)       # in ~/.bashrc\n"
    "  source <(spca completion zsh)        # in ~/.zshrc, after compinit\n"
    "  spca completion fish | source        # in ~/.config/fish/config.fish\n"
    "  spca completion words -- run --pro   # what the scripts ask: the last word completed",
    declare_completion);

}  // namespace
}  // namespace spca::cli
