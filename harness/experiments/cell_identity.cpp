#include "harness/experiments/cell_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "harness/experiments/experiment.h"
#include "spca/base/text.h"
#include "spca/covariance/deflation.h"

namespace spca {

std::string deflation_name(const Variant& variant) {
  return variant.deflation == nullptr ? "" : variant.deflation->name;
}

VariantLabels labels_of(const Variant& variant) {
  return {.grid = variant.grid,
          .dataset = variant.dataset_label,
          .solver = variant.solver_label,
          .deflation = deflation_name(variant),
          .cardinality = variant.cardinality};
}

CellIdentity cell_identity(const Variant& variant, Index repeat) {
  return {labels_of(variant), repeat};
}

std::string identity_text(const VariantLabels& labels) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", labels.grid, labels.dataset, labels.solver,
                     labels.deflation, fmt::join(labels.cardinality, " "));
}

std::size_t CellIdentityHash::operator()(const VariantLabels& labels) const {
  return std::hash<std::string>()(identity_text(labels));
}

std::size_t CellIdentityHash::operator()(const CellIdentity& cell) const {
  constexpr std::size_t kOddConstant = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  return (*this)(static_cast<const VariantLabels&>(cell)) ^
         (static_cast<std::size_t>(cell.repeat) * kOddConstant);
}

std::string cardinality_text(const std::vector<Index>& cardinality) {
  const bool equal = std::adjacent_find(cardinality.begin(), cardinality.end(),
                                        std::not_equal_to<>()) == cardinality.end();
  return equal ? fmt::format("{}", cardinality.front())
               : fmt::format("{}", fmt::join(cardinality, ","));
}

std::string cell_name(const CellIdentity& cell) {
  return printable(fmt::format("{} on {}, k={}{}, repeat {}", cell.solver, cell.dataset,
                               cardinality_text(cell.cardinality),
                               cell.deflation.empty() ? "" : " " + cell.deflation, cell.repeat));
}

}  // namespace spca
