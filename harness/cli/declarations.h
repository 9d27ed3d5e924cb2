#pragma once

/// What a subcommand takes from the command line. Only declarations.cpp and main.cpp include CLI11,
/// whose header is most of the time that a file of this folder needs to compile. Values are words:
/// arguments.h turns them into numbers with messages of our own.

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace spca::cli {

/// The variables named here are written when the command line is parsed, and only where the word
/// was given. `names`: "-j,--jobs".
class Declarations {
 public:
  explicit Declarations(CLI::App& app) : app_(app) {}

  /// Needed, told by its place.
  void positional(const std::string& name, std::string& value, const std::string& help);
  /// One or more words, told by their place.
  void positional(const std::string& name, std::vector<std::string>& values,
                  const std::string& help);
  /// Told by its place, or left out.
  void optional_positional(const std::string& name, std::string& value, const std::string& help);
  /// Any number of words, also those behind "--".
  void optional_positional(const std::string& name, std::vector<std::string>& values,
                           const std::string& help);
  void option(const std::string& names, std::string& value, const std::string& help);
  void required_option(const std::string& names, std::string& value, const std::string& help);
  void flag(const std::string& names, bool& value, const std::string& help);
  /// "--name" alone writes `plain`, "--name=VALUE" writes VALUE; the word behind is never its
  /// value.
  void flag_or_value(const std::string& name, std::string& value, const std::string& plain,
                     const std::string& help);
  /// One word each time that it is given.
  void repeatable(const std::string& names, std::vector<std::string>& values,
                  const std::string& help);
  /// Two words each time that it is given.
  void repeatable(const std::string& names,
                  std::vector<std::pair<std::string, std::string>>& values,
                  const std::string& help);

 private:
  CLI::App& app_;
};

}  // namespace spca::cli
