#include "spca/methods/packing/leader_bound.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "spca/methods/bounds/factored_covariance.h"

namespace spca {
namespace {

// Steps towards the best c and s.
constexpr int kSteps = 8;
// c stays below what a support must be worth by this share at least.
constexpr double kMostShift = 0.9;
// s stays above this share of the largest variance.
constexpr double kSmallestTangent = 1e-9;
// The part of a price that is paid in the sums of others: a of (1).
constexpr double kCharged = 0.12;

double squared(double x) { return x * x; }

}  // namespace

std::vector<LeaderPart> parts_by_leader(const Matrix& matrix) {
  const Vector variances = matrix.diagonal();
  Support order(static_cast<std::size_t>(variances.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return variances[a] > variances[b]; });
  std::vector<LeaderPart> parts;
  for (auto leader = order.begin(); leader != order.end(); ++leader) {
    LeaderPart part{.leader = *leader, .partners = Support(leader + 1, order.end())};
    std::sort(part.partners.begin(), part.partners.end());
    parts.push_back(std::move(part));
  }
  return parts;
}

LeaderBound::LeaderBound(const Matrix& matrix, const SupportPricing& pricing, Index k)
    : matrix_(matrix),
      pricing_(pricing),
      k_(k),
      scale_(matrix.diagonal().maxCoeff() > 0 ? matrix.diagonal().maxCoeff() : 1) {}

double LeaderBound::most_shift(const LeaderPart& part) const {
  return std::max(0.0, kMostShift * (pricing_.target + pricing_.prices[part.leader]));
}

/// Drops partners that no support of the part may hold. Returns false if no support is left.
bool LeaderBound::obey_rules(LeaderPart& part) const {
  if (!pricing_.rules.empty()) {
    std::vector<int> chosen = {static_cast<int>(part.leader)};
    std::vector<int> candidates(part.partners.begin(), part.partners.end());
    if (!pricing_.rules.apply(chosen, candidates) || std::ssize(chosen) > k_) {
      return false;
    }
    candidates.insert(candidates.end(), chosen.begin() + 1, chosen.end());
    std::sort(candidates.begin(), candidates.end());
    part.partners.assign(candidates.begin(), candidates.end());
  }
  return std::ssize(part.partners) >= k_ - 1;
}

/// `squares`: S_jl^2 of the partners.
LeaderBound::Worths LeaderBound::weigh(const LeaderPart& part, const Matrix& squares,
                                       const Tangent& tangent) const {
  const double c = tangent.shift;
  const double s = tangent.s;
  const auto count = std::ssize(part.partners);
  const Index others = k_ - 2;  // m - 1
  const double charged = others > 0 ? kCharged : 0;
  const Vector prices = pricing_.prices(part.partners);
  const Vector variances = matrix_.diagonal()(part.partners);
  const Vector with_leader = matrix_.col(part.leader)(part.partners).cwiseAbs2();
  const Vector paid = 2 * s * charged / static_cast<double>(std::max(others, Index{1})) * prices;
  const double leading = matrix_(part.leader, part.leader);
  Worths worths{.constant = c + s / 2 + squared(std::max(leading - c, 0.0)) / (2 * s) -
                            pricing_.prices[part.leader],
                .own = Vector(count),
                .pairs = Vector::Zero(count)};
  Vector terms(count);
  std::vector<std::pair<double, Index>> largest;  // a heap with the least on top
  for (Index j = 0; j < count; ++j) {
    terms = squares.col(j) - paid;
    terms[j] = -std::numeric_limits<double>::infinity();
    largest.assign(static_cast<std::size_t>(others), {-std::numeric_limits<double>::infinity(), 0});
    for (Index l = 0; l < count && others > 0; ++l) {
      if (terms[l] > largest.front().first) {
        std::pop_heap(largest.begin(), largest.end(), std::greater<>());
        largest.back() = {terms[l], l};
        std::push_heap(largest.begin(), largest.end(), std::greater<>());
      }
    }
    double sum = squared(variances[j] - c) + 2 * with_leader[j];
    for (const auto& [term, l] : largest) {
      sum += term;
      worths.pairs[j] += squares(l, j);
    }
    worths.own[j] = sum / (2 * s) - (1 - charged) * prices[j];
  }
  return worths;
}

/// For these m partners, of trace t and sum of squares f with the leader, c + sqrt(f - 2ct + kc^2) is
/// least at c = t / k - sqrt((f - t^2 / k) / (k (k - 1))), and s is the root. The mean with the last
/// ones keeps c and s from jumping.
LeaderBound::Tangent LeaderBound::next_tangent(const LeaderPart& part, const Worths& worths,
                                               const Support& best, const Tangent& tangent) const {
  const auto k = static_cast<double>(k_);
  double trace = matrix_(part.leader, part.leader);
  double sum = squared(trace);
  for (const Index t : best) {
    const Index j = part.partners[static_cast<std::size_t>(t)];
    trace += matrix_(j, j);
    sum += squared(matrix_(j, j)) + 2 * squared(matrix_(j, part.leader)) + worths.pairs[t];
  }
  const double spread = std::max(sum - squared(trace) / k, 0.0);
  const double shift =
      std::clamp(trace / k - std::sqrt(spread / (k * (k - 1))), 0.0, most_shift(part));
  const double s = std::sqrt(std::max(sum - 2 * shift * trace + k * squared(shift), 0.0));
  return {.shift = (tangent.shift + shift) / 2,
          .s = std::max((tangent.s + s) / 2, kSmallestTangent * scale_)};
}

/// (1) at one c and s, which then move. Returns whether the part is open.
bool LeaderBound::drop_by(LeaderPart& part, const Matrix& squares, Tangent& tangent) const {
  const Worths worths = weigh(part, squares, tangent);
  Support best(part.partners.size());
  std::iota(best.begin(), best.end(), Index{0});
  std::nth_element(best.begin(), best.begin() + (k_ - 2), best.end(),
                   [&](Index a, Index b) { return worths.own[a] > worths.own[b]; });
  best.resize(static_cast<std::size_t>(k_ - 1));
  const double last = worths.own[best.back()];
  const double rounding = kBoundRounding * scale_;
  const double total = worths.constant + worths.own(best).sum() + rounding;
  part.bound = std::min(part.bound, total);
  if (!(part.bound > pricing_.target)) {
    return false;
  }
  tangent = next_tangent(part, worths, best, tangent);
  Support kept;
  for (Index j = 0; j < worths.own.size(); ++j) {
    if (worths.own[j] >= last || total - last + worths.own[j] > pricing_.target) {
      kept.push_back(part.partners[static_cast<std::size_t>(j)]);
    }
  }
  part.partners = std::move(kept);
  return true;
}

bool LeaderBound::reduce(LeaderPart& part) const {
  bool is_open = obey_rules(part);
  if (is_open && k_ == 1) {
    part.partners.clear();
    part.bound = matrix_(part.leader, part.leader) - pricing_.prices[part.leader];
    return part.bound > pricing_.target;
  }
  Tangent tangent{
      .shift = most_shift(part) / 2,
      .s = std::max(pricing_.target + pricing_.prices[part.leader], kSmallestTangent * scale_)};
  Matrix squares;
  for (int step = 0; step < kSteps && is_open; ++step) {
    if (squares.rows() != std::ssize(part.partners)) {
      squares = matrix_(part.partners, part.partners).cwiseAbs2();
    }
    is_open = drop_by(part, squares, tangent) && obey_rules(part);
  }
  if (!is_open) {
    part.bound = std::min(part.bound, pricing_.target);
  }
  return is_open;
}

}  // namespace spca
