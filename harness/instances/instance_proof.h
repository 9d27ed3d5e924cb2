#pragma once

/// Proves a bound on the value of every answer to an instance. No bound of a record, a solver or a
/// file is trusted. Three kinds of bounds are tried, "spectrum" first, until one proves the value
/// optimal. The best one counts:
///
///   prover of the class   the solver runs, and its certificate is checked from S
///                         (spca/solving/certificate.h); certificate "checked"
///   metrics of the class  computed from S by this program, if no prover gave a bound; there is no
///                         shorter check than to compute them again; certificate "recomputed"
///   "spectrum"            eigenvalues, variances and rows of S, or a bound that holds for every S;
///                         certificate "recomputed"

#include <string>
#include <vector>

#include "harness/instances/instance_class.h"
#include "harness/instances/instance_data.h"

namespace spca {

struct ProofRequest {
  const InstanceClass* of = nullptr;
  Index r = 1, k = 1;
  /// A feasible answer, from which bounds may start, and its value.
  std::vector<Component> components = {};
  double value = kNotMeasured;
  double seconds = 60;  // time limit of each bound
  int threads = 1;
};

struct InstanceProof {
  ProvedBound bound;  // carried outward
  /// The answer of the last proof that found one, and the solver or metric of that proof with its
  /// options.
  std::vector<Component> found = {};
  std::string found_by = {};
  Json found_options = nullptr;
  /// Empty, or one line that says why nothing is proved: a value lies beyond a bound, or the
  /// prover's answer is wrong (Judgement::wrong).
  std::string contradiction = {};
};

/// Proves a bound. Throws NumericalError if there is none.
InstanceProof prove_instance(const LoadedInstanceData& data, const ProofRequest& request);

}  // namespace spca
