#pragma once

/// Finds the best answer and the least proved bound that any run has for the problem of a printed
/// number.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/verdicts/problems.h"

namespace spca {

/// Returns ProblemSource::data_checksums of a run.
std::map<std::string, std::string> data_checksums(const std::filesystem::path& run_directory);

/// The problems of several runs, by the variants that answer them.
class BestKnown {
 public:
  BestKnown() = default;
  BestKnown(const BestKnown&) = delete;
  BestKnown& operator=(const BestKnown&) = delete;
  BestKnown(BestKnown&&) = default;
  BestKnown& operator=(BestKnown&&) = default;
  ~BestKnown() = default;

  /// Adds the answers of a run. Keeps references to the variants of its experiment, not to its
  /// records. A run whose data are all drawn again for each repeat adds nothing.
  void add(const ProblemSource& run);

  /// Returns the problem that all records of the variant answer. Null if there is none, or if they
  /// answer several.
  const PosedProblem* of(const Variant* variant) const;

 private:
  std::map<std::string, PosedProblem> problems_;  // key: identity_text; without the answers
  std::map<const Variant*, const PosedProblem*> by_variant_;
};

/// Returns the value and its gap: "1.116e7, 0.27 %", "1.116e7, optimal" or "1.116e7, no bound". The
/// value has the format of `printed` with one digit more.
std::string best_known_text(const PosedProblem& problem, const std::string& printed);

}  // namespace spca
