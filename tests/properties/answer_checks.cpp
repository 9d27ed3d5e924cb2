#include "tests/properties/answer_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/calls/calls.h"
#include "spca/base/error.h"
#include "spca/measure/judge.h"
#include "spca/solving/solver.h"
#include "tests/properties/encoder_truth.h"

namespace spca::properties {
namespace {

// Time limit of the search that certify starts, in seconds.
constexpr double kCertifySeconds = 2;
// The largest entry of V'V - I for which loadings V count as orthonormal (kOrthogonalTolerance of
// the library).
constexpr double kOrthonormal = 1e-12;
// Relative rounding of an optimum on a deflated S, whose entries are differences.
constexpr double kDeflated = 1e-9;
// Relative rounding of losses, and of the variances whose difference a loss is.
constexpr double kLoss = 1e-7, kVarianceRounding = 1e-14;
// At most this number of variables in check_losses(), which enumerates all supports in long double.
constexpr Index kMostForLosses = 7;

// The least gap between lambda_d and lambda_{d+1}, as a share of lambda_1, for which S_d is known
// to 1e-10; and the relative rounding of an optimum on S_d.
constexpr double kDistinct = 1e-5, kLowRank = 1e-9;

const Traits& traits_of(const Question& question) {
  return SolverRegistry::instance().get(question.solver, "solver").traits;
}

/// The cardinalities that bind the components of the answer; empty if none does.
std::vector<Index> binding(const Examined& examined) {
  std::vector<Index> cardinality = examined.question.cardinality;
  if (examined.answer["unconstrained"].get<bool>()) {
    return {};
  }
  cardinality.resize(examined.answer["components"].size());
  return cardinality;
}

Matrix magnitudes(const Matrix& matrix) { return matrix.cwiseAbs(); }

/// The smallest class of answers that contains the components: its optimum bounds their value.
enum class ProblemClass { kOne, kDisjoint, kOrthogonal, kAny };

bool are_disjoint(const Matrix& loadings) {
  return ((loadings.array() != 0).rowwise().count() <= 1).all();
}

ProblemClass class_of(const Matrix& loadings) {
  if (loadings.cols() == 1) {
    return ProblemClass::kOne;
  }
  if (are_disjoint(loadings)) {
    return ProblemClass::kDisjoint;
  }
  const Matrix gram = loadings.transpose() * loadings;
  const bool is_orthonormal =
      (gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() <= kOrthonormal;
  return is_orthonormal ? ProblemClass::kOrthogonal : ProblemClass::kAny;
}

class AnswerCheck {
 public:
  AnswerCheck(const Examined& examined, std::vector<Contradiction>& wrong)
      : examined_(examined),
        wrong_(wrong),
        cardinality_(binding(examined)),
        loadings_(loadings_of(examined.answer, examined.covariance.rows())),
        value_((loadings_.transpose() * examined.covariance * loadings_).trace()),
        rounding_(kRounding * (magnitudes(loadings_).transpose() * magnitudes(examined.covariance) *
                               magnitudes(loadings_))
                                  .trace() +
                  examined.rounding * static_cast<double>(examined.covariance.rows())) {}

  void run() {
    check_feasible();
    check_values();
    check_bound(number_in(examined_.answer["upper_bound"]), "the bound");
    check_gap();
    check_exact();
    check_rank();
  }

  /// Checks that a bound on the answer's problem is below neither its optimum nor the answer's
  /// value.
  void check_bound(double bound, const std::string& name) {
    if (!std::isfinite(bound)) {
      return;
    }
    const double slack = rounding_ + kRounding * std::abs(bound);
    if (bound < value_ - slack && class_of(loadings_) != ProblemClass::kAny) {
      wrong_.push_back(
          {.claim = name + " is not below the value", .found = bound, .limit = value_});
    }
    if (bound < reached() - slack) {
      wrong_.push_back(
          {.claim = name + " is not below the optimum", .found = bound, .limit = reached()});
    }
  }

 private:
  void check_feasible() {
    for (Index j = 0; j < loadings_.cols(); ++j) {
      const double length = loadings_.col(j).norm();
      if (!(std::abs(length - 1) < 1e-8)) {
        wrong_.push_back({.claim = "a component has unit length", .found = length, .limit = 1});
      }
      const auto nonzeros = static_cast<Index>((loadings_.col(j).array() != 0).count());
      if (!cardinality_.empty() && nonzeros > cardinality_[static_cast<std::size_t>(j)]) {
        wrong_.push_back({.claim = "a component has at most k nonzeros",
                          .found = static_cast<double>(nonzeros),
                          .limit = static_cast<double>(cardinality_[static_cast<std::size_t>(j)])});
      }
    }
    const bool must_be_disjoint =
        loadings_.cols() > 1 && (traits_of(examined_.question).disjoint ||
                                 examined_.question.deflation == "remove-support");
    if (must_be_disjoint && !are_disjoint(loadings_)) {
      wrong_.push_back({.claim = "supports are disjoint if they must be"});
    }
  }

  void check_values() {
    for (Index j = 0; j < loadings_.cols(); ++j) {
      const double said = number_in(
          examined_.answer["components"][static_cast<std::size_t>(j)]["explained_variance"]);
      const Vector v = loadings_.col(j);
      const double found = v.dot(examined_.covariance * v);
      if (!(std::abs(said - found) <= rounding_ + examined_.rounding)) {
        wrong_.push_back(
            {.claim = "the variance of a component is v'Sv", .found = said, .limit = found});
      }
    }
    const double projected =
        number_in(examined_.answer["metrics"].value("projected_variance", Json()));
    const double limit = examined_.truth.positive_sum(loadings_.cols());
    if (projected > limit + rounding_ + kRounding * limit) {
      wrong_.push_back({.claim = "no projected variance is above that of PCA",
                        .found = projected,
                        .limit = limit});
    }
  }

  void check_gap() {
    const double gap = number_in(examined_.answer["gap"]);
    if (gap < -1e-9) {
      wrong_.push_back({.claim = "no gap is negative", .found = gap, .limit = 0});
    }
  }

  /// Returns the largest known value of the problem that the bound is for.
  double reached() {
    const auto r = loadings_.cols();
    if (cardinality_.empty()) {
      return examined_.truth.leading_sum(r);
    }
    const double own = class_of(loadings_) == ProblemClass::kAny ? 0.0 : value_;
    if (r == 1) {
      return std::max(own, examined_.truth.one(cardinality_[0]));
    }
    double best = std::max(own, examined_.truth.disjoint(cardinality_));
    const bool is_small = examined_.covariance.rows() <= 12;
    if (is_small && class_of(loadings_) != ProblemClass::kDisjoint) {
      best = std::max(best, orthogonal_value(examined_.covariance, cardinality_));
    }
    return best;
  }

  void check_exact() {
    const Traits& traits = traits_of(examined_.question);
    if (!traits.exact || examined_.answer["status"] != "converged") {
      return;
    }
    if (loadings_.cols() == 1 || traits.disjoint) {
      const double optimum = loadings_.cols() == 1 ? examined_.truth.one(cardinality_[0])
                                                   : examined_.truth.disjoint(cardinality_);
      if (value_ < optimum - rounding_ - kRounding * optimum) {
        wrong_.push_back(
            {.claim = "an exact solver reaches the optimum", .found = value_, .limit = optimum});
      }
    } else if (examined_.covariance.rows() <= 12) {
      check_exact_steps();
    }
  }

  /// Checks that an answer of a solver that optimises over S_d explains as much as the best support
  /// of S_d does.
  void check_rank() {
    const SolverEntry& solver = SolverRegistry::instance().get(examined_.question.solver, "solver");
    const Index d = rank_of(solver, examined_.answer["options"]);
    const Index p = examined_.covariance.rows();
    if (d == 0 || d >= p || p > 12 || loadings_.cols() > 1 || cardinality_.empty() ||
        examined_.answer["status"] != "converged" ||
        examined_.answer["options"].value("nonnegative", false)) {
      return;
    }
    const Vector& values = examined_.truth.eigenvalues();
    if (values[d - 1] - values[d] < kDistinct * values[0]) {
      return;  // S_d is not unique
    }
    const double best =
        enumerated_truth(low_rank_part(examined_.covariance, d))->one(cardinality_[0]);
    // A negative eigenvalue of S can make v'Sv smaller than v'S_d v.
    const double indefinite = std::max(0.0, -values[p - 1]);
    // spannogram-bound may stop early and report the remaining gap.
    const Json& facts = examined_.answer["facts"];
    const double gap =
        facts.contains("low_rank_gap") ? std::max(0.0, number_in(facts["low_rank_gap"])) : 0;
    if (value_ < best * (1 - gap) - rounding_ - indefinite - kLowRank * best) {
      wrong_.push_back({.claim = "a solver of S_d is as good as its best support",
                        .found = value_,
                        .limit = best});
    }
  }

  /// Checks that each component of an exact solver is optimal on S deflated by the components
  /// before it.
  void check_exact_steps() {
    Matrix left = examined_.covariance;
    const double scale = left.diagonal().maxCoeff();
    Matrix q(left.rows(), 0);
    for (Index j = 0; j < loadings_.cols(); ++j) {
      const Vector v = loadings_.col(j);
      const double found = v.dot(left * v);
      const double optimum = enumerated_truth(left)->one(cardinality_[static_cast<std::size_t>(j)]);
      if (found < optimum - kDeflated * scale - rounding_) {
        wrong_.push_back({.claim = "an exact solver reaches the optimum of a deflated S",
                          .found = found,
                          .limit = optimum,
                          .detail = fmt::format("component {}", j + 1)});
        return;
      }
      deflate(left, q, v);
    }
  }

  void deflate(Matrix& s, Matrix& q, const Vector& v) const {
    const std::string& name = examined_.question.deflation;
    const Matrix identity = Matrix::Identity(s.rows(), s.cols());
    if (name == "remove-support") {
      const Vector kept = (v.array() == 0).cast<double>();
      s = kept.asDiagonal() * s * kept.asDiagonal();
    } else if (name == "projection") {
      const Matrix projector = identity - v * v.transpose();
      s = projector * s * projector;
    } else if (name == "orthogonalised-projection") {
      Vector w = v - q * (q.transpose() * v);
      w -= q * (q.transpose() * w);
      if (w.norm() > 1e-10) {
        w.normalize();
        q.conservativeResize(Eigen::NoChange, q.cols() + 1);
        q.rightCols(1) = w;
        const Matrix projector = identity - w * w.transpose();
        s = projector * s * projector;
      }
    } else if (name == "schur") {
      const Vector sv = s * v;
      if (v.dot(sv) > 0) {
        s -= sv * sv.transpose() / v.dot(sv);
      }
    } else if (name == "hotelling") {
      s -= v.dot(s * v) * v * v.transpose();
    }
    s = (0.5 * (s + s.transpose())).eval();
  }

  const Examined& examined_;
  std::vector<Contradiction>& wrong_;
  std::vector<Index> cardinality_;
  Matrix loadings_;
  double value_;
  double rounding_;
};

calls::Loadings given(const Json& answer) {
  calls::Loadings loadings;
  for (const Json& component : answer["components"]) {
    loadings.emplace_back(component["indices"].get<std::vector<Index>>(),
                          component["values"].get<std::vector<double>>());
  }
  return loadings;
}

std::vector<Component> components_of(const Json& answer) {
  std::vector<Component> components;
  for (const auto& [indices, values] : given(answer)) {
    components.push_back({.support = indices,
                          .values = Eigen::Map<const Vector>(values.data(), std::ssize(values))});
  }
  return components;
}

/// Calls use(value) with the value of a metric of the answer, if the metric applies.
void measure_one(const Examined& examined, const calls::Data& data, const Spectrum& spectrum,
                 const std::string& name, std::vector<Contradiction>& wrong,
                 const std::function<void(double)>& use) {
  const SolverEntry& solver = SolverRegistry::instance().get(examined.question.solver, "solver");
  const Json options = examined.answer["options"];
  Solution solution;
  solution.status = Status::kIterationLimit;
  solution.components = components_of(examined.answer);
  const Answer answer{.solver = solver,
                      .options = options,
                      .solution = solution,
                      .components = std::ssize(solution.components),
                      .cardinality = binding(examined),
                      .upper_bound = number_in(examined.answer["upper_bound"])};
  try {
    const Judgement judgement = judge(answer, *data.dataset, spectrum, {name});
    if (const auto found = judgement.metrics.find(name); found != judgement.metrics.end()) {
      use(found->second.front());
    }
  } catch (const std::exception& error) {
    wrong.push_back({.claim = "metric " + name + " throws no exception", .detail = error.what()});
  }
}

void check_one_metric(const Examined& examined, const std::string& name, double value,
                      std::vector<Contradiction>& wrong) {
  const std::vector<Index> cardinality = binding(examined);
  if (!std::isfinite(value) || cardinality.empty()) {
    return;
  }
  const double slack = kRounding * std::abs(value) +
                       examined.rounding * static_cast<double>(examined.covariance.rows());
  double optimum = kNotMeasured;
  if (name == "upper_bound_disjoint") {
    optimum = examined.truth.disjoint(cardinality);
  } else if (name == "upper_bound_orthogonal" && examined.covariance.rows() <= 12) {
    optimum = cardinality.size() == 1 ? examined.truth.one(cardinality[0])
                                      : orthogonal_value(examined.covariance, cardinality);
  } else if (name == "upper_bound_greedy" || name == "upper_bound_relaxation" ||
             name == "upper_bound_diagonal") {
    optimum = examined.truth.one(components_of(examined.answer)[0].cardinality());
  }
  if (value < optimum - slack) {
    wrong.push_back(
        {.claim = name + " is not below the optimum", .found = value, .limit = optimum});
  }
}

}  // namespace

void check_answer(const Examined& examined, std::vector<Contradiction>& wrong) {
  const std::string status = examined.answer["status"];
  const std::string message = examined.answer["message"];
  if (status == "failed") {
    wrong.push_back({.claim = "a solver throws no exception", .detail = message});
  }
  if (status == "invalid") {
    wrong.push_back({.claim = "no answer is invalid", .detail = message});
  }
  if (has_answer(examined.answer)) {
    AnswerCheck(examined, wrong).run();
  }
}

void check_metrics(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong) {
  if (!has_answer(examined.answer)) {
    return;
  }
  const Spectrum spectrum(*data.dataset->covariance);
  for (const auto& [name, metric] : MetricRegistry::instance().entries()) {
    if (!metric.traits.timing) {
      measure_one(examined, data, spectrum, name, wrong,
                  [&](double value) { check_one_metric(examined, name, value, wrong); });
    }
  }
}

void check_losses(const Examined& examined, const calls::Data& data,
                  std::vector<Contradiction>& wrong) {
  if (!has_answer(examined.answer) || examined.covariance.rows() > kMostForLosses) {
    return;
  }
  const Matrix loadings = loadings_of(examined.answer, examined.covariance.rows());
  Support rows;
  for (Index i = 0; i < loadings.rows(); ++i) {
    if ((loadings.row(i).array() != 0).any()) {
      rows.push_back(i);
    }
  }
  const EncoderTruth truth(examined.question.matrix, loadings.cols());
  const std::optional<double> least = truth.least_on(std::ssize(rows)), own = truth.loss_on(rows);
  if (!least || !own) {
    return;
  }
  const Spectrum spectrum(*data.dataset->covariance);
  const auto at_most = [&](const std::string& metric, double limit, const std::string& claim) {
    measure_one(examined, data, spectrum, metric, wrong, [&](double value) {
      if (value > limit * (1 + kLoss)) {
        wrong.push_back({.claim = claim, .found = value, .limit = limit});
      }
    });
  };
  at_most("information_loss_bound", *least, "information_loss_bound is not above the least loss");
  if (const auto fewer = truth.least_on(std::ssize(rows) - 1);
      fewer && std::ssize(rows) > loadings.cols()) {
    at_most("information_loss_bound_fewer", *fewer,
            "information_loss_bound_fewer is not above the least loss");
  }
  // A loss is the total variance less the captured one, and loses digits if PCA captures nearly
  // all. If S itself is given, the variance on nearly dependent rows has lost digits, too.
  const double condition = examined.question.matrix.is_data() ? 1 : truth.condition(rows);
  const double digits = kLoss + kVarianceRounding * condition / truth.share_of_pca();
  measure_one(examined, data, spectrum, "information_loss", wrong, [&](double value) {
    if (value < *own * (1 - digits)) {
      wrong.push_back({.claim = "information_loss is not below the least on the same rows",
                       .found = value,
                       .limit = *own});
    }
  });
  const Json facts = examined.answer["facts"];
  const std::vector<Index>& k = examined.question.cardinality;
  if (facts.contains("captured_bound") && number_in(facts["certified"]) == 1 && !k.empty()) {
    const std::optional<double> optimum = truth.least_on(k[0]);
    if (optimum && *own > *optimum * (1 + kLoss)) {
      wrong.push_back(
          {.claim = "a certified encoder loses least", .found = *own, .limit = *optimum});
    }
  }
}

void check_certify(const Examined& examined, const calls::Data& data,
                   std::vector<Contradiction>& wrong) {
  if (!has_answer(examined.answer)) {
    return;
  }
  const Json certified = calls::certify(data, given(examined.answer), {.seconds = kCertifySeconds});
  Json answer = examined.answer;
  answer["upper_bound"] = certified["upper_bound"];
  answer["unconstrained"] = false;
  Question question = examined.question;
  question.cardinality = certified["cardinality"].get<std::vector<Index>>();
  const Examined again{.question = question,
                       .answer = answer,
                       .covariance = examined.covariance,
                       .truth = examined.truth,
                       .rounding = examined.rounding};
  AnswerCheck(again, wrong)
      .check_bound(number_in(certified["upper_bound"]), "the bound of certify");
  if (number_in(certified["gap"]) < -1e-9) {
    wrong.push_back(
        {.claim = "no gap of certify is negative", .found = number_in(certified["gap"])});
  }
  if (certified["proof"].is_object()) {
    const std::string status = certified["proof"]["status"];
    if (status == "failed" || status == "invalid") {
      wrong.push_back({.claim = "the proof of certify is usable",
                       .detail = certified["proof"]["message"].get<std::string>()});
    }
  }
}

}  // namespace spca::properties
