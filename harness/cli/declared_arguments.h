#pragma once

/// Lists the arguments that the subcommands declare, without parsing a command line. The completion
/// of shells, the help and the messages about missing values need this.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace CLI {
class Option;
}

namespace spca::cli {

struct DeclaredArgument {
  /// "-j", "--jobs"; for a positional its one name, "EXPERIMENT".
  std::vector<std::string> names;
  /// The name of an option's value: "N", "KIND GLOB", "[=GLOB]"; empty for a flag.
  std::string value = {};
  std::string help;
  bool is_positional = false;
  bool is_required = false;
  /// The number of words that follow an option; 0 for a flag.
  std::size_t values = 0;
  /// May be given more than once.
  bool is_repeatable = false;
};

DeclaredArgument declared_argument(const CLI::Option& option);

/// Returns the arguments of a command in the order of declaration, --help first.
std::vector<DeclaredArgument> declared_arguments(const CommandEntry& command);

/// Returns the words that the first sentence of a help text lists, after its last colon if it has
/// one: text, md and csv of "Format of the tables: text (default), md or csv." Returns none if it
/// lists none.
std::vector<std::string> words_listed_in(const std::string& help);

}  // namespace spca::cli
