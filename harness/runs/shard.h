#pragma once

/// A run in several parts, on machines that do not know of each other.

#include <string>
#include <vector>

#include "harness/experiments/experiment.h"

namespace spca {

struct Shard {
  std::size_t index = 1;  // 1 to `of`
  std::size_t of = 1;
};

/// "2/3".
std::string shard_text(const Shard& shard);
/// Throws InputError that opens with "--shard" for what is not i/n with 1 <= i <= n.
Shard parse_shard(const std::string& text);

/// The cells of a shard, in canonical order. Every cell is in exactly one of the n shards, which
/// differ by at most one cell in size, or by the cardinalities of one path where a solver finds
/// several at once: those stay together. Which shard depends on what a cell is (data set, solver,
/// options, cardinality, seed, repeat), not on its place in the experiment, the sources or the
/// machine.
std::vector<Cell> cells_of_shard(const Experiment& experiment, const Shard& shard);

}  // namespace spca
