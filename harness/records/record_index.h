#pragma once

/// Finds the repeats of a variant among the records of a run.

#include <unordered_map>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// Holds pointers to the records, which must outlive the index.
class RecordIndex {
 public:
  explicit RecordIndex(const std::vector<Record>& records);
  /// Returns the records whose labels are those of the variant; empty if there are none.
  const std::vector<const Record*>& of(const Variant& variant) const;

 private:
  std::unordered_map<VariantLabels, std::vector<const Record*>, CellIdentityHash> by_variant_;
};

}  // namespace spca
