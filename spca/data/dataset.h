#pragma once

/// The contract of a data set. A data set is one file in datasets/: an options struct, a function
/// `Dataset load_x(const XOptions&, const DatasetRequest&)` and `SPCA_DATASET("x", load_x,
/// traits)`. A data set that only names files is a row of datasets/from-files.json instead.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "spca/base/options.h"
#include "spca/base/registry.h"
#include "spca/base/types.h"
#include "spca/covariance/covariance.h"

namespace spca {

/// S with the names of its variables and, if the data were generated, the truth.
struct Dataset {
  std::shared_ptr<const Covariance> covariance;  // S, not null
  /// p names; empty if the source has none.
  std::vector<std::string> variable_names;
  /// The sparse eigenvectors that generated the data, largest eigenvalue first; empty if not known.
  std::vector<Component> truth;
  /// The class of each of the n samples, with at least two classes; empty if the source has none.
  std::vector<int> labels = {};
  /// n names; empty if the source has none.
  std::vector<std::string> sample_names = {};
  /// Decisions of the reader that the user should know, one line each: "x.csv: ...".
  std::vector<std::string> notes = {};
};

/// The arguments of a loader.
struct DatasetRequest {
  /// The data folder (data_directory), with one folder for each data set that reads files.
  std::filesystem::path data_dir;
  /// Generators derive every random number from this seed.
  std::uint64_t seed = 0;
  /// The folder to which relative paths in options refer: that of the experiment. Empty: the
  /// current folder.
  std::filesystem::path base_dir = {};
  bool samples_only = false;  // DataForm::samples_only; used by data set `file`
};

/// The properties of a data set.
struct DatasetTraits {
  std::string summary;     // one line: what the data are and how they are prepared
  std::string shape;       // "62 x 2000"
  std::string source;      // citation
  bool generated = false;  // drawn again for every repeat
  /// Files below data_dir that the data set reads, such as "kos/docword.kos.txt.gz", including
  /// files of names and files that only some options need. Each may be plain or .gz. Their SHA-256
  /// is part of a record's key. Empty for generators and built-in data.
  std::vector<std::string> files = {};
  /// The options that name files of the user, absolute or relative to DatasetRequest::base_dir. The
  /// SHA-256 of these files is also part of a record's key.
  std::vector<std::string> path_options = {};
};

/// A registered data set.
struct DatasetEntry {
  std::string name;      // lower-case letters, digits, dashes and underscores
  std::string file;      // the source that registered it, or file/name of a row
  DatasetTraits traits;  // its description, and the files that it reads
  /// Returns every option written out, as SolverEntry::complete_options does. Throws InputError.
  std::function<Json(const Json& options, const std::string& where)> complete_options;
  /// Reads or generates the data. The options are complete. Throws InputError for options or a file
  /// that cannot be used, and MissingData if a file is missing.
  std::function<Dataset(const Json& options, const DatasetRequest&)> load;
  /// Returns every option with its type, default, range and help.
  std::function<Json()> describe;
  static constexpr const char* kKind = "data set";  // in messages
};

extern template class Registry<DatasetEntry>;
/// All linked data sets, by name.
using DatasetRegistry = Registry<DatasetEntry>;

/// The function of a data set that reads or generates its data.
template <class Options>
using Loader = std::function<Dataset(const Options&, const DatasetRequest&)>;

/// A loader and its options with their type erased. Converts implicitly from the loader.
struct ErasedLoader {
  /// Stores the loader.
  template <class Options>
  ErasedLoader(std::function<Dataset(const Options&, const DatasetRequest&)> function)
      : options(options_type<Options>()),
        load([function = std::move(function)](const void* chosen, const DatasetRequest& request) {
          return function(*static_cast<const Options*>(chosen), request);
        }) {}
  /// Stores a pointer to the loader's function.
  template <class Options>
  ErasedLoader(Dataset (*function)(const Options&, const DatasetRequest&))
      : ErasedLoader(Loader<Options>(function)) {}

  OptionsType options;  // makes and describes the options' struct
  /// Calls the function; `options` points to the options' struct.
  std::function<Dataset(const void* options, const DatasetRequest&)> load;
};

/// Adds a data set to the registry. If the name is taken, the program stops (Registry::add). Not
/// inline: otherwise the file of each data set would compile the registry again.
bool register_dataset(const char* name, const char* file, ErasedLoader loader,
                      const DatasetTraits& traits);

}  // namespace spca

/// SPCA_DATASET("colon", load_colon, traits): at namespace scope of the data set's file.
#define SPCA_DATASET(name, function, traits)                                        \
  [[maybe_unused]] static const bool SPCA_CONCATENATE(spca_dataset_, __COUNTER__) = \
      ::spca::register_dataset(name, __FILE__, function, traits)
