#pragma once

/// S of sparse data, in memory or in a mapped file.

#include <memory>

#include "spca/covariance/covariance.h"
#include "spca/covariance/sparse_arrays.h"

namespace spca {

/// Returns S of a sparse X under the conditions of covariance_dense.h. The columns are built from
/// the rows, and take as much memory as the data. O(nonzeros).
std::shared_ptr<const Covariance> make_covariance(SparseRows data, DataForm form);

/// Returns S of mapped data. The values must be finite and the indices valid: neither is checked,
/// because that would take a pass. `form` must not be standardised, because the values are used as
/// they are. If the data are to be centred, have no shifts and have means that are large relative
/// to deviations, they are copied into memory. Throws InputError as checked_scale() of
/// covariance_data.h does, and if the squares of all numbers underflow.
std::shared_ptr<const Covariance> make_covariance(MappedSparse data, DataForm form);
/// Returns the contribution of some of the rows to such an S. The rows are centred by the means of
/// all rows, which are `facts.sums` divided by the number of rows here. The data are never copied.
std::shared_ptr<const Covariance> make_part_covariance(MappedSparse data, DataForm form);

/// Returns S of a sparse X in memory that `owner` holds: compressed rows, each with ascending
/// columns. The same as make_covariance(SparseRows, DataForm) for a form that is not standardised,
/// but the rows are not copied, unless they are centred and means are large relative to deviations
/// (column_shifts.h); the columns are built. S shares `owner`, and the memory must not change while
/// S lives. Throws InputError as make_covariance() does. Indices are not checked.
std::shared_ptr<const Covariance> make_mapped_covariance(const Eigen::Map<const SparseRows>& data,
                                                         std::shared_ptr<const void> owner,
                                                         DataForm form);

}  // namespace spca
