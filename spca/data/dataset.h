#pragma once

/// The contract of a data set. A data set is one file in datasets/: an options struct, a function
/// `Dataset load_x(const XOptions&, const DatasetRequest&)` and `SPCA_DATASET("x", load_x,
/// traits)`.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "spca/data/bag_of_words.h"
#include "spca/algebra/covariance.h"
#include "spca/base/options.h"
#include "spca/base/registry.h"
#include "spca/solving/solver.h"

namespace spca {

/// S with the names of its variables and, where the data were generated, the truth.
struct Dataset {
  std::shared_ptr<const Covariance> covariance;
  /// p names; empty if the source has none.
  std::vector<std::string> variable_names;
  /// The sparse eigenvectors that generated the data, largest eigenvalue first; empty if not known.
  std::vector<Component> truth;
  /// n, the class of each sample, two or more of them; empty if the source has none.
  std::vector<int> labels = {};
};

struct DatasetRequest {
  /// Folder that holds one folder a data set (`--data-dir`, else SPCA_DATA_DIR, else the program's
  /// cache).
  std::filesystem::path data_dir;
  /// Generators take every random number from here.
  std::uint64_t seed = 0;
};

struct DatasetTraits {
  std::string summary;     // one line: what, preparation
  std::string shape;       // "62 x 2000"
  std::string source;      // citation
  bool generated = false;  // a new draw for every repeat
  /// Files below data_dir that the data set reads, as "kos/docword.kos.txt.gz", those that only
  /// some option needs and those of names included; each may lie there plain or as .gz. Their
  /// SHA-256 is part of a record's key. Empty for generators and what is built in.
  std::vector<std::string> files = {};
};

struct DatasetEntry {
  std::string name;
  std::string file;
  DatasetTraits traits;
  std::function<Json(const Json& options, const std::string& where)> complete_options;
  std::function<Dataset(const Json& options, const DatasetRequest&)> load;
  std::function<Json()> describe;
  static constexpr const char* kKind = "data set";
};

using DatasetRegistry = Registry<DatasetEntry>;

template <class Options>
DatasetEntry make_dataset_entry(std::string name, std::string file,
                                Dataset (*load)(const Options&, const DatasetRequest&),
                                DatasetTraits traits) {
  return {.name = std::move(name),
          .file = std::move(file),
          .traits = std::move(traits),
          .complete_options =
              [](const Json& options, const std::string& where) {
                return options_to_json(options_from_json<Options>(options, where));
              },
          .load =
              [load](const Json& options, const DatasetRequest& request) {
                return load(options_from_json<Options>(options, "/options"), request);
              },
          .describe = [] { return describe_options<Options>(); }};
}

/// The path below `data_dir` of "kos/docword.kos.txt.gz" or of the same name with .gz added or
/// taken away. Throws MissingData that says where the file is looked for and how to name another
/// folder.
std::filesystem::path find_data_file(const std::filesystem::path& data_dir,
                                     const std::string& file);

/// --data-dir where given, else SPCA_DATA_DIR, else $XDG_CACHE_HOME/spca or ~/.cache/spca.
std::filesystem::path data_directory(const std::string& command_line_value);

/// Any file as a data set.
struct FileRequest {
  std::filesystem::path path;
  bool is_covariance = false;
  /// Unset: centred, except a bag of words (docword), which is not.
  std::optional<bool> centered = std::nullopt;
  Scale scale = Scale::kSamples;
  /// Only for a bag of words.
  BagOptions words = {};
};

/// Reads CSV (with or without a header line; comma, semicolon, tab or blanks), NumPy .npy (2-d, any
/// real or integer type), Matrix Market (coordinate or array, general or symmetric) or UCI docword
/// with its vocab file beside it; each plain or gzipped. The format is told from the content, then
/// from the name. Throws InputError with file and line.
Dataset read_dataset(const FileRequest& request);

}  // namespace spca

/// SPCA_DATASET("colon", load_colon, traits): at namespace scope of the data set's file.
#define SPCA_DATASET(name, function, traits)                                        \
  [[maybe_unused]] static const bool SPCA_CONCATENATE(spca_dataset_, __COUNTER__) = \
      ::spca::DatasetRegistry::instance().add(                                      \
          ::spca::make_dataset_entry(name, __FILE__, function, traits))
