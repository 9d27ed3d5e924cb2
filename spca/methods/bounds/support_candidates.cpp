#include "spca/methods/bounds/support_candidates.h"

#include <algorithm>
#include <numeric>

namespace spca {
namespace {

// Columns of S at a time: a matrix product instead of many by vectors.
constexpr std::size_t kColumnsAtATime = 32;
// Above the rounding of the sums of squares.
constexpr double kSquareRounding = 1e-10;

/// The sum of the `count` largest; reorders them.
double largest_sum(std::vector<double>& entries, Index count) {
  const auto middle = entries.begin() + std::min(count, std::ssize(entries));
  std::nth_element(entries.begin(), middle, entries.end(), std::greater<>());
  return std::accumulate(entries.begin(), middle, 0.0);
}

/// Those of `variables` whose worth, with the k - 1 largest of the others, exceeds `threshold`.
Support able(const Support& variables, const std::vector<double>& worth, Index k,
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
Support able_by_columns(const Covariance& covariance, const Support& variables, Index k,
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
  return able(variables, worth, k, threshold);
}

}  // namespace

Support support_candidates(const Covariance& covariance, Index k, double value,
                           const std::function<bool()>& keep_going) {
  Support variables(static_cast<std::size_t>(covariance.variables()));
  std::iota(variables.begin(), variables.end(), 0);
  const double threshold = value * value * (1 - kSquareRounding);
  if (covariance.has_data_form()) {
    const Vector variances = covariance.diagonal().cwiseMax(0.0);
    std::vector<double> sorted(variances.begin(), variances.end());
    const double largest = largest_sum(sorted, k);
    std::vector<double> worth;
    for (const double variance : variances) {
      worth.push_back(variance * largest);
    }
    variables = able(variables, worth, k, threshold);
  }
  for (std::size_t before = 0; before != variables.size();) {
    before = variables.size();
    variables = able_by_columns(covariance, variables, k, threshold, keep_going);
    if (!keep_going() || 10 * variables.size() > 9 * before) {
      break;
    }
  }
  return variables;
}

}  // namespace spca
