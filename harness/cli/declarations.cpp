#include "harness/cli/declarations.h"

#include <CLI/CLI.hpp>

namespace spca::cli {
namespace {

/// `--repeats "$UNSET"` must not act as if nothing had been given.
const CLI::Validator not_empty(
    [](const std::string& word) {
      return word.empty() ? std::string("found \"\"; accepted: a value") : std::string();
    },
    "");

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

void Declarations::option(const std::string& names, std::string& value, const std::string& help) {
  app_.add_option(names, value, help)->check(not_empty);
}

void Declarations::required_option(const std::string& names, std::string& value,
                                   const std::string& help) {
  app_.add_option(names, value, help)->required()->check(not_empty);
}

void Declarations::flag(const std::string& names, bool& value, const std::string& help) {
  app_.add_flag(names, value, help);
}

void Declarations::flag_or_value(const std::string& name, std::string& value,
                                 const std::string& plain, const std::string& help) {
  app_.add_flag(name + "{" + plain + "}", value, help)->type_name("[=VALUE]");
}

void Declarations::repeatable(const std::string& names, std::vector<std::string>& values,
                              const std::string& help) {
  app_.add_option(names, values, help)->allow_extra_args(false);
}

void Declarations::repeatable(const std::string& names,
                              std::vector<std::pair<std::string, std::string>>& values,
                              const std::string& help) {
  app_.add_option(names, values, help)->allow_extra_args(false);
}

}  // namespace spca::cli
