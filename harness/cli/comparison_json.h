#pragma once

/// Verdicts on published numbers as `reproduce` prints them and `report` shows them.

#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/published.h"

namespace spca::cli {

/// How often each verdict was given.
struct Tally {
  std::map<Verdict, std::size_t> count;
  std::size_t worse_unexplained = 0;
  bool has_failed = false;
  bool interrupted = false;

  void add(const std::vector<Comparison>& comparisons);
  int exit_code() const;
  /// Verdict name -> count, and "worse without a known reason".
  Json json() const;
  std::string text() const;
};

Json comparison_json(const Comparison& comparison);

}  // namespace spca::cli
