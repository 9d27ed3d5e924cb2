#pragma once

#include <fmt/format.h>

#include <string>

#include "spca/base/error.h"

namespace spca {

/// Returns the result of `action`. If it throws InputError, prefixes the message with the name of
/// the file.
template <class Action>
auto naming(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace spca
