#include "spca/io/revision.h"

#include <iterator>
#include <sstream>

namespace spca {
namespace {

struct SourcePart {
  std::string digest;
  std::vector<std::string> reach;
};

const std::map<std::string, SourcePart>& source_parts() {
  static const std::map<std::string, SourcePart> parts = [] {
    std::map<std::string, SourcePart> all;
    std::istringstream rows(source_table());
    for (std::string row; std::getline(rows, row);) {
      std::istringstream words(row);
      std::string name;
      words >> name;
      SourcePart& part = all[name];
      words >> part.digest;
      part.reach.assign(std::istream_iterator<std::string>(words), {});
    }
    return all;
  }();
  return parts;
}

/// A function-local static, so that it exists before any other global needs it.
std::map<std::string, std::string>& added_digests() {
  static std::map<std::string, std::string> digests;
  return digests;
}

}  // namespace

const std::map<std::string, std::string>& source_digests() {
  static const std::map<std::string, std::string> digests = [] {
    std::map<std::string, std::string> all;
    for (const auto& [name, part] : source_parts()) {
      all[name] = part.digest;
    }
    return all;
  }();
  return digests;
}

const std::vector<std::string>& source_reach(const std::string& part) {
  static const std::vector<std::string> none;
  const auto known = source_parts().find(part);
  return known == source_parts().end() ? none : known->second.reach;
}

void add_source_digest(const std::string& file, const std::string& digest) {
  added_digests()[file] = digest;
}

const std::string* added_source_digest(const std::string& file) {
  const auto digest = added_digests().find(file);
  return digest == added_digests().end() ? nullptr : &digest->second;
}

}  // namespace spca
