#include "harness/records/run_seal.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "harness/records/checksum.h"
#include "harness/records/record_line.h"
#include "spca/base/json_text.h"
#include "spca/base/sha256.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

constexpr const char* kManifest = "manifest.json";
constexpr const char* kCells = "cells.jsonl";
constexpr const char* kAccepted = "; accepted: ";
constexpr const char* kFiles[] = {kCells, "experiment.json", "identities.jsonl"};

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  }
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Throws InputError that names the first line of cells.jsonl that does not match its check.
void require_checks_of_lines(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  }
  std::string line;
  for (std::size_t number = 1; std::getline(stream, line) && !stream.eof(); ++number) {
    try {
      require_check(line);
    } catch (const InputError& error) {
      throw damaged_file(fmt::format("{}:{}", file.string(), number), error.what());
    }
  }
}

/// Returns the error about a manifest.json of which nothing can be read.
InputError unreadable_manifest(const fs::path& file, const std::string& wrong) {
  return InputError(fmt::format(
      "{}: {}{}a run as it was left (delete manifest.json: the command that began the run then "
      "keeps its records, and writes the file again)",
      file.string(), wrong, kAccepted));
}

}  // namespace

InputError damaged_file(const std::string& where, const std::string& wrong) {
  // An older version wrote no check at all, so that `spca run` would solve every cell again.
  const bool may_be_old = wrong.find("has no check") != std::string::npos;
  return InputError(fmt::format(
      "{}: {}{}a run as it was left (`spca run` restores it{}); --force of table, report, site, "
      "check, compare and merge reads the rest",
      where, wrong, kAccepted,
      may_be_old ? "; for one of an older version, `spca merge OLD -o NEW --force` keeps its "
                   "records"
                 : ""));
}

void write_manifest(const fs::path& directory, Json manifest, Seal seal) {
  Json files = Json::object();
  for (const char* name : kFiles) {
    const bool has_digest =
        seal == Seal::kEnded || (seal == Seal::kRunning && std::string_view(name) != kCells);
    files[name] = has_digest && fs::exists(directory / name)
                      ? Json(sha256_of_file(directory / name))
                      : Json(nullptr);
  }
  manifest["files"] = std::move(files);
  write_file_atomically(directory / kManifest, with_check(json_lines(manifest, 2), kFileLayout));
}

Json read_manifest(const fs::path& directory, Damage damage) {
  const fs::path file = directory / kManifest;
  const std::string text = content_of(file);
  try {
    before_check(text, kFileLayout);
  } catch (const InputError& error) {
    if (damage == Damage::kRefused) {
      throw try_json_file(file).is_object() ? damaged_file(file.string(), error.what())
                                            : unreadable_manifest(file, error.what());
    }
  }
  Json manifest = JsonText(text, file.string()).json();
  if (!manifest.is_object()) {
    throw InputError(fmt::format("{}: not the manifest of a run of this program", file.string()));
  }
  manifest.erase("check");
  return manifest;
}

namespace {

void require_digests(const fs::path& directory) {
  const Json manifest = read_manifest(directory);
  const auto at = manifest.find("files");
  const Json files = at != manifest.end() && at->is_object() ? *at : Json::object();
  for (const char* name : kFiles) {
    const fs::path file = directory / name;
    const Json digest = files.value(name, Json());
    if (digest.is_string() && sha256_of_file(file) == digest.get<std::string>()) {
      continue;
    }
    if (name == std::string_view(kCells)) {
      require_checks_of_lines(file);
    }
    if (digest.is_string()) {
      throw damaged_file(file.string(),
                         "is not as its run left it: its SHA-256 is not the one in manifest.json");
    }
  }
}

}  // namespace

void require_intact_run(const fs::path& directory, Damage damage) {
  for (;;) {
    const std::string before = content_of(directory / kManifest);
    try {
      require_digests(directory);
      return;
    } catch (const InputError& error) {
      // A run that began meanwhile has opened the seal.
      if (content_of(directory / kManifest) != before) {
        continue;
      }
      if (damage == Damage::kRefused) {
        throw;
      }
      const std::string what = error.what();
      fmt::print(stderr, "spca: {}\n", what.substr(0, what.rfind(kAccepted)));
      return;
    }
  }
}

}  // namespace spca
