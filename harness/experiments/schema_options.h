#pragma once

/// Writes the options of a plugin as JSON Schema. Internal to schema.cpp. To keep the schema small,
/// an option is described once, with all values that it may have in "options" and in a "grid": one
/// value, or a list of values and ranges. "options" and "grid" restrict that description to the
/// values that each accepts.

#include <set>
#include <string>

#include "spca/base/types.h"

namespace spca {

/// Returns {"$ref": ...} to a definition in "$defs".
Json schema_reference(const std::string& definition);
/// Returns the schema of a list that is not empty.
Json schema_list(const Json& items);

/// Returns the schema of an object with these options, in the form of describe_options, or of a
/// list of such objects. `itself` is a reference to the returned schema. Adds the types of values
/// to `definitions`, and each option whose json_line() is in `repeated`.
Json options_schema(const Json& options, const Json& itself, const std::set<std::string>& repeated,
                    Json& definitions);

/// Returns the schema of "options": `properties`, a reference to the schema of options_schema(). If
/// an option takes a list, the returned schema restricts all others to one value. If none does, the
/// caller's schema restricts them, once for all such plugins.
Json given_options_schema(const Json& properties, const Json& options);
/// Returns true if one of the options takes a list.
bool has_list_option(const Json& options);

/// Returns the schema of a "grid" over arbitrary options.
Json option_grid_schema();

/// Returns the schema of {"from", "to", "step" or "factor"}.
Json range_schema();
/// Returns the schema of a value that is neither a list nor an object.
Json single_schema();

}  // namespace spca
