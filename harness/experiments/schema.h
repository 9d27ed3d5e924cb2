#pragma once

#include <string>

#include "spca/base/types.h"

namespace spca {

/// Returns the JSON Schema (draft 2020-12) of an experiment's document. It is made from what is
/// registered: names of solvers, data sets, metrics and deflations, and the description of each
/// option. The program refuses whatever the schema refuses. The program also checks what no schema
/// can say: that a match selects a cell, that lists of a zip have one length. The same
/// registrations give the same text.
Json experiment_schema();

/// Returns it as `spca schema` writes it, with a line feed at the end.
std::string experiment_schema_text();

}  // namespace spca
