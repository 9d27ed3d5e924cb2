#pragma once

/// Which cell of an experiment something belongs to: a record, a line of cells.jsonl, a baseline.

#include <cstddef>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct Variant;

/// What the repeats of a variant have in common. No two variants of an experiment have the same.
struct VariantLabels {
  std::string grid, dataset, solver;
  std::string deflation;           // "" if there is none
  std::vector<Index> cardinality;  // asked for, one number a component
  bool operator==(const VariantLabels&) const = default;
};

struct CellIdentity : VariantLabels {
  Index repeat = 0;
  bool operator==(const CellIdentity&) const = default;
};

VariantLabels labels_of(const Variant& variant);
CellIdentity cell_identity(const Variant& variant, Index repeat);

/// All fields on lines of their own: different for different cells.
std::string identity_text(const VariantLabels& labels);
struct CellIdentityHash {
  std::size_t operator()(const VariantLabels& labels) const;
  std::size_t operator()(const CellIdentity& cell) const;
};

/// "5" if all components have 5 nonzeros, otherwise "7,2,1".
std::string cardinality_text(const std::vector<Index>& cardinality);
/// "tpower on spiked, k=5, repeat 3".
std::string cell_name(const CellIdentity& cell);
/// The name of the variant's deflation; "" if it has none.
std::string deflation_name(const Variant& variant);

}  // namespace spca
