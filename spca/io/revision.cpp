#include "spca/io/revision.h"

namespace spca {
namespace {

/// Within a function, so that it is there whenever it is asked for.
std::map<std::string, std::string>& added_digests() {
  static std::map<std::string, std::string> digests;
  return digests;
}

}  // namespace

const std::vector<std::string>& source_reach(const std::string& part) {
  static const std::vector<std::string> none;
  const auto reach = source_reaches().find(part);
  return reach == source_reaches().end() ? none : reach->second;
}

void add_source_digest(const std::string& file, const std::string& digest) {
  added_digests()[file] = digest;
}

const std::string* added_source_digest(const std::string& file) {
  const auto digest = added_digests().find(file);
  return digest == added_digests().end() ? nullptr : &digest->second;
}

}  // namespace spca
