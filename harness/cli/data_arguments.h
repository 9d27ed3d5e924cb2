#pragma once

/// The arguments that select data, a file or a registered data set, and say how to read them. `spca
/// solve`, `spca path` and `spca compare-solvers` have them.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/instances/library_comparison.h"
#include "spca/data/dataset.h"
#include "spca/data/files/read_dataset.h"

namespace spca::cli {

/// The arguments as text; empty if not given.
struct DataArguments {
  std::string data, dataset, kind, scale, missing, missing_words, separator, decimal, header,
      row_names, names, missing_rank, columns, drop, triangle, draw;
  bool samples_only = false;  // DataForm::samples_only; set by load_raw()
  bool center = false, no_center = false, standardize = false, transpose = false, nearest = false;
};

void declare_data_arguments(Declarations& declare, DataArguments& arguments);
/// Declares --draw, of the commands that draw generated data themselves, not by an experiment.
void declare_draw(Declarations& declare, DataArguments& arguments);
/// Declares the arguments that name a file and say how it is read, without those of data sets and
/// of centring and scaling.
void declare_reading_arguments(Declarations& declare, DataArguments& arguments);
/// Declares the arguments that say how a table is read and which part of it.
void declare_table_arguments(Declarations& declare, DataArguments& arguments);
/// Returns the request of the arguments of declare_table_arguments(). Throws InputError that begins
/// with the name of the option.
FileRequest table_reading(const DataArguments& arguments);
/// Returns the path of the file that an argument names: "-" is standard input.
std::string input_path(const std::string& argument);
/// Replaces the names of reading options as experiments write them, `row_names`, by those of the
/// command line, --row-names.
std::string in_words_of_the_command_line(std::string text);

/// The `--set` of the solver and, under the prefix "dataset.", of the data set.
struct Settings {
  Json solver;  // objects
  Json dataset;
};
Settings read_settings(const std::vector<std::string>& assignments);

/// Throws InputError if the arguments contradict each other. Reads no data.
void check_data_arguments(const DataArguments& arguments, const Settings& settings);

/// Throws InputError if the data set is not registered or has no such options. Reads no data.
void check_dataset_options(const DataArguments& arguments, const Settings& settings);

/// Reads or generates the data; in ranks (ranks.h) only the rows of this rank. `seed` is the seed
/// of the command. Throws InputError that begins with the name of the option or of the file.
Dataset load_data(const DataArguments& arguments, const Settings& settings,
                  const GlobalOptions& global, std::uint64_t seed);

/// The same as load_data(), but in this process alone, and messages name options as experiments do:
/// `row_names`.
Dataset load_data_here(const DataArguments& arguments, const Settings& settings,
                       const GlobalOptions& global, std::uint64_t seed);

/// Returns the origin of the data of load_data() if they are a registered data set other than
/// `file`, in its own form, which may have instances; else nothing.
std::optional<DataOrigin> data_origin(const DataArguments& arguments, const Settings& settings,
                                      const GlobalOptions& global, std::uint64_t seed);

/// Returns the options of the data set `file`, for an experiment, that read the same data as
/// `--data` with its options. Options that are not given are left out.
Json file_options(const DataArguments& arguments, const Settings& settings);

/// Describes the data and how they were read, for `--json` (docs/DATA.md, "Results").
Json data_json(const DataArguments& arguments, const Settings& settings, const Dataset& dataset);

}  // namespace spca::cli
