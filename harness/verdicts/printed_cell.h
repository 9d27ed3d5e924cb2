#pragma once

/// Cells of tables that compare printed numbers with ours.

#include <string>
#include <vector>

#include "harness/verdicts/lettered_notes.h"
#include "harness/verdicts/published.h"

namespace spca {

/// Returns a text such as "5.03e9 ^ 5.047e9 +- 8e+07 b": the printed number, then measured_cell
/// with ours in the format of the printed one. It is "7.31e3 not run a" if our cells were not run,
/// and "0.9 no data" if the data are not public.
std::string printed_cell(const PublishedComparison& comparison, LetteredNotes& notes);

/// Returns a text such as "^ 5.047e9 +- 8e+07 b": the sign of the verdict, our number as the text
/// `ours`, its marks, its tolerance or interval, and the letter of the note that gives the reason.
std::string measured_cell(const PublishedComparison& comparison, const std::string& ours,
                          LetteredNotes& notes);

/// Returns the sign of the verdict in a table: "=" reproduced, "^" higher, "v" lower, "x" differs,
/// "~" too noisy to tell, "?" for the others.
const char* verdict_sign(NumberVerdict verdict);
/// Explains the signs.
extern const char* const kSignsNote;
/// Returns whether tables show the interval: that of a share of fewer than kFewDraws draws.
bool shows_interval(const PublishedComparison& comparison);
/// Returns " [0.871, 0.989]" for a share of few draws, and "" for other numbers.
std::string interval_suffix(const PublishedComparison& comparison);
/// Returns " [0.871, 0.989]" for a share of few draws, " +- 6.4" for a tolerance of more than half
/// a unit of the last printed digit, both, or "".
std::string tolerance_text(const PublishedComparison& comparison);
/// Explains printed_cell, before kSignsNote.
inline constexpr const char* kCellsNote = "Cells: printed, sign, ours. ";

/// Returns the notes that explain the marks and intervals in the cells of these comparisons.
std::vector<std::string> notes_on_marks(const std::vector<const PublishedComparison*>& comparisons);

/// Returns the printed number without the star that says that the paper's data are not public.
std::string without_star(const std::string& printed);

/// Returns the measured number in the format of the printed one with one digit more: 0.9764 beside
/// ".98" is ".976".
std::string in_format_of(const std::string& printed, double value);

}  // namespace spca
