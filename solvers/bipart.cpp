/// Several sparse components with disjoint supports at once, by bipartite matchings.
///
/// Problem  maximise Tr(V'SV)  s.t. ||v_j||_2 = 1, ||v_j||_0 <= k_j, disjoint supports, on an
///          approximation S_d = V V' of rank d to S (`sketch`)
/// Step     for r unit directions C of the span (d x r) the supports are the assignment of
///          variables to components that maximises sum_j ||(V C_j)_{I_j}||^2; they are scored on S
/// Start    `directions`: net tries every C whose columns are of an epsilon/2-net of the
///          half-sphere (c and -c give the same); random draws them from the sphere
/// Stops    when the net is done or `draws` are made, unless time runs out before. A large `draws`
///          with a time limit is the search that the paper ran
/// Cost     a candidate takes O(p' d r) and an assignment (spca/dense/assignment.h), p' the rows
///          of V long enough to matter. A score on S takes r eigenproblems of k x k, and for each
///          new variable a product of S with one variable
/// Bound    Theorem 1: over the net, with the value on S_d, (1 - epsilon) of the best on S_d.
///          Theorem 2: on S at most 2 sum_j lambda_max,k_j(S - S_d) less than that share, which is
///          at most 2 r ||S - S_d|| (Remark 3.1). If S - S_d is positive semidefinite, as for the
///          sketch svd, at most the sum of its r largest eigenvalues less (Remark 9.2).
///          Theorem 3, by equation (35): at most 2 max |S - S_d|_ij sum_j k_j less. The facts hold
///          all of them, with the resulting bounds on the optimum
/// Source   Asteris, Papailiopoulos, Kyrillidis, Dimakis, Sparse PCA via bipartite matchings, NIPS
///          2015: Algorithms 1 to 4, Theorems 1 to 3
/// Differs  the paper keeps the best candidate on the sketch (`score` low-rank), and by Algorithm 2
///          its loadings are W_I at unit length (`score` printed). Here candidates are scored on S,
///          and each component is the best on its support. A candidate that cannot be the best on S
///          is not scored: a support's value there is at most that on S_d plus lambda_{d+1}, and at
///          most the sum of its variances. Columns of equal cardinality are tried in one order
///          only. Candidates come in batches of one size, so that the answer does not depend on the
///          threads

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>

#include "spca/base/parallel.h"
#include "spca/base/random.h"
#include "spca/base/sha256.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/leading_eigenpair.h"
#include "spca/methods/joint/disjoint.h"
#include "spca/methods/joint/padding.h"
#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"
#include "spca/spectrum/sketch.h"

namespace spca::solver_bipart {
namespace {

struct BipartOptions {
  Index rank = 4;
  std::string sketch = "svd";
  std::string directions = "random";
  Index draws = 2000;
  double epsilon = 0.5;
  Index largest_net = 10'000'000;
  std::string score = "covariance";

