#pragma once

/// The sentences that say whether a paper comes out.

#include <string>
#include <vector>

#include "harness/pages/paper_tables.h"
#include "harness/verdicts/tally.h"

namespace spca {

/// Returns "Of 8 numbers of the paper's method 6 are reproduced and 2 are lower." "" if there are
/// none.
std::string count_sentence(const Tally& tally, Count count);

/// Returns whether the paper comes out, in a few words: "In part."
std::string short_answer(const Tally& tally);

/// The text with which answer() begins. short_answer() and "**" follow.
inline constexpr const char* kAnswerBegin = "**Does it come out? ";
/// Returns whether the paper comes out, with the counts that decide it: its numbers and its
/// statements; and how much better the best known answers are than those of the paper's method.
std::string answer(const Tally& tally, const std::vector<PaperTable>& tables);

}  // namespace spca
