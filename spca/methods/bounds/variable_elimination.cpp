#include "spca/methods/bounds/variable_elimination.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "spca/algebra/eigenpairs.h"
#include "spca/algebra/remaining_variance.h"
#include "spca/algebra/sparsify.h"
#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/factored_covariance.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/support_family.h"

namespace spca {
namespace {

// Each attempt of the relaxation takes so many times as many variables as the one before.
constexpr Index kMoreConsidered = 3;
// Largest p for which every column of S is looked at.
constexpr Index kMostBySquares = 20'000;
// Columns of S at a time: a matrix product instead of many by vectors.
constexpr std::size_t kColumnsAtATime = 32;
// Above the rounding of the sums of squares.
constexpr double kSquareRounding = 1e-10;
// Passes over the columns go on as long as one leaves less than this share, in percent.
constexpr std::size_t kWorthAnotherPass = 90;

Support all_variables(const Covariance& covariance) {
  Support all(static_cast<std::size_t>(covariance.variables()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The sum of the `count` largest; reorders them.
double largest_sum(std::vector<double>& entries, Index count) {
  const auto middle = entries.begin() + std::min(count, std::ssize(entries));
  std::nth_element(entries.begin(), middle, entries.end(), std::greater<>());
  return std::accumulate(entries.begin(), middle, 0.0);
}

/// Those of `variables` whose worth, with the k - 1 largest of all, exceeds `threshold`.
Support worth_enough(const Support& variables, const std::vector<double>& worth, Index k,
                     double threshold) {
  std::vector<double> sorted = worth;
  const double others = largest_sum(sorted, k - 1);
  Support left;
  for (std::size_t t = 0; t < variables.size(); ++t) {
    if (worth[t] + others > threshold) {
      left.push_back(variables[t]);
    }
  }
  return left;
}

/// One pass over the columns of the variables left.
Support pass_over_columns(const Covariance& covariance, const Support& variables, Index k,
                          double threshold, const std::function<bool()>& keep_going) {
  std::vector<double> worth;
  std::vector<double> squares;
  for (std::size_t begin = 0; begin < variables.size(); begin += kColumnsAtATime) {
    if (!keep_going()) {
      return variables;
    }
    const std::size_t end = std::min(begin + kColumnsAtATime, variables.size());
    const Support block(variables.begin() + static_cast<std::ptrdiff_t>(begin),
                        variables.begin() + static_cast<std::ptrdiff_t>(end));
    const Matrix columns = covariance.columns(block);
    for (std::size_t b = 0; b < block.size(); ++b) {
      const auto column = columns.col(static_cast<Index>(b));
      squares.clear();
      for (const Index i : variables) {
        if (i != block[b]) {
          squares.push_back(column[i] * column[i]);
        }
      }
      worth.push_back(column[block[b]] * column[block[b]] + largest_sum(squares, k - 1));
    }
  }
  return worth_enough(variables, worth, k, threshold);
}

}  // namespace

EliminationCertificate find_elimination(const Covariance& covariance, Index k,
                                        const std::function<bool()>& keep_going) {
  EliminationCertificate best;
  const Index p = covariance.variables();
  for (Index count = kFirstConsidered; covariance.has_data_form() && count <= kMostConsidered;
       count *= kMoreConsidered) {
    const Support considered = top_k(covariance.diagonal(), std::min(count, p));
    if (std::ssize(considered) <= k || !keep_going()) {
      break;
    }
    const Matrix matrix = covariance.submatrix(considered);
    // The better the support, the smaller the gap to the bound, which is what keeps a variable in.
    SupportAscent ascent(matrix, k);
    ascent.search([&](double) { return keep_going(); });
    RelaxationTree tree(matrix, ascent.support());
    tree.begin(keep_going);
    best = {.considered = std::ssize(considered),
            .points = tree.certificate()->nodes[0].points,
            .support = take_from(considered, tree.support()),
            .value = tree.value()};
    if (std::ssize(eliminate_by_relaxation(covariance, k, best.value, best).variables) < p) {
      break;
    }
  }
  return best;
}

VariablesLeft eliminate_by_relaxation(const Covariance& covariance, Index k, double value,
                                      const EliminationCertificate& certificate) {
  const Vector& variances = covariance.diagonal();
  const Index p = covariance.variables();
  if (certificate.considered <= k || certificate.considered > p || !covariance.has_data_form()) {
    return {.variables = all_variables(covariance)};
  }
  const Support considered = top_k(variances, certificate.considered);
  Vector others = variances;
  others(considered).setZero();
  const FactoredCovariance factored = factor_covariance(covariance.submatrix(considered));
  const double largest_other = others.maxCoeff() / factored.unit;
  const double limit = factored.limit(value);
  SupportFamily family = SupportFamily::all(certificate.considered);
  double bound = std::numeric_limits<double>::infinity();
  // A variable j is eliminated if bound - price + S_jj <= limit for some point, that is if S_jj is
  // at most `most`.
  double most = -1;
  for (const auto& point : certificate.points) {
    // At a lower price the other variables would have columns h_j, of which the bound knows
    // nothing.
    if (family.is_empty(k) || family.is_support(k) || point->y.rows() != factored.factor.rows() ||
        !(point->price >= largest_other)) {
      break;
    }
    CardinalityRelaxation relaxation = relaxation_on(factored.factor, family, k);
    relaxation.set(*point);
    const SettledVariables settled = settle_variables(relaxation, limit, 1);
    if (!(settled.bound > limit)) {  // no support is better than the one known
      return {.variables = {}, .bound = value};
    }
    bound = std::min(bound, settled.bound);
    most = std::max(most, relaxation.price() - (settled.bound - limit));
    family.settle(settled);
  }
  bound = std::max(value, factored.unit * (bound + factored.excess));
  if (most < 0) {
    return {.variables = all_variables(covariance), .bound = bound};
  }
  // Left are the variables chosen, and of all the others those whose variance exceeds `most`.
  std::vector<char> is_left(static_cast<std::size_t>(p), 0);
  for (Index j = 0; j < p; ++j) {
    is_left[static_cast<std::size_t>(j)] = others[j] > most * factored.unit ? 1 : 0;
  }
  for (const int i : family.chosen) {
    is_left[static_cast<std::size_t>(considered[static_cast<std::size_t>(i)])] = 1;
  }
  for (const int i : family.candidates) {
    const Index j = considered[static_cast<std::size_t>(i)];
    is_left[static_cast<std::size_t>(j)] = variances[j] > most * factored.unit ? 1 : 0;
  }
  VariablesLeft left{.variables = {}, .bound = bound};
  for (Index j = 0; j < p; ++j) {
    if (is_left[static_cast<std::size_t>(j)] != 0) {
      left.variables.push_back(j);
    }
  }
  return left;
}

Support eliminate_by_squares(const Covariance& covariance, Index k, double value,
                             const std::function<bool()>& keep_going) {
  Support variables = all_variables(covariance);
  const double threshold = value * value * (1 - kSquareRounding);
  if (covariance.has_data_form()) {
    const Vector variances = covariance.diagonal().cwiseMax(0.0);
    std::vector<double> sorted(variances.begin(), variances.end());
    const double largest = largest_sum(sorted, k);
    std::vector<double> worth;
    for (const double variance : variances) {
      worth.push_back(variance * largest);
    }
    variables = worth_enough(variables, worth, k, threshold);  // u_j <= S_jj sum of the k largest
  }
  // Fewer variables make the sums of the others smaller, which eliminates more.
  for (std::size_t before = 0; before != variables.size();) {
    before = variables.size();
    variables = pass_over_columns(covariance, variables, k, threshold, keep_going);
    if (!keep_going() || 100 * variables.size() > kWorthAnotherPass * before) {
      break;
    }
  }
  return variables;
}

VariablesLeft variables_to_search(const Covariance& covariance, Index k,
                                  const EliminationCertificate& certificate,
                                  const std::function<bool()>& keep_going) {
  VariablesLeft searched;
  if (covariance.variables() <= kSearchedWhole) {
    searched.variables = varying_variables(covariance);
    return searched;
  }
  // The certificate's value is not trusted either.
  const double value = best_on_support(covariance, certificate.support).value;
  VariablesLeft by_relaxation = eliminate_by_relaxation(covariance, k, value, certificate);
  Support& left = by_relaxation.variables;
  if (std::ssize(left) > kMostSearched && covariance.variables() <= kMostBySquares) {
    left = eliminate_by_squares(covariance, k, value, keep_going);
  }
  searched.bound = by_relaxation.bound;
  std::set_union(left.begin(), left.end(), certificate.support.begin(), certificate.support.end(),
                 std::back_inserter(searched.variables));
  return searched;
}

}  // namespace spca
