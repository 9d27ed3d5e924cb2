#include "tests/properties/relations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "spca/solving/solver.h"
#include "tests/properties/answer_checks.h"
#include "tests/properties/draws.h"
#include "tests/properties/truth.h"

namespace spca::properties {
namespace {

using Relation = std::function<std::optional<Related>(const Question&, Random&)>;

std::optional<Related> permuted(const Question& question, Random& random) {
  Related other{.question = question};
  HuntedMatrix& matrix = other.question.matrix;
  const Support order = random_order(matrix.variables(), random);
  if (matrix.is_data()) {
    matrix.data = Matrix(question.matrix.data(Eigen::all, order));
  } else {
    matrix.covariance = Matrix(question.matrix.covariance(order, order));
  }
  return other;
}

std::optional<Related> flipped(const Question& question, Random& random) {
  Related other{.question = question};
  HuntedMatrix& matrix = other.question.matrix;
  for (Index j = 0; j < matrix.variables(); ++j) {
    if (random.uniform() < .5) {
      if (matrix.is_data()) {
        matrix.data.col(j) *= -1;
      } else {
        matrix.covariance.row(j) *= -1;
        matrix.covariance.col(j) *= -1;
      }
    }
  }
  return other;
}

std::optional<Related> scaled(const Question& question, Random& random) {
  Related other{.question = question};
  const double factor = std::ldexp(1, static_cast<int>(random.below(61)) - 30);
  HuntedMatrix& matrix = other.question.matrix;
  matrix.data *= factor;
  matrix.covariance *= factor;
  other.factor = matrix.is_data() ? factor * factor : factor;
  return other;
}

std::optional<Related> shifted(const Question& question, Random& random) {
  if (!question.matrix.is_data() || !question.matrix.centered) {
    return std::nullopt;
  }
  Related other{.question = question};
  for (Index j = 0; j < question.matrix.data.cols(); ++j) {
    const auto shift = static_cast<double>(random.below(2'000'000)) - 1e6;
    other.question.matrix.data.col(j).array() += shift;
  }
  return other;
}

std::optional<Related> samples_twice(const Question& question, Random&) {
  if (!question.matrix.is_data() || question.matrix.scale == "n-1") {
    return std::nullopt;
  }
  Related other{.question = question};
  const Matrix& x = question.matrix.data;
  other.question.matrix.data.resize(2 * x.rows(), x.cols());
  other.question.matrix.data << x, x;
  other.factor = question.matrix.scale == "none" ? 2 : 1;
  return other;
}

std::optional<Related> as_covariance(const Question& question, Random&) {
  if (!question.matrix.is_data()) {
    return std::nullopt;
  }
  Related other{.question = question};
  other.question.matrix.covariance = exact_covariance(question.matrix);
  other.question.matrix.data.resize(0, 0);
  return other;
}

std::optional<Related> other_storage(const Question& question, Random& random) {
  if (!question.matrix.is_data()) {
    return std::nullopt;
  }
  Related other{.question = question};
  const auto step = 1 + static_cast<int>(random.below(kStorages - 1));
  other.question.storage =
      static_cast<Storage>((static_cast<int>(question.storage) + step) % kStorages);
  return other;
}

// If an eigenvalue is below minus this share of the largest one, a component on the new zero
// variable may explain more than every component before.
constexpr double kNegative = 1e-12;

std::optional<Related> zero_variable(const Question& question, Random&) {
  if (!question.matrix.is_data()) {
    const Vector eigenvalues = reference_eigenvalues(question.matrix.covariance);
    if (eigenvalues[eigenvalues.size() - 1] < -kNegative * eigenvalues[0]) {
      return std::nullopt;
    }
  }
  Related other{.question = question};
  HuntedMatrix& matrix = other.question.matrix;
  if (matrix.is_data()) {
    matrix.data.conservativeResize(Eigen::NoChange, matrix.data.cols() + 1);
    matrix.data.rightCols(1).setZero();
  } else {
    const Index p = matrix.covariance.rows();
    matrix.covariance.conservativeResizeLike(Matrix::Zero(p + 1, p + 1));
  }
  return other;
}

std::optional<Related> more_threads(const Question& question, Random& random) {
  Related other{.question = question, .same_bytes = true};
  other.question.threads = 2 + static_cast<int>(random.below(2));
  return other;
}

std::optional<Related> asked_twice(const Question& question, Random&) {
  return Related{.question = question, .same_bytes = true};
}

const std::map<std::string, Relation>& all() {
  static const std::map<std::string, Relation> map = {{"permuted", permuted},
                                                      {"sign-flipped", flipped},
                                                      {"scaled", scaled},
                                                      {"shifted", shifted},
                                                      {"samples twice", samples_twice},
                                                      {"data against covariance", as_covariance},
                                                      {"another storage", other_storage},
                                                      {"a zero variable more", zero_variable},
                                                      {"threads", more_threads},
                                                      {"asked twice", asked_twice}};
  return map;
}

double value_of(const Json& answer) {
  double value = 0;
  for (const Json& component : answer["components"]) {
    value += number_in(component["explained_variance"]);
  }
  return value;
}

/// Returns true if both answers are answers to the same problem, so that a bound on one holds for
/// the other.
bool have_same_problem(const Question& question, const Json& a, const Json& b) {
  const Traits& traits = SolverRegistry::instance().get(question.solver, "solver").traits;
  return a["components"].size() == b["components"].size() &&
         (question.components == 1 || traits.disjoint || traits.rule == SparsityRule::kDense ||
          question.deflation == "remove-support");
}

}  // namespace

std::vector<std::string> relations() {
  std::vector<std::string> names;
  for (const auto& entry : all()) {
    names.push_back(entry.first);
  }
  return names;
}

std::optional<Related> related(const Question& question, const std::string& relation,
                               Random& random) {
  return all().at(relation)(question, random);
}

void check_related(const Question& question, const Json& answer, const Related& other,
                   const Json& other_answer, double rounding, std::vector<Contradiction>& wrong) {
  const bool is_timed = answer["status"] == "time_limit" || other_answer["status"] == "time_limit";
  if (other.same_bytes && !is_timed &&
      without_times(answer).dump() != without_times(other_answer).dump()) {
    wrong.push_back({.claim = "the answer depends on the seed alone",
                     .found = value_of(answer),
                     .limit = value_of(other_answer)});
  }
  if (!has_answer(answer) || !has_answer(other_answer) ||
      !have_same_problem(question, answer, other_answer)) {
    return;
  }
  const double value = value_of(answer), bound = number_in(answer["upper_bound"]);
  const double other_value = value_of(other_answer) / other.factor;
  const double other_bound = number_in(other_answer["upper_bound"]) / other.factor;
  const double slack = rounding + kRounding * std::abs(value);
  if (value > other_bound + slack) {
    wrong.push_back({.claim = "no value is above the bound of a related question",
                     .found = value,
                     .limit = other_bound});
  }
  if (other_value > bound + slack) {
    wrong.push_back({.claim = "no value is above the bound of a related question",
                     .found = other_value,
                     .limit = bound});
  }
  const Traits& traits = SolverRegistry::instance().get(question.solver, "solver").traits;
  const bool is_exact = traits.exact && answer["status"] == "converged" &&
                        other_answer["status"] == "converged" &&
                        (question.components == 1 || traits.multiple_components);
  if ((is_exact || question.solver == "pca") && std::abs(value - other_value) > slack) {
    wrong.push_back({.claim = "related questions have equal exact values",
                     .found = other_value,
                     .limit = value});
  }
}

}  // namespace spca::properties
