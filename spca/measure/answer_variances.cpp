#include "spca/measure/answer_variances.h"

#include "spca/spectrum/joint_loadings.h"

namespace spca {

const std::vector<double>& AnswerVariances::of_components() const {
  if (!of_components_) {
    std::vector<double> variances;
    for (const Component& component : components_) {
      variances.push_back(covariance_.quadratic_form(component));
    }
    of_components_ = std::move(variances);
  }
  return *of_components_;
}

const Matrix& AnswerVariances::matrix() const {
  if (!matrix_) {
    matrix_ = variance_matrix(covariance_, components_);
  }
  return *matrix_;
}

const Matrix& AnswerVariances::gram() const {
  if (!gram_) {
    gram_ = loadings_gram(components_);
  }
  return *gram_;
}

}  // namespace spca
