#include "harness/instances/instance_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/built_in_files.h"
#include "spca/data/dataset.h"
#include "spca/io/resources.h"

namespace spca {
namespace {

bool needs_files(const InstanceData& data) {
  const DatasetEntry* entry = DatasetRegistry::instance().find(data.dataset);
  return entry == nullptr || !entry->traits.path_options.empty() ||
         !std::all_of(entry->traits.files.begin(), entry->traits.files.end(),
                      [](const std::string& file) { return built_in_path(file).has_value(); });
}

/// Returns true if the text of a library file may have data of p variables.
bool has_data_of(std::string_view text, Index p) {
  constexpr std::string_view kKey = "\"p\":";
  for (std::size_t at = text.find(kKey); at != std::string_view::npos; at = text.find(kKey, at)) {
    at = text.find_first_not_of(' ', at + kKey.size());
    const std::size_t end = text.find_first_not_of("0123456789", at);
    if (end != std::string_view::npos && parse_integer(text.substr(at, end - at)) == p) {
      return true;
    }
  }
  return false;
}

bool is_chosen(const InstanceFilter& filter, const KnownInstance& known) {
  return (filter.extents.empty() || filter.extents.contains(extent_of(*known.data))) &&
         (!filter.is_only_open || !known.is_proved());
}

/// Throws InputError if the class in the file is not that of its name.
void require_class(const LibraryFile& file, const InstanceClass& of,
                   const std::filesystem::path& path) {
  if (file.of != &of) {
    throw InputError(
        fmt::format("{}: found the class {}; accepted: {}", path.string(), file.of->name, of.name));
  }
}

/// Throws InputError if there is something else than a file, such as a FIFO, which may never end.
void require_regular_file(const std::filesystem::path& path) {
  if (std::filesystem::exists(path) && !std::filesystem::is_regular_file(path)) {
    throw InputError(
        fmt::format("{}: is no regular file; accepted: a file of instances", path.string()));
  }
}

void add_all(const LibraryFile& file, std::vector<KnownInstance>& all) {
  for (const Instance& instance : file.instances) {
    all.push_back({.of = file.of, .data = &file.data_of(instance), .instance = &instance});
  }
}

}  // namespace

const std::vector<InstanceExtent>& instance_extents() {
  static const std::vector<InstanceExtent> extents = {
      InstanceExtent::kBuiltIn, InstanceExtent::kSmall, InstanceExtent::kLarge,
      InstanceExtent::kHuge};
  return extents;
}

std::set<InstanceExtent> extents_from_names(const std::string& sizes, const std::string& where) {
  using enum InstanceExtent;
  static const std::vector<std::pair<std::string, std::set<InstanceExtent>>> kNames = {
      {"built-in", {kBuiltIn}},
      {"small", {kBuiltIn, kSmall}},
      {"large", {kLarge}},
      {"huge", {kHuge}},
      {"all", {instance_extents().begin(), instance_extents().end()}}};
  std::vector<std::string> accepted;
  for (const auto& [name, extents] : kNames) {
    accepted.push_back(name);
  }
  std::set<InstanceExtent> chosen;
  std::istringstream list(sizes + ",");
  for (std::string size; std::getline(list, size, ',');) {
    const auto found = std::find_if(kNames.begin(), kNames.end(),
                                    [&](const auto& one) { return one.first == size; });
    if (found == kNames.end()) {
      throw InputError(fmt::format("{}: found \"{}\"{}; accepted: {}", where, size,
                                   did_you_mean(size, accepted), join(accepted)));
    }
    chosen.insert(found->second.begin(), found->second.end());
  }
  return chosen;
}

InstanceExtent extent_of(const InstanceData& data) {
  return data.p > kLargeInstance   ? InstanceExtent::kHuge
         : data.p > kSmallInstance ? InstanceExtent::kLarge
         : needs_files(data)       ? InstanceExtent::kSmall
                                   : InstanceExtent::kBuiltIn;
}

bool KnownInstance::is_proved() const {
  return spca::is_proved(of->direction(), instance->best.value, instance->bound.value);
}

std::filesystem::path InstanceLibrary::file_of(const InstanceClass& of) const {
  return folder_ / (of.name + ".json");
}

const std::string& InstanceLibrary::text(const InstanceClass& of) const {
  const auto [found, is_new] = texts_.try_emplace(of.name);
  if (is_new) {
    require_regular_file(file_of(of));
    std::ifstream file(file_of(of));
    std::ostringstream text;
    text << file.rdbuf();
    found->second = text.str();
  }
  return found->second;
}

const LibraryFile* InstanceLibrary::parsed(const InstanceClass& of) const {
  auto found = files_.find(of.name);
  if (found == files_.end()) {
    if (!std::filesystem::exists(file_of(of))) {
      return nullptr;
    }
    require_regular_file(file_of(of));
    LibraryFile file = read_library_file(file_of(of));
    require_class(file, of, file_of(of));
    found = files_.emplace(of.name, std::move(file)).first;
  }
  return &found->second;
}

const LibraryFile& InstanceLibrary::part(const InstanceClass& of,
                                         const std::string& dataset) const {
  const auto [entry, is_new] = parts_.try_emplace({of.name, dataset});
  LibraryFile& part = entry->second;
  if (is_new) {
    try {
      part = read_library_part(file_of(of), text(of), dataset);
      if (part.of != nullptr) {  // null if the file has no such instances
        require_class(part, of, file_of(of));
      }
    } catch (...) {
      parts_.erase(entry);
      throw;
    }
    std::erase_if(part.instances, [&](const Instance& instance) {
      return part.data_of(instance).dataset != dataset;
    });
  }
  return part;
}

const LibraryFile* InstanceLibrary::file(const InstanceClass& of) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return parsed(of);
}

