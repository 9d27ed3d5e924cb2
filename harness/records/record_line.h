#pragma once

/// The line of a record without reading all of it: resuming, status and the cache need a few fields
/// of a hundred thousand lines.

#include <string>
#include <string_view>

#include "spca/solving/solver.h"

namespace spca {

/// What tells which cell a line answers, and how.
struct RecordLine {
  std::string_view key;  // 64 hexadecimal digits
  std::string grid, dataset, solver;
  Status status = Status::kFailed;
  bool has_answer = false;  // there are loadings
  bool contended = false;
  double solve_seconds = kNotMeasured;
};

/// Throws InputError for what is no whole JSON object, and names a field that is missing or wrong.
/// Fields that are not listed above are looked at only to find their end. `line` must outlive the
/// result.
RecordLine scan_record_line(std::string_view line);

/// Whether a run with this record ends with exit code 3: failed, invalid, numerical_failure, or
/// time_limit without an answer.
bool is_failure(Status status, bool has_answer);

/// A field of the object in `line` as it is written there, quotes included; empty where there is
/// none. Throws as above.
std::string_view raw_field(std::string_view line, std::string_view name);
/// The string that a raw field is.
std::string text_of(std::string_view raw);

/// The line with other labels: a computation has one key under whatever labels it stands.
std::string relabelled(std::string_view line, const std::string& grid, const std::string& dataset,
                       const std::string& solver);

/// The line with the field "reused" behind all others; it must not have that yet.
std::string as_reused(std::string line, const std::string& origin, bool elsewhere);

}  // namespace spca
