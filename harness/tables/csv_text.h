#pragma once

/// Writes fields of comma-separated files that read back unchanged: by this program, by pandas and
/// by R.

#include <string>

namespace spca {

/// Returns the text as a field: in quotes if it contains a comma, a quote or a tab, or begins or
/// ends with a blank. Other control characters become escapes (printable() in text.h), because this
/// program's reader accepts no field of several lines. A text that a spreadsheet would take for a
/// formula gets no prefix, because a prefix would not be removed when the file is read.
std::string csv_field(const std::string& text);

/// Returns a name as a field. A name that looks like a number is quoted, because the reader
/// distinguishes names from numbers by the quotes, and so is a name that begins with #, as comments
/// do.
std::string csv_name(const std::string& name);

}  // namespace spca
