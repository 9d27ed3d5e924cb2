#pragma once

/// The line of a record without reading all of it: resuming, status and the cache need a few fields
/// of a hundred thousand lines.

#include <string>
#include <string_view>

#include "harness/experiments/cell_identity.h"
#include "spca/solving/status.h"

namespace spca {

/// What tells which cell a line answers, and how.
struct RecordLine {
  std::string_view key;  // 64 hexadecimal digits
  CellIdentity cell;
  Status status = Status::kFailed;
  bool has_loadings = false;
  bool contended = false;
  double solve_seconds = kNotMeasured;
  std::string measured_by;  // as in Record
};

/// Throws InputError for what is no whole JSON object, and names a field that is missing or wrong.
/// Fields that are not listed above are looked at only to find their end. `line` must outlive the
/// result.
RecordLine scan_record_line(std::string_view line);

/// A field of the object in `line` as it is written there, quotes included; empty where there is
/// none. Throws as above.
std::string_view raw_field(std::string_view line, std::string_view name);
/// The string that a raw field is.
std::string text_of(std::string_view raw);

/// What whoever keeps an answer says of it.
struct Envelope {
  std::string key;
  std::string grid, dataset, solver;  // labels
  /// Who measured it, if that was another run: Record::origin.
  std::string origin = "";
  bool elsewhere = false;
  bool contended = false;
};

/// A line of cells.jsonl: the members of the envelope, those of `answer`, a JSON object, and the
/// check over all of them (checksum.h).
std::string compose_line(const Envelope& envelope, std::string_view answer);
/// Throws InputError "the record ..." unless the line has its check and is as it was composed.
void require_check(std::string_view line);
/// What compose_line was given. Throw InputError for a line that it did not make, and do not look at
/// its check.
Envelope read_envelope(std::string_view line);
std::string answer_of_line(std::string_view line);

/// The part of an answer that every solve of the cell gives again, byte for byte, whatever runs
/// beside it: all but what it cost.
std::string_view stable_part(std::string_view answer);

}  // namespace spca
