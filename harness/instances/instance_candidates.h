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
  /// An answer from a file (answer_file.h). If it has supports, `components` is not used.
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

/// Returns the candidates of a run, sorted by data, class, r and k. Only complete answers count, of
/// r components with one cardinality k that bound them. If the experiment's name is
/// "instances/CLASS", each makes an instance of that class; data that the library lacks get the
/// label of the data set. In other experiments, an answer counts for each instance of the library
/// of which it is a feasible answer with the same data set, options, draw, checksum, r and k.
/// `version` is that of the run. Data sets that read the user's files give no candidates.
std::vector<InstanceCandidate> candidates_of(const Experiment& experiment,
                                             const std::vector<Record>& records,
                                             const std::string& version,
                                             const InstanceLibrary& library,
                                             const std::filesystem::path& data_dir);

}  // namespace spca
