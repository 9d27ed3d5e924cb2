#pragma once

/// JSON of the library as lists of R, and back.

#include <Rcpp.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace spcabench {

/// An object becomes a named list, null NULL. A list of numbers, words or truth values becomes a
/// vector; any other, and an empty one, a list.
SEXP to_r(const nlohmann::ordered_json& value);

/// A named list becomes an object, any other list and a vector of several elements a list. Whole
/// numbers stay whole. Throws std::invalid_argument that opens with
/// `where` for what JSON cannot say.
nlohmann::ordered_json to_json(SEXP value, const std::string& where);

}  // namespace spcabench