  void describe(OptionVisitor& visit) {
    visit("rank", rank, "d, the rank of the sketch", between(1, 64));
    visit("sketch", sketch, "approximation of S", {"svd", "randomised-svd", "gaussian"});
    visit("directions", directions, "source of the directions C", {"random", "net"});
    visit("draws", draws, "random: number of C drawn", at_least(1));
    visit("epsilon", epsilon, "net: relative accuracy on the sketch",
          {.minimum = 0, .maximum = 1, .minimum_excluded = true, .maximum_excluded = true});
    visit("largest_net", largest_net, "net: skip the solve if there are more C than this",
          at_least(1));
    visit("score", score,
          "objective of the answer: the value on S, on the sketch, or on the sketch with the "
          "loadings W_I that Algorithm 2 returns (printed)",
          {"covariance", "low-rank", "printed"});
  }
};

// Number of candidates between two checks of the clock, and number that share one thread's memory.
constexpr std::size_t kBatch = 64;
constexpr std::size_t kChunk = 8;
// Two eigenvalues with a smaller relative difference are equal up to rounding.
constexpr double kRounding = 1e-12;
// At most this number of variables for reading all entries of S - S_d: p^2 (d + 1) operations.
constexpr Index kMostEntries = 2000;
constexpr Index kColumnsAtOnce = 64;

/// Returns an epsilon/2-net of the unit half-sphere in R^d, d x N. Its points are the middles of
/// the cells of a grid on d faces of the cube [-1, 1]^d, m to an edge, made unit. A point of a face
/// is within sqrt(d - 1) / m of such a middle. Bringing both to the sphere, which lies inside the
/// cube, brings them no further apart.
Matrix half_sphere_net(Index d, double epsilon) {
  const double root = std::sqrt(static_cast<double>(d - 1));
  const auto m = std::max<Index>(1, static_cast<Index>(std::ceil(2 * root / epsilon)));
  const auto face = static_cast<Index>(std::pow(m, d - 1));
  Matrix net(d, d * face);
  for (Index axis = 0; axis < d; ++axis) {
    for (Index cell = 0; cell < face; ++cell) {
      auto point = net.col(axis * face + cell);
      Index rest = cell;
      for (Index a = 0; a < d; ++a) {
        point[a] =
            a == axis ? 1 : (2 * static_cast<double>(rest % m) + 1) / static_cast<double>(m) - 1;
        rest /= a == axis ? 1 : m;
      }
      point.normalize();
    }
  }
  return net;
}

/// The number of columns of that net, as a double, because it may exceed the range of Index.
double net_points(Index d, double epsilon) {
  const double m = std::max(1.0, std::ceil(2 * std::sqrt(static_cast<double>(d - 1)) / epsilon));
  return static_cast<double>(d) * std::pow(m, static_cast<double>(d - 1));
}

/// Returns the number of choices of NetDirections: of m neighbouring columns of equal cardinality
/// only the C(points + m - 1, m) ascending ones count.
double net_choices(double points, const std::vector<Index>& cardinality) {
  double count = 1;
  double in_a_row = 0;
  for (std::size_t j = 0; j < cardinality.size(); ++j) {
    in_a_row = j > 0 && cardinality[j] == cardinality[j - 1] ? in_a_row + 1 : 1;
    count *= (points + in_a_row - 1) / in_a_row;
  }
  return count;
}

/// Generates the matrices C one after the other.
class Directions {
 public:
  virtual ~Directions() = default;
  /// Returns false if there are no more.
  virtual bool next(Matrix& directions) = 0;
};

class RandomDirections final : public Directions {
 public:
  RandomDirections(const Problem& problem, Index rank, Index draws)
      : seed_(problem.seed), draws_(draws), c_(rank, problem.components) {}

  bool next(Matrix& directions) override {
    if (drawn_ == draws_) {
      return false;
    }
    Random random(hash64(fmt::format("{}/draw {}", seed_, drawn_++)));
    for (double& entry : c_.reshaped()) {
      entry = random.normal();
    }
    directions = c_.colwise().normalized();
    return true;
  }

 private:
  std::uint64_t seed_;
  Index draws_;
  Index drawn_ = 0;
  Matrix c_;
};

/// Every choice of r points of the net; among neighbouring columns of equal cardinality only those
/// in ascending order.
class NetDirections final : public Directions {
 public:
  NetDirections(Matrix net, std::vector<Index> cardinality)
      : net_(std::move(net)),
        cardinality_(std::move(cardinality)),
        chosen_(cardinality_.size(), 0) {}

  bool next(Matrix& directions) override {
    if (done_) {
      return false;
    }
    directions = selected_columns(net_, chosen_);
    std::size_t j = chosen_.size();
    // The next tuple in lexicographic order. After position j - 1 is raised, the later columns
    // start at its point if their cardinality is equal, because (c, c') and (c', c) give the same
    // supports.
    while (j > 0 && chosen_[j - 1] + 1 == net_.cols()) {
      --j;
    }
    done_ = j == 0;
    if (!done_) {
      ++chosen_[j - 1];
      for (std::size_t i = j; i < chosen_.size(); ++i) {
        chosen_[i] = cardinality_[i] == cardinality_[i - 1] ? chosen_[i - 1] : 0;
      }
    }
    return true;
  }

