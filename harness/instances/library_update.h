#pragma once

/// Updates the library with answers and bounds that were found for instances. Each value is
/// recomputed from supports or loadings and the data, and each bound is proved again
/// (instance_proof.h); only these count.

#include <functional>
#include <string>
#include <vector>

#include "harness/instances/instance_candidates.h"

namespace spca {

struct UpdateRequest {
  std::filesystem::path data_dir;
  double seconds = 60;  // time limit of each proof
  int threads = 1;
  /// If not empty, called with the line of each instance when it is done.
  std::function<void(const struct InstanceUpdate& update)> on_update = {};
};

/// The change of one instance.
struct InstanceUpdate {
  std::string id;
  bool is_new = false;
  bool has_better_value = false;
  bool has_better_bound = false;
  double value = kNotMeasured, bound = kNotMeasured;  // afterwards
  bool is_proved = false;
  /// Empty, or why nothing was taken up: no data, no feasible answer, or a contradiction.
  std::string problem = "";
  bool is_contradicted = false;
};

/// Returns "pitprops-k5: new, 3.40615, proved" and the like.
std::string update_text(const InstanceUpdate& update);
Json update_json(const InstanceUpdate& update);

/// Merges the candidates into the files of the library, and writes each file that changes when all
/// candidates of its class are done. A bound is proved for an instance that is new or has a better
/// value, and for an open one if the candidate claims a better bound than the library has, or if
/// the time limit is longer than that of its bound. An instance whose numbers contradict each other
/// is left unchanged. Ends early if stop_requested(), and keeps the changes made until then. Throws
/// InputError if a label names other data.
std::vector<InstanceUpdate> update_library(const InstanceLibrary& library,
                                           std::vector<InstanceCandidate> candidates,
                                           const UpdateRequest& request);

}  // namespace spca
