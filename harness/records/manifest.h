#pragma once

#include <filesystem>

#include "harness/experiments/experiment.h"
#include "harness/records/run_seal.h"

namespace spca {

/// Returns the members of manifest.json that describe the experiment, the build and the machine of
/// a run. runner.cpp adds the others.
Json make_manifest(const Experiment& experiment, const Json& invocation);
/// Convert the member "overrides" of a manifest. Reading throws Json::exception.
Json overrides_to_json(const ExperimentOverrides& overrides);
ExperimentOverrides overrides_from_json(const Json& json);
/// Returns the experiment of the run in `directory` as it was at the time of the run, from
/// manifest.json and experiment.json there. Published curves are read from `data_dir`. Registers
/// stand-ins if the experiment cannot be loaded without them (stand_in_plugins.h). Throws
/// InputError, also as require_intact_run does.
Experiment experiment_of_run(const std::filesystem::path& directory,
                             const std::filesystem::path& data_dir,
                             Damage damage = Damage::kRefused);
Json build_information();    // version, compiler, flags, build type, revision, source digests
Json machine_information();  // processor, cores, memory, operating system, architecture

}  // namespace spca
