#pragma once

/// Recognises the data of instances in data that were read from another place: a table of one's own
/// folder, or a data set in another form.

#include <optional>

#include "harness/instances/library_comparison.h"

namespace spca {

/// Returns the origin of the instances on S: those with its number of variables, its trace and its
/// fingerprint, to kSameInstanceValue. Empty if there are none. Takes one product with S, and none
/// if no instance has as many variables and that trace.
std::optional<DataOrigin> origin_of_same_data(const InstanceLibrary& library,
                                              const Covariance& covariance);

}  // namespace spca
