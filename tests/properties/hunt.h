#pragma once

/// The hunt: runs random cases, counts their endings and prints a minimal case of each
/// contradiction.

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

struct HuntRequest {
  HuntPlan plan;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;       // number of the first case
  std::uint64_t cases = 0;       // limit on the number of cases
  double minutes = 1e9;          // no case starts later; the results of a case do not depend on it
  std::filesystem::path folder;  // for the files (CSV or .mtx) of minimal cases
  std::FILE* out = stdout;       // file for the minimal cases and the tables
  bool shrinks = true;
  bool shows_progress = false;  // a line on stderr after each batch
};

/// The numbers of cases, of cases with a contradiction, and of cases with each ending.
struct Tally {
  std::uint64_t cases = 0, contradictions = 0;
  std::map<std::string, std::uint64_t> endings;
};

struct HuntSummary {
  std::uint64_t cases = 0;
  std::uint64_t contradictions = 0;            // number of cases with a contradiction
  std::map<std::string, std::uint64_t> kinds;  // number of cases by "claim, solver"
};

/// Runs a hunt. Shrinks and prints the first case of each contradicted claim and solver, and counts
/// the others. Ends with tables by kind of matrix, by check and by solver.
HuntSummary hunt(const HuntRequest& request);

}  // namespace spca::properties
