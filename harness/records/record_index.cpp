#include "harness/records/record_index.h"

#include <fmt/format.h>

#include "spca/algebra/deflation.h"

namespace spca {
namespace {

std::string identifying_text(const std::string& grid, const std::string& dataset,
                             const std::string& solver, const std::string& deflation,
                             const std::vector<Index>& cardinality) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", grid, dataset, solver, deflation,
                     fmt::join(cardinality, " "));
}

}  // namespace

std::string deflation_name(const Variant& variant) {
  return variant.deflation == nullptr ? "" : variant.deflation->name;
}

RecordIndex::RecordIndex(const std::vector<Record>& records) {
  for (const Record& record : records) {
    by_variant_[identifying_text(record.grid, record.dataset, record.solver, record.deflation,
                                 record.cardinality)]
        .push_back(&record);
  }
}

const std::vector<const Record*>& RecordIndex::of(const Variant& variant) const {
  static const std::vector<const Record*> none;
  const auto position =
      by_variant_.find(identifying_text(variant.grid, variant.dataset_label, variant.solver_label,
                                        deflation_name(variant), variant.cardinality));
  return position == by_variant_.end() ? none : position->second;
}

}  // namespace spca
