#include "spca/methods/relaxations/cardinality_relaxation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "spca/base/error.h"
#include "spca/dense/dense_products.h"
#include "spca/dense/tridiagonal_form.h"

namespace spca {
namespace {

constexpr int kPriceSteps = 60;
// The search for the price ends when the relative distance of the sum of shares from m is below
// this. The error of the bound is of second order in that of the price, and any price gives a valid
// bound.
constexpr double kPriceSolved = 1e-10;
// The least price, relative to the squared length of the longest column: in some problems even a
// price of zero makes the shares sum to less than m.
constexpr double kLeastPrice = 1e-12;
// A variable is settled if its inequality holds with this margin: far above the rounding of an
// eigendecomposition of a thousand rows.
constexpr double kMargin = 1e-9;

}  // namespace

CardinalityRelaxation::CardinalityRelaxation(Matrix columns, Index chosen, Index to_choose)
    : CardinalityRelaxation(std::make_shared<const DenseColumns>(std::move(columns)), chosen,
                            to_choose) {}

CardinalityRelaxation::CardinalityRelaxation(std::shared_ptr<const RelaxationColumns> columns,
                                             Index chosen, Index to_choose)
    : columns_(std::move(columns)),
      chosen_(chosen),
      to_choose_(to_choose),
      terms_(columns_, chosen) {}

CardinalityRelaxation::CardinalityRelaxation(std::shared_ptr<const RelaxationColumns> columns,
                                             Index chosen, Index to_choose, const Vector& prices)
    : columns_(std::move(columns)),
      chosen_(chosen),
      to_choose_(to_choose),
      terms_(columns_, chosen, prices.tail(prices.size() - chosen).array()),
      paid_(prices.head(chosen).sum()) {}

/// The derivative of price m + sum of t_i by the price is m - sum of shares. So the value, which is
/// convex in the price, is least at the price at which the shares add up to m. The sum of shares
/// falls with the price, so Newton's method finds it between bounds that close in from both sides.
void CardinalityRelaxation::solve_price() {
  const Vector& lengths = terms_.lengths();
  const auto goal = static_cast<double>(to_choose_);
  double low = least_price_;
  double high = lengths.size() > 0 ? (lengths.array() - terms_.extra()).maxCoeff() : 0;
  if (!(high > 0) || to_choose_ == 0) {
    // No variable is to be chosen: at the squared length of the longest column every term is zero.
    price_ = high > 0 ? high : 1;
    terms_.solve(price_, RelaxationTerms::Start::kZero);
    return;
  }
  high = std::max(high, low);
  const double least = kLeastPrice * high;
  auto start = RelaxationTerms::Start::kLastTerms;
  if (!(price_ > std::max(least, low) && price_ < high)) {
    price_ = 0.5 * (low + high);
    start = RelaxationTerms::Start::kZero;
  }
  for (int step = 0; step < kPriceSteps; ++step) {
    terms_.solve(price_, start);
    start = RelaxationTerms::Start::kLastTerms;
    const double excess = terms_.shares().sum() - goal;
    (excess > 0 ? low : high) = price_;
    if (std::abs(excess) <= kPriceSolved * goal || high - low <= least) {
      return;
    }
    const double slope = -terms_.share_decrease();
    const double newton = slope < 0 ? price_ - excess / slope : low;
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    terms_.follow(next);
    price_ = next;
  }
}

void CardinalityRelaxation::set(const RelaxationPoint& point) {
  terms_.move_to(point.y, point.floor);
  price_ = point.price;
  terms_.solve(price_, RelaxationTerms::Start::kZero);
}

double CardinalityRelaxation::evaluate(const Matrix& y, double floor, Matrix* gradient) {
  terms_.move_to(y, floor);
  solve_price();
  // By the envelope theorem the derivative by Y is that at the fixed price.
  if (gradient != nullptr) {
    *gradient = terms_.gradient(y);
  }
  return terms_.value(cost());
}

Eigen::ArrayXd CardinalityRelaxation::branch_losses() const {
  const Eigen::ArrayXd taken = terms_.quadratic_forms() - prices();
  return terms_.terms().min(terms_.terms() - taken);
}

namespace {

/// Settles candidates if A is not formed. A support with candidate i is bounded by
/// cost - price_i + lambda_max(HH' + aa' - hh') <= cost - price_i + lambda_max(HH') + lambda_+,
/// with lambda_+ the larger root of t^2 - (||a||^2 - ||h||^2) t - (||a||^2 ||h||^2 - (a'h)^2), the
/// characteristic polynomial of aa' - hh' on the span of both. lambda_+ is at most price_i.
SettledVariables settle_by_products(const CardinalityRelaxation& relaxation,
                                    const DirectionCuts& cuts, double limit, Index directions,
                                    const std::function<bool()>& keep_going) {
  const RelaxationTerms::DualForm form = relaxation.dual_form();
  const Curvature curvature =
      curvature_by_products(relaxation.columns(), form, cuts, directions, keep_going);
  SettledVariables settled;
  settled.bound = relaxation.cost() + curvature.largest;
  settled.directions = reversed_columns(curvature.directions);
  const Eigen::ArrayXd prices = relaxation.prices();
  if (!(settled.bound > limit) || prices.size() == 0 ||
      !(settled.bound - limit < prices.maxCoeff())) {
    return settled;
  }
  const Index count = relaxation.lengths().size();
  const Index chosen = relaxation.chosen();
  for (Index i = 0; i < count; ++i) {
    const double along = form.of_column[chosen + i];
    const auto onto = form.of_basis.col(chosen + i);
    const double length = relaxation.lengths()[i];
    const double mixed = onto.dot(form.inside.row(chosen + i));
    const double h_squared = along * along * length + 2 * along * mixed + onto.squaredNorm();
    const double a_h = along * length + mixed;
    const double difference = length - h_squared;
    const double product = std::max(length * h_squared - a_h * a_h, 0.0);
    const double root = 0.5 * (difference + std::sqrt(difference * difference + 4 * product));
    if (settled.bound * (1 + kMargin) - prices[i] + root * (1 + kMargin) < limit) {
      settled.out.push_back(i);
    }
  }
  return settled;
}

}  // namespace

SettledVariables settle_variables(const CardinalityRelaxation& relaxation, double limit,
                                  Index directions) {
  return settle_variables(relaxation, limit, directions, [] { return true; });
}

SettledVariables settle_variables(const CardinalityRelaxation& relaxation, double limit,
                                  Index directions, const std::function<bool()>& keep_going) {
  return settle_variables(relaxation, DirectionCuts(), limit, directions, keep_going);
}

// The eigenvectors of HH' are computed once; then the effect of adding or removing one candidate on
// lambda_max(HH') <= level is that of rank-one changes of N = level I - HH', which Sylvester's law
// of inertia gives in O(n) from the candidate's entries in that basis.
SettledVariables settle_variables(const CardinalityRelaxation& relaxation,
                                  const DirectionCuts& cuts, double limit, Index directions,
                                  const std::function<bool()>& keep_going) {
  const auto* formed = dynamic_cast<const DenseColumns*>(&relaxation.columns());
  if (formed == nullptr) {
    return settle_by_products(relaxation, cuts, limit, directions, keep_going);
  }
  const Matrix dual = relaxation.dual_columns();
  const Index n = dual.rows();
  const Eigen::ArrayXd prices = relaxation.prices();
  const Index count = dual.cols() - relaxation.chosen();
  SettledVariables settled;
  if (n > kLargestSettled) {
    SPCA_CHECK(cuts.empty(), "cuts exist only for few dimensions");
    const Curvature curvature =
        leading_curvature(dual, directions, -std::numeric_limits<double>::infinity());
    settled.bound = relaxation.cost() + curvature.largest;
    settled.directions = reversed_columns(curvature.directions);
    return settled;
  }
  Matrix curvature = product_transposed(dual, dual);
  cuts.add_to(curvature);
  const TridiagonalForm form(curvature);
  const Vector& values = form.values();
  settled.bound = relaxation.cost() + values[n - 1];
  settled.directions = form.leading_vectors(std::min(directions, n));
  if (!(settled.bound > limit) || count == 0) {
    return settled;
  }
  const Matrix h = form.in_basis(dual.rightCols(count));
  // Out. A support with candidate i pays for m - 1 others, and has a_i a_i' in place of h_i h_i':
  // its bound is cost - price_i + lambda_max(HH' + a a' - h h'), which is at most the limit if HH'
  // + a a' - h h' <= level I. With N > 0, N + h h' - a a' >= 0 means a'(N + h h')^-1 a <= 1, and
  // Sherman and Morrison give the inverse.
  const double margin = kMargin * values.cwiseAbs().maxCoeff();
  const double largest = values[n - 1] + margin;
  if (limit - relaxation.cost() + prices.maxCoeff() > largest) {
    const Matrix a = form.in_basis(formed->matrix().rightCols(count));
    std::optional<ShiftedTridiagonal> shifted;
    double price = 0;  // that of `shifted`
    Vector of_a;
    Vector of_h;
    for (Index i = 0; i < count; ++i) {
      const double with = limit - relaxation.cost() + prices[i];
      if (!(with > largest)) {
        continue;
      }
      if (!shifted || prices[i] != price) {
        price = prices[i];
        shifted = form.shifted(with);
      }
      shifted->solve(of_a = a.col(i));
      shifted->solve(of_h = h.col(i));
      const double both = of_a.dot(h.col(i));
      if (of_a.dot(a.col(i)) - both * both / (1 + of_h.dot(h.col(i))) < 1 - kMargin) {
        settled.out.push_back(i);
      }
    }
  }
  // Inside. A support without candidate i is bounded by cost + lambda_max(HH' - h h'). A change of
  // rank one can raise one negative eigenvalue of N. So N + h h' is positive semidefinite if N has
  // only one, and 1 + h'N^-1 h <= 0: then det(N + h h') = det(N) (1 + h'N^-1 h) is not negative.
  const double without = limit - relaxation.cost();
  if (n == 1 || without > values[n - 2] + margin) {
    const ShiftedTridiagonal shifted = form.shifted(without);
    Vector of_h;
    for (Index i = 0; i < count; ++i) {
      shifted.solve(of_h = h.col(i));
      if (of_h.dot(h.col(i)) < -1 - kMargin) {
        settled.inside.push_back(i);
      }
    }
  }
  return settled;
}

}  // namespace spca
