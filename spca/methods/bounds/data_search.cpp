#include "spca/methods/bounds/data_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "spca/methods/bounds/data_factor.h"

namespace spca {
namespace {

// Largest p for which every column of S is looked at.
constexpr Index kMostInPass = 30'000;
// Blocks of columns between two steps of the root, which take about as long, and after it between
// two looks at the clock.
constexpr int kBlocksBetweenSteps = 32;

std::unique_ptr<BestSupport> best_from(const Covariance& covariance, const Support& support) {
  auto best = std::make_unique<BestByProducts>(covariance, std::ssize(support));
  best->offer(support);
  return best;
}

}  // namespace

DataSearch::DataSearch(const Problem& problem, const std::vector<std::string>& feeds, Index most,
                       const Support& support, Budget& budget)
    : problem_(problem),
      feeds_(feeds),
      most_(most),
      budget_(budget),
      tree_(std::make_unique<DataFactor>(problem.covariance, most_entries(most)),
            best_from(problem.covariance, support)),
      squares_(problem.covariance, support),
      start_(support) {}

void DataSearch::begin() {
  bool is_first = true;
  tree_.begin([this, &is_first] {
    // The first bound of the relaxation comes before the pass.
    if (!std::exchange(is_first, false) && has_pass()) {
      go_on_with_pass();
    }
    return budget_.next(tree_.value());
  });
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
  return tree_.is_finished() || bound() <= value() * (1 + kBoundRounding);
}

double DataSearch::bound() const {
  return tree_.is_finished()
             ? value()
             : std::max(std::min({tree_.bound(), squares_.bound(), fed_bound_}), value());
}

void DataSearch::advance() {
  if (has_pass()) {
    go_on_with_pass();
  } else if (!is_fed_) {
    feed();
  } else {
    tree_.advance(problem_.threads, [this] { return !budget_.is_time_up(); });
  }
}

/// A bound counts only as its certificate, checked here, gives it.
void DataSearch::feed() {
  is_fed_ = true;
  for (const Solution& solution : ask_others(problem_, feeds_, budget_)) {
    Support support = solution.components[0].support;
    if (std::ssize(support) == problem_.cardinality[0]) {
      tree_.offer(support);
    }
    if (solution.certificate != nullptr && !budget_.is_time_up()) {
      Budget check(
          {.seconds = budget_.seconds_left(), .iterations = std::numeric_limits<Index>::max()});
      fed_bound_ = std::min(fed_bound_, solution.certificate->check(
                                            problem_.covariance, problem_.cardinality[0], check));
      fed_.push_back(solution.certificate);
    }
  }
}

std::vector<std::shared_ptr<const RelaxationPoint>> DataSearch::root_points() const {
  return tree_.certificate()->nodes.at(0).points;
}

std::vector<std::pair<std::string, double>> DataSearch::facts() const {
  return {{"value", value()},
          {"bound", bound()},
          {"gap", bound() / value() - 1},
          {"relaxation_nodes", static_cast<double>(tree_.nodes())},
          {"relaxation_work", tree_.work()},
          {"variables_left", static_cast<double>(variables_left().size())}};
}

std::shared_ptr<const BoundCertificate> DataSearch::certificate() const {
  auto certificate = std::make_shared<SearchCertificate>();
  certificate->support = support();
  certificate->most = most_;
  if (squares_.bound() < tree_.bound()) {
    certificate->squares_on = start_;
  } else {
    certificate->by_data = tree_.certificate();
  }
  certificate->fed = fed_;
  return certificate;
}

}  // namespace spca
