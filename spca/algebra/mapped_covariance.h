#pragma once

#include <memory>

#include "spca/algebra/covariance.h"

namespace spca {

/// X sparse, in memory that somebody else holds: compressed rows, each with ascending columns. As
/// make_covariance(SparseRows, DataForm), but the rows are not copied, unless they are centred and
/// means are large against deviations (column_shifts.h); the columns are built. `owner` is kept as
/// long as S, and the memory must not change while it is. Throws InputError
/// as make_covariance does. Indices are not checked.
std::shared_ptr<const Covariance> make_mapped_covariance(const Eigen::Map<const SparseRows>& data,
                                                         std::shared_ptr<const void> owner,
                                                         DataForm form);

}  // namespace spca
