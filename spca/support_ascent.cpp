#include "spca/support_ascent.h"

#include <algorithm>
#include <cmath>

#include "spca/dense_decompositions.h"
#include "spca/eigenpairs.h"
#include "spca/sparsify.h"

namespace spca {
namespace {

// A support that has not settled by then goes to the eigensolver as it is.
constexpr int kMostSteps = 40;
// Two values of one support differ by less.
constexpr double kGain = 1e-12;

std::uint64_t hash_of(const Support& support) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const Index i : support) {
    hash = (hash ^ static_cast<std::uint64_t>(i)) * 0x100000001b3ULL;
    hash ^= hash >> 29;
  }
  return hash;
}

/// S_{:,I} x.
Vector product(const Matrix& matrix, const Support& support, const Vector& x) {
  Vector result = Vector::Zero(matrix.rows());
  for (std::size_t i = 0; i < support.size(); ++i) {
    result += x[static_cast<Index>(i)] * matrix.col(support[i]);
  }
  return result;
}

Vector restricted(const Vector& w, const Support& support) {
  Vector values(std::ssize(support));
  for (std::size_t i = 0; i < support.size(); ++i) {
    values[static_cast<Index>(i)] = w[support[i]];
  }
  return values;
}

}  // namespace

Matrix principal_submatrix(const Matrix& matrix, const Support& support) {
  const auto size = std::ssize(support);
  Matrix result(size, size);
  for (Index j = 0; j < size; ++j) {
    const auto column = matrix.col(support[static_cast<std::size_t>(j)]);
    for (Index i = 0; i < size; ++i) {
      result(i, j) = column[support[static_cast<std::size_t>(i)]];
    }
  }
  return result;
}

bool SupportAscent::take(const Support& support, double value, const Vector& vector) {
  if (!(value > value_ * (1 + kGain))) {
    return false;
  }
  value_ = value;
  support_ = support;
  vector_ = vector;
  return true;
}

void SupportAscent::offer(const Support& support) {
  const LeadingEigenpair pair = leading_eigenpair(principal_submatrix(matrix_, support));
  take(support, pair.value, pair.vector);
}

void SupportAscent::ascend(Vector w) {
  Support support;
  Vector v;
  for (int step = 0; step < kMostSteps; ++step) {
    Support next = top_k(w, k_);
    if (next == support) {
      break;
    }
    support = std::move(next);
    if (!met_.insert(hash_of(support)).second) {
      return;
    }
    v = restricted(w, support);
    const double norm = v.norm();
    if (!(norm > 0)) {
      return;
    }
    v /= norm;
    w = product(matrix_, support, v);
  }
  const Matrix submatrix = principal_submatrix(matrix_, support);
  const LeadingEigenpair pair = leading_eigenpair(submatrix, v);
  if (take(support, pair.value, pair.vector)) {
    ascend(product(matrix_, support, pair.vector));
  }
}

void SupportAscent::grow() {
  Index first = 0;
  matrix_.diagonal().maxCoeff(&first);
  Support support = {first};
  Vector v = Vector::Ones(1);
  while (std::ssize(support) < k_) {
    const Vector w = product(matrix_, support, v);
    Index best = -1;
    double best_gain = -1;
    for (Index j = 0; j < w.size(); ++j) {
      if (std::binary_search(support.begin(), support.end(), j)) {
        continue;
      }
      if (const double gain = std::abs(w[j]); gain > best_gain) {
        best_gain = gain;
        best = j;
      }
    }
    const auto place = std::lower_bound(support.begin(), support.end(), best);
    const Index position = place - support.begin();
    support.insert(place, best);
    Vector start(std::ssize(support));
    start << v.head(position), w[best] / std::max(w.cwiseAbs().maxCoeff(), 1e-300),
        v.tail(v.size() - position);
    v = leading_eigenpair(principal_submatrix(matrix_, support), start.normalized()).vector;
  }
  ascend(product(matrix_, support, v));
}

void SupportAscent::exchange() {
  bool improved = !support_.empty() && k_ < matrix_.rows();
  while (improved) {
    const Vector w = product(matrix_, support_, vector_);
    double best = value_ * (1 + kGain);
    Index out = -1;
    Index in = -1;
    for (Index t = 0; t < k_; ++t) {
      const Index i = support_[static_cast<std::size_t>(t)];
      const double v_i = vector_[t];
      const double rest = 1 - v_i * v_i;
      if (!(rest > kGain)) {
        continue;
      }
      const double a = (value_ - 2 * v_i * w[i] + v_i * v_i * matrix_(i, i)) / rest;
      const auto column = matrix_.col(i);
      for (Index j = 0; j < matrix_.rows(); ++j) {
        const double b = (w[j] - column[j] * v_i) / std::sqrt(rest);
        const double value = larger_eigenvalue(a, b, matrix_(j, j));
        if (value > best && !std::binary_search(support_.begin(), support_.end(), j)) {
          best = value;
          out = t;
          in = j;
        }
      }
    }
    improved = out >= 0;
    if (improved) {
      Support next = support_;
      next[static_cast<std::size_t>(out)] = in;
      std::sort(next.begin(), next.end());
      const double before = value_;
      offer(next);
      ascend(product(matrix_, support_, vector_));
      improved = value_ > before;
    }
  }
}

void SupportAscent::search(const std::function<bool(double)>& keep_going) {
  offer(top_k(matrix_.diagonal(), k_));
  ascend(matrix_.diagonal());
  for (Index j = 0; j < matrix_.cols(); ++j) {
    if (!keep_going(value_)) {
      return;
    }
    ascend(matrix_.col(j));
  }
  if (keep_going(value_)) {
    grow();
    exchange();
  }
}

}  // namespace spca
