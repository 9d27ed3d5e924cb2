#pragma once

/// The arguments that name data and say how they are taken: a file or a registered data set.
/// `spca solve`, `spca path` and `spca compare-solvers` have them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "spca/data/dataset.h"
#include "spca/data/readers/read_dataset.h"

namespace spca::cli {

/// The arguments as given; empty if not given.
struct DataArguments {
  std::string data, dataset, kind, scale, missing, missing_words, separator, decimal, header,
      row_names, names, missing_rank, columns, drop, triangle;
  bool center = false, no_center = false, standardize = false, transpose = false, nearest = false;
};

void declare_data_arguments(Declarations& declare, DataArguments& arguments);
/// Only those that name a file and say how it is read: neither data sets nor forms.
void declare_reading_arguments(Declarations& declare, DataArguments& arguments);
/// Only those that say how a table is read, and which part of it.
void declare_table_arguments(Declarations& declare, DataArguments& arguments);
/// What those say. Throws InputError that opens with the option's name.
FileRequest table_reading(const DataArguments& arguments);
/// The path of a file that an argument names: "-" is standard input.
std::string input_path(const std::string& argument);
/// Readers call their options as experiments do: `row_names`. Here they are --row-names.
std::string in_words_of_the_command_line(std::string text);

/// The `--set` of the solver and, under the prefix "dataset.", of the data set.
struct Settings {
  Json solver;  // objects
  Json dataset;
};
Settings read_settings(const std::vector<std::string>& assignments);

/// Throws InputError if the arguments contradict each other. Reads nothing.
void check_data_arguments(const DataArguments& arguments, const Settings& settings);

/// Throws InputError if the data set is not registered or has no such options. Reads nothing.
void check_dataset_options(const DataArguments& arguments, const Settings& settings);

/// Reads or draws the data; in ranks (ranks.h) the rows of this one. `seed` is the command's. Throws
/// InputError that opens with the option's name.
Dataset load_data(const DataArguments& arguments, const Settings& settings,
                  const GlobalOptions& global, std::uint64_t seed);

/// The same in this process alone, with messages in the words of experiments: `row_names`.
Dataset load_data_here(const DataArguments& arguments, const Settings& settings,
                       const GlobalOptions& global, std::uint64_t seed);

/// The options of the data set `file` that read the same data as `--data` with its options; what is
/// not given is left out. For an experiment.
Json file_options(const DataArguments& arguments, const Settings& settings);

/// What the data are and how they were taken, as `--json` says it (docs/DATA.md, "Results").
Json data_json(const DataArguments& arguments, const Settings& settings, const Dataset& dataset);

}  // namespace spca::cli
