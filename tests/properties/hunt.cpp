#include "tests/properties/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "tests/properties/guarded_case.h"
#include "tests/properties/shrink.h"

namespace spca::properties {
namespace {

constexpr std::uint64_t kBatch = 500;  // number of cases of one child process

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string numbers_text(const Contradiction& shown) {
  return shown.found == 0 && shown.limit == 0
             ? shown.detail
             : fmt::format("{} against {}{}{}", shown.found, shown.limit,
                           shown.detail.empty() ? "" : "; ", shown.detail);
}

/// Returns a small matrix as text, one line for each row.
std::string matrix_text(const HuntedMatrix& matrix) {
  const Matrix& numbers = matrix.is_data() ? matrix.data : matrix.covariance;
  if (numbers.cols() > 12 || numbers.rows() > 40) {
    return fmt::format("  {} x {}, in the file\n", numbers.rows(), numbers.cols());
  }
  std::string text;
  for (Index i = 0; i < numbers.rows(); ++i) {
    text += "  ";
    for (Index j = 0; j < numbers.cols(); ++j) {
      text += fmt::format("{}{}", j > 0 ? ", " : "", numbers(i, j));
    }
    text += "\n";
  }
  return text;
}

class Hunt {
 public:
  explicit Hunt(const HuntRequest& request)
      : request_(request), begin_(std::chrono::steady_clock::now()) {}

  HuntSummary run() {
    std::uint64_t next = request_.first;
    const std::uint64_t end = request_.first + request_.cases;
    while (next < end && !is_over()) {
      const std::uint64_t last = std::min(end, next + kBatch);
      run_guarded([&](std::uint64_t number) { return draw(number); }, next, last,
                  [&](std::uint64_t number, const CaseOutcome& outcome) {
                    count(number, outcome);
                    next = number + 1;
                    return !is_over();
                  });
      if (request_.shows_progress) {
        fmt::print(stderr, "{} cases, {} contradict, {:.0f} s\n", summary_.cases,
                   summary_.contradictions, seconds_since(begin_));
      }
    }
    print_tables();
    return summary_;
  }

 private:
  HuntCase draw(std::uint64_t number) const {
    return draw_case(request_.plan, request_.seed, number);
  }
  bool is_over() const { return seconds_since(begin_) > 60 * request_.minutes; }

  void count(std::uint64_t number, const CaseOutcome& outcome) {
    const HuntCase hunted = draw(number);
    ++summary_.cases;
    const bool is_wrong = !outcome.contradictions.empty();
    summary_.contradictions += is_wrong ? 1 : 0;
    for (Tally* tally : {&by_kind_[hunted.question.matrix.kind], &by_check_[hunted.check],
                         &by_solver_[hunted.question.solver]}) {
      ++tally->cases;
      tally->contradictions += is_wrong ? 1 : 0;
      ++tally->endings[outcome.ending];
    }
    if (!outcome.note.empty()) {
      notes_.try_emplace(hunted.question.solver + ", " + outcome.ending,
                         fmt::format("case {}: {}", number, outcome.note));
    }
    std::set<std::string> claims;
    for (const Contradiction& found : outcome.contradictions) {
      const std::string name = found.claim + ", " + hunted.question.solver;
      if (claims.insert(name).second && summary_.kinds[name]++ == 0) {
        print_block(number, hunted, found);
      }
    }
  }

  void print_block(std::uint64_t number, const HuntCase& hunted, const Contradiction& found) {
    const Shrunk shrunk =
        request_.shrinks ? shrink(hunted, found) : Shrunk{.hunted = hunted, .shown = found};
    const Question& question = shrunk.hunted.question;
    const std::filesystem::path stem =
        request_.folder / fmt::format("hunt-{}-{}", request_.seed, number);
    std::string commands = write_command(question, stem);
    if (const auto other = related_question(shrunk.hunted)) {
      commands += "\n  " + write_command(*other, stem.string() + "-related");
    }
    const std::string storage = question.matrix.is_data() ? storage_name(question.storage) : "S";
    fmt::print(
        request_.out, "\ncontradiction: {}\n  {}\n  case {} of seed {}: {}, {}, {}, {}\n{}  {}\n",
        shrunk.shown.claim, numbers_text(shrunk.shown), number, request_.seed, question.solver,
        question.matrix.kind, storage, shrunk.hunted.check, matrix_text(question.matrix), commands);
    std::fflush(request_.out);
  }

  void print_table(const char* title, const std::map<std::string, Tally>& tallies) const {
    fmt::print(request_.out, "\n{:<28} {:>8} {:>12}  how the answers ended\n", title, "cases",
               "contradict");
    for (const auto& [name, tally] : tallies) {
      std::string endings;
      for (const auto& [ending, count] : tally.endings) {
        endings += fmt::format("{}{} {}", endings.empty() ? "" : ", ", ending, count);
      }
      fmt::print(request_.out, "{:<28} {:>8} {:>12}  {}\n", name, tally.cases, tally.contradictions,
                 endings);
    }
  }

  void print_tables() const {
    print_table("kind of matrix", by_kind_);
    print_table("check", by_check_);
    print_table("solver", by_solver_);
    if (!summary_.kinds.empty()) {
      fmt::print(request_.out, "\n{:>8}  contradicted claim, solver\n", "cases");
    }
    for (const auto& [name, cases] : summary_.kinds) {
      fmt::print(request_.out, "{:>8}  {}\n", cases, name);
    }
    for (const auto& [name, note] : notes_) {
      fmt::print(request_.out, "{}, first in {}\n", name, note);
    }
    fmt::print(request_.out, "\n{} cases of seed {}, {} contradict\n", summary_.cases,
               request_.seed, summary_.contradictions);
    std::fflush(request_.out);
  }

  const HuntRequest& request_;
  std::chrono::steady_clock::time_point begin_;
  HuntSummary summary_;
  std::map<std::string, Tally> by_kind_, by_check_, by_solver_;
  std::map<std::string, std::string> notes_;  // the first note of each solver and ending
};

}  // namespace

HuntSummary hunt(const HuntRequest& request) { return Hunt(request).run(); }

}  // namespace spca::properties
