#include "spca/methods/packing/leader_search.h"

#include <algorithm>

#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

// So many parts are searched by turns: each holds tables of its own. If there are more, those of
// smallest bound come first: they end soonest.
constexpr std::size_t kMostLive = 48;
// Points kept as hints take so many bytes.
constexpr double kMostHintBytes = 4e8;

double bytes_of(const RelaxationCertificate& certificate) {
  double entries = 0;
  for (const RelaxationCertificate::Node& node : certificate.nodes) {
    for (const auto& point : node.points) {
      entries += static_cast<double>(point->y.size());
    }
  }
  return sizeof(double) * entries;
}

/// Null if the relaxation has not begun.
std::shared_ptr<const RelaxationCertificate> certificate_of(const SearchByTurns& search) {
  const RelaxationTree* relaxations = search.relaxations();
  return relaxations != nullptr && relaxations->has_begun() ? relaxations->certificate() : nullptr;
}

}  // namespace

/// A part that is not closed. Its matrix is formed and its search begins if its turn comes.
struct LeaderSearch::Part {
  double bound = 0;
  LeaderPart family;
  Support variables = {};  // the leader and the partners, ascending
  Matrix matrix = Matrix();
  SupportPricing pricing = {};  // among the variables
  Support start = {};
  std::unique_ptr<SearchByTurns> search = nullptr;
};

LeaderSearch::LeaderSearch(const Matrix& matrix, SupportPricing pricing, Index k,
                           std::function<bool()> keep_going)
    : matrix_(matrix),
      pricing_(std::move(pricing)),
      k_(k),
      keep_going_(std::move(keep_going)),
      bound_(matrix_, pricing_, k_),
      closed_bound_(pricing_.target) {}

LeaderSearch::~LeaderSearch() = default;

void LeaderSearch::begin(const LeaderHints& hints) {
  for (LeaderPart& family : parts_by_leader(matrix_)) {
    if (!keep_going_()) {
      return;  // it bounds nothing
    }
    if (!bound_.reduce(family)) {
      continue;
    }
    auto part = std::make_unique<Part>();
    part->family = std::move(family);
    part->bound = part->family.bound;
    const auto hint = hints.find(part->family.leader);
    if (hint != hints.end() && hint->second != nullptr) {
      form(*part);
      take_hint(*part, *hint->second);
    }
    if (part->bound > pricing_.target) {
      waiting_.push(std::move(part));
    }
  }
  has_begun_ = true;
}

/// S, the prices and the rules among the variables of the part, and a support to begin with: where
/// the step of priced_supports.h leads from the leader.
void LeaderSearch::form(Part& part) const {
  const Index leader = part.family.leader;
  part.variables = part.family.partners;
  part.variables.insert(std::lower_bound(part.variables.begin(), part.variables.end(), leader),
                        leader);
  part.matrix = principal_submatrix(matrix_, part.variables);
  part.pricing.prices = pricing_.prices(part.variables);
  part.pricing.target = pricing_.target;
  std::vector<Index> barred;  // none: LeaderBound has dropped those whose partner is gone
  PairRules rules = pricing_.rules;
  rules.required.push_back(leader);
  part.pricing.rules = rules.among(part.variables, barred);
  std::vector<std::pair<double, Index>> scores;
  const double variance = std::max(matrix_(leader, leader), std::numeric_limits<double>::min());
  for (const Index j : part.family.partners) {
    const double entry = matrix_(j, leader);
    scores.emplace_back(pricing_.prices[j] - entry * entry / variance, j);
  }
  std::stable_sort(scores.begin(), scores.end());
  Support start = {leader};
  for (Index t = 0; t < k_ - 1; ++t) {
    start.push_back(scores[static_cast<std::size_t>(t)].second);
  }
  std::sort(start.begin(), start.end());
  part.start = positions_among(part.variables, start);
}

void LeaderSearch::take_hint(Part& part, const RelaxationCertificate& hint) const {
  if (std::ssize(hint.support) != k_ || !(part.matrix.diagonal().maxCoeff() > 0)) {
    return;
  }
  const auto factor = factor_covariance(part.matrix, keep_going_);
  if (factor != nullptr) {
    part.bound = std::min(part.bound, hint.bound(*factor, part.pricing, keep_going_));
  }
}

/// The part whose turn it is.
std::unique_ptr<LeaderSearch::Part> LeaderSearch::next_part() {
  const bool is_live =
      !live_.empty() && (waiting_.empty() || live_.largest_bound() >= waiting_.largest_bound());
  if (is_live) {
    return live_.pop_largest();
  }
  return live_.size() >= kMostLive ? live_.pop_smallest() : waiting_.pop_largest();
}

void LeaderSearch::advance() {
  std::unique_ptr<Part> part = next_part();
  const double before = part->search != nullptr ? part->search->work() : 0;
  if (part->search == nullptr) {
    if (part->variables.empty()) {
      form(*part);
    }
    part->search =
        std::make_unique<SearchByTurns>(part->matrix, part->start, part->pricing, keep_going_);
  } else {
    part->search->advance(1, keep_going_);
  }
  const SearchByTurns& search = *part->search;
  work_ += search.work() - before;
  if (search.value() > value_) {
    value_ = search.value();
    support_ = take_from(part->variables, search.support());
  }
  part->bound = std::min(part->bound, search.bound());
  if (!search.is_finished()) {
    live_.push(std::move(part));
    return;
  }
  closed_bound_ = std::max(closed_bound_, part->bound);
  keep_hint(*part, hints_, hint_bytes_);
}

double LeaderSearch::bound() const {
  if (!has_begun_) {
    return std::numeric_limits<double>::infinity();
  }
  double bound = closed_bound_;
  for (const OpenNodes<Part>* parts : {&waiting_, &live_}) {
    bound = parts->empty() ? bound : std::max(bound, parts->largest_bound());
  }
  return bound;
}

/// A part without a hint is searched by whoever checks it.
void LeaderSearch::keep_hint(const Part& part, LeaderHints& hints, double& bytes) {
  const auto certificate = certificate_of(*part.search);
  if (certificate == nullptr) {
    return;
  }
  const double size = bytes_of(*certificate);
  if (bytes + size <= kMostHintBytes) {
    hints[part.family.leader] = certificate;
    bytes += size;
  }
}

LeaderHints LeaderSearch::hints() const {
  LeaderHints hints = hints_;
  double bytes = hint_bytes_;
  live_.for_each([&](const Part& part) { keep_hint(part, hints, bytes); });
  return hints;
}

}  // namespace spca
