#pragma once

/// The repeats of a variant among the records of a run.

#include <string>
#include <unordered_map>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// Holds pointers: the records must outlive it.
class RecordIndex {
 public:
  explicit RecordIndex(const std::vector<Record>& records);
  /// By what a record says of itself (labels, deflation, cardinality); empty where there is none.
  const std::vector<const Record*>& of(const Variant& variant) const;

 private:
  std::unordered_map<std::string, std::vector<const Record*>> by_variant_;
};

/// The name of the variant's deflation; "" where it has none.
std::string deflation_name(const Variant& variant);

}  // namespace spca
