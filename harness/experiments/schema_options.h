#pragma once

/// Options of a plugin as JSON Schema. Internal to schema.cpp. To keep the schema small, an option is
/// described once, with all the values that it may have in "options" and in a "grid": one value, or a
/// list of values and ranges. "options" and "grid" say which of these they take.

#include <set>
#include <string>

#include "spca/base/types.h"

namespace spca {

/// Returns the properties of an object with these options, which are as describe_options gives
/// them, and of each object in a list. `reference` refers to what is returned. Adds the types of
/// values to `definitions`, and each option whose json_line() is in `repeated`.
Json options_schema(const Json& options, const Json& reference,
                    const std::set<std::string>& repeated, Json& definitions);

/// Returns the schema of "options": one value for each. `reference` refers to options_schema().
Json given_options_schema(const Json& reference, const Json& options);

/// Returns the schema of a "grid" over options, which may be any.
Json option_grid_schema();

/// Returns the schema of {"from", "to", "step" or "factor"}.
Json range_schema();
/// Returns the schema of a value that is neither a list nor an object.
Json single_schema();

}  // namespace spca
