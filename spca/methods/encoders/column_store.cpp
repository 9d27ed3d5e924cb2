#include "spca/methods/encoders/column_store.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace spca {
namespace {

/// Number of multiplications that take a second or two.
constexpr double kCheapWork = 2e9;
constexpr Index kColumnBlock = 64;

Support range(Index begin, Index end) {
  Support variables(static_cast<std::size_t>(end - begin));
  std::iota(variables.begin(), variables.end(), begin);
  return variables;
}

/// (S^2)_ii = f_i'Gf_i, with f_i column i of X and G = XX'.
Vector through_gram(const Covariance& covariance, const Matrix& gram) {
  Vector squares(covariance.variables());
  for (Index i = 0; i < squares.size(); ++i) {
    const Vector column = covariance.data_product({.support = {i}, .values = Vector::Ones(1)});
    squares[i] = column.dot(gram * column);
  }
  return squares;
}

Vector through_columns(const Covariance& covariance) {
  const Index p = covariance.variables();
  Vector squares(p);
  for (Index begin = 0; begin < p; begin += kColumnBlock) {
    // In blocks, because p columns of S at once would be S itself.
    const Index end = std::min(begin + kColumnBlock, p);
    squares.segment(begin, end - begin) =
        covariance.columns(range(begin, end)).colwise().squaredNorm();
  }
  return squares;
}

std::optional<Vector> cheap_squared_norms(const Covariance& covariance) {
  const auto n = static_cast<double>(covariance.samples());
  const auto p = static_cast<double>(covariance.variables());
  // The cheaper of two ways: O(n^2 p) through the Gram matrix, or O(n p^2) through all columns of
  // S.
  if (covariance.has_data_form() && n < p && n * n * p <= kCheapWork) {
    if (const std::optional<Matrix> gram = covariance.gram()) {
      return through_gram(covariance, *gram);
    }
  }
  // n = 0 if S itself was given: its columns are known already.
  if (n * p * p <= kCheapWork) {
    return through_columns(covariance);
  }
  return std::nullopt;
}

}  // namespace

ColumnStore::ColumnStore(const Covariance& covariance, const Eigenpairs& leading)
    : covariance_(covariance) {
  std::optional<Vector> squares = cheap_squared_norms(covariance);
  exact_.assign(static_cast<std::size_t>(covariance.variables()), squares.has_value() ? 1 : 0);
  if (squares) {
    squared_norms_ = std::move(*squares);
  } else {
    bound_squared_norms(leading);
  }
}

/// (S^2)_ii = sum over all l of lambda_l^2 v_li^2. Beyond d, lambda_l^2 <= lambda_d lambda_l, and
/// sum_{l > d} lambda_l v_li^2 = S_ii - sum_{l <= d} lambda_l v_li^2.
void ColumnStore::bound_squared_norms(const Eigenpairs& leading) {
  const Matrix squared = leading.vectors.cwiseAbs2();
  const Vector rest = covariance_.diagonal() - squared * leading.values;
  squared_norms_ = squared * leading.values.cwiseAbs2() +
                   leading.values[leading.values.size() - 1] * rest.cwiseMax(0.0);
}

void ColumnStore::make_exact(Index i) {
  if (!is_exact(i)) {
    const auto found = entries_.find(i);
    // ||S e_i||^2 = (S^2)_ii.
    squared_norms_[i] = found != entries_.end() ? found->second.column.squaredNorm()
                                                : covariance_.columns({i}).squaredNorm();
    exact_[static_cast<std::size_t>(i)] = 1;
  }
}

const ColumnStore::Entry& ColumnStore::entry(Index i) {
  const auto [found, is_new] = entries_.try_emplace(i);
  if (is_new) {
    found->second.column = covariance_.columns({i}).col(0);
    // S S e_i, the one product with S that a new column costs.
    covariance_.multiply(found->second.column, found->second.twice);
  }
  return found->second;
}

void ColumnStore::forget_others(const std::vector<Index>& variables) {
  // A stored variable takes two vectors of p numbers; a search needs only those of its own columns.
  std::erase_if(entries_, [&](const auto& item) {
    return std::find(variables.begin(), variables.end(), item.first) == variables.end();
  });
}

}  // namespace spca
