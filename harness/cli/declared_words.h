#pragma once

/// What the subcommands declare, looked at instead of parsed: for the completion of shells.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace spca::cli {

struct DeclaredWord {
  /// "-j", "--jobs"; of a positional its one name, "EXPERIMENT".
  std::vector<std::string> names;
  std::string help;
  bool is_positional = false;
  /// Of an option: words that follow it; 0 for a flag.
  std::size_t values = 0;
  /// May be given more than once.
  bool is_repeatable = false;
};

/// In the order of declaration, --help first.
std::vector<DeclaredWord> declared_words(const CommandEntry& command);

}  // namespace spca::cli
