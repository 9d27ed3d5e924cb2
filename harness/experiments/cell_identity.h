#pragma once

/// Identifies the cell of an experiment to which a record, a line of cells.jsonl or an entry of a
/// baseline belongs.

#include <cstddef>
#include <string>
#include <vector>

#include "spca/base/types.h"

namespace spca {

struct Variant;

/// The labels that all repeats of a variant share. No two variants of an experiment have equal
/// labels.
struct VariantLabels {
  std::string grid, dataset, solver;
  std::string deflation;           // "" if the variant has none
  std::vector<Index> cardinality;  // requested, one number for each component
  bool operator==(const VariantLabels&) const = default;
};

struct CellIdentity : VariantLabels {
  Index repeat = 0;
  bool operator==(const CellIdentity&) const = default;
};

VariantLabels labels_of(const Variant& variant);
CellIdentity cell_identity(const Variant& variant, Index repeat);

/// Returns all labels, one on each line. Different labels have different texts.
std::string identity_text(const VariantLabels& labels);
struct CellIdentityHash {
  std::size_t operator()(const VariantLabels& labels) const;
  std::size_t operator()(const CellIdentity& cell) const;
};

/// Returns "5" if all components have 5 nonzeros, otherwise "7,2,1".
std::string cardinality_text(const std::vector<Index>& cardinality);
/// Returns a name such as "tpower on spiked, k=5, repeat 3".
std::string cell_name(const CellIdentity& cell);
/// Returns the name of the variant's deflation, or "" if the variant has none.
std::string deflation_name(const Variant& variant);

}  // namespace spca
