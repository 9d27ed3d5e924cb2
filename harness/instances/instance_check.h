#pragma once

/// Checks the instances of the library: recomputes each value from the supports or loadings and the
/// data, compares it with the bound, and proves the bound anew if asked.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/instances/instance_library.h"

namespace spca {

enum class CheckOutcome {
  kRight,
  kNoData,  // the data set is unknown, or its files are missing or have other bytes
  kWeaker,  // the bound was not reached again within the time limit
  kWrong,   // the answer is not feasible, a value or a bound is wrong, or the check failed
};
/// Returns "ok", "no data", "weaker" or "wrong".
const char* outcome_name(CheckOutcome outcome);

/// The check of one instance.
struct InstanceCheck {
  KnownInstance known;
  CheckOutcome outcome = CheckOutcome::kRight;
  std::string message;            // one line; empty if everything is right
  double value = kNotMeasured;    // computed again
  double bound = kNotMeasured;    // proved again; NaN if it was not
  double seconds = kNotMeasured;  // of the proof
};

struct CheckRequest {
  std::filesystem::path data_dir;
  bool proves = false;  // whether bounds are proved again
  /// Time limit of each proof in seconds; 0: the limit that the library has recorded.
  double seconds = 0;
  int threads = 1;
  /// If not empty, called after each instance.
  std::function<void(const InstanceCheck& check)> on_check = {};
};

/// Checks the instances in their order. Loads data once for consecutive instances on them. Ends
/// early if stop_requested().
std::vector<InstanceCheck> check_instances(const std::vector<KnownInstance>& instances,
                                           const CheckRequest& request);

}  // namespace spca
