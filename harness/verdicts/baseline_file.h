#pragma once

/// The file of a baseline: one JSON document that people read and keep under version control.
/// docs/REGRESSION_GATE.md describes it.

#include <filesystem>
#include <string>

#include "harness/verdicts/baseline.h"

namespace spca {

/// Digits of a loading. Five turn a component by 5e-6 rad at most, a twentieth of the tolerance of
/// kAngleToReference.
inline constexpr int kLoadingDigits = 5;

/// The text of the file. The same baseline gives the same text. Loadings have kLoadingDigits
/// digits, other numbers all of theirs.
std::string baseline_text(const Baseline& baseline);

/// One cell as the file has it, and what reads it back. `name` stands in messages, which are as
/// those of read_baseline.
std::string baseline_cell_text(const ComparedCell& cell);
ComparedCell read_baseline_cell(const std::string& text, const std::string& name);

/// Reads what baseline_text writes. Throws InputError "file:line:column: pointer: found ...;
/// accepted: ..." for anything else: an unknown or repeated key, a wrong type, an unknown word,
/// lists of different lengths, the same cell twice, an override that matches nothing.
Baseline read_baseline(const std::filesystem::path& path);

}  // namespace spca
