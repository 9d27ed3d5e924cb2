/// The letters are those of the header: D_s is one term, z_s, y_s or w_s its vectors, a_s its part
/// of the data form. Each deflation first computes the products and scores that it needs of
/// S_{t-1}. Then it records its step for the Gram matrix, its term and the change of the diagonal.
/// Once the term is appended, `multiply` and `data_product` are those of S_t.

#include "spca/covariance/deflated_covariance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "spca/base/error.h"
#include "spca/dense/dense_selections.h"
#include "spca/dense/sparsify.h"

namespace spca {
namespace {

/// A remainder below this share of a unit vector or of a variance is rounding.
constexpr double kVanished = kRoundingOfDeflation;
/// An entry of a computed eigenvector is accurate to about 1e-15, however small the entry is. The
/// variance S_ii - lambda v_i^2 after Hotelling's deflation is then accurate to about lambda |v_i|
/// 1e-15, at most sqrt(lambda S_ii) 1e-15. This error is rounding (kVanished) if S_ii is at least
/// this share of lambda.
constexpr double kEntryRounding = 1e-6;
/// At most this number of samples for which remove() updates the n x n Gram matrix: the update
/// stores n numbers for each removed variable, and no solver uses the Gram matrix of more samples.
constexpr Index kLargestGramSamples = 20000;

double dot(const Vector& w, const Component& v) { return sparse_dot(v, w); }
double dot(const Component& v, const Vector& w) { return sparse_dot(v, w); }
double dot(const Vector& a, const Vector& b) { return a.dot(b); }

/// Both supports are ascending, so one pass over the two finds their common indices.
double dot(const Component& a, const Component& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.support.size() && j < b.support.size();) {
    if (a.support[i] == b.support[j]) {
      sum += a.values[static_cast<Index>(i++)] * b.values[static_cast<Index>(j++)];
    } else {
      ++(a.support[i] < b.support[j] ? i : j);
    }
  }
  return sum;
}

void add(double factor, const Component& v, Vector& out) {
  for (Index i = 0; i < v.cardinality(); ++i) {
    out[v.support[static_cast<std::size_t>(i)]] += factor * v.values[i];
  }
}

}  // namespace

DeflatedCovariance::DeflatedCovariance(std::shared_ptr<const Covariance> base)
    : base_(std::move(base)),
      semidefinite_(base_->semidefinite_shift() == 0),
      shift_(base_->semidefinite_shift()),
      diagonal_(base_->diagonal()),
      largest_variances_(base_->largest_variances().cwiseAbs()) {}

/// Copies everything but the counter of products, which begins at zero for a new S.
DeflatedCovariance::DeflatedCovariance(const DeflatedCovariance& other)
    : Covariance(),  // NOLINT(readability-redundant-member-init): GCC asks for it
      base_(other.base_),
      removed_(other.removed_),
      removed_list_(other.removed_list_),
      terms_(other.terms_),
      gram_steps_(other.gram_steps_),
      directions_(other.directions_),
      semidefinite_(other.semidefinite_),
      shift_(other.shift_),
      diagonal_(other.diagonal_),
      largest_variances_(other.largest_variances_) {}

std::shared_ptr<DeflatedCovariance> DeflatedCovariance::extend(
    std::shared_ptr<const Covariance> previous) {
  // A deflated S shares the base and takes over the terms. Wrapping it would cost a further layer
  // for each component.
  if (const auto* deflated = dynamic_cast<const DeflatedCovariance*>(previous.get())) {
    return std::shared_ptr<DeflatedCovariance>(new DeflatedCovariance(*deflated));
  }
  return std::make_shared<DeflatedCovariance>(std::move(previous));
}

void DeflatedCovariance::update_diagonal(const Vector& change) {
  diagonal_ -= change;
  largest_variances_ = largest_variances_.cwiseMax(diagonal_.cwiseAbs());
  for (Index j = 0; j < diagonal_.size(); ++j) {
    // In a semidefinite S a negative variance of any size is rounding.
    const double variance = semidefinite_ ? diagonal_[j] : std::abs(diagonal_[j]);
    // Compared variable by variable, because scales may differ by many orders of magnitude. If
    // nothing is left, the subtracted number is S_jj itself, so the rounding is a share of
    // S_jj.
    if (!(variance > kVanished * largest_variances_[j])) {
      diagonal_[j] = 0;
    }
  }
}

