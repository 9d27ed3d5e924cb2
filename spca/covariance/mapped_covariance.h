#pragma once

#include <memory>

#include "spca/covariance/covariance.h"

namespace spca {

/// Returns S of a sparse X in memory that `owner` holds: compressed rows, each with ascending
/// columns. The same as make_covariance(SparseRows, DataForm), but the rows are not copied, unless
/// they are centred and means are large against deviations (column_shifts.h); the columns are
/// built. S shares `owner`, and the memory must not change while S lives. Throws InputError as
/// make_covariance() does. Indices are not checked.
std::shared_ptr<const Covariance> make_mapped_covariance(const Eigen::Map<const SparseRows>& data,
                                                         std::shared_ptr<const void> owner,
                                                         DataForm form);

}  // namespace spca
