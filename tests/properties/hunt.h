#pragma once

/// The hunt: case after case, what was counted, and a minimal case of whatever contradicts.

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

#include "tests/properties/hunt_case.h"

namespace spca::properties {

struct HuntRequest {
  HuntPlan plan;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;  // number of the first case
  std::uint64_t cases = 0;  // at most so many
  double minutes = 1e9;  // and no new ones after so long; what a case shows does not depend on it
  std::filesystem::path folder;  // where the CSV files of minimal cases are written
  std::FILE* out = stdout;       // takes blocks and tables
  bool shrinks = true;
  bool shows_progress = false;  // a line now and then, on stderr
};

/// How many cases of each word ended how, and how many of them contradict.
struct Tally {
  std::uint64_t cases = 0, contradictions = 0;
  std::map<std::string, std::uint64_t> endings;
};

struct HuntSummary {
  std::uint64_t cases = 0;
  std::uint64_t contradictions = 0;            // cases that have one
  std::map<std::string, std::uint64_t> kinds;  // of contradictions: "claim, solver"
};

/// Hunts. The first case of each claim and solver is shrunk and printed as one block; the others are
/// counted. Tables by kind of matrix, by check and by solver follow.
HuntSummary hunt(const HuntRequest& request);

}  // namespace spca::properties
