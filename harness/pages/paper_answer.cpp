#include "harness/pages/paper_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/pages/best_known.h"
#include "harness/tables/number_text.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// Returns the verb phrase of a verdict: "is reproduced", "are reproduced".
std::string verb_of(NumberVerdict verdict, bool is_plural) {
  const std::string be = is_plural ? "are " : "is ";
  switch (verdict) {
    case NumberVerdict::kDiffers:
      return is_plural ? "differ" : "differs";
    case NumberVerdict::kNoPublicData:
      return is_plural ? "have no public data" : "has no public data";
    case NumberVerdict::kNotRun:
      return is_plural ? "were not run" : "was not run";
    default:
      return be + verdict_name(verdict);
  }
}

/// Returns the verb phrase of a verdict on statements.
std::string verb_of(ClaimVerdict verdict, bool is_plural) {
  switch (verdict) {
    case ClaimVerdict::kHolds:
      return is_plural ? "hold" : "holds";
    case ClaimVerdict::kUndecided:
      return "cannot be told";
    case ClaimVerdict::kFails:
      return is_plural ? "fail" : "fails";
    case ClaimVerdict::kNotRun:
      break;
  }
  return is_plural ? "were not run" : "was not run";
}

/// Returns "a", "a and b" or "a, b and c".
std::string listed(const std::vector<std::string>& parts) {
  return parts.size() < 2 ? join(parts)
                          : join({parts.begin(), parts.end() - 1}) + " and " + parts.back();
}

const char* plural_of(Count count) {
  switch (count) {
    case Count::kOwn:
      return "numbers of the paper's method";
    case Count::kBaseline:
      return "numbers of the paper's competitors";
    case Count::kOther:
      return "comparisons of our other solvers with printed numbers";
    case Count::kCheck:
      return "checks of the set-up";
    case Count::kByHand:
      return "numbers that follow from a formula";
    case Count::kProgram:
      return "numbers of another program";
    case Count::kCertified:
      break;
  }
  return "comparisons with proved optima";
}

template <class Key>
std::size_t sum_of(const std::map<Key, std::size_t>& counts) {
  std::size_t sum = 0;
  for (const auto& [key, count] : counts) {
    sum += count;
  }
  return sum;
}

/// Returns "Of 8 numbers 6 are reproduced and 2 are lower." for verdicts of any kind.
template <class Key>
std::string sentence_of(const std::string& plural, const std::map<Key, std::size_t>& counts) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts) {
    if (count > 0) {
      parts.push_back(fmt::format("{} {}", count, verb_of(verdict, count > 1)));
    }
  }
  return parts.empty() ? "" : fmt::format("Of {} {} {}.", sum_of(counts), plural, listed(parts));
}

/// The differences between the best known answers and the numbers that a paper prints for its own
/// method.
struct Advance {
  std::size_t count = 0, bounded = 0;
  double least = kNotMeasured, most = kNotMeasured;  // (best - printed) / printed
  double gap = kNotMeasured;                         // the largest
};

void add_to(Advance& advance, const PosedProblem& problem, double printed) {
  const double more = (problem.best - printed) / printed;
  advance.least = std::fmin(advance.least, more);
  advance.most = std::fmax(advance.most, more);
  ++advance.count;
  if (std::isfinite(problem.gap())) {
    advance.gap = std::fmax(advance.gap, problem.gap());
    ++advance.bounded;
  }
}

/// Returns " Beyond the paper: ..."; "" if the tables have no best known answer for a number that
/// the paper prints for its own method.
std::string advance_text(const std::vector<PaperTable>& tables) {
  Advance advance;
  for (const PaperTable& table : tables) {
    for (const auto& [place, comparisons] : table.entries) {
      const PublishedComparison& shown = shown_of(comparisons);
      const bool is_compared = shown.published->origin == Origin::kPaper &&
                               shown.published->method == Method::kOwn && is_judged(shown.verdict);
      const auto by_row = table.best_of_rows.find(place.first);
      const auto by_column = table.best_of_columns.find(place.second);
      if (is_compared && by_row != table.best_of_rows.end()) {
        add_to(advance, *by_row->second, shown.published->value);
      } else if (is_compared && by_column != table.best_of_columns.end()) {
        add_to(advance, *by_column->second, shown.published->value);
      }
    }
  }
  if (advance.count == 0) {
    return "";
  }
  const std::string least = percent_text(advance.least, 1);
  const std::string most = percent_text(advance.most, 1);
  const std::string gap = advance.gap <= kSameValue
                              ? "optimal"
                              : fmt::format("within {}", small_percent_text(advance.gap));
  return fmt::format(
      " Beyond the paper: the best known answers to {} of its method's problems {}{}.",
      advance.count,
      advance.least >= 0 ? fmt::format("are {} to {} above the printed ones", least, most)
                         : fmt::format("differ from the printed ones by {} to {}", least, most),
      advance.bounded == 0               ? ""
      : advance.bounded == advance.count ? fmt::format(", and proved {}", gap)
                                         : fmt::format("; {} are proved {}", advance.bounded, gap));
}

