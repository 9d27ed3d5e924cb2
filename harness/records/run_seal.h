#pragma once

/// Proves that the files of a run are unchanged. Each record and the manifest contain a check
/// (checksum.h). "files" in manifest.json has the SHA-256 of every other file that a command reads:
/// cells.jsonl, experiment.json, identities.jsonl. docs/RUNS_AND_CACHE.md has the rules.

#include <filesystem>
#include <string>

#include "spca/base/error.h"
#include "spca/base/types.h"

namespace spca {

/// The treatment of a file of a run that was changed after the run wrote it.
enum class Damage {
  kRefused,   // throws InputError
  kTolerated  // --force: reads as much of the file as possible
};

/// Returns the error "where: wrong; accepted: ...", which says how to restore the run.
InputError damaged_file(const std::string& where, const std::string& wrong);

/// The extent to which a manifest seals the files of the run.
enum class Seal {
  kOpen,     // the files are about to change: no digests
  kRunning,  // records are being appended: no digest of cells.jsonl, whose lines have checks
  kEnded     // all files have digests
};

/// Replaces manifest.json in `directory` by `manifest` with "files" and its check. Throws
/// InputError if a file cannot be read or written.
void write_manifest(const std::filesystem::path& directory, Json manifest, Seal seal);

/// Returns manifest.json without its check. Throws InputError if the file is not a JSON object, or
/// if it does not match its check and damage is not tolerated.
Json read_manifest(const std::filesystem::path& directory, Damage damage = Damage::kRefused);

/// Checks that every file of the run is unchanged. Otherwise throws InputError, one line that names
/// the first changed file and the line of cells.jsonl that does not match its check; or, if damage
/// is tolerated, prints the beginning of that message on stderr. In a run that is not finished or
/// was killed, cells.jsonl may end with a torn line.
void require_intact_run(const std::filesystem::path& directory, Damage damage = Damage::kRefused);

}  // namespace spca
