#pragma once

/// Lists what the subcommands declare, without parsing it. The completion of shells needs this.

#include <cstddef>
#include <string>
#include <vector>

#include "harness/cli/command.h"

namespace spca::cli {

struct DeclaredArgument {
  /// "-j", "--jobs"; for a positional its one name, "EXPERIMENT".
  std::vector<std::string> names;
  std::string help;
  bool is_positional = false;
  /// The number of words that follow an option; 0 for a flag.
  std::size_t values = 0;
  /// May be given more than once.
  bool is_repeatable = false;
};

/// Returns them in the order of declaration, --help first.
std::vector<DeclaredArgument> declared_arguments(const CommandEntry& command);

}  // namespace spca::cli
