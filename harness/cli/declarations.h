#pragma once

/// Declares what a subcommand takes from the command line. Values are text; arguments.h turns them
/// into numbers, with messages of our own. Only declarations.cpp and main.cpp include CLI11,
/// because its header is most of the time that a file of this folder needs to compile.

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace spca::cli {

/// Declares words. The variables named here are written when the command line is parsed, and only
/// if the word was given. `names`: "-j,--jobs".
class Declarations {
 public:
  explicit Declarations(CLI::App& app) : app_(app) {}

  /// A word that must be there, told by its place.
  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more words, told by their place.
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// A word told by its place; it may be left out.
  void optional_positional(const std::string& name, std::string& value, const std::string& help);
  /// Any number of words, also those behind "--".
  void optional_positional(const std::string& name, std::vector<std::string>& values,
                           const std::string& help);
  void option(const std::string& names, std::string& value, const std::string& help);
  void required_option(const std::string& names, std::string& value, const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// "--name" alone writes `plain`, and "--name=VALUE" writes VALUE. The next word is never its
  /// value.
  void flag_or_value(const std::string& name, std::string& value, const std::string& plain,
                     const std::string& help);
  /// An option with one word, each time that it is given.
  void repeatable(const std::string& names, std::vector<std::string>& values,
                  const std::string& help);
  /// An option with two words, each time that it is given.
  void repeatable(const std::string& names,
                  std::vector<std::pair<std::string, std::string>>& values,
                  const std::string& help);

 private:
  CLI::App& app_;
};

}  // namespace spca::cli
