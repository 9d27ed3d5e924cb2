#pragma once

/// The library of instances: the files of a folder, each read when it is needed.

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/instances/library_file.h"

namespace spca {

/// The size of an instance, by which commands choose.
enum class InstanceExtent {
  kBuiltIn,  // needs no file, and p <= kSmallInstance
  kSmall,    // from files, and p <= kSmallInstance
  kLarge,    // p <= kLargeInstance
  kHuge,
};
/// At most this number of variables in an instance that is called small.
inline constexpr Index kSmallInstance = 101;
/// At most this number of variables in an instance that is called large, and more in a huge one.
inline constexpr Index kLargeInstance = 50'000;
/// All extents, from the smallest to the largest.
const std::vector<InstanceExtent>& instance_extents();
/// Returns the extents that a list of sizes, separated by commas, names: built-in, small (with the
/// built-in ones), large, huge, or all. Throws InputError whose message begins with `where`.
std::set<InstanceExtent> extents_from_names(const std::string& sizes, const std::string& where);
/// Returns the extent of the instances on these data.
InstanceExtent extent_of(const InstanceData& data);

/// A choice of instances.
struct InstanceFilter {
  std::string instance_class;             // empty: every class
  std::set<InstanceExtent> extents = {};  // empty: every extent
  bool is_only_open = false;
};

/// An instance with its class and data, which the library holds.
struct KnownInstance {
  const InstanceClass* of = nullptr;
  const InstanceData* data = nullptr;
  const Instance* instance = nullptr;

  bool is_proved() const;
};

/// Reads files when they are asked for, and keeps them. For several threads.
class InstanceLibrary {
 public:
  /// `folder` need not exist: then there are no instances.
  explicit InstanceLibrary(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  /// Returns the file of a class, whether it exists or not.
  std::filesystem::path file_of(const InstanceClass& of) const;
  /// Returns the instances of a class; null if it has no file. Throws as read_library_file() does.
  const LibraryFile* file(const InstanceClass& of) const;
  /// Returns all instances that the filter chooses, by class and id.
  std::vector<KnownInstance> instances(const InstanceFilter& filter) const;
  /// Returns the instance. Throws InputError whose message begins with `where` and suggests a
  /// similar id if there is none.
  KnownInstance instance(const std::string& id, const std::string& where) const;
  /// Returns the instances on a data set. Parses only files that contain its name, and reads only
  /// its instances, so that a solve costs little.
  std::vector<KnownInstance> instances_on(const std::string& dataset) const;
  /// Returns the instances of p variables. Parses only files that have some.
  std::vector<KnownInstance> instances_of(Index p) const;

 private:
  const std::string& text(const InstanceClass& of) const;
  const LibraryFile* parsed(const InstanceClass& of) const;
  const LibraryFile& part(const InstanceClass& of, const std::string& dataset) const;

  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::string> texts_;
  mutable std::map<std::string, LibraryFile> files_;  // by class
  /// Instances on one data set, by class and data set.
  mutable std::map<std::pair<std::string, std::string>, LibraryFile> parts_;
};

/// Returns the folder of the library: the one that SPCA_INSTANCES names, else results/instances
/// below the current folder, that of the installation, or that of the sources; the first of them
/// that exists.
std::filesystem::path instances_folder();

/// The library of instances_folder(), which is looked for once in a process.
const InstanceLibrary& installed_library();

}  // namespace spca
