#include "spca/methods/bounds/one_factor_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "spca/dense/dense_decompositions.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/block_search.h"
#include "spca/methods/bounds/largest_entries.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Number of variables of largest variance of which S is formed.
constexpr Index kFactorConsidered = 2048;
// At most this number of variables in the block.
constexpr Index kMostInTopics = 300;
// The block ends at the largest relative fall of the excess over the factor, if that is more than
// this ratio; otherwise there is no block.
constexpr double kTopicFall = 2;
// A block is searched only if its bounds could come this near to the known value, relative.
constexpr double kNearFactor = 0.02;
// Number of steps towards the factor; each halves the distance.
constexpr int kFactorSteps = 50;
// A first test uses this number of variables, or 4 k if that is more. Its bound has to be within
// the relative distance kTestGap of the value.
constexpr Index kTestVariables = 256;
constexpr double kTestGap = 0.1;
// Another round of elimination follows if one leaves at most this share, in percent.
constexpr std::size_t kWorthAnotherRound = 80;
// Number of variables at which ascents start.
constexpr Index kFactorStarts = 64;
// Number of halvings of an interval: more than the digits of a double.
constexpr int kIntervalHalvings = 60;
// Exceeds the rounding of all sums.
constexpr double kFactorRounding = 1e-10;
// Number of columns of S computed at a time.
constexpr Index kTopicColumns = 32;
// At most this number of entries of the sums of squares are stored: 400 MB.
constexpr double kMostTopicSums = 5e7;

/// The larger root t of (t - first)(t - second) = squares.
double larger_root(double first, double second, double squares) {
  const double half = 0.5 * (first - second);
  return 0.5 * (first + second) + std::sqrt(half * half + squares);
}

/// Returns a with aa' near S outside the diagonal. Each a_i moves half way to its best value for
/// the others.
Vector one_factor(const Matrix& s) {
  const Vector own = s.diagonal().cwiseMax(0.0);
  Vector a = 0.5 * own.cwiseSqrt();
  for (int step = 0; step < kFactorSteps; ++step) {
    const double squares = a.squaredNorm();
    const Vector products = s * a;
    for (Index i = 0; i < a.size(); ++i) {
      const double others = squares - a[i] * a[i];
      const double best =
          others > kFactorRounding * squares ? (products[i] - s(i, i) * a[i]) / others : 0;
      a[i] = 0.5 * (a[i] + best);
    }
  }
  return a.allFinite() ? a : Vector::Zero(a.size());
}

/// The `count` largest of nonnegative entries without entry i, descending.
std::vector<double> largest_but_one(const Vector& entries, Index i, Index count) {
  std::vector<double> others(entries.begin(), entries.end());
  others.erase(others.begin() + i);
  const auto kept = std::min<std::ptrdiff_t>(count, std::ssize(others));
  std::partial_sort(others.begin(), others.begin() + kept, others.end(), std::greater<>());
  others.resize(static_cast<std::size_t>(kept));
  return others;
}

std::vector<double> as_list(const Vector& numbers) { return {numbers.begin(), numbers.end()}; }

/// The sums of the 0, 1, ..., `count` largest numbers.
Vector sums_from_none(const Vector& numbers, Index count) {
  Vector sums = Vector::Zero(count + 1);
  if (count > 0) {
    sums.tail(count) = largest_sums(as_list(numbers), count);
  }
  return sums;
}

}  // namespace

