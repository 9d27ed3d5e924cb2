/// An experiment's document in both profiles: read, validated and expanded, but not run.

#include "harness/experiments/experiment.h"
#include "fuzz/fuzzing.h"
#include "harness/experiments/experiment_claims.h"
#include "harness/experiments/experiment_identity.h"

/// At most this number of cells: more would only take time.
constexpr spca::Index kMostCells = 1000;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spca;
  const std::filesystem::path path = fuzz::write_file("experiment.json", fuzz::text_of(data, size));
  for (const char* profile : {"full", "smoke"}) {
    fuzz::accepted([&] {
      ExperimentOverrides overrides;
      overrides.profile = profile;
      overrides.maximum_cells = kMostCells;
      const Experiment experiment = load_experiment(path, overrides, path.parent_path());
      fuzz::require(!experiment.variants.empty(), "an experiment has at least one variant");
      for (const Variant& variant : experiment.variants) {
        identify(variant);
      }
      for (const Claim& claim : experiment.claims) {
        claim_pairs(claim, experiment.variants);
      }
    });
  }
  return 0;
}