 private:
  Matrix net_;
  std::vector<Index> cardinality_;
  std::vector<Index> chosen_;
  bool done_ = false;
};

/// FNV-1a over the indices, each component ended by a mark. If two candidates have the same hash,
/// which happens once in 2^64 pairs, the second may be lost.
std::uint64_t hash_of(const std::vector<Support>& supports) {
  std::uint64_t hash = 14695981039346656037U;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211U; };
  for (const Support& support : supports) {
    for (const Index i : support) {
      add(static_cast<std::uint64_t>(i));
    }
    add(std::numeric_limits<std::uint64_t>::max());
  }
  return hash;
}

struct Candidate {
  Matrix directions;
  std::vector<Support> supports;
  std::vector<double> values;  // on S_d, by component
  double low_rank = 0;         // their sum
  double score = 0;            // on S if it was computed, otherwise 0
};

class BipartSearch {
 public:
  BipartSearch(const Problem& problem, const BipartOptions& options, const LowRank& low_rank)
      : problem_(problem),
        low_rank_(low_rank),
        on_covariance_(options.score == "covariance"),
        by_directions_(options.score == "printed"),
        known_(problem.covariance),
        assignments_(kBatch / kChunk, SpanAssignment(low_rank.factor, problem.cardinality)) {}

  void run(Directions& directions, Budget& budget);
  const Candidate& best() const { return best_; }
  double best_low_rank() const { return best_low_rank_; }
  double tried() const { return tried_; }
  double scored() const { return scored_; }
  bool is_complete() const { return is_complete_; }

 private:
  void find_supports(std::vector<Candidate>& batch);
  void score(std::vector<Candidate>& batch);
  double value_by_directions(const Candidate& candidate) const;
  double bound(const Candidate& candidate, std::size_t j) const;
  double score_on_covariance(const Candidate& candidate, double floor) const;

  const Problem& problem_;
  const LowRank& low_rank_;
  bool on_covariance_;
  bool by_directions_;  // the value on S_d is that of Algorithm 2's loadings
  KnownSubmatrix known_;
  std::vector<SpanAssignment> assignments_;
  std::unordered_set<std::uint64_t> seen_;  // hashes of the candidates that were scored
  Candidate best_;
  double best_low_rank_ = 0;
  double tried_ = 0;
  double scored_ = 0;
  bool is_complete_ = false;
};

void BipartSearch::run(Directions& directions, Budget& budget) {
  std::vector<Candidate> batch;
  while (!is_complete_ && budget.next(best_.score)) {
    batch.resize(kBatch);
    std::size_t count = 0;
    while (count < kBatch && directions.next(batch[count].directions)) {
      ++count;
    }
    is_complete_ = count < kBatch;
    batch.resize(count);
    find_supports(batch);
    score(batch);
    tried_ += static_cast<double>(count);
  }
}

void BipartSearch::find_supports(std::vector<Candidate>& batch) {
  const std::size_t chunks = (batch.size() + kChunk - 1) / kChunk;
  parallel_for(chunks, problem_.threads, [&](std::size_t chunk) {
    for (std::size_t i = chunk * kChunk; i < std::min(batch.size(), (chunk + 1) * kChunk); ++i) {
      Candidate& candidate = batch[i];
      candidate.supports = assignments_[chunk].solve(candidate.directions);
      candidate.values.clear();
      candidate.low_rank = 0;
      candidate.score = 0;
      for (const Support& support : candidate.supports) {
        candidate.values.push_back(low_rank_value(low_rank_.factor, support));
        candidate.low_rank += candidate.values.back();
      }
    }
  });
}

void BipartSearch::score(std::vector<Candidate>& batch) {
  if (!on_covariance_) {
    for (Candidate& candidate : batch) {
      candidate.score = by_directions_ ? value_by_directions(candidate) : candidate.low_rank;
    }
  } else {
    std::vector<std::size_t> promising;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      double upper = 0;
      for (std::size_t j = 0; j < batch[i].supports.size(); ++j) {
        upper += bound(batch[i], j);
      }
      if (upper * (1 + kRounding) > best_.score &&
          seen_.insert(hash_of(batch[i].supports)).second) {
        promising.push_back(i);
        known_.learn(batch[i].supports);
      }
    }
    scored_ += static_cast<double>(promising.size());
    // The floor is fixed for the batch: a floor that rose within the batch would depend on the
    // timing of the threads.
    const double floor = best_.score;
    parallel_for(promising.size(), problem_.threads, [&](std::size_t i) {
      batch[promising[i]].score = score_on_covariance(batch[promising[i]], floor);
    });
  }
  for (const Candidate& candidate : batch) {
    best_low_rank_ = std::max(best_low_rank_, candidate.low_rank);
    if (candidate.score > best_.score) {
      best_ = candidate;
    }
  }
}