OneFactor::OneFactor(Matrix matrix, Index max_n)
    : matrix_(std::move(matrix)), factor_(one_factor(matrix_.cwiseAbs()).cwiseAbs()) {
  const Index size = variables();
  const Index largest = std::min(max_n, size);
  rest_ = matrix_.diagonal() - factor_.cwiseAbs2();
  largest_rest_ = size > 0 ? rest_.maxCoeff() : 0;
  // Row sums e_i and f_i of n - 1 = 0, 1, ... entries.
  Vector by_rows = Vector::Zero(largest + 1);
  Matrix squares = Matrix::Zero(largest + 1, size);
  for (Index i = 0; i < size; ++i) {
    double sum = 0;
    Index n = 2;
    const Vector excess = matrix_.col(i).cwiseAbs() - factor_[i] * factor_;
    for (const double entry : largest_but_one(excess.cwiseMax(0.0), i, largest - 1)) {
      sum += entry;
      by_rows[n] = std::max(by_rows[n], sum);
      squares(n, i) = squares(n - 1, i) + entry * entry;
      ++n;
    }
  }
  remainders_ = Vector::Zero(largest + 1);
  bounds_ = sums_from_none(matrix_.diagonal().cwiseMax(0.0), largest);
  std::vector<double> terms(static_cast<std::size_t>(size));
  for (Index n = 1; n <= largest; ++n) {
    const double all_squares = largest_sums(as_list(squares.row(n)), n)[n - 1];
    remainders_[n] = std::min(by_rows[n], std::sqrt(all_squares));
    // At `high` the sum of terms is always at most 1.
    double low = largest_rest_;
    double high = largest_rest_ + largest_sums(as_list(factor_.cwiseAbs2()), n)[n - 1];
    for (int step = 0; step < kIntervalHalvings && low < high; ++step) {
      const double middle = 0.5 * (low + high);
      (sum_of_terms(middle, n, terms) <= 1 ? high : low) = middle;
    }
    bounds_[n] = std::min(bounds_[n], high + remainders_[n]);
  }
}

/// The sum of the n largest a_i^2 / (t - d_i); infinity if some t <= d_i.
double OneFactor::sum_of_terms(double t, Index n, std::vector<double>& terms) const {
  if (!(t > largest_rest_)) {
    return std::numeric_limits<double>::infinity();
  }
  for (Index i = 0; i < variables(); ++i) {
    terms[static_cast<std::size_t>(i)] = factor_[i] * factor_[i] / (t - rest_[i]);
  }
  return sum_of_largest(terms, n);
}

std::vector<char> OneFactor::is_within(Index n, const Vector& limits) const {
  std::vector<char> within(static_cast<std::size_t>(variables()), 0);
  std::vector<double> terms(within.size());
  for (Index i = 0; i < variables(); ++i) {
    const double t = limits[i] - remainders_[n];
    if (t > largest_rest_) {
      // If i is one of the n - 1 variables it counts twice, which only raises the sum.
      const double sum = sum_of_terms(t, n - 1, terms) + factor_[i] * factor_[i] / (t - rest_[i]);
      within[static_cast<std::size_t>(i)] = sum <= 1 - kFactorRounding ? 1 : 0;
    }
  }
  return within;
}

OneFactorBound::OneFactorBound(const Covariance& covariance, Index k, const Support& strongest,
                               const Matrix& matrix, Support block,
                               const std::function<bool()>& keep_going)
    : covariance_(covariance), k_(k), block_(std::move(block)) {
  std::set_difference(strongest.begin(), strongest.end(), block_.begin(), block_.end(),
                      std::back_inserter(middle_));
  for (Index i = 0; i < covariance.variables(); ++i) {
    if (!std::binary_search(strongest.begin(), strongest.end(), i)) {
      others_.push_back(i);
    }
  }
  const Index size = std::ssize(block_);
  most_ = std::min(k, size);
  fewest_ = std::max<Index>(0, k - (covariance.variables() - size));
  if (!keep_going()) {
    return;
  }
  const Support inside = positions_among(strongest, block_);
  const Support between = positions_among(strongest, middle_);
  matrix_ = principal_submatrix(matrix, inside);
  block_bounds_ = sums_from_none(matrix_.diagonal().cwiseMax(0.0), most_);
  if (size > 0) {
    const double whole = std::max(0.0, symmetric_eigenvalues(matrix_).maxCoeff());
    block_bounds_ = block_bounds_.cwiseMin(whole * (1 + kFactorRounding));
  }
  couplings_ = Matrix::Zero(most_, std::ssize(between));
  for (Index t = 0; t < std::ssize(between) && most_ > 0; ++t) {
    const Vector entries = matrix(inside, between[static_cast<std::size_t>(t)]).cwiseAbs2();
    couplings_.col(t) = largest_sums(as_list(entries), most_);
  }
  if (!keep_going()) {
    return;
  }
  factor_ = std::make_unique<OneFactor>(principal_submatrix(matrix, between), k);
  couple_middle(couplings_);
  look_at_others(keep_going);
}

