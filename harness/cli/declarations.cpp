#include "harness/cli/declarations.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace spca::cli {
namespace {

/// Rejects an empty value: `--repeats "$UNSET"` must not act as if the option were absent.
const CLI::Validator not_empty(
    [](const std::string& word) {
      return word.empty() ? std::string("found \"\"; accepted: a value") : std::string();
    },
    "");

struct Spelling {
  std::string names;  // "-j,--jobs"
  std::string value;  // "N"; "[=GLOB]"; empty for a flag
};

/// Splits "-j,--jobs N" at its first blank, and "--force[=GLOB]" before the bracket.
Spelling split(const std::string& spelling) {
  const std::size_t end = std::min(spelling.find_first_of(" ["), spelling.size());
  const bool has_blank = end < spelling.size() && spelling[end] == ' ';
  return {.names = spelling.substr(0, end), .value = spelling.substr(end + (has_blank ? 1 : 0))};
}

template <class Value>
CLI::Option* add_option(CLI::App& app, const std::string& spelling, Value& value,
                        const std::string& help) {
  const Spelling parts = split(spelling);
  return app.add_option(parts.names, value, help)->type_name(parts.value);
}

}  // namespace

void Declarations::positional(const std::string& name, std::string& value,
                              const std::string& help) {
  app_.add_option(name, value, help)->required();
}

void Declarations::positional(const std::string& name, std::vector<std::string>& values,
                              const std::string& help) {
  app_.add_option(name, values, help)->required();
}

void Declarations::optional_positional(const std::string& name, std::string& value,
                                       const std::string& help) {
  app_.add_option(name, value, help);
}

void Declarations::optional_positional(const std::string& name, std::vector<std::string>& values,
                                       const std::string& help) {
  app_.add_option(name, values, help);
}

void Declarations::option(const std::string& spelling, std::string& value,
                          const std::string& help) {
  add_option(app_, spelling, value, help)->check(not_empty);
}

void Declarations::required_option(const std::string& spelling, std::string& value,
                                   const std::string& help) {
  add_option(app_, spelling, value, help)->required()->check(not_empty);
}

void Declarations::flag(const std::string& names, bool& value, const std::string& help) {
  app_.add_flag(names, value, help)->type_name("");
}

void Declarations::flag_or_value(const std::string& spelling, std::string& value,
                                 const std::string& plain, const std::string& help) {
  const Spelling parts = split(spelling);
  app_.add_flag(parts.names + "{" + plain + "}", value, help)->type_name(parts.value);
}

void Declarations::repeatable(const std::string& spelling, std::vector<std::string>& values,
                              const std::string& help) {
  add_option(app_, spelling, values, help)->allow_extra_args(false);
}

void Declarations::repeatable(const std::string& spelling,
                              std::vector<std::pair<std::string, std::string>>& values,
                              const std::string& help) {
  add_option(app_, spelling, values, help)->allow_extra_args(false);
}

void declare_seed(Declarations& declare, std::string& seed) {
  declare.option("--seed N", seed, "Seed of all random numbers (default 1).");
}

}  // namespace spca::cli
