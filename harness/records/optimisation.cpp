#include "harness/records/optimisation.h"

#include <algorithm>

#include "harness/peers/peer.h"
#include "harness/records/build_facts.h"
#include "spca/unoptimised_sources.h"

namespace spca {

bool is_unoptimised(const SolverEntry& solver) {
  if (is_peer_name(solver.name)) {
    return false;
  }
  const std::vector<std::string>& files = unoptimised_sources();
  return !build_facts().is_optimised ||
         std::find(files.begin(), files.end(), solver.file) != files.end();
}

}  // namespace spca
