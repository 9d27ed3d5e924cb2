#include "spca/methods/bounds/data_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spca/dense/dense_selections.h"
#include "spca/methods/ascent/anytime_search.h"
#include "spca/methods/bounds/data_factor.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// At most this number of variables for a pass over all columns of S.
constexpr Index kMostInPass = 30'000;
// Number of blocks of columns between two steps of the root, which take about as long, and later
// in one call of advance().
constexpr int kBlocksBetweenSteps = 32;
// Number of bytes that the tables of S take for each entry of S.
constexpr double kTableBytes = 40;
// Number of rounds without gain after which the hops end if there is no time limit.
constexpr Index kHopsWithoutGain = 40;

std::unique_ptr<BestSupport> best_from(const Covariance& covariance, const Support& support) {
  auto best = std::make_unique<BestByProducts>(covariance, std::ssize(support));
  best->consider(support);
  return best;
}

}  // namespace

Index max_samples_searched(Index max_variables) {
  const double bytes_of_sample = static_cast<double>(kLargestSpace) * sizeof(double);
  return std::max(kFewSamples,
                  static_cast<Index>(kTableBytes * max_entries(max_variables) / bytes_of_sample));
}

DataSearch::DataSearch(const Problem& problem, const std::vector<std::string>& feeds,
                       Index max_variables, const Support& support, Budget& budget)
    : problem_(problem),
      feeds_(feeds),
      max_variables_(max_variables),
      budget_(budget),
      best_(best_from(problem.covariance, support)),
      squares_(problem.covariance, support),
      start_(support) {}

void DataSearch::begin() {
  const Covariance& covariance = problem_.covariance;
  if (!covariance.has_data_form()) {
    begin_without_data();
  } else if (covariance.samples() <= max_samples_searched(max_variables_)) {
    plant();
  }
  if (tree_ == nullptr) {
    return;
  }
  bool is_first = true;
  tree_->begin([this, &is_first] {
    // Computes the first bound of the relaxation before the pass.
    if (!std::exchange(is_first, false) && has_pass()) {
      go_on_with_pass();
    }
    return budget_.next(value());
  });
}

/// Factors S if possible, and makes the tree.
void DataSearch::plant() {
  std::unique_ptr<DataFactor> factor = factor_beyond(
      problem_.covariance, max_entries(max_variables_), [this] { return budget_.next(); });
  if (factor != nullptr) {
    tree_ = std::make_unique<RelaxationTree>(std::move(factor), std::move(best_));
  }
}

/// The factor may take long, so the other bounds come first.
void DataSearch::begin_without_data() {
  while (has_pass() && budget_.next(value())) {
    go_on_with_pass();
  }
  if (!is_finished() && budget_.next(value())) {
    feed();
  }
  budget_.begin_loop();
  if (!is_finished() && !budget_.is_time_up()) {
    plant();
  }
}

bool DataSearch::has_pass() const {
  return problem_.covariance.variables() <= kMostInPass && !squares_.is_complete();
}

void DataSearch::go_on_with_pass() {
  for (int block = 0; block < kBlocksBetweenSteps && !budget_.is_time_up(); ++block) {
    squares_.advance(1);
  }
}

bool DataSearch::is_finished() const {
  return (tree_ && tree_->is_finished()) || bound() <= value() * (1 + kBoundRounding);
}

double DataSearch::tree_bound() const {
  return tree_ ? tree_->bound() : std::numeric_limits<double>::infinity();
}

double DataSearch::bound() const {
  return tree_ && tree_->is_finished()
             ? value()
             : std::max(std::min({tree_bound(), squares_.bound(), fed_bound_}), value());
}

Support DataSearch::variables_left() const {
  if (tree_) {
    return tree_->variables_left();
  }
  return all_variables(problem_.covariance.variables());
}

void DataSearch::consider(const Support& support) {
  tree_ ? tree_->consider(support) : best_->consider(support);
}

void DataSearch::advance() {
  if (has_pass()) {
    go_on_with_pass();
  } else if (!is_fed_) {
    feed();
  } else if (tree_) {
    tree_->advance(problem_.threads, [this] { return !budget_.is_time_up(); });
  } else {
    hop();
  }
}

/// Improves the best support when no better bound is available.
void DataSearch::hop() {
  const bool is_limited = std::isfinite(budget_.seconds_left());
  const AnytimeAnswer answer =
      anytime_search(problem_, {.rounds = 0, .patience = is_limited ? 0 : kHopsWithoutGain},
                     {best_on_support(problem_.covariance, support()).component}, budget_);
  if (answer.component.cardinality() == problem_.cardinality[0]) {
    consider(answer.component.support);
  }
  is_exhausted_ = true;
}

void DataSearch::limit(double bound, std::shared_ptr<const BoundCertificate> certificate) {
  fed_bound_ = std::min(fed_bound_, bound);
  fed_.push_back(std::move(certificate));
}

/// Asks the other solvers. Uses a bound only as far as its certificate, checked here, proves it.
void DataSearch::feed() {
  is_fed_ = true;
  const OtherAnswers answers = ask_others(problem_, feeds_, budget_);
  append_note(answers.note, note_);
  for (const Solution& solution : answers.solutions) {
    Support support = solution.components[0].support;
    if (std::ssize(support) == problem_.cardinality[0]) {
      consider(support);
    }
    const CheckedFeed feed = check_feed(problem_, solution, budget_);
    append_note(feed.note, note_);
    if (std::isfinite(feed.bound)) {
      fed_bound_ = std::min(fed_bound_, feed.bound);
      fed_.push_back(solution.certificate);
    }
  }
}

std::vector<std::shared_ptr<const RelaxationPoint>> DataSearch::root_points() const {
  if (!tree_) {
    return {};
  }
  return tree_->certificate()->nodes.at(0).points;
}

std::vector<std::pair<std::string, double>> DataSearch::facts() const {
  return {{"value", value()},
          {"bound", bound()},
          {"gap", std::max(0.0, bound() / value() - 1)},
          {"relaxation_nodes", tree_ ? static_cast<double>(tree_->nodes()) : 0},
          {"relaxation_work", tree_ ? tree_->work() : 0},
          {"variables_left", static_cast<double>(variables_left().size())}};
}

std::shared_ptr<const BoundCertificate> DataSearch::certificate(
    const EliminationCertificate& elimination) const {
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->max_variables = max_variables_;
  if (tree_ && tree_->bound() <= squares_.bound()) {
    certificate->by_data = tree_->certificate();
  } else if (squares_.is_complete()) {
    certificate->squares_on = start_;
  } else {
    certificate->elimination = elimination;
  }
  certificate->fed = fed_;
  return certificate;
}

}  // namespace spca
