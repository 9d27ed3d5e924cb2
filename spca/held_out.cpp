#include "spca/held_out.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "spca/random.h"

#ifdef SPCA_HAVE_LIBLINEAR
#include <linear.h>
#endif

namespace spca {
namespace {

constexpr int kFolds = 10;
// Of a feature's standard deviation against its largest value: below it is rounding.
constexpr double kConstant = 1e-12;

/// Samples of some folds with features as they were scaled on the training folds.
struct Samples {
  Matrix features;  // as many rows as labels
  std::vector<int> labels;
};

Samples select(const Matrix& features, const std::vector<int>& labels,
               const std::vector<int>& folds, int fold, bool inside) {
  std::vector<Index> rows;
  Samples samples;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if ((folds[i] == fold) == inside) {
      rows.push_back(static_cast<Index>(i));
      samples.labels.push_back(labels[i]);
    }
  }
  samples.features = features(rows, Eigen::all);
  return samples;
}

/// A feature that is constant in training says nothing and becomes zero.
void standardise(Samples& training, Samples& held_out) {
  for (Index j = 0; j < training.features.cols(); ++j) {
    const double largest = training.features.col(j).cwiseAbs().maxCoeff();
    const double mean = training.features.col(j).mean();
    const double deviation = std::sqrt((training.features.col(j).array() - mean).square().mean());
    const double factor = deviation > kConstant * largest ? 1 / deviation : 0;
    for (Samples* samples : {&training, &held_out}) {
      samples->features.col(j) = (samples->features.col(j).array() - mean) * factor;
    }
  }
}

#ifdef SPCA_HAVE_LIBLINEAR

/// Samples in LIBLINEAR's sparse rows, the last feature the constant 1.
class Rows {
 public:
  explicit Rows(const Matrix& features) {
    const Index width = features.cols() + 2;
    nodes_.resize(static_cast<std::size_t>(features.rows() * width));
    for (Index i = 0; i < features.rows(); ++i) {
      feature_node* row = &nodes_[static_cast<std::size_t>(i * width)];
      for (Index j = 0; j < features.cols(); ++j) {
        row[j] = {.index = static_cast<int>(j + 1), .value = features(i, j)};
      }
      row[features.cols()] = {.index = static_cast<int>(features.cols() + 1), .value = 1};
      row[features.cols() + 1] = {.index = -1, .value = 0};
      pointers_.push_back(row);
    }
  }
  feature_node** pointers() { return pointers_.data(); }
  const feature_node* row(std::size_t i) const { return pointers_[i]; }

 private:
  std::vector<feature_node> nodes_;
  std::vector<feature_node*> pointers_;
};

struct ModelDeleter {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

double error_of(const Samples& training, const Samples& held_out) {
  Rows rows(training.features);
  std::vector<double> targets(training.labels.begin(), training.labels.end());
  ::problem problem{};
  problem.l = static_cast<int>(targets.size());
  problem.n = static_cast<int>(training.features.cols() + 1);
  problem.y = targets.data();
  problem.x = rows.pointers();
  problem.bias = 1;
  parameter parameters{};
  parameters.solver_type = L2R_L2LOSS_SVC;  // by Newton steps: the dual ones draw random numbers
  parameters.eps = 1e-4;
  parameters.C = 1;
  parameters.p = 0.1;
  set_print_string_function([](const char*) {});
  const std::unique_ptr<model, ModelDeleter> trained(train(&problem, &parameters));

  const Rows tested(held_out.features);
  double wrong = 0;
  for (std::size_t i = 0; i < held_out.labels.size(); ++i) {
    const double found = predict(trained.get(), tested.row(i));
    wrong += std::lround(found) != held_out.labels[i] ? 1 : 0;
  }
  return wrong / static_cast<double>(held_out.labels.size());
}

#else

double error_of(const Samples&, const Samples&) { return kNotMeasured; }

#endif

/// With one class in training every sample is taken for that one.
double error_of_constant(int label, const Samples& held_out) {
  const auto right = std::count(held_out.labels.begin(), held_out.labels.end(), label);
  return 1 - static_cast<double>(right) / static_cast<double>(held_out.labels.size());
}

}  // namespace

bool has_linear_classifier() {
#ifdef SPCA_HAVE_LIBLINEAR
  return true;
#else
  return false;
#endif
}

std::vector<int> stratified_folds(const std::vector<int>& labels, int folds, std::uint64_t seed) {
  std::map<int, std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    classes[labels[i]].push_back(i);
  }
  Random random(seed);
  std::vector<int> result(labels.size());
  int next = 0;
  for (auto& [label, samples] : classes) {
    for (std::size_t i = samples.size(); i > 1; --i) {
      std::swap(samples[i - 1], samples[random.below(i)]);
    }
    for (const std::size_t sample : samples) {
      result[sample] = next;
      next = (next + 1) % folds;
    }
  }
  return result;
}

HeldOutError held_out_error(const Matrix& features, const std::vector<int>& labels,
                            std::uint64_t seed) {
  const bool one_class = std::set<int>(labels.begin(), labels.end()).size() < 2;
  if (!has_linear_classifier() || one_class) {
    return {};
  }
  const int count = std::min(kFolds, static_cast<int>(labels.size()));
  const std::vector<int> folds = stratified_folds(labels, count, seed);
  Vector errors(count);
  for (int fold = 0; fold < count; ++fold) {
    Samples training = select(features, labels, folds, fold, false);
    Samples held_out = select(features, labels, folds, fold, true);
    standardise(training, held_out);
    const bool constant = std::set<int>(training.labels.begin(), training.labels.end()).size() < 2;
    errors[fold] =
        constant ? error_of_constant(training.labels[0], held_out) : error_of(training, held_out);
  }
  const double mean = errors.mean();
  const double variance = (errors.array() - mean).square().sum() / (count - 1);
  return {.mean = mean, .standard_error = std::sqrt(variance / count)};
}

}  // namespace spca
