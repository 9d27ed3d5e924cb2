#pragma once

/// Conversions between JSON of the library and R values.

#include <Rcpp.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace spcabench {

/// Returns an R value: an object becomes a named list, null NULL. A list of numbers (null among
/// them is NA), of words or of truth values becomes a vector; any other list, and an empty one, a
/// list.
SEXP to_r(const nlohmann::ordered_json& value);

/// Returns JSON: a named list becomes an object; any other list, and a vector unless it has one
/// element, a list. Whole numbers below 2^53 stay whole. Throws std::invalid_argument whose message
/// begins with `where` for values that JSON cannot represent.
nlohmann::ordered_json to_json(SEXP value, const std::string& where);

}  // namespace spcabench
