#pragma once

/// Updates the library with new answers and bounds. Each value is recomputed from supports or
/// loadings and the data, and each bound is proved anew (instance_proof.h).

#include <functional>
#include <string>
#include <vector>

#include "harness/instances/instance_candidates.h"

namespace spca {

struct UpdateRequest {
  std::filesystem::path data_dir;
  double seconds = 60;  // time limit of each proof
  int threads = 1;
  /// If not empty, called with the update of each instance when it is done.
  std::function<void(const struct InstanceUpdate& update)> on_update = {};
};

/// The change of one instance.
struct InstanceUpdate {
  std::string id;
  bool is_new = false;
  bool has_better_value = false;
  bool has_better_bound = false;
  double value = kNotMeasured, bound = kNotMeasured;  // afterwards; not stored with a problem
  bool is_proved = false;
  /// Empty, or why nothing was updated: no data, no feasible answer, a contradiction, or a message
  /// of NumericalError.
  std::string problem = "";
  bool is_contradicted = false;
};

/// Returns a line such as "pitprops-k5: new, 3.40615495, proved".
std::string update_text(const InstanceUpdate& update);
Json update_json(const InstanceUpdate& update);

/// Merges the candidates into the files of the library, and writes a file after each candidate that
/// changes it. For an instance that the library's bound does not prove, a bound is proved if there
/// is none, if the value improved, if the candidate claims a better bound than the library has, or
/// if the time limit is longer than that of the library's bound. An instance whose value and bound
/// contradict each other is left unchanged. Ends early if stop_requested(), and keeps the updates
/// made so far. Throws InputError if a label names other data, and as load_instance_data() does.
std::vector<InstanceUpdate> update_library(const InstanceLibrary& library,
                                           std::vector<InstanceCandidate> candidates,
                                           const UpdateRequest& request);

}  // namespace spca
