#pragma once

/// The arguments of `spca solve` and `spca path` that name data: a file or a registered data set.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_dataset.h"

namespace spca::cli {

/// The arguments as given; empty if not given.
struct DataArguments {
  std::string data, dataset, kind, scale;
  bool center = false, no_center = false;
};

void declare_data_arguments(Declarations& declare, DataArguments& arguments);

/// The `--set` of the solver and, under the prefix "dataset.", of the data set.
struct Settings {
  Json solver;  // objects
  Json dataset;
};
Settings read_settings(const std::vector<std::string>& assignments);

/// Throws InputError if the arguments contradict each other. Reads nothing.
void check_data_arguments(const DataArguments& arguments, const Settings& settings);

/// Reads or draws the data; in ranks (ranks.h) the rows of this one. `seed` is the command's. Throws InputError that opens with the option's
/// name.
Dataset load_data(const DataArguments& arguments, const Settings& settings,
                  const GlobalOptions& global, std::uint64_t seed);

/// The file that --data names.
FileRequest file_request(const DataArguments& arguments, const Settings& settings);
/// The data set that --dataset names, in this process alone.
Dataset load_dataset(const DataArguments& arguments, const Settings& settings,
                     const GlobalOptions& global, std::uint64_t seed);

/// Returns a seed for one purpose. The seeds of the data and of the solver must differ: a random
/// start must not be a column of the data.
std::uint64_t derived_seed(std::uint64_t seed, const char* purpose);

}  // namespace spca::cli
