#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "spca/base/error.h"

namespace spca {

template <class Entry>
/// Maps a name to its entry. Static objects in the plugins' own files fill it. An Entry has the
/// members `name` and `file`, and a static member `kKind` ("solver", "data set", ...) for messages.
class Registry {
 public:
  /// Returns the only registry. It is local to this function, so that it exists before any plugin's
  /// static object needs it.
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  /// Adds an entry. If the name is taken, the program stops and names both files: the order of
  /// linking must not decide which of the two runs.
  bool add(Entry entry) {
    const auto [position, inserted] = entries_.emplace(entry.name, entry);
    if (!inserted) {
      fmt::print(stderr, "spca: {} \"{}\" is registered twice, by {} and by {}\n", Entry::kKind,
                 entry.name, position->second.file, entry.file);
      std::exit(1);
    }
    return true;
  }

  /// Returns null if there is no such entry.
  const Entry* find(const std::string& name) const {
    const auto position = entries_.find(name);
    return position == entries_.end() ? nullptr : &position->second;
  }

  /// Returns the entry. If there is none, throws an InputError that lists the accepted names. The
  /// message begins with `where` (a JSON pointer, an option).
  const Entry& get(const std::string& name, const std::string& where) const {
    if (const Entry* entry = find(name)) {
      return *entry;
    }
    refuse(name, where);
  }

  /// Throws the InputError of get(). `others`: what else is accepted, such as "a file, ".
  [[noreturn]] void refuse(const std::string& name, const std::string& where,
                           const std::string& others = "") const {
    throw InputError(fmt::format("{}: unknown {} \"{}\"{}; accepted: {}{}", where, Entry::kKind,
                                 name, did_you_mean(name, names()), others, join(names())));
  }

  /// All entries, in alphabetical order.
  const std::map<std::string, Entry>& entries() const { return entries_; }

  /// The names of all entries, in alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) {
      names.push_back(name);
    }
    return names;
  }

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace spca

/// Builds the names of static objects that register something.
#define SPCA_CONCATENATE_(a, b) a##b
#define SPCA_CONCATENATE(a, b) SPCA_CONCATENATE_(a, b)
