#pragma once

/// Finds the instances of the library that an experiment solves.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiments/experiment.h"
#include "harness/instances/instance_library.h"

namespace spca {

/// Returns the word with which the name of a grid begins to choose this class among several, such
/// as "one_component".
std::string grid_word(const InstanceClass& of);

/// Returns an instance or nothing for each variant of the experiment: the instance of its data, r
/// and k. If several classes have one, the grid_word() with which the name of the grid begins
/// decides; without such a word, the class with the fewest answers is used. Only the data of the
/// first repeat count. Reads the files of data sets that the library has, for their checksums.
std::vector<std::optional<KnownInstance>> asked_instances(const Experiment& experiment,
                                                          const InstanceLibrary& library,
                                                          const std::filesystem::path& data_dir);

}  // namespace spca
