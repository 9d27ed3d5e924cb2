#pragma once

/// Checks the instances of the library: recomputes each value from supports and data, and compares
/// each bound with the value, or proves it again.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/instances/instance_library.h"

namespace spca {

enum class CheckOutcome {
  kRight,
  kNoData,  // the data are not in the data folder, or are others
  kWeaker,  // the bound was not reached again within the time limit
  kWrong,   // the answer is not feasible, or a value or a bound is wrong
};
/// "ok", "no data", "weaker", "wrong".
const char* outcome_name(CheckOutcome outcome);

/// The check of one instance.
struct InstanceCheck {
  KnownInstance known;
  CheckOutcome outcome = CheckOutcome::kRight;
  std::string message;            // one line; empty if everything is right
  double value = kNotMeasured;    // recomputed
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

/// Checks the instances in their order, but loads the data of each label once. Ends early if
/// stop_requested().
std::vector<InstanceCheck> check_instances(const std::vector<KnownInstance>& instances,
                                           const CheckRequest& request);

}  // namespace spca
