#pragma once

/// The repeats of a variant among the records of a run.

#include <unordered_map>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// Holds pointers: the records must outlive it.
class RecordIndex {
 public:
  explicit RecordIndex(const std::vector<Record>& records);
  /// By what a record says of itself; empty if there is none.
  const std::vector<const Record*>& of(const Variant& variant) const;

 private:
  std::unordered_map<VariantLabels, std::vector<const Record*>, CellIdentityHash> by_variant_;
};

}  // namespace spca
