#pragma once

/// Fields of comma-separated files. Each reads back as it was: by our reader, by pandas and by R.

#include <string>

namespace spca {

/// Returns the text as a field: in quotes if it holds a comma, a quote or a tab, or begins or ends
/// with a blank. Other control characters become escapes (printable() in text.h),
/// because our reader takes no field of several lines. Nothing is put in front of a text that a
/// spreadsheet would take for a formula: it would not read back.
std::string csv_field(const std::string& text);

/// Returns a name as a field. It stands in quotes also if it is a number, by which our reader tells a
/// name from a number, or begins with #, as comments do.
std::string csv_name(const std::string& name);

}  // namespace spca