/// Returns the row and column of a cell, for a sentence: "Madelon, Var".
std::string cell_name(const std::string& row, const std::string& column) {
  return column.empty() ? row : row + ", " + column;
}

/// Returns " 2 numbers are worse than printed and unexplained: ...", with the first ones by name;
/// "" if there is none.
std::string unexplained_text(const std::vector<PaperTable>& tables) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> names;
  for (const PaperTable& table : tables) {
    for (const auto& [place, comparisons] : table.entries) {
      for (const PublishedComparison* one : comparisons) {
        if (one->published->origin == Origin::kPaper && one->on_wrong_side &&
            !one->is_explained()) {
          names.push_back(cell_name(place.first, place.second));
        }
      }
    }
  }
  if (names.empty()) {
    return "";
  }
  const std::string count =
      names.size() == 1
          ? "1 number is worse than printed and unexplained"
          : fmt::format("{} numbers are worse than printed and unexplained", names.size());
  const bool is_long = names.size() > kNamed;
  names.resize(std::min(names.size(), kNamed));
  return fmt::format(" {}: {}{}.", count, join(names, "; "), is_long ? " and others" : "");
}

/// Numbers or statements with a verdict, and those among them that come out.
struct Judged {
  std::size_t all = 0, good = 0;
  std::size_t printed = 0;  // with those that cannot be compared

  bool is_whole() const { return all > 0 && good == all; }
};

Judged judged_numbers(const Tally& tally, Count count) {
  Judged judged;
  const auto found = tally.numbers.find(count);
  if (found != tally.numbers.end()) {
    for (const auto& [verdict, times] : found->second) {
      judged.printed += times;
      judged.all += is_judged(verdict) && verdict != NumberVerdict::kTooNoisy ? times : 0;
      judged.good += verdict == NumberVerdict::kReproduced ? times : 0;
    }
  }
  return judged;
}

Judged judged_statements(const Tally& tally) {
  Judged judged;
  for (const auto& [verdict, times] : tally.claims_of_papers) {
    judged.all += verdict == ClaimVerdict::kHolds || verdict == ClaimVerdict::kFails ? times : 0;
    judged.good += verdict == ClaimVerdict::kHolds ? times : 0;
  }
  return judged;
}

/// Returns the answer of a paper of which only the numbers of its own method are all reproduced.
std::string own_numbers_answer(const Judged& own) {
  return own.all == own.printed
             ? "Yes, for the numbers of its own method."
             : fmt::format("Yes, for the {} of {} numbers of its own method that can be compared.",
                           own.all, own.printed);
}

}  // namespace

std::string short_answer(const Tally& tally) {
  const Judged own = judged_numbers(tally, Count::kOwn);
  const Judged others = judged_numbers(tally, Count::kBaseline);
  const Judged statements = judged_statements(tally);
  const std::size_t all = own.all + others.all + statements.all;
  const std::size_t good = own.good + others.good + statements.good;
  return tally.interrupted ? "Not known yet, because the run was interrupted."
         : all == 0        ? "It cannot be told."
         : good == all     ? "Yes, for what can be compared."
         : own.is_whole()  ? own_numbers_answer(own)
         : good == 0       ? "No."
                           : "In part.";
}

std::string count_sentence(const Tally& tally, Count count) {
  const auto found = tally.numbers.find(count);
  return found == tally.numbers.end() ? "" : sentence_of(plural_of(count), found->second);
}

std::string answer(const Tally& tally, const std::vector<PaperTable>& tables) {
  std::string text = fmt::format("{}{}**", kAnswerBegin, short_answer(tally));
  for (const std::string& sentence :
       {count_sentence(tally, Count::kOwn), count_sentence(tally, Count::kBaseline),
        sentence_of("statements of the paper", tally.claims_of_papers)}) {
    text += sentence.empty() ? "" : " " + sentence;
  }
  return text + unexplained_text(tables) + advance_text(tables);
}

}  // namespace spca
