#include "harness/benchmarks/solver_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "harness/peers/peer.h"
#include "harness/records/median.h"
#include "harness/tables/number_text.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// The cells of one solver on one class.
class Sum {
 public:
  void add(const BenchmarkCell& cell) {
    score_.of = cell.known.of;
    score_.solver = cell.record->solver;
    score_.is_peer = is_peer_name(cell.record->solver_name);
    const bool is_skipped = cell.record->status == Status::kSkipped;
    const std::string reason = is_skipped ? cell.message : "";
    score_.skipped = score_.asked == 0 || reason == score_.skipped ? reason : "";
    ++score_.asked;
    if (cell.outcome == CellOutcome::kNotApplicable) {
      ++score_.not_applicable;
      return;
    }
    const bool is_proved = cell.known.is_proved();
    score_.proved += is_proved ? 1 : 0;
    if (cell.outcome == CellOutcome::kFailed) {
      ++score_.failures;
      seconds_.push_back(has_comparable_timing(*cell.record) ? cell.time_limit : kNotMeasured);
      return;
    }
    const bool is_reached = cell.standing.is_reached();
    score_.optima += is_proved && is_reached ? 1 : 0;
    score_.best += is_reached ? 1 : 0;
    score_.proofs += cell.is_proof ? 1 : 0;
    score_.improvements += cell.is_improvement() ? 1 : 0;
    score_.unoptimised = score_.unoptimised || cell.record->unoptimised;
    score_.peak_bytes = std::fmax(score_.peak_bytes, cell.record->cost.peak_bytes);
    shortfalls_.push_back(cell.shortfall());
    products_.push_back(cell.record->cost.products);
    seconds_.push_back(has_comparable_timing(*cell.record) ? cell.record->cost.solve_seconds
                                                           : kNotMeasured);
  }

  SolverScore score() const {
    SolverScore score = score_;
    score.median_shortfall = median_of(shortfalls_);
    score.worst_shortfall = shortfalls_.empty()
                                ? kNotMeasured
                                : *std::max_element(shortfalls_.begin(), shortfalls_.end());
    score.products = shifted_geometric_mean(products_, kShiftProducts);
    score.seconds = shifted_geometric_mean(seconds_, kShiftSeconds);
    return score;
  }

 private:
  SolverScore score_;
  std::vector<double> shortfalls_, products_, seconds_;
};

/// Returns the number as it is printed. NaN sorts last.
double or_last(double number) {
  return std::isnan(number) ? std::numeric_limits<double>::infinity() : as_printed(number);
}

bool is_before(const SolverScore& a, const SolverScore& b) {
  const auto rank = [](const SolverScore& score) {
    return std::tuple(score.of->generality, -static_cast<Index>(score.optima),
                      score.failures + score.not_applicable, or_last(score.worst_shortfall),
                      or_last(score.median_shortfall), or_last(score.seconds), score.solver);
  };
  return rank(a) < rank(b);
}

}  // namespace

double as_printed(double number) {
  return parse_number(significant_text(number, kScoreDigits)).value_or(number);
}

double shifted_geometric_mean(const std::vector<double>& numbers, double shift) {
  if (numbers.empty()) {
    return kNotMeasured;
  }
  double sum = 0;
  for (const double number : numbers) {
    sum += std::log1p(number / shift);  // exactly 0 for 0
  }
  return shift * std::expm1(sum / static_cast<double>(numbers.size()));
}

std::vector<SolverScore> solver_scores(const std::vector<BenchmarkCell>& cells) {
  std::map<std::pair<const InstanceClass*, std::string>, Sum> sums;
  for (const BenchmarkCell& cell : cells) {
    sums[{cell.known.of, cell.record->solver}].add(cell);
  }
  std::vector<SolverScore> scores;
  for (const auto& [key, sum] : sums) {
    scores.push_back(sum.score());
  }
  std::sort(scores.begin(), scores.end(), is_before);
  return scores;
}

}  // namespace spca
