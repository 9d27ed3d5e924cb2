#pragma once

/// How the files of a run prove that they are as the run left them. Each record and the manifest
/// carry a check (checksum.h). "files" in manifest.json has the SHA-256 of every other file that a
/// command reads: cells.jsonl, experiment.json, identities.jsonl. docs/RUNS_AND_CACHE.md has the
/// rules.

#include <filesystem>
#include <string>

#include "spca/base/error.h"
#include "spca/base/types.h"

namespace spca {

/// What becomes of a file of a run that is not as the run left it.
enum class Damage {
  kRefused,   // InputError
  kTolerated  // --force: it is read as far as it can be
};

/// "where: wrong; accepted: ...", which says what restores the run.
InputError damaged_file(const std::string& where, const std::string& wrong);

/// How far the files of a run are sealed by its manifest.
enum class Seal {
  kOpen,    // they are about to change: no digest
  kGoesOn,  // records are being appended: no digest of cells.jsonl, whose lines have their checks
  kEnded    // all have digests
};

/// Replaces manifest.json of `directory` by `manifest` with "files" and its check. Throws
/// InputError if a file cannot be read or written.
void write_manifest(const std::filesystem::path& directory, Json manifest, Seal seal);

/// manifest.json without its check. Throws InputError if it is no JSON object, and, unless damage is
/// tolerated, if it does not match its check.
Json read_manifest(const std::filesystem::path& directory, Damage damage = Damage::kRefused);

/// Whether every file of the run is as the run left it. Otherwise throws InputError, one line that
/// names the file and, in cells.jsonl, the line; or, if damage is tolerated, says the same on stderr.
/// A run that goes on or was killed may end with a torn line.
void require_intact_run(const std::filesystem::path& directory, Damage damage = Damage::kRefused);

}  // namespace spca