/// Computes c of j and n.
void OneFactorBound::couple_middle(const Matrix& couplings) {
  middle_sums_ = Matrix::Zero(most_ + 1, k_ + 1);
  for (Index j = 1; j <= most_; ++j) {
    middle_sums_.row(j) = sums_from_none(couplings.row(j - 1), k_);
  }
}

/// Computes all bounds that involve R.
void OneFactorBound::look_at_others(const std::function<bool()>& keep_going) {
  const Vector variances = covariance_.diagonal()(others_).cwiseMax(0.0);
  far_bounds_ = sums_from_none(variances, k_);
  far_sums_ = Matrix::Zero(most_ + 1, k_ + 1);
  far_middle_sums_ = Matrix::Zero(k_ + 1, k_ + 1);
  if (others_.empty()) {
    is_complete_ = true;
    return;
  }
  LargestEntries coupled(most_, std::ssize(others_));
  for (Index begin = 0; begin < std::ssize(block_); begin += kTopicColumns) {
    if (!keep_going()) {
      return;
    }
    const auto first = block_.begin() + begin;
    const Matrix columns = covariance_.columns(
        Support(first, first + std::min(kTopicColumns, std::ssize(block_) - begin)));
    for (Index t = 0; t < columns.cols(); ++t) {
      for (std::size_t i = 0; i < others_.size(); ++i) {
        const double entry = columns(others_[i], t);
        coupled.observe(static_cast<Index>(i), entry * entry);
      }
    }
  }
  const Matrix couplings = std::move(coupled).sums();
  for (Index j = 1; j <= most_; ++j) {
    far_sums_.row(j) = sums_from_none(couplings.row(j - 1), k_);
  }
  if (!keep_going()) {
    return;
  }
  bound_far_couplings(variances);
  is_complete_ = true;
}

/// Computes the bounds (4), squared, for all n and l. `variances`: of R.
void OneFactorBound::bound_far_couplings(const Vector& variances) {
  const Matrix& s = factor_->matrix();
  const Index most = std::min(k_, std::ssize(middle_));
  // S = aa' + D makes Su proportional to a, if u is a / D.
  const Vector& a = factor_->factor();
  Vector u = Vector::Zero(a.size());
  for (Index i = 0; i < u.size(); ++i) {
    const double rest = s(i, i) - a[i] * a[i];
    u[i] = s(i, i) > 0 ? a[i] / std::max(rest, kFactorRounding * s(i, i)) : 0;
  }
  Vector shared = Vector::Zero(covariance_.variables());
  const double squared = u.dot(s * u);
  if (squared > 0) {
    Vector whole = Vector::Zero(covariance_.variables());
    whole(middle_) = u / std::sqrt(squared);
    covariance_.multiply(whole, shared);
  }
  const Vector near = shared(middle_);
  const Vector far = shared(others_);
  // lambda_max(C_NN) by rows: the diagonal and the n - 1 largest.
  Vector by_rows = Vector::Zero(most + 1);
  for (Index i = 0; i < near.size(); ++i) {
    double sum = std::max(0.0, s(i, i) - near[i] * near[i]);
    Index n = 1;
    const Vector remainder = (s.col(i) - near[i] * near).cwiseAbs();
    for (const double entry : largest_but_one(remainder, i, most - 1)) {
      by_rows[n] = std::max(by_rows[n], sum);
      sum += entry;
      ++n;
    }
    if (n <= most) {
      by_rows[n] = std::max(by_rows[n], sum);
    }
  }
  // The rounding of a difference is a share of the variance.
  const Vector rest = (variances - far.cwiseAbs2()).cwiseMax(0.0) + kFactorRounding * variances;
  const Vector near_sums = sums_from_none(near.cwiseAbs2(), most);
  const Vector far_sums = sums_from_none(far.cwiseAbs2(), k_);
  const Vector rest_sums = sums_from_none(rest, k_);
  for (Index n = 1; n <= most; ++n) {
    for (Index l = 1; l <= k_; ++l) {
      const double norm =
          std::sqrt(near_sums[n] * far_sums[l]) + std::sqrt(by_rows[n] * rest_sums[l]);
      far_middle_sums_(n, l) = std::min(norm * norm, factor_->bound(n) * far_bounds_[l]);
    }
  }
}

