#pragma once

#include <string>

#include "spca/base/types.h"

namespace spca {

/// The JSON Schema (draft 2020-12) of an experiment's document, made from what is registered: names
/// of solvers, data sets, metrics and deflations, and the description of each option. Whatever it
/// refuses the program refuses too; the program also checks what no schema can say (that a match
/// selects a cell, that lists of a zip have one length). The same registrations give the same text.
Json experiment_schema();

/// As `spca schema` writes it, with a line feed at the end.
std::string experiment_schema_text();

}  // namespace spca