std::vector<KnownInstance> InstanceLibrary::instances(const InstanceFilter& filter) const {
  std::vector<KnownInstance> all;
  for (const auto& [name, of] : InstanceClasses::instance().entries()) {
    if (const LibraryFile* read =
            filter.instance_class.empty() || filter.instance_class == name ? file(of) : nullptr) {
      add_all(*read, all);
    }
  }
  std::erase_if(all, [&](const KnownInstance& known) { return !is_chosen(filter, known); });
  return all;
}

KnownInstance InstanceLibrary::instance(const std::string& id, const std::string& where) const {
  std::vector<std::string> ids;
  for (const KnownInstance& known : instances({})) {
    if (known.instance->id == id) {
      return known;
    }
    ids.push_back(known.instance->id);
  }
  throw InputError(fmt::format(
      "{}: found \"{}\"{}; accepted: an id of `spca instances list`, of which there are "
      "{} in {}",
      where, id, did_you_mean(id, ids), ids.size(), folder_.string()));
}

std::vector<KnownInstance> InstanceLibrary::instances_on(const std::string& dataset) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<KnownInstance> all;
  for (const auto& [name, of] : InstanceClasses::instance().entries()) {
    if (text(of).find(fmt::format("\"{}\"", dataset)) != std::string::npos) {
      add_all(part(of, dataset), all);
    }
  }
  return all;
}

std::vector<KnownInstance> InstanceLibrary::instances_of(Index p) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<KnownInstance> all;
  for (const auto& [name, of] : InstanceClasses::instance().entries()) {
    const LibraryFile* read = has_data_of(text(of), p) ? parsed(of) : nullptr;
    if (read != nullptr) {
      add_all(*read, all);
    }
  }
  std::erase_if(all, [p](const KnownInstance& known) { return known.data->p != p; });
  return all;
}

std::filesystem::path instances_folder() {
  const std::vector<std::filesystem::path> folders =
      resource_folders("results/instances", FromHere::kYes);
  for (const std::filesystem::path& folder : folders) {
    if (std::filesystem::is_directory(folder)) {
      return folder;
    }
  }
  return folders.back();
}

const InstanceLibrary& installed_library() {
  static const InstanceLibrary library(instances_folder());
  return library;
}

}  // namespace spca