void OneFactorBound::limit(Index j, double bound) {
  block_bounds_.head(j + 1) = block_bounds_.head(j + 1).cwiseMin(bound);
}

/// The bound (3) for j variables of B and n of M.
double OneFactorBound::middle_bound(Index j, Index n, double block) const {
  return larger_root(block, factor_->bound(n), middle_sums_(j, n)) * (1 + kFactorRounding);
}

/// The largest bound of supports with j variables of B and some of R; 0 if there are none.
double OneFactorBound::far_bound(Index j, double block) const {
  double largest = 0;
  for (Index l = 1; l <= std::min(k_ - j, std::ssize(others_)); ++l) {
    const Index n = k_ - j - l;
    if (n > std::ssize(middle_)) {
      continue;
    }
    const double near = middle_bound(j, n, block);
    const double squares =
        std::min(far_sums_(j, l) + far_middle_sums_(n, l), near * far_bounds_[l]);
    largest = std::max(largest, larger_root(near, far_bounds_[l], squares) * (1 + kFactorRounding));
  }
  return largest;
}

double OneFactorBound::bound(Index j, double block) const {
  const double far = far_bound(j, block);
  return k_ - j <= std::ssize(middle_) ? std::max(far, middle_bound(j, k_ - j, block)) : far;
}

double OneFactorBound::bound() const {
  double largest = 0;
  for (Index j = fewest_; j <= most_; ++j) {
    largest = std::max(largest, bound(j));
  }
  return largest;
}

/// Returns for each variable of M whether it may be in a support of B and M of larger value.
std::vector<char> OneFactorBound::is_middle_left(double value) const {
  const Index size = std::ssize(middle_);
  std::vector<char> is_left(static_cast<std::size_t>(size), 0);
  const double known = value * (1 - kFactorRounding);
  for (Index j = 0; j <= std::min(most_, k_ - 1); ++j) {
    const Index n = k_ - j;
    if (n > size || middle_bound(j, n, block_bounds_[j]) <= value) {
      continue;
    }
    const double room = known - block_bounds_[j];
    if (!(room > 0)) {
      std::fill(is_left.begin(), is_left.end(), 1);
      break;
    }
    // The largest r_n for which (3) is at most the value.
    Vector limits(size);
    for (Index i = 0; i < size; ++i) {
      const double own = j > 0 ? couplings_(j - 1, i) : 0;
      const double squares = std::min(middle_sums_(j, n), middle_sums_(j, n - 1) + own);
      limits[i] = known - squares / room;
    }
    const std::vector<char> within = factor_->is_within(n, limits);
    for (std::size_t i = 0; i < within.size(); ++i) {
      is_left[i] = is_left[i] != 0 || within[i] == 0 ? 1 : 0;
    }
  }
  return is_left;
}

