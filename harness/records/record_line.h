#pragma once

/// Reads a few fields of a record's line without parsing the rest, because resuming, status and the
/// cache need few fields of a hundred thousand lines.

#include <string>
#include <string_view>

#include "harness/experiments/cell_identity.h"
#include "spca/solving/status.h"

namespace spca {

/// The fields that identify the cell of a line and its result.
struct RecordLine {
  std::string_view key;  // 64 hexadecimal digits
  CellIdentity cell;
  Status status = Status::kFailed;
  bool has_loadings = false;
  bool contended = false;
  double solve_seconds = kNotMeasured;
  std::string measured_by;  // like Record::measured_by
};

/// Scans a line. Throws InputError if the text is not a complete JSON object, or if a field, which
/// the message names, is missing or wrong. Other fields are scanned only to find their end. `line`
/// must outlive the result.
RecordLine scan_record_line(std::string_view line);

/// Returns a field of the object in `line` as written, quotes included; empty if there is no such
/// field. Throws InputError if the text is not a complete JSON object.
std::string_view raw_field(std::string_view line, std::string_view name);
/// Decodes a raw field that is a string.
std::string text_of(std::string_view raw);

/// The members of a line that the storing process writes, not the solving one.
struct Envelope {
  std::string key;
  std::string grid, dataset, solver;  // labels
  /// The run that measured the answer, if it was another run: Record::origin.
  std::string origin = "";
  bool elsewhere = false;
  bool contended = false;
};

/// Returns a line of cells.jsonl: the members of the envelope, those of `answer`, which is a JSON
/// object, and the check over all of them (checksum.h).
std::string compose_line(const Envelope& envelope, std::string_view answer);
/// Throws InputError "the record ..." unless the line has its check and is as compose_line wrote
/// it.
void require_check(std::string_view line);
/// Throws InputError "the record ..." if the line ends with a check that does not match. A line
/// without a check, which an older version wrote, passes.
void refuse_wrong_check(std::string_view line);
/// Return the arguments of compose_line. Throw InputError for a line in another form. Do not verify
/// the check.
Envelope read_envelope(std::string_view line);
std::string answer_of_line(std::string_view line);

/// Returns the part of an answer that every solve of the cell reproduces byte for byte, whatever
/// runs beside it: everything except the costs.
std::string_view stable_part(std::string_view answer);

}  // namespace spca
