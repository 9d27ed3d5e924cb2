#pragma once

/// Verdicts on published numbers, as `spca reproduce` prints them and `spca report` shows them.

#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/published.h"

namespace spca::cli {

/// How often each verdict was given, and what else decides the exit code.
struct Tally {
  std::map<Verdict, std::size_t> count;
  std::size_t worse_unexplained = 0;  // worse, and the experiment knows no reason
  bool has_failed = false;            // some cell of the runs failed
  bool interrupted = false;

  void add(const std::vector<PublishedComparison>& comparisons);
  /// 130 if interrupted, otherwise that of the gravest: failed, worse without a known reason,
  /// nothing to compare.
  int exit_code() const;
  /// Verdict name -> count, and "worse without a known reason".
  Json json() const;
  /// "11 match, 0 better, ...": what json() has, in its order.
  std::string text() const;
};

Json comparison_json(const PublishedComparison& comparison);

}  // namespace spca::cli
