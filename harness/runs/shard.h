#pragma once

/// Divides a run into parts, for machines that do not communicate.

#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

struct Shard {
  std::size_t index = 1;  // 1 to `of`
  std::size_t of = 1;
};

/// Returns a text such as "2/3".
std::string shard_text(const Shard& shard);
/// Parses i/n with 1 <= i <= n. Throws InputError whose message begins with "--shard" for other
/// text.
Shard parse_shard(const std::string& text);

/// Returns the cells of a shard, in canonical order. Every cell is in exactly one of the n shards,
/// which differ in size by at most one cell, or by the cardinalities of one path if a solver finds
/// several at once: those stay together. The division depends on the contents of all cells (data
/// set, solver, options, cardinality, seed, repeat, labels), not on their order in the experiment,
/// the sources or the machine.
std::vector<Cell> cells_of_shard(const Experiment& experiment, const Shard& shard);

}  // namespace spca
