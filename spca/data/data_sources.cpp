#include "spca/data/data_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "spca/base/text.h"
#include "spca/io/embedded.h"
#include "spca/io/json_node.h"

namespace spca {
namespace {

constexpr const char* kDigits = "0123456789abcdef";
constexpr std::size_t kDigestLength = 64;

/// Returns a path that stays below the data folder: a sources file from elsewhere must not be able
/// to name ~/.bashrc as the target of a download. No step of the path is . or .., so equal paths
/// are equal texts.
std::string relative_path(const JsonNode& node) {
  std::string name = node.word();
  const bool is_printable = std::none_of(
      name.begin(), name.end(), [](unsigned char letter) { return letter < ' ' || letter == 127; });
  if (!is_plain_path(name) || !is_printable) {
    node.fail("a path below the data folder, as kos/docword.kos.txt.gz");
  }
  return name;
}

std::string checksum(const JsonNode& node) {
  std::string digest = node.word();
  if (digest.size() != kDigestLength || digest.find_first_not_of(kDigits) != std::string::npos) {
    node.fail("the SHA-256 of the file, 64 digits 0-9a-f");
  }
  return digest;
}

std::string address(const JsonNode& node) {
  std::string url = node.word();
  const bool has_scheme =
      url.starts_with("http://") || url.starts_with("https://") || url.starts_with("file://");
  const bool is_printable = std::none_of(
      url.begin(), url.end(), [](unsigned char letter) { return letter <= ' ' || letter == 127; });
  if (!has_scheme || !is_printable) {
    node.fail("an address that begins with http://, https:// or file://, without blanks");
  }
  return url;
}

FileFingerprint fingerprint(const JsonNode& node) {
  return {.name = relative_path(node.at("name")),
          .bytes = static_cast<std::uint64_t>(node.at("bytes").whole(1)),
          .sha256 = checksum(node.at("sha256"))};
}

using Originals = std::map<std::string, Original>;

/// Returns the originals that the document lists, by name.
Originals read_originals(const JsonNode& document) {
  Originals originals;
  if (const std::optional<JsonNode> listed = document.find("originals")) {
    for (const auto& [name, node] : listed->members()) {
      node.accept_keys({"url", "bytes", "sha256", "unverified"});
      Original original;
      original.url = address(node.at("url"));
      original.file.name = "originals/" + name;
      if (!is_plain_path(name) || name.find('/') != std::string::npos) {
        node.fail("an original whose name is that of a file, as Colon.rda");
      }
      if (node.word_or("unverified", "").empty()) {
        original.file.bytes = static_cast<std::uint64_t>(node.at("bytes").whole(1));
        original.file.sha256 = checksum(node.at("sha256"));
      }
      originals.emplace(name, std::move(original));
    }
  }
  return originals;
}

/// Reads the recipe of a file that is made.
void read_recipe(const JsonNode& node, const Originals& originals, SourceFile& file) {
  file.recipe = node.at("recipe").words();
  const bool is_name = std::all_of(file.recipe[0].begin(), file.recipe[0].end(), [](char letter) {
    return (letter >= 'a' && letter <= 'z') || letter == '-';
  });
  if (!is_name) {
    node.at("recipe").fail("the name of a program in datasets/recipes, then its options");
  }
  for (const std::string& name : node.at("from").words()) {
    const auto original = originals.find(name);
    if (original == originals.end()) {
      node.at("from").fail("names of originals of this file");
    }
    file.originals.push_back(original->second);
  }
  file.url = file.originals[0].url;
  file.derived = fmt::format("recipe {}", file.recipe[0]);
}

SourceFile source_file(const JsonNode& node, const Originals& originals) {
  node.accept_keys({"name", "url", "derived", "from", "recipe", "as_published", "optional",
                    "unverified", "bytes", "sha256"});
  SourceFile file;
  file.unverified = node.word_or("unverified", "");
  if (file.unverified.empty()) {
    file.file = fingerprint(node);
  } else {
    file.file.name = relative_path(node.at("name"));
  }
  if (node.find("recipe")) {
    if (!file.unverified.empty()) {
      node.at("unverified").fail("bytes and sha256, which a file that a recipe makes must have");
    }
    read_recipe(node, originals, file);
  } else {
    file.url = address(node.at("url"));
    file.derived = node.word_or("derived", "");
  }
  file.is_optional = !node.word_or("optional", "").empty();
  if (const auto published = node.find("as_published")) {
    published->accept_keys({"name", "bytes", "sha256"});
    file.as_published = fingerprint(*published);
  }
  return file;
}

DataSource data_source(const std::string& name, const JsonNode& node, const Originals& originals) {
  node.accept_keys({"shape", "citation", "licence", "kind", "nonzeros", "built_in", "files"});
  DataSource source = {.name = name,
                       .shape = {},
                       .citation = node.word_or("citation", ""),
                       .licence = node.word_or("licence", ""),
                       .files = {}};
  for (const JsonNode& size : node.at("shape").elements()) {
    source.shape.push_back(size.whole(1));
  }
  const bool is_built_in = !node.word_or("built_in", "").empty();
  // Without files, the data set is computed from the files of other data sets.
  if (const std::optional<JsonNode> files = node.find("files")) {
    for (const JsonNode& file : files->elements()) {
      source.files.push_back(source_file(file, originals));
      source.files.back().is_optional = source.files.back().is_optional || is_built_in;
    }
  }
  return source;
}

std::string without_gz(const std::string& name) {
  return name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
}

}  // namespace

std::vector<DataSource> read_data_sources(const JsonText& text) {
  const JsonSource source(std::make_shared<const JsonText>(text));
  const JsonNode document(source, source.text().json(), "");
  document.accept_keys({"about", "originals", "datasets"});
  const Originals originals = read_originals(document);
  std::vector<DataSource> sources;
  for (const auto& [name, node] : document.at("datasets").members()) {
    sources.push_back(data_source(name, node, originals));
  }
  return sources;
}

const std::vector<DataSource>& built_in_data_sources() {
  static const std::vector<DataSource> sources = read_data_sources(
      JsonText(std::string(embedded_file("sources.json")), "datasets/sources.json"));
  return sources;
}

const DataSource* source_that_fetches(const std::string& name) {
  for (const DataSource& source : built_in_data_sources()) {
    for (const SourceFile& file : source.files) {
      const FileFingerprint* download = file.fetchable();
      if (download != nullptr && without_gz(download->name) == without_gz(name)) {
        return &source;
      }
    }
  }
  return nullptr;
}

}  // namespace spca
