#pragma once

#include <fmt/format.h>

#include <string>

#include "spca/base/error.h"

namespace spca {

/// Returns what `action` returns. Puts the name of the file before what it throws as InputError.
template <class Action>
auto naming(const std::string& file, const Action& action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
}

}  // namespace spca
