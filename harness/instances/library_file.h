#pragma once

/// Reads and writes the file of one class of instances: results/instances/CLASS.json. `spca schema
/// instances` prints its schema.

#include <filesystem>
#include <string>
#include <vector>

#include "harness/instances/instance_class.h"
#include "spca/io/json_node.h"

namespace spca {

/// The version of the format. Readers refuse files of other versions.
inline constexpr int kInstancesVersion = 1;

/// The instances of one class.
struct LibraryFile {
  const InstanceClass* of = nullptr;
  /// The year of the library. A paper that names it is compared with the instances of that year.
  std::string edition;
  std::vector<InstanceData> data;
  std::vector<Instance> instances;  // ascending by data, r and k

  /// Returns the data of an instance of this file.
  const InstanceData& data_of(const Instance& instance) const;
  /// Returns the data with this label; null if there are none.
  const InstanceData* find_data(const std::string& label) const;
};

/// Reads a file. Throws InputError with file, line, column and JSON pointer if it is not as the
/// schema says, if an id does not follow from data, r and k, or if supports or loadings are not
/// feasible in form. Values and bounds are not computed again.
LibraryFile read_library_file(const std::filesystem::path& path);

/// Returns the instances of a file on one data set, from the file's text. Faster than
/// read_library_file(), because only these instances are checked. If there are none, the result is
/// empty and has no class. Throws as read_library_file() does if the file is wrong where it is
/// read.
LibraryFile read_library_part(const std::filesystem::path& path, const std::string& text,
                              const std::string& dataset);

/// Returns the JSON of the file.
Json library_json(const LibraryFile& file);
/// Returns the data of instances as the file stores them, without their label.
Json data_json(const InstanceData& data);
/// Returns one instance as the file stores it.
Json instance_json(const InstanceClass& of, const Instance& instance);

/// Replaces the file, with the instances in order.
void write_library_file(const std::filesystem::path& path, LibraryFile file);

/// Reads one support: indices that ascend within 0 ... p - 1.
Support read_support(const JsonNode& node, Index p);
/// Reads {"indices", "values"}.
Component read_loadings(const JsonNode& node, Index p);

}  // namespace spca