VariablesLeft OneFactorBound::eliminate(double value) {
  VariablesLeft left{.variables = all_variables(covariance_.variables()),
                     .bound = std::max(value, bound())};
  for (Index j = fewest_; j <= most_; ++j) {
    if (far_bound(j, block_bounds_[j]) > value) {
      return left;
    }
  }
  others_.clear();
  for (std::size_t before = middle_.size() + 1; middle_.size() < before;) {
    before = middle_.size();
    const std::vector<char> is_left = is_middle_left(value);
    Support kept;
    for (std::size_t i = 0; i < is_left.size(); ++i) {
      if (is_left[i] != 0) {
        kept.push_back(static_cast<Index>(i));
      }
    }
    if (kept.size() == before ||
        (std::ssize(kept) > kTestVariables && 100 * kept.size() > kWorthAnotherRound * before)) {
      break;  // drops too few variables for another round, which would cost as much as the first
    }
    factor_ = std::make_unique<OneFactor>(principal_submatrix(factor_->matrix(), kept), k_);
    couplings_ = couplings_(Eigen::all, kept).eval();
    middle_ = members_at(middle_, kept);
    couple_middle(couplings_);
    // Every support with an eliminated variable has at most the known value.
    left.bound = std::max(value, std::min(left.bound, bound()));
  }
  left.variables.clear();
  bool is_block_left = false;
  for (Index j = 1; j <= most_; ++j) {
    is_block_left = is_block_left || bound(j) > value;
  }
  if (!is_block_left) {
    left.variables = middle_;
    return left;
  }
  std::set_union(block_.begin(), block_.end(), middle_.begin(), middle_.end(),
                 std::back_inserter(left.variables));
  return left;
}

namespace {

VariablesLeft nothing_said(const Covariance& covariance) {
  return {.variables = all_variables(covariance.variables())};
}

/// The positions of the variables whose k largest covariances exceed those of one factor most.
Support topic_variables(const Matrix& s, Index k) {
  const Index considered = s.rows();
  const Vector a = one_factor(s);
  Vector excess(considered);
  for (Index i = 0; i < considered; ++i) {
    double squares = 0;
    const Vector remainder = (s.col(i) - a[i] * a).cwiseAbs();
    for (const double entry : largest_but_one(remainder, i, k)) {
      squares += entry * entry;
    }
    excess[i] = std::sqrt(squares);
  }
  Vector falling = excess;
  std::sort(falling.begin(), falling.end(), std::greater<>());
  Index size = 0;
  double widest = kTopicFall;
  for (Index count = 1; count <= std::min(kMostInTopics, considered - 1); ++count) {
    if (falling[count - 1] > widest * falling[count]) {
      widest = falling[count - 1] / falling[count];
      size = count;
    }
  }
  return size > 0 ? top_k(excess, size) : Support{};
}

/// Returns the bound that would hold if no support in B had a larger value than the variables of
/// `best` in B.
double hoped_bound(const OneFactorBound& bounds, const Support& best) {
  const Support inside = positions_among(bounds.block(), best);
  const double value =
      inside.empty()
          ? 0
          : symmetric_eigenvalues(principal_submatrix(bounds.matrix(), inside)).maxCoeff();
  double largest = 0;
  for (Index j = bounds.fewest(); j <= bounds.most(); ++j) {
    largest = std::max(largest, bounds.bound(j, std::min(value, bounds.block_bound(j))));
  }
  return largest;
}

/// The positions of the best support after ascents from the largest variances, and exchanges.
Support ascended(const Matrix& s, Index k, const std::function<bool(double)>& keep_going) {
  SupportAscent ascent(s, k);
  for (const Index i : top_k(s.diagonal(), std::min(kFactorStarts, s.rows()))) {
    if (!keep_going(ascent.value())) {
      break;
    }
    ascent.ascend(s.col(i));
  }
  ascent.exchange(keep_going);
  return ascent.support();
}

/// Returns true if, among a few variables of largest variance, the bound by one factor is near the
/// value of the best support. If the bound is not near there, it is not with more variables either.
bool is_promising(const Covariance& covariance, Index k,
                  const std::function<bool(double)>& keep_going) {
  const Support few = top_k(covariance.diagonal(),
                            std::min(covariance.variables(), std::max(kTestVariables, 4 * k)));
  const Matrix matrix = covariance.submatrix(few);
  const Support best = ascended(matrix, k, keep_going);
  if (best.empty()) {
    return false;
  }
  const double value = symmetric_eigenvalues(principal_submatrix(matrix, best)).maxCoeff();
  const Support topics = topic_variables(matrix, k);
  Support middle;
  for (Index i = 0; i < matrix.rows(); ++i) {
    if (!std::binary_search(topics.begin(), topics.end(), i)) {
      middle.push_back(i);
    }
  }
  const Index n = std::min(k, std::ssize(middle));
  return OneFactor(principal_submatrix(matrix, middle), n).bound(n) < value * (1 + kTestGap);
}

/// Returns true if S has a data form and the bounds of a block take an acceptable amount of memory.
bool is_affordable(const Covariance& covariance, Index k) {
  return covariance.has_data_form() &&
         static_cast<double>(covariance.variables()) * static_cast<double>(k) <= kMostTopicSums;
}

}  // namespace