/// Tr(X'S_d X) for the X of Algorithm 2, which line 8 of Algorithm 1 maximises.
double BipartSearch::value_by_directions(const Candidate& candidate) const {
  double sum = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    const Component x = loadings_of_direction(low_rank_.factor, candidate.supports[j],
                                              candidate.directions.col(static_cast<Index>(j)));
    if (!x.support.empty()) {
      sum += (low_rank_.factor(x.support, Eigen::all).transpose() * x.values).squaredNorm();
    }
  }
  return sum;
}

/// Bounds lambda_max(S_II) from above, I the j-th support: by its value on S_d, and by Tr S_II less
/// the other eigenvalues, which are not below -sigma if S + sigma I is positive semidefinite.
double BipartSearch::bound(const Candidate& candidate, std::size_t j) const {
  const Support& support = candidate.supports[j];
  const auto others = static_cast<double>(std::max(std::ssize(support) - 1, Index{0}));
  return std::min(candidate.values[j] + low_rank_.residual,
                  problem_.covariance.diagonal()(support).sum() +
                      others * problem_.covariance.semidefinite_shift());
}

/// Returns the score, or 0 as soon as it is known to be no more than `floor`. `open` bounds what
/// the supports not yet scored can add.
double BipartSearch::score_on_covariance(const Candidate& candidate, double floor) const {
  double open = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    open += bound(candidate, j);
  }
  double sum = 0;
  for (std::size_t j = 0; j < candidate.supports.size(); ++j) {
    if ((sum + open) * (1 + kRounding) <= floor) {
      return 0;
    }
    const Support& support = candidate.supports[j];
    open -= bound(candidate, j);
    if (!support.empty()) {
      // V_I c_j is the leading direction on S_d, and near that on S.
      const Vector start = times_vector(selected_rows(low_rank_.factor, support),
                                        candidate.directions.col(static_cast<Index>(j)));
      sum += leading_eigenpair(known_.submatrix(support), start).value;
    }
  }
  return sum;
}

/// max |S_ij - v_i'v_j|, or NaN if there are too many variables to read.
double largest_entry_error(const Covariance& covariance, const Matrix& factor) {
  const Index p = covariance.variables();
  if (p > kMostEntries) {
    return kNotMeasured;
  }
  double largest = 0;
  for (Index first = 0; first < p; first += kColumnsAtOnce) {
    Support block(static_cast<std::size_t>(std::min(kColumnsAtOnce, p - first)));
    std::iota(block.begin(), block.end(), first);
    Matrix error = covariance.columns(block);
    subtract_product_transposed(error, factor, factor(block, Eigen::all));
    largest = std::max(largest, largest_magnitude(error));
  }
  return largest;
}

/// Bounds the sum of the r largest eigenvalues of S - S_d, with negative ones replaced by zero: it
/// is that sum, or r lambda_{d+1} if the eigenvalues do not converge. The search for S_d took d + 1
/// eigenvalues of S; this takes d + r.
double sum_of_next_eigenvalues(const Problem& problem, const LowRank& low_rank) {
  const Index d = low_rank.rank();
  const Index count = std::min(problem.covariance.variables(), d + problem.components);
  if (count <= d) {
    return 0;
  }
  try {
    const Vector values = leading_eigenvalues(problem.covariance, count);
    return values.tail(count - d).cwiseMax(0.0).sum();
  } catch (const NumericalError&) {
    // The answer remains valid without a tight bound on its loss.
    return static_cast<double>(problem.components) * low_rank.residual;
  }
}

