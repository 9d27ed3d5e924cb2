#include "spca/methods/bounds/variable_elimination.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "spca/covariance/columns_at_a_time.h"
#include "spca/covariance/data_view.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/data_factor.h"
#include "spca/methods/bounds/dense_squares.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/squares_bound.h"
#include "spca/methods/relaxations/factored_covariance.h"
#include "spca/methods/relaxations/support_family.h"
#include "spca/spectrum/eigenpairs.h"
#include "spca/spectrum/remaining_variance.h"

namespace spca {
namespace {

// The limits of effort below were chosen by trial, not measured.

// Each attempt of the relaxation takes this multiple of the variables of the previous one.
constexpr Index kAttemptGrowth = 3;
// At most this number of variables for passes over all columns of S.
constexpr Index kMostBySquares = 20'000;
// Exceeds the rounding of the sums of squares.
constexpr double kSquareRounding = 1e-10;
// Another pass over the columns follows if at most this percentage of the variables remained.
constexpr std::size_t kWorthAnotherPass = 90;
// An attempt by the relaxation is skipped if the price at the best support is below this share of
// the largest variance outside. The final price would be near that price, but not equal.
constexpr double kHopelessPrice = 0.25;
// The floor under X at which that price is computed.
constexpr double kPriceFloor = 1e-4;

/// The variables of `variables` whose worth, plus the k - 1 largest of all, exceeds `threshold`.
Support worth_enough(const Support& variables, const std::vector<double>& worth, Index k,
                     double threshold) {
  std::vector<double> sorted = worth;
  const double others = sum_of_largest(sorted, k - 1);
  Support left;
  for (std::size_t t = 0; t < variables.size(); ++t) {
    if (worth[t] + others > threshold) {
      left.push_back(variables[t]);
    }
  }
  return left;
}

/// Returns B of S = B'B if it is held as a dense matrix; null otherwise.
const Matrix* dense_data(const Covariance& covariance) {
  const std::optional<DataView> view = data_of(covariance);
  return view ? view->dense : nullptr;
}

/// Returns bounds on u_j of the header for each j of `variables`, over these; empty if `keep_going`
/// returns false.
std::vector<double> worth_from_data(const Covariance& covariance, const Matrix& data,
                                    const Support& variables, Index k, double shift,
                                    const std::function<bool()>& keep_going) {
  std::vector<double> worth = bound_largest_squares(data, variables, k - 1, keep_going);
  for (std::size_t t = 0; t < worth.size(); ++t) {
    const double own = covariance.diagonal()[variables[t]] - shift;
    worth[t] += own * own;
  }
  return worth;
}

/// u_j of the header for each j of `which`, over the remaining variables; empty if `keep_going`
/// returns false.
std::vector<double> worth_of(const Covariance& covariance, const Support& which,
                             const Support& variables, Index k, double shift,
                             const std::function<bool()>& keep_going) {
  std::vector<double> worth;
  std::vector<double> squares;
  for (const Support& block : column_blocks(which)) {
    if (!keep_going()) {
      return {};
    }
    const Matrix columns = covariance.columns(block);
    for (std::size_t b = 0; b < block.size(); ++b) {
      const auto column = columns.col(static_cast<Index>(b));
      squares.clear();
      for (const Index i : variables) {
        if (i != block[b]) {
          squares.push_back(column[i] * column[i]);
        }
      }
      const double own = column[block[b]] - shift;
      worth.push_back(own * own + sum_of_largest(squares, k - 1));
    }
  }
  return worth;
}

/// Returns the variables that remain after one pass over the columns of `variables`.
Support pass_over_columns(const Covariance& covariance, const Support& variables, Index k,
                          double shift, double threshold, const std::function<bool()>& keep_going) {
  const Matrix* const data = dense_data(covariance);
  const std::vector<double> worth =
      data != nullptr && std::ssize(variables) > kSearchedWhole
          ? worth_from_data(covariance, *data, variables, k, shift, keep_going)
          : worth_of(covariance, variables, variables, k, shift, keep_going);
  return worth.size() < variables.size() ? variables : worth_enough(variables, worth, k, threshold);
}

/// Returns true if no pass over the columns can eliminate a variable, judged only by the columns of
/// largest variance: the k - 1 largest worths among them are at most those among all.
bool is_hopeless(const Covariance& covariance, const Support& variables, Index k, double shift,
                 double threshold) {
  if (variables.empty()) {
    return false;
  }
  const Vector variances = covariance.diagonal()(variables);
  const Index count =
      std::min(std::max(static_cast<Index>(kColumnsAtATime), k), std::ssize(variables));
  const Support which = members_at(variables, top_k(variances, count));
  std::vector<double> worth = worth_of(covariance, which, variables, k, shift, [] { return true; });
  return sum_of_largest(worth, k - 1) > threshold;
}

/// The price of the relaxation of all variables at the leading vector of the support, in the units
/// of S: an estimate of the final price of an attempt.
double price_near(const Covariance& covariance, Index k, const Support& support) {
  const DataFactor factor(covariance, 0);
  const Component v = best_on_support(covariance, support).component;
  Matrix y = covariance.data_product(v);
  if (!(y.norm() > 0)) {
    return std::numeric_limits<double>::infinity();
  }
  y.normalize();
  CardinalityRelaxation relaxation =
      relaxation_on(factor, SupportFamily::all(covariance.variables()), k);
  relaxation.evaluate(y, kPriceFloor, nullptr);
  return factor.unit() * relaxation.price();
}

/// eliminate_by_relaxation() by the variables `considered` and `matrix`, S of these.
VariablesLeft eliminate_among(const Support& considered, const Matrix& matrix,
                              const Covariance& covariance, Index k, double value,
                              const EliminationCertificate& certificate,
                              const std::function<bool()>& keep_going) {
  const Vector& variances = covariance.diagonal();
  const Index p = covariance.variables();
  Vector others = variances;
  others(considered).setZero();
  const std::unique_ptr<FactoredCovariance> factored = factor_covariance(matrix, keep_going);
  if (factored == nullptr) {
    return {.variables = all_variables(covariance.variables())};
  }
  const double largest_other = others.maxCoeff() / factored->unit();
  const double limit = factored->limit(value);
  SupportFamily family = SupportFamily::all(certificate.considered);
  double bound = std::numeric_limits<double>::infinity();
  // A variable j is eliminated if bound - price + S_jj <= limit for some point, that is if S_jj is
  // at most `variance_limit`.
  double variance_limit = -1;
  for (const auto& point : certificate.points) {
    // At a lower price the other variables would have columns h_j, which the bound does not
    // include.
    if (family.is_empty(k) || family.is_support(k) || point->y.rows() != factored->dimension() ||
        !(point->price >= largest_other) || !keep_going()) {
      break;
    }
    CardinalityRelaxation relaxation = relaxation_on(*factored, family, k);
    relaxation.set(*point);
    const SettledVariables settled = settle_variables(relaxation, limit, 1);
    if (!(settled.bound > limit)) {  // no support is better than the known one
      return {.variables = {}, .bound = value};
    }
    bound = std::min(bound, settled.bound);
    variance_limit = std::max(variance_limit, relaxation.price() - (settled.bound - limit));
    family.settle(settled);
  }
  bound = std::max(value, factored->unit() * (bound + factored->excess()));
  if (variance_limit < 0) {
    return {.variables = all_variables(covariance.variables()), .bound = bound};
  }
  // The remaining variables are the chosen ones, and of the others those whose variance exceeds
  // `variance_limit`.
  std::vector<char> is_left(static_cast<std::size_t>(p), 0);
  for (Index j = 0; j < p; ++j) {
    is_left[static_cast<std::size_t>(j)] = others[j] > variance_limit * factored->unit() ? 1 : 0;
  }
  for (const int i : family.chosen) {
    is_left[static_cast<std::size_t>(considered[static_cast<std::size_t>(i)])] = 1;
  }
  for (const int i : family.candidates) {
    const Index j = considered[static_cast<std::size_t>(i)];
    is_left[static_cast<std::size_t>(j)] = variances[j] > variance_limit * factored->unit() ? 1 : 0;
  }
  VariablesLeft left{.variables = {}, .bound = bound};
  for (Index j = 0; j < p; ++j) {
    if (is_left[static_cast<std::size_t>(j)] != 0) {
      left.variables.push_back(j);
    }
  }
  return left;
}

}  // namespace

EliminationCertificate find_elimination(const Covariance& covariance, Index k,
                                        const Support& support,
                                        const std::function<bool()>& keep_going,
                                        const std::function<bool()>& has_time) {
  EliminationCertificate best;
  const Index p = covariance.variables();
  if (!covariance.has_data_form() || !keep_going()) {
    return best;
  }
  const double price = price_near(covariance, k, support);
  Vector falling = covariance.diagonal();
  std::sort(falling.begin(), falling.end(), std::greater<>());
  for (Index count = kFirstConsidered; count <= kMostConsidered; count *= kAttemptGrowth) {
    if (count < p && price < kHopelessPrice * falling[count]) {
      // A variable is ruled out only if the price is at least every variance outside.
      continue;
    }
    const Support considered = top_k(covariance.diagonal(), std::min(count, p));
    if (std::ssize(considered) <= k || !keep_going()) {
      break;
    }
    const Matrix matrix = covariance.submatrix(considered);
    // The better the support, the smaller the gap to the bound, which decides whether a variable
    // remains.
    SupportAscent ascent(matrix, k);
    ascent.search([&](double) { return keep_going(); });
    std::unique_ptr<FactoredCovariance> factor = factor_covariance(matrix, has_time);
    if (factor == nullptr) {
      break;
    }
    RelaxationTree tree(std::move(factor), matrix, ascent.support());
    tree.begin(keep_going);
    best = {.considered = std::ssize(considered),
            .points = tree.certificate()->nodes[0].points,
            .support = members_at(considered, tree.support()),
            .value = tree.value()};
    if (std::ssize(eliminate_among(considered, matrix, covariance, k, best.value, best, has_time)
                       .variables) < p) {
      break;
    }
  }
  return best;
}

VariablesLeft eliminate_by_relaxation(const Covariance& covariance, Index k, double value,
                                      const EliminationCertificate& certificate,
                                      const std::function<bool()>& keep_going) {
  if (certificate.considered <= k || certificate.considered > covariance.variables() ||
      !covariance.has_data_form()) {
    return {.variables = all_variables(covariance.variables())};
  }
  const Support considered = top_k(covariance.diagonal(), certificate.considered);
  return eliminate_among(considered, covariance.submatrix(considered), covariance, k, value,
                         certificate, keep_going);
}

Support eliminate_by_squares(const Covariance& covariance, Index k, double value, double shift,
                             const std::function<bool()>& keep_going) {
  Support variables = all_variables(covariance.variables());
  // Rounding of the sums is a share of the entries' squares, and so of the value's.
  const double threshold = (value - shift) * (value - shift) - kSquareRounding * value * value;
  if (covariance.has_data_form()) {
    const Vector variances = covariance.diagonal().cwiseMax(0.0);
    std::vector<double> sorted(variances.begin(), variances.end());
    const double largest = sum_of_largest(sorted, k - 1);
    std::vector<double> worth;
    for (const double variance : variances) {
      // u_j <= (S_jj - c)^2 + S_jj the sum of the k - 1 largest
      worth.push_back((variance - shift) * (variance - shift) + variance * largest);
    }
    variables = worth_enough(variables, worth, k, threshold);
  }
  if (!keep_going() || is_hopeless(covariance, variables, k, shift, threshold)) {
    return variables;
  }
  // Fewer variables make the sums of the others smaller, which eliminates more.
  for (std::size_t before = 0; before != variables.size();) {
    before = variables.size();
    variables = pass_over_columns(covariance, variables, k, shift, threshold, keep_going);
    if (!keep_going() || 100 * variables.size() > kWorthAnotherPass * before) {
      break;
    }
  }
  return variables;
}

double max_entries(Index max_variables) {
  return static_cast<double>(max_variables) * static_cast<double>(max_variables);
}

VariablesLeft eliminate_by_data(const Covariance& covariance, Index k, double value,
                                Index max_variables, const EliminationCertificate& certificate,
                                const std::function<bool()>& keep_going) {
  const DataFactor factor(covariance, max_entries(max_variables));
  const double limit = factor.limit(value);
  SupportFamily family = SupportFamily::all(covariance.variables());
  double bound = std::numeric_limits<double>::infinity();
  for (const auto& point : certificate.data_points) {
    if (family.is_empty(k) || family.is_support(k) || point->y.rows() != factor.dimension() ||
        !keep_going()) {
      break;
    }
    CardinalityRelaxation relaxation = relaxation_on(factor, family, k);
    relaxation.set(*point);
    const SettledVariables settled = settle_variables(relaxation, limit, 1, keep_going);
    if (!(settled.bound > limit)) {
      return {.variables = {}, .bound = value};
    }
    bound = std::min(bound, settled.bound);
    family.settle(settled);
  }
  VariablesLeft left{.variables = {},
                     .bound = std::max(value, factor.unit() * (bound + factor.excess()))};
  if (!family.is_empty(k)) {
    left.variables.assign(family.chosen.begin(), family.chosen.end());
    left.variables.insert(left.variables.end(), family.candidates.begin(), family.candidates.end());
    std::sort(left.variables.begin(), left.variables.end());
  }
  return left;
}

namespace {

/// Adds the variables of the best support known to the remaining ones.
VariablesLeft with_support(VariablesLeft left, const Support& support) {
  VariablesLeft both{.variables = {}, .bound = left.bound};
  std::set_union(left.variables.begin(), left.variables.end(), support.begin(), support.end(),
                 std::back_inserter(both.variables));
  return both;
}

}  // namespace

VariablesLeft variables_to_search(const Covariance& covariance, Index k, Index max_variables,
                                  const EliminationCertificate& certificate,
                                  const std::function<bool()>& keep_going) {
  VariablesLeft searched;
  if (covariance.variables() <= kSearchedWhole) {
    searched.variables = varying_variables(covariance);
    return searched;
  }
  // The certificate's value is not trusted either.
  const double value = best_on_support(covariance, certificate.support).value;
  VariablesLeft by_factor;
  if (certificate.one_factor.considered > 0) {
    by_factor = eliminate_by_one_factor(covariance, k, value, certificate.one_factor, keep_going);
    if (std::ssize(by_factor.variables) <= max_variables) {
      return with_support(std::move(by_factor), certificate.support);
    }
  }
  VariablesLeft by_relaxation =
      eliminate_by_relaxation(covariance, k, value, certificate, keep_going);
  by_relaxation.bound = std::min(by_relaxation.bound, by_factor.bound);
  Support& left = by_relaxation.variables;
  // A pass over dense data takes less time than a search among thousands of variables.
  const Index worth_a_pass =
      dense_data(covariance) != nullptr ? std::min(max_variables, kSearchedWhole) : max_variables;
  if (std::ssize(left) > worth_a_pass && covariance.variables() <= kMostBySquares) {
    Support by_squares = eliminate_by_squares(
        covariance, k, value, squares_shift(covariance, certificate.support), keep_going);
    if (std::ssize(left) > max_variables || by_squares.size() < left.size()) {
      left = std::move(by_squares);
    }
  }
  if (std::ssize(left) > max_variables && certificate.block.count > 0) {
    VariablesLeft by_block =
        eliminate_by_block(covariance, k, value, certificate.block, keep_going);
    left = std::move(by_block.variables);
    by_relaxation.bound = std::min(by_relaxation.bound, by_block.bound);
  }
  if (std::ssize(left) > max_variables && !certificate.data_points.empty() &&
      covariance.has_data_form()) {
    VariablesLeft by_data =
        eliminate_by_data(covariance, k, value, max_variables, certificate, keep_going);
    left = std::move(by_data.variables);
    by_relaxation.bound = std::min(by_relaxation.bound, by_data.bound);
  }
  return with_support(std::move(by_relaxation), certificate.support);
}

}  // namespace spca