OneFactorElimination find_one_factor(const Covariance& covariance, Index k, const Support& known,
                                     int threads,
                                     const std::function<bool(double value)>& keep_going,
                                     const std::function<bool()>& has_time) {
  OneFactorElimination found{.certificate = {}, .support = known, .left = nothing_said(covariance)};
  const Index considered = std::min(covariance.variables(), kFactorConsidered);
  if (!is_affordable(covariance, k) || k > considered || !keep_going(0) ||
      !is_promising(covariance, k, keep_going)) {
    return found;
  }
  const Support strongest = top_k(covariance.diagonal(), considered);
  const Matrix matrix = covariance.submatrix(strongest);
  const Support other = members_at(strongest, ascended(matrix, k, keep_going));
  double value = best_on_support(covariance, known).value;
  if (!other.empty()) {
    const double found_value = best_on_support(covariance, other).value;
    if (found_value > value) {
      value = found_value;
      found.support = other;
    }
  }
  if (!keep_going(value)) {
    return found;
  }
  OneFactorBound bounds(covariance, k, strongest, matrix,
                        members_at(strongest, topic_variables(matrix, k)), has_time);
  if (!bounds.is_complete() || !(hoped_bound(bounds, found.support) < value * (1 + kNearFactor))) {
    return found;
  }
  found.certificate = {.considered = considered, .block = bounds.block(), .searches = {}};
  if (!bounds.block().empty() && bounds.matrix().diagonal().maxCoeff() > 0) {
    const std::shared_ptr<const FactoredCovariance> factor =
        factor_covariance(bounds.matrix(), has_time);
    if (factor != nullptr) {
      found.certificate.searches = search_block(
          bounds, factor, bounds.matrix(), value, threads, [&] { return keep_going(value); },
          has_time);
    }
  }
  found.left = bounds.eliminate(value);
  return found;
}

VariablesLeft eliminate_by_one_factor(const Covariance& covariance, Index k, double value,
                                      const OneFactorCertificate& certificate,
                                      const std::function<bool()>& keep_going) {
  const Index considered = certificate.considered;
  if (!is_affordable(covariance, k) || considered < k || considered > kFactorConsidered ||
      considered > covariance.variables() || std::ssize(certificate.block) > kMostInTopics ||
      !is_ascending_among(certificate.block, covariance.variables())) {
    return nothing_said(covariance);
  }
  const Support strongest = top_k(covariance.diagonal(), considered);
  if (!std::includes(strongest.begin(), strongest.end(), certificate.block.begin(),
                     certificate.block.end()) ||
      !keep_going()) {
    return nothing_said(covariance);
  }
  OneFactorBound bounds(covariance, k, strongest, covariance.submatrix(strongest),
                        certificate.block, keep_going);
  if (!bounds.is_complete()) {
    return nothing_said(covariance);
  }
  limit_by_searches(bounds, bounds.matrix(), certificate.searches, keep_going);
  return bounds.eliminate(value);
}

}  // namespace spca