void DeflatedCovariance::remove(const Support& support) {
  if (has_data_form() && samples() <= kLargestGramSamples) {
    // G loses the columns A of B_t of the removed variables: G - A A'. They are computed before the
    // mask changes, which makes them zero.
    GramStep step{.two_sided = false,
                  .vectors = Matrix(samples(), static_cast<Index>(support.size()))};
    for (std::size_t j = 0; j < support.size(); ++j) {
      step.vectors.col(static_cast<Index>(j)) =
          data_product({.support = {support[j]}, .values = Vector::Ones(1)});
    }
    gram_steps_.push_back(std::move(step));
  }
  removed_.resize(static_cast<std::size_t>(variables()), 0);
  for (const Index j : support) {
    if (std::exchange(removed_[static_cast<std::size_t>(j)], char{1}) == 0) {
      removed_list_.push_back(j);
    }
    diagonal_[j] = 0;
  }
  // Earlier terms are masked as well: M (z y' + y z') M = (Mz)(My)' + (My)(Mz)'. Products then need
  // no mask after the terms.
  for (Term& term : terms_) {
    term.z = unmasked(term.z);
    for (const Index j : support) {
      term.y[j] = 0;
    }
  }
}

/// (I - qq') S (I - qq') = S - q y' - y q' with y = Sq - (q'Sq) q / 2, and the diagonal falls by 2
/// q_j y_j. In the data form, B (I - qq') = B - (Bq) q', and G becomes G - (Bq)(Bq)'.
void DeflatedCovariance::project(const Component& q) {
  Vector product;
  multiply(q, product);
  const double variance = dot(product, q);
  add(-0.5 * variance, q, product);
  Term term{.z = q, .y = std::move(product), .a = {}};
  if (has_data_form()) {
    // Computed before the term is appended: Bq of the S that is being deflated.
    term.a = data_product(q);
    gram_steps_.push_back({.two_sided = false, .vectors = term.a});
  }
  Vector change = Vector::Zero(variables());
  for (const Index j : q.support) {
    change[j] = 2 * term.y[j];
  }
  for (Index i = 0; i < q.cardinality(); ++i) {
    change[q.support[static_cast<std::size_t>(i)]] *= q.values[i];
  }
  terms_.push_back(std::move(term));
  update_diagonal(change);
}

void DeflatedCovariance::project_orthogonalized(const Component& v) {
  Vector q = to_dense(v, variables());
  // The second pass removes the rounding of the first.
  for (int pass = 0; pass < 2; ++pass) {
    for (const Component& direction : directions_) {
      add(-dot(q, direction), direction, q);
    }
  }
  if (q.norm() <= kVanished * v.values.norm()) {
    return;
  }
  // q is less sparse than v: orthogonalisation fills in the supports of the earlier directions.
  directions_.push_back(normalized(from_dense(q)));
  project(directions_.back());
}

/// S - w w' with w = Sv / sqrt(v'Sv). In the data form, with u = Bv / ||Bv||, B'u = w, and so
/// (I - uu') B = B - u w' has the square S - w w'; G becomes (I - uu') G (I - uu').
void DeflatedCovariance::subtract_schur(const Component& v) {
  Vector product;
  multiply(v, product);
  const double variance = dot(product, v);
  // Compared with the variances of the base: after several deflations the remaining variances may
  // themselves be rounding.
  if (!(variance > kVanished * base_->diagonal().maxCoeff() * v.values.squaredNorm())) {
    return;
  }
  Term term{.z = {}, .y = product / std::sqrt(variance), .a = {}};
  if (has_data_form()) {
    term.a = data_product(v).normalized();
    gram_steps_.push_back({.two_sided = true, .vectors = term.a});
  }
  // The result is (I - P')S(I - P) with P = v (Sv)' / v'Sv, a projection of norm ||v|| ||Sv|| /
  // v'Sv >= 1, and I - P has the same norm. Also, no eigenvalue falls by more than ||w||^2.
  shift_ = std::min(shift_ * v.values.squaredNorm() * product.squaredNorm() / (variance * variance),
                    shift_ + term.y.squaredNorm());
  const Vector change = term.y.cwiseAbs2();
  terms_.push_back(std::move(term));
  update_diagonal(change);
}

