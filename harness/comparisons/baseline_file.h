#pragma once

/// Reads and writes the file of a baseline: one JSON document that people read and keep under
/// version control. docs/REGRESSION_GATE.md describes it.

#include <filesystem>
#include <string>

#include "harness/comparisons/baseline.h"

namespace spca {

/// Number of significant digits of a loading. Rounding to five digits turns a component by at most
/// 5e-5 rad, half the tolerance of kAngleToReference.
inline constexpr int kLoadingDigits = 5;

/// Returns the text of the file. Equal baselines give equal text. Loadings have kLoadingDigits
/// digits, other numbers all digits. For a repeat with the same loadings as the same repeat of an
/// earlier cell, the number of that cell is written, counted from 0.
std::string baseline_text(const Baseline& baseline);

/// Writes and reads one cell in the form of the file, with all its loadings. `name` is the file's
/// name in messages, which have the form of read_baseline's.
std::string baseline_cell_text(const ComparedCell& cell);
ComparedCell read_baseline_cell(const std::string& text, const std::string& name);

/// Reads the output of baseline_text. Throws InputError "file:line:column: pointer: found ...;
/// accepted: ..." for any other text: an unknown or repeated key, a wrong type, an unknown word,
/// lists of different lengths, a cell that occurs twice, an override that matches nothing.
Baseline read_baseline(const std::filesystem::path& path);

}  // namespace spca
