#include "harness/records/record_index.h"

namespace spca {

RecordIndex::RecordIndex(const std::vector<Record>& records) {
  for (const Record& record : records) {
    by_variant_[record].push_back(&record);
  }
}

const std::vector<const Record*>& RecordIndex::of(const Variant& variant) const {
  static const std::vector<const Record*> none;
  const auto position = by_variant_.find(labels_of(variant));
  return position == by_variant_.end() ? none : position->second;
}

}  // namespace spca
