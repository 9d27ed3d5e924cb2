#include "harness/cli/declared_arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace spca::cli {
namespace {

/// Returns "text (default), md or csv" for "Format of the tables: text (default), md or csv."
std::string_view list_in(std::string_view help) {
  const std::size_t end = help.find(". ");
  help = help.substr(0, end);
  if (help.ends_with('.')) {
    help.remove_suffix(1);
  }
  const std::size_t colon = help.rfind(": ");
  return help.substr(colon == std::string_view::npos ? 0 : colon + 2);
}

}  // namespace

DeclaredArgument declared_argument(const CLI::Option& option) {
  DeclaredArgument argument;
  argument.help = option.get_description();
  argument.is_positional = option.get_positional();
  argument.is_required = option.get_required();
  argument.is_repeatable = option.get_expected_max() > 1;
  if (argument.is_positional) {
    argument.names = {option.get_name(true)};
    return argument;
  }
  for (const std::string& name : option.get_snames()) {
    argument.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    argument.names.push_back("--" + name);
  }
  argument.value = option.get_type_name();
  const bool takes_values = option.get_items_expected_min() > 0;
  argument.values = takes_values ? static_cast<std::size_t>(option.get_type_size_max()) : 0;
  return argument;
}

std::vector<DeclaredArgument> declared_arguments(const CommandEntry& command) {
  CLI::App app;
  const GlobalOptions global;
  Declarations declarations(app);
  // Keeps alive the variables to which the options write.
  const std::function<int()> run = command.declare(declarations, global);
  std::vector<DeclaredArgument> arguments;
  for (const CLI::Option* option : static_cast<const CLI::App&>(app).get_options()) {
    arguments.push_back(declared_argument(*option));
  }
  return arguments;
}

std::vector<std::string> words_listed_in(const std::string& help) {
  constexpr std::string_view kDefault = " (default)";
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-";
  const std::string_view list = list_in(help);
  const std::size_t last = list.rfind(" or ");
  if (last == 0 || last == std::string_view::npos) {
    return {};
  }
  std::vector<std::string> words;
  std::string_view rest = list.substr(0, list[last - 1] == ',' ? last - 1 : last);
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(", "), rest.size());
    words.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 2, rest.size()));
  }
  words.emplace_back(list.substr(last + 4));
  for (std::string& word : words) {
    if (word.ends_with(kDefault)) {
      word.resize(word.size() - kDefault.size());
    }
    if (word.empty() || word.find_first_not_of(kLetters) != std::string::npos) {
      return {};
    }
  }
  return words;
}

}  // namespace spca::cli
