#pragma once

/// Finds the instances that a run of an experiment answers, with the bounds that it claims.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/instances/instance_library.h"
#include "harness/instances/library_comparison.h"
#include "harness/records/record.h"

namespace spca {

/// An answer that was found for an instance. Its value is not known yet.
struct CandidateAnswer {
  std::vector<Component> components;
  /// Given instead of components: an answer of a file (answer_file.h).
  BestAnswer given = {};
  FoundBy found_by;
};

/// All that was found for one instance, which need not be in the library yet.
struct InstanceCandidate {
  const InstanceClass* of = nullptr;
  InstanceData data;  // without n, p and trace if they are not in the library
  Index r = 1, k = 1;
  std::vector<CandidateAnswer> answers;
  /// The best bound that a record claims. It only decides whether a proof is tried; NaN: none.
  double claimed_bound = kNotMeasured;
};

/// Returns the candidates of a run, by data, class, r and k. If the experiment's name is
/// "instances/CLASS", every cell with r components of one cardinality k makes an instance of that
/// class; a label of a data set names the data. Cells of other experiments only count for instances
/// that the library has. Which cell belongs to which instance follows from data set, options, draw,
/// checksum, r and k. `version` is that of the run. Data sets that read the user's files make none.
std::vector<InstanceCandidate> candidates_of(const Experiment& experiment,
                                             const std::vector<Record>& records,
                                             const std::string& version,
                                             const InstanceLibrary& library,
                                             const std::filesystem::path& data_dir);

}  // namespace spca