/// Adds the guarantees of the theorems, and bounds on the optimum on S. If the time is over, only
/// those that cost nothing.
void add_guarantees(const Problem& problem, const BipartOptions& options, const LowRank& low_rank,
                    const BipartSearch& search, const Budget& budget, Solution& solution) {
  const auto r = static_cast<double>(problem.components);
  const bool is_svd = options.sketch == "svd";
  const double shift = problem.covariance.semidefinite_shift();
  const double norm = is_svd ? std::max(low_rank.residual, shift)
                             : sketch_error(problem.covariance, low_rank.factor, problem.seed);
  if (!is_svd) {
    solution.facts.emplace_back("sketch_error", norm);
  }
  solution.facts.emplace_back("theorem_2_loss", 2 * r * norm);
  if (budget.out_of_time()) {
    return;
  }
  if (const double entry = largest_entry_error(problem.covariance, low_rank.factor);
      std::isfinite(entry)) {
    const auto places =
        std::accumulate(problem.cardinality.begin(), problem.cardinality.end(), Index{0});
    solution.facts.emplace_back("sketch_entry_error", entry);
    solution.facts.emplace_back("theorem_3_loss", 2 * entry * static_cast<double>(places));
  }
  if (!is_svd) {
    return;
  }
  // S - S_d has the other eigenvalues of S. If S is not positive semidefinite, an answer can lose r
  // * shift in addition.
  const double above = sum_of_next_eigenvalues(problem, low_rank);
  solution.facts.emplace_back("remark_9_2_loss", above + r * shift);
  if (options.directions == "net" && search.is_complete()) {
    const double low_rank_bound = search.best_low_rank() / (1 - options.epsilon);
    solution.facts.emplace_back("theorem_1_share", 1 - options.epsilon);
    solution.facts.emplace_back("low_rank_bound", low_rank_bound);
    solution.facts.emplace_back("optimum_bound", low_rank_bound + above);
  }
}

std::vector<Component> loadings_of(const Problem& problem, const BipartOptions& options,
                                   const LowRank& low_rank, const Candidate& best) {
  if (options.score != "printed") {
    return components_on(problem.covariance, best.supports, problem.cardinality);
  }
  std::vector<Component> components;
  for (std::size_t j = 0; j < best.supports.size(); ++j) {
    components.push_back(loadings_of_direction(low_rank.factor, best.supports[j],
                                               best.directions.col(static_cast<Index>(j))));
  }
  return components_in_order(problem.covariance, std::move(components), problem.cardinality);
}

Solution solve_bipart(const Problem& problem, const BipartOptions& options, Budget& budget) {
  if (lacks_variables(problem)) {
    return solve_padded(
        problem, [&](const Problem& padded) { return solve_bipart(padded, options, budget); });
  }
  const LowRank low_rank = sketch(problem.covariance, options.sketch, options.rank, problem.seed);
  budget.finish_phase("eigenpairs");
  const Index d = low_rank.rank();
  if (d == 0 || nonzero_rows(low_rank.factor).empty()) {
    return skipped(kNoVariance);
  }
  std::unique_ptr<Directions> directions =
      std::make_unique<RandomDirections>(problem, d, options.draws);
  if (options.directions == "net") {
    const double points = net_points(d, options.epsilon);
    const double count = net_choices(points, problem.cardinality);
    if (count > static_cast<double>(options.largest_net)) {
      return skipped(
          fmt::format("a net of {} directions in {} dimensions, {} at a time: {:.3g} matrices to "
                      "try are more than "
                      "{}, the option largest_net",
                      points, d, problem.components, count, options.largest_net));
    }
    directions =
        std::make_unique<NetDirections>(half_sphere_net(d, options.epsilon), problem.cardinality);
  }
  BipartSearch search(problem, options, low_rank);
  search.run(*directions, budget);
  std::vector<Component> components;
  if (search.best().supports.empty() && !budget.out_of_time()) {
    return skipped(no_positive_support(problem.cardinality[0]));
  }
  if (!search.best().supports.empty()) {
    components = loadings_of(problem, options, low_rank, search.best());
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.facts = {{"rank", d},
                    {"candidates", search.tried()},
                    {"candidates_scored", search.scored()},
                    {"low_rank_value", search.best_low_rank()}};
  add_guarantees(problem, options, low_rank, search, budget, solution);
  return solution;
}

SPCA_SOLVER("bipart", solve_bipart,
            (Traits{
                .summary = "disjoint components at once, by matchings over directions",
                .problem = "max Tr(V'SV)  s.t. ||v_j|| = 1, ||v_j||_0 <= k_j, disjoint supports",
                .source = "Asteris, Papailiopoulos, Kyrillidis, Dimakis, NIPS 2015",
                .multiple_components = true,
                .disjoint = true,
                .seeded = true}));

}  // namespace
}  // namespace spca::solver_bipart