/// S - (v'Sv) v v' = S - z y' - y z' with z = v and y = (v'Sv) v / 2. If v is not an eigenvector,
/// the result may be indefinite; it is then no B'B, and the steps of the Gram matrix are of no use.
///
/// Its smallest eigenvalue is bounded as follows. With P = I - vv' and the residual
/// w = Sv - (v'Sv) v the result is
///
///   PSP + v w' + w v'.
///
/// Every eigenvalue of v w' + w v' is at least -||w||, because w is orthogonal to v. If S + sigma I
/// is semidefinite, so is PSP + sigma I, and the result + (sigma + ||w||) I.
void DeflatedCovariance::subtract_hotelling(const Component& v) {
  const double variance = quadratic_form(v);
  Vector residual;
  do_multiply(v, residual);
  add(-variance, v, residual);
  shift_ += residual.norm();
  semidefinite_ = false;
  gram_steps_.clear();
  for (const Index j : v.support) {
    largest_variances_[j] = std::max(largest_variances_[j], kEntryRounding * std::abs(variance));
  }
  Term term{.z = v, .y = 0.5 * variance * to_dense(v, variables()), .a = {}};
  Vector change = Vector::Zero(variables());
  for (Index i = 0; i < v.cardinality(); ++i) {
    change[v.support[static_cast<std::size_t>(i)]] = variance * v.values[i] * v.values[i];
  }
  terms_.push_back(std::move(term));
  update_diagonal(change);
}

/// Returns v without the removed variables.
Component DeflatedCovariance::unmasked(const Component& v) const {
  if (removed_.empty()) {
    return v;
  }
  Component left{.support = {}, .values = Vector(v.cardinality())};
  for (Index i = 0; i < v.cardinality(); ++i) {
    const Index j = v.support[static_cast<std::size_t>(i)];
    if (!is_removed(j)) {
      left.values[left.cardinality()] = v.values[i];
      left.support.push_back(j);
    }
  }
  left.values.conservativeResize(left.cardinality());
  return left;
}

/// out -= sum_s D_s v, after the removed variables of out are set to zero. v itself need not be
/// masked: remove() has masked the terms.
template <class Input>
void DeflatedCovariance::subtract_terms(const Input& v, Vector& out) const {
  for (const Index j : removed_list_) {
    out[j] = 0;
  }
  for (const Term& term : terms_) {
    const double along_y = dot(term.y, v);
    if (term.z.support.empty()) {
      out -= along_y * term.y;
      continue;
    }
    add(-along_y, term.z, out);
    // Zero if the supports of v and z are disjoint. Then the O(p) update is not needed.
    if (const double along_z = dot(term.z, v); along_z != 0) {
      out -= along_z * term.y;
    }
  }
}

void DeflatedCovariance::do_multiply(const Vector& v, Vector& out) const {
  if (removed_.empty()) {
    multiply_uncounted(*base_, v, out);
  } else {
    Vector left = v;
    for (const Index j : removed_list_) {
      left[j] = 0;
    }
    multiply_uncounted(*base_, left, out);
  }
  subtract_terms(v, out);
}

void DeflatedCovariance::do_multiply_block(const Matrix& v, Matrix& out) const {
  Matrix left = v;
  for (const Index j : removed_list_) {
    left.row(j).setZero();
  }
  // One product of the base for the whole block; the terms are then subtracted column by column.
  multiply_uncounted(*base_, left, out);
  Vector column;
  for (Index b = 0; b < v.cols(); ++b) {
    column = out.col(b);
    subtract_terms(Vector(v.col(b)), column);
    out.col(b) = column;
  }
}

void DeflatedCovariance::do_multiply(const Component& v, Vector& out) const {
  if (removed_.empty()) {
    multiply_uncounted(*base_, v, out);
  } else {
    multiply_uncounted(*base_, unmasked(v), out);
  }
  subtract_terms(v, out);
}

Matrix DeflatedCovariance::submatrix(const Support& support) const {
  Matrix result = base_->submatrix(support);
  const Index k = result.cols();
  for (Index b = 0; b < k; ++b) {
    if (is_removed(support[static_cast<std::size_t>(b)])) {
      result.row(b).setZero();
      result.col(b).setZero();
    }
  }
  for (const Term& term : terms_) {
    // D_s on the support: z y' + y z', with z = y / 2 for w w'. Only the lower triangle is
    // computed.
    const Vector y = term.y(support);
    const Vector z = term.z.support.empty()
                         ? Vector(0.5 * y)
                         : selected_entries(to_dense(term.z, variables()), support);
    for (Index b = 0; b < k; ++b) {
      for (Index a = b; a < k; ++a) {
        result(a, b) -= z[a] * y[b] + y[a] * z[b];
      }
    }
  }
  for (Index b = 0; b < k; ++b) {
    // The numbers of diagonal(): unlike a difference, they are exactly zero for removed variables
    // and, unless S is indefinite, never negative.
    result(b, b) = diagonal_[support[static_cast<std::size_t>(b)]];
  }
  result.triangularView<Eigen::StrictlyUpper>() = result.transpose();
  return result;
}

