#pragma once

/// Options of a plugin as JSON Schema. Internal to schema.cpp.

#include "spca/base/types.h"

namespace spca {

/// `options` are as describe_options gives them. Returns an object with a property for each.
Json options_schema(const Json& options);

/// Returns the schema of a "grid" over these options. `references`: option -> schema of one value
/// of it.
Json option_grid_schema(const Json& references, const Json& options);

/// Returns the schema of {"from", "to", "step" or "factor"}.
Json range_schema();

}  // namespace spca
