#include <memory>
#include <vector>

#include "spca/solving/solver.h"

namespace spca {
namespace {

/// Takes and touches memory until there is none, or stops at a size that no test allows.
Solution solve_misbehave_memory(const Problem&, const NoOptions&, Budget&) {
  constexpr std::size_t kPieceBytes = std::size_t{16} << 20;
  constexpr std::size_t kMostPieces = 128;  // 2 GB: an end where nothing limits it
  std::vector<std::unique_ptr<char[]>> pieces;
  while (pieces.size() < kMostPieces) {
    pieces.push_back(std::make_unique<char[]>(kPieceBytes));  // zeroed, thus touched
  }
  return skipped("nothing limits the memory");
}

SPCA_SOLVER("misbehave-memory", solve_misbehave_memory,
            (Traits{.summary = "takes all memory", .problem = "", .source = ""}));

}  // namespace
}  // namespace spca
