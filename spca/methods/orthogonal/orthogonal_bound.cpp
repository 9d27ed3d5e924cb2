#include "spca/methods/orthogonal/orthogonal_bound.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "spca/algebra/covariance.h"
#include "spca/algebra/dense_decompositions.h"
#include "spca/algebra/dense_products.h"
#include "spca/algebra/dense_selections.h"
#include "spca/algebra/sparsify.h"
#include "spca/base/binomial.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/certified_search.h"

namespace spca {
namespace {

// So many supports are looked at one by one.
constexpr Index kMostEnumerated = 20'000;
// Of the supports looked at, those within this share of the best join the pool.
constexpr double kNearBest = 0.01;
constexpr std::size_t kMostJoining = 60;
// Supports beyond this leave the pool, the smallest first.
constexpr std::size_t kLargestPool = 500;
// The smoothing mu over the largest one-component value: first, last, and its fall.
constexpr double kFirstSmoothing = 0.03;
constexpr double kLastSmoothing = 1e-4;
constexpr double kSmoothingFall = 0.4;
constexpr int kMostSteps = 150;  // of L-BFGS between two oracles
constexpr std::size_t kMemory = 12;
// A step that gains less than this share of mu has ended.
constexpr double kSettled = 1e-5;
constexpr int kMostRounds = 400;
// Values of supports are sums of some k^2 products; the bound lies above them by this share of the
// largest.
constexpr double kRounding = 1e-10;

using Pool = std::vector<Support>;

/// S - LL'.
Matrix left_of(Matrix matrix, const Matrix& factor) {
  subtract_product_transposed(matrix, factor, factor);
  return matrix;
}

/// max(lambda_max) is sought for each cardinality once.
using Multiplicity = std::map<Index, double>;

Multiplicity multiplicity_of(const std::vector<Index>& cardinality) {
  Multiplicity result;
  for (const Index k : cardinality) {
    result[k] += 1;
  }
  return result;
}

/// Calls visit(support) for all supports of k of p variables, in lexicographic order, until it says
/// no.
template <class Visit>
bool for_all_supports(Index p, Index k, const Visit& visit) {
  Support support(static_cast<std::size_t>(k));
  std::iota(support.begin(), support.end(), Index{0});
  while (true) {
    if (!visit(support)) {
      return false;
    }
    Index place = k - 1;
    while (place >= 0 && support[static_cast<std::size_t>(place)] == p - k + place) {
      --place;
    }
    if (place < 0) {
      return true;
    }
    ++support[static_cast<std::size_t>(place)];
    for (Index next = place + 1; next < k; ++next) {
      support[static_cast<std::size_t>(next)] = support[static_cast<std::size_t>(next - 1)] + 1;
    }
  }
}

double largest_on(const Matrix& matrix, const Support& support) {
  return symmetric_eigenvalues(selected(matrix, support, support))[std::ssize(support) - 1];
}

/// The certified maximum of lambda_max(A_II), |I| = k, and what it met on the way.
struct OracleAnswer {
  double bound = std::numeric_limits<double>::infinity();
  Pool supports = {};  // good ones
};

using Scored = std::vector<std::pair<double, Support>>;

/// The largest values first.
void sort_by_value(Scored& scored) {
  std::stable_sort(scored.begin(), scored.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
}

Pool best_of(Scored scored, double margin) {
  sort_by_value(scored);
  Pool pool;
  for (auto& [value, support] : scored) {
    if (pool.size() == kMostJoining || value < scored[0].first - margin) {
      break;
    }
    pool.push_back(std::move(support));
  }
  return pool;
}

/// Local optima on A: ascents from each variable, and exchanges from the best.
Pool local_optima(const Matrix& matrix, Index k, double margin,
                  const std::function<bool()>& keep_going) {
  std::set<Support> met;
  Scored scored;
  const auto take = [&](const SupportAscent& ascent) {
    if (!ascent.support().empty() && met.insert(ascent.support()).second) {
      scored.emplace_back(ascent.value(), ascent.support());
    }
  };
  SupportAscent whole(matrix, k);
  whole.offer(top_k(matrix.diagonal(), k));
  for (Index j = 0; j < matrix.cols() && keep_going(); ++j) {
    SupportAscent ascent(matrix, k);
    ascent.ascend(matrix.col(j));
    take(ascent);
    if (!ascent.support().empty()) {
      whole.offer(ascent.support());
    }
  }
  whole.exchange([&](double) { return keep_going(); });
  take(whole);
  return best_of(std::move(scored), margin);
}

/// A + sigma I that is positive semidefinite, and sigma.
double shift_of(const Matrix& matrix) {
  const double least = symmetric_eigenvalues(matrix)[0];
  const double largest = largest_magnitude(matrix);
  return std::max(0.0, -least) + kRounding * largest;
}

OracleAnswer enumerate(const Matrix& matrix, Index k, double margin) {
  OracleAnswer answer{.bound = -std::numeric_limits<double>::infinity()};
  Scored scored;
  for_all_supports(matrix.rows(), k, [&](const Support& support) {
    const double value = largest_on(matrix, support);
    answer.bound = std::max(answer.bound, value);
    if (value >= answer.bound - margin) {
      scored.emplace_back(value, support);
    }
    return true;
  });
  answer.supports = best_of(std::move(scored), margin);
  answer.bound += kRounding * largest_magnitude(matrix);
  return answer;
}

/// By the searches of branch-bound on A + sigma I.
OracleAnswer search(const Matrix& matrix, Index k, double margin, Budget& budget) {
  const double shift = shift_of(matrix);
  Matrix shifted = matrix;
  shifted.diagonal().array() += shift;
  OracleAnswer answer;
  const double largest = symmetric_eigenvalues(shifted)[shifted.rows() - 1];
  const double rounding = kRounding * largest;
  answer.bound = largest - shift + rounding;
  answer.supports = local_optima(shifted, k, margin, [&] { return !budget.is_time_up(); });
  if (answer.supports.empty()) {
    return answer;
  }
  Support all(static_cast<std::size_t>(matrix.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const auto covariance = make_explicit_covariance(shifted);
  const Problem problem{.covariance = *covariance, .cardinality = {k}};
  const std::vector<std::string> no_feeds;
  Budget within(
      {.seconds = budget.seconds_left(), .iterations = std::numeric_limits<Index>::max()});
  CertifiedSearch tree(problem, no_feeds, all, shifted, answer.supports[0], within);
  while (!tree.is_finished() && within.next(tree.value())) {
    tree.advance();
  }
  if (!within.out_of_time() || tree.is_finished() || within.iterations() > 0) {
    answer.bound = std::min(answer.bound, tree.bound() - shift + rounding);
  }
  answer.supports.push_back(tree.support());
  return answer;
}

OracleAnswer certified_maximum(const Matrix& matrix, Index k, double margin, Budget& budget) {
  if (binomial(matrix.rows(), k) <= kMostEnumerated) {
    return enumerate(matrix, k, margin);
  }
  return search(matrix, k, margin, budget);
}

/// The smoothed model.
class Model {
 public:
  Model(const Matrix& matrix, const Multiplicity& multiplicity)
      : matrix_(matrix), multiplicity_(multiplicity) {}

  /// Returns whether the support is new.
  bool add(Index k, const Support& support) {
    if (!known_[k].insert(support).second) {
      return false;
    }
    pools_[k].push_back(support);
    return true;
  }
  Index size() const {
    Index size = 0;
    for (const auto& [k, pool] : pools_) {
      size += std::ssize(pool);
    }
    return size;
  }
  /// The value without smoothing.
  double value(const Matrix& factor) const {
    double total = factor.squaredNorm();
    for (const auto& [k, count] : multiplicity_) {
      double largest = -std::numeric_limits<double>::infinity();
      for (const Support& support : pools_.at(k)) {
        largest = std::max(largest, symmetric_eigenvalues(piece(factor, support))[k - 1]);
      }
      total += count * largest;
    }
    return total;
  }
  double smoothed(const Matrix& factor, double mu, Matrix& gradient) const;
  /// Leaves the supports of largest value in each pool.
  void trim(const Matrix& factor);
  void minimise(Matrix& factor, double mu, const std::function<bool()>& keep_going) const;

 private:
  Matrix piece(const Matrix& factor, const Support& support) const {
    return left_of(selected(matrix_, support, support), selected_rows(factor, support));
  }

  const Matrix& matrix_;
  const Multiplicity& multiplicity_;
  std::map<Index, Pool> pools_;
  std::map<Index, std::set<Support>> known_;
};

double Model::smoothed(const Matrix& factor, double mu, Matrix& gradient) const {
  gradient = 2 * factor;
  double total = factor.squaredNorm();
  for (const auto& [k, count] : multiplicity_) {
    const Pool& pool = pools_.at(k);
    std::vector<SymmetricEigenpairs> pairs;
    double largest = -std::numeric_limits<double>::infinity();
    for (const Support& support : pool) {
      pairs.push_back(symmetric_eigenpairs(piece(factor, support)));
      largest = std::max(largest, pairs.back().values[k - 1]);
    }
    double sum = 0;
    for (SymmetricEigenpairs& one : pairs) {
      one.values = ((one.values.array() - largest) / mu).exp();
      sum += one.values.sum();
    }
    total += count * (largest + mu * std::log(sum));
    for (std::size_t i = 0; i < pool.size(); ++i) {
      const SymmetricEigenpairs& one = pairs[i];
      if (one.values[k - 1] < 1e-14) {
        continue;
      }
      const Matrix along = transposed_product(one.vectors, selected_rows(factor, pool[i]));
      const Matrix change =
          matrix_product(scaled_columns(one.vectors, (-2 * count / sum) * one.values), along);
      for (Index row = 0; row < k; ++row) {
        gradient.row(pool[i][static_cast<std::size_t>(row)]) += change.row(row);
      }
    }
  }
  return total;
}

void Model::trim(const Matrix& factor) {
  for (auto& [k, pool] : pools_) {
    if (pool.size() <= kLargestPool) {
      continue;
    }
    Scored scored;
    for (Support& support : pool) {
      const double value = symmetric_eigenvalues(piece(factor, support))[k - 1];
      scored.emplace_back(value, std::move(support));
    }
    sort_by_value(scored);
    scored.resize(kLargestPool / 2);
    pool.clear();
    known_[k].clear();
    for (auto& [value, support] : scored) {
      known_[k].insert(support);
      pool.push_back(std::move(support));
    }
  }
}

/// L-BFGS with steps that fulfil Armijo's condition.
void Model::minimise(Matrix& factor, double mu, const std::function<bool()>& keep_going) const {
  struct Pair {
    Matrix step;
    Matrix change;
    double inverse = 0;
  };
  std::deque<Pair> memory;
  Matrix gradient;
  double value = smoothed(factor, mu, gradient);
  for (int iteration = 0; iteration < kMostSteps && keep_going(); ++iteration) {
    Matrix direction = -gradient;
    std::vector<double> weights(memory.size());
    for (std::size_t i = memory.size(); i-- > 0;) {
      weights[i] = memory[i].inverse * inner_product(memory[i].step, direction);
      direction -= weights[i] * memory[i].change;
    }
    if (!memory.empty()) {
      const Pair& last = memory.back();
      direction *= inner_product(last.step, last.change) / last.change.squaredNorm();
    }
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const double other = memory[i].inverse * inner_product(memory[i].change, direction);
      direction += (weights[i] - other) * memory[i].step;
    }
    // Where the model is flat, the memory may ask for a step that leaves all numbers behind.
    const double longest = 2 * (factor.norm() + std::sqrt(largest_magnitude(matrix_)));
    if (!(direction.norm() < longest)) {
      memory.clear();
      direction = -gradient;
    }
    double slope = inner_product(direction, gradient);
    if (!(slope < 0)) {
      memory.clear();
      direction = -gradient;
      slope = -gradient.squaredNorm();
    }
    double length = memory.empty() ? std::min(1.0, 0.1 * longest / gradient.norm()) : 1;
    Matrix next;
    Matrix next_gradient;
    double next_value = 0;
    bool is_lower = false;
    for (int halving = 0; halving < 20 && !is_lower; ++halving, length *= 0.5) {
      next = factor + length * direction;
      next_value = smoothed(next, mu, next_gradient);
      is_lower = next_value <= value + 1e-4 * length * slope;
    }
    if (!is_lower) {
      return;
    }
    Pair pair{.step = next - factor, .change = next_gradient - gradient};
    const double curvature = inner_product(pair.step, pair.change);
    if (curvature > 1e-12 * pair.step.norm() * pair.change.norm()) {
      pair.inverse = 1 / curvature;
      memory.push_back(std::move(pair));
      if (memory.size() > kMemory) {
        memory.pop_front();
      }
    }
    const double gain = value - next_value;
    factor = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
    if (gain < kSettled * mu) {
      return;
    }
  }
}

/// Half of (S - lambda_{r+1} I)_+, with a column more of small entries, so that the rank can rise.
Matrix first_factor(const Matrix& matrix, Index r) {
  const Index p = matrix.rows();
  const SymmetricEigenpairs pairs = symmetric_eigenpairs(matrix);
  const Index q = std::min(p, 2 * r + 2);
  const double rest = p > r ? pairs.values[p - r - 1] : 0;
  Matrix factor(p, q);
  const double least = 1e-2 * std::sqrt(std::max(pairs.values[p - 1], 0.0));
  for (Index j = 0; j < q; ++j) {
    const double value = 0.5 * std::max(pairs.values[p - 1 - j] - rest, 0.0);
    factor.col(j) = std::max(std::sqrt(value), least) * pairs.vectors.col(p - 1 - j);
  }
  return factor;
}

}  // namespace

double orthogonal_bound_at(const Matrix& matrix, const std::vector<Index>& cardinality,
                           const Matrix& factor, Budget& budget) {
  const Matrix left = left_of(matrix, factor);
  double total = factor.squaredNorm();
  for (const auto& [k, count] : multiplicity_of(cardinality)) {
    total += count * certified_maximum(left, k, 0, budget).bound;
  }
  return total;
}

OrthogonalBound orthogonal_bound(const Matrix& matrix, const std::vector<Index>& cardinality,
                                 const std::vector<Support>& known, double accuracy,
                                 Budget& budget) {
  const Index p = matrix.rows();
  const auto r = std::ssize(cardinality);
  const Multiplicity multiplicity = multiplicity_of(cardinality);
  const auto keep_going = [&] { return !budget.is_time_up(); };
  OrthogonalBound best;
  // Ky Fan's bound, which needs no search.
  const Vector values = symmetric_eigenvalues(matrix);
  best.value = values.tail(r).sum() + kRounding * std::abs(values[p - 1]);
  const double scale = std::max(values[p - 1], 0.0);
  if (!(scale > 0)) {
    return best;
  }
  Model model(matrix, multiplicity);
  // Returns f at L and whether the pool has grown.
  const auto ask = [&](const Matrix& factor) {
    const Matrix left = left_of(matrix, factor);
    double total = factor.squaredNorm();
    bool has_grown = false;
    for (const auto& [k, count] : multiplicity) {
      OracleAnswer answer = certified_maximum(left, k, kNearBest * scale, budget);
      total += count * answer.bound;
      for (const Support& support : answer.supports) {
        has_grown = model.add(k, support) || has_grown;
      }
    }
    ++best.oracles;
    if (total < best.value) {
      best.value = total;
      best.factor = factor;
    }
    return has_grown;
  };
  for (const Support& support : known) {
    const auto place = multiplicity.find(std::ssize(support));
    if (place != multiplicity.end()) {
      model.add(place->first, support);
    }
  }
  ask(Matrix::Zero(p, 0));
  Matrix factor = first_factor(matrix, r);
  double mu = kFirstSmoothing * scale;
  for (int round = 0; round < kMostRounds && budget.next(best.value); ++round) {
    model.minimise(factor, mu, keep_going);
    bool has_grown = false;
    const Matrix left = left_of(matrix, factor);
    const double before = model.value(factor);
    for (const auto& [k, count] : multiplicity) {
      if (binomial(p, k) > kMostEnumerated && keep_going()) {
        for (const Support& support : local_optima(left, k, kNearBest * scale, keep_going)) {
          has_grown = model.add(k, support) || has_grown;
        }
      }
    }
    // What the ascents found matters only if it lifts the model.
    if (has_grown && model.value(factor) > before + accuracy * best.value && keep_going()) {
      continue;
    }
    const double last = best.value;
    has_grown = ask(factor);
    model.trim(factor);
    if (mu > kLastSmoothing * scale) {
      mu *= kSmoothingFall;
    } else if (!has_grown || !(best.value < last * (1 - accuracy))) {
      break;
    }
  }
  best.supports = model.size();
  return best;
}

}  // namespace spca
