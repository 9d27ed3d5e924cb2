#pragma once

#include <string>

#include "spca/base/types.h"

namespace spca {

/// Returns the JSON Schema (draft 2020-12) of an experiment's document. It is generated from the
/// registered names of solvers, data sets, metrics and deflations, and from the description of each
/// option. The program refuses every document that the schema refuses. The program also checks what
/// a schema cannot express: that a match selects a cell, that the lists of a zip have one length.
/// Equal registrations give equal text.
Json experiment_schema();

/// Returns the schema as `spca schema` writes it, with a line feed at the end.
std::string experiment_schema_text();

}  // namespace spca
