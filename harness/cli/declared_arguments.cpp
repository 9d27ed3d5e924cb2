#include "harness/cli/declared_arguments.h"

#include <CLI/CLI.hpp>

namespace spca::cli {
namespace {

DeclaredArgument declared_word(const CLI::Option& option) {
  DeclaredArgument word;
  word.help = option.get_description();
  word.is_positional = option.get_positional();
  word.is_repeatable = option.get_expected_max() > 1;
  if (word.is_positional) {
    word.names = {option.get_name(true)};
    return word;
  }
  for (const std::string& name : option.get_snames()) {
    word.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    word.names.push_back("--" + name);
  }
  const bool takes_values = option.get_items_expected_min() > 0;
  word.values = takes_values ? static_cast<std::size_t>(option.get_type_size_max()) : 0;
  return word;
}

}  // namespace

std::vector<DeclaredArgument> declared_arguments(const CommandEntry& command) {
  CLI::App app;
  const GlobalOptions global;
  Declarations declarations(app);
  // Keeps alive the variables to which the options write.
  const std::function<int()> run = command.declare(declarations, global);
  std::vector<DeclaredArgument> words;
  for (const CLI::Option* option : static_cast<const CLI::App&>(app).get_options()) {
    words.push_back(declared_word(*option));
  }
  return words;
}

}  // namespace spca::cli