Matrix DeflatedCovariance::columns(const Support& support) const {
  Matrix result = base_->columns(support);
  for (std::size_t b = 0; b < support.size(); ++b) {
    const Index j = support[b];
    // Column j of S_t is M (S_0 e_j) minus the terms, or zero if variable j was removed.
    auto column = result.col(static_cast<Index>(b));
    Vector corrected = is_removed(j) ? Vector(Vector::Zero(variables())) : Vector(column);
    subtract_terms(Component{.support = {j}, .values = Vector::Ones(1)}, corrected);
    column = corrected;
  }
  return result;
}

double DeflatedCovariance::quadratic_form(const Component& v) const {
  double value = base_->quadratic_form(unmasked(v));
  for (const Term& term : terms_) {
    const double along_y = dot(term.y, v);
    // v'D_s v = 2 (z'v)(y'v), or (w'v)^2. No product with S is needed.
    value -= term.z.support.empty() ? along_y * along_y : 2 * along_y * dot(term.z, v);
  }
  return semidefinite_ ? std::max(value, 0.0) : value;
}

std::optional<Matrix> DeflatedCovariance::gram() const {
  if (!has_data_form() || (!removed_list_.empty() && samples() > kLargestGramSamples)) {
    return std::nullopt;
  }
  // In the order of the deflations: each step refers to the G that the earlier steps leave.
  std::optional<Matrix> gram = base_->gram();
  if (!gram) {
    return std::nullopt;
  }
  for (const GramStep& step : gram_steps_) {
    if (step.two_sided) {
      const auto u = step.vectors.col(0);
      Vector product = *gram * u;
      // (I - uu') G (I - uu') = G - u y' - y u' with y = Gu - (u'Gu) u / 2.
      product -= (0.5 * u.dot(product)) * u;
      gram->selfadjointView<Eigen::Lower>().rankUpdate(u, product, -1.0);
    } else {
      gram->selfadjointView<Eigen::Lower>().rankUpdate(step.vectors, -1.0);
    }
    gram->triangularView<Eigen::StrictlyUpper>() = gram->transpose();
  }
  return gram;
}

/// Turns B'u of the base into B_t'u = M B'u - sum_s b_s (a_s'u), the terms masked.
void DeflatedCovariance::deflate_product(const Vector& u, Vector& product) const {
  for (const Index j : removed_list_) {
    product[j] = 0;
  }
  for (const Term& term : terms_) {
    const double along = term.a.dot(u);
    if (term.z.support.empty()) {
      product -= along * term.y;
    } else {
      add(-along, term.z, product);
    }
  }
}

Vector DeflatedCovariance::transpose_product(const Vector& u) const {
  SPCA_CHECK(has_data_form(), "a product with the data of an S that has none");
  Vector result = base_->transpose_product(u);
  deflate_product(u, result);
  return result;
}

Matrix DeflatedCovariance::transpose_product_block(const Matrix& u) const {
  SPCA_CHECK(has_data_form(), "a product with the data of an S that has none");
  Matrix products = base_->transpose_product_block(u);
  for (Index c = 0; c < u.cols(); ++c) {
    Vector product = products.col(c);
    deflate_product(u.col(c), product);
    products.col(c) = product;
  }
  return products;
}

Vector DeflatedCovariance::data_product(const Component& v) const {
  SPCA_CHECK(has_data_form(), "a product with the data of an S that has none");
  Vector scores = base_->data_product(unmasked(v));
  for (const Term& term : terms_) {
    // B_t v = B M v - sum_s a_s (b_s'v).
    const double along = term.z.support.empty() ? dot(term.y, v) : dot(term.z, v);
    if (along != 0) {
      scores -= along * term.a;
    }
  }
  return scores;
}

Vector DeflatedCovariance::squared_sample_norms() const {
  SPCA_CHECK(has_data_form(), "the samples of an S that has none");
  // Subtracting a_s b_s' would need the products B b_s; column by column is simpler.
  if (!terms_.empty()) {
    return Covariance::squared_sample_norms();
  }
  Vector norms = base_->squared_sample_norms();
  for (const Index j : removed_list_) {
    // Without terms, B_t is B without the removed columns.
    norms -= base_->data_product({.support = {j}, .values = Vector::Ones(1)}).cwiseAbs2();
  }
  return norms.cwiseMax(0.0);
}

}  // namespace spca
