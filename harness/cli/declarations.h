#pragma once

/// Declares the command-line arguments of a subcommand. Values are text; arguments.h turns them
/// into numbers, with messages of our own. Few files include CLI11, because its header is most of
/// the time that a file of this folder needs to compile.

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace spca::cli {

/// Declares arguments. The variables named here are written when the command line is parsed, and
/// only if the argument was given. An option is spelled with the name of its value, as the help
/// shows it: "-j,--jobs N". A help text is a sentence of its own. The help adds whether an option
/// is required or may be repeated.
class Declarations {
 public:
  explicit Declarations(CLI::App& app) : app_(app) {}

  /// A required word, recognised by its position.
  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more words, recognised by their position.
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// A word recognised by its position, which may be left out.
  void optional_positional(const std::string& name, std::string& value, const std::string& help);
  /// Any number of words, including those after "--".
  void optional_positional(const std::string& name, std::vector<std::string>& values,
                           const std::string& help);
  void option(const std::string& spelling, std::string& value, const std::string& help);
  void required_option(const std::string& spelling, std::string& value, const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// For "--name[=VALUE]": "--name" alone writes `plain`, and "--name=VALUE" writes VALUE. The next
  /// word is never its value.
  void flag_or_value(const std::string& spelling, std::string& value, const std::string& plain,
                     const std::string& help);
  /// An option with one value each time that it is given.
  void repeatable(const std::string& spelling, std::vector<std::string>& values,
                  const std::string& help);
  /// An option with two values each time that it is given: "--only KIND GLOB".
  void repeatable(const std::string& spelling,
                  std::vector<std::pair<std::string, std::string>>& values,
                  const std::string& help);

 private:
  CLI::App& app_;
};

/// Declares --seed of a command whose seed is 1 by default (seed_or_one in arguments.h).
void declare_seed(Declarations& declare, std::string& seed);

}  // namespace spca::cli
