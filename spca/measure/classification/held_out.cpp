#include "spca/measure/classification/held_out.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "spca/base/random.h"

#ifdef SPCA_HAVE_LIBLINEAR
#include <linear.h>
#endif
#ifdef SPCA_HAVE_LIBSVM
#include <svm.h>
#endif

namespace spca {
namespace {

constexpr int kFolds = 10;
// A standard deviation below this share of the largest value of a feature is rounding.
constexpr double kConstant = 1e-12;
// The default tolerance of LIBLINEAR. With hundreds of features or more, 1e-4 takes up to twelve
// times as long and changes no rate of the encoders' table by more than three quarters of its
// standard error.
constexpr double kToleranceOfVariables = 1e-2;

struct Features {
  SparseRows values;          // n x r
  std::vector<bool> centred;  // r: whether a feature is centred, and all its values are stored
  double tolerance = 1e-4;    // relative, on the gradient; of LIBLINEAR only
};

/// The shift and the factor of each feature, from the samples outside one fold. Without scaling
/// they are 0 and 1.
struct Scaling {
  Vector shift;
  Vector factor;  // 0 if the feature is constant on these samples
};

Scaling fit_scaling(const Features& features, const Machine& machine,
                    const std::vector<Index>& rows) {
  const Index count = features.values.cols();
  if (!machine.scaled) {
    return {.shift = Vector::Zero(count), .factor = Vector::Ones(count)};
  }
  const auto n = static_cast<double>(rows.size());
  const auto for_each_entry = [&](auto use) {
    for (const Index row : rows) {
      for (SparseRows::InnerIterator entry(features.values, row); entry; ++entry) {
        use(entry.col(), entry.value());
      }
    }
  };
  Vector mean = Vector::Zero(count);
  Vector largest = Vector::Zero(count);
  Vector stored = Vector::Zero(count);
  for_each_entry([&](Index j, double value) {
    mean[j] += value / n;
    largest[j] = std::max(largest[j], std::abs(value));
    ++stored[j];
  });
  Vector squares = (n - stored.array()) * mean.array().square();
  for_each_entry([&](Index j, double value) { squares[j] += std::pow(value - mean[j], 2); });
  Scaling scaling{.shift = Vector::Zero(count), .factor = Vector::Zero(count)};
  for (Index j = 0; j < count; ++j) {
    const double deviation = std::sqrt(squares[j] / n);
    scaling.shift[j] = features.centred[static_cast<std::size_t>(j)] ? mean[j] : 0;
    scaling.factor[j] = deviation > kConstant * largest[j] ? 1 / deviation : 0;
  }
  return scaling;
}

struct Split {
  std::vector<Index> training;
  std::vector<Index> held_out;
};

/// The factors of C by class, as both libraries take them; empty unless Machine::balanced.
struct ClassWeights {
  std::vector<int> labels;
  std::vector<double> factors;
};

ClassWeights class_weights(const Machine& machine, const std::vector<double>& targets) {
  ClassWeights weights;
  if (!machine.balanced) {
    return weights;
  }
  std::map<int, double> sizes;
  for (const double target : targets) {
    ++sizes[static_cast<int>(target)];
  }
  for (const auto& [label, size] : sizes) {
    weights.labels.push_back(label);
    weights.factors.push_back(static_cast<double>(targets.size()) /
                              (static_cast<double>(sizes.size()) * size));
  }
  return weights;
}

std::vector<double> targets_of(const std::vector<int>& labels, const std::vector<Index>& rows) {
  std::vector<double> targets;
  for (const Index row : rows) {
    targets.push_back(labels[static_cast<std::size_t>(row)]);
  }
  return targets;
}

/// Calls `use(index, value)` for the scaled entries of one row, with 1-based indices.
template <class Use>
void for_each_scaled(const Features& features, const Scaling& scaling, Index row, const Use& use) {
  for (SparseRows::InnerIterator entry(features.values, row); entry; ++entry) {
    const double factor = scaling.factor[entry.col()];
    if (factor != 0) {
      use(static_cast<int>(entry.col() + 1), (entry.value() - scaling.shift[entry.col()]) * factor);
    }
  }
}

/// Samples in the sparse rows of LIBLINEAR or LIBSVM, whose Node is {index, value}. With
/// `has_constant` the last feature is the constant 1.
template <class Node>
class Rows {
 public:
  Rows(const Features& features, const Scaling& scaling, const std::vector<Index>& rows,
       bool has_constant) {
    std::vector<std::size_t> begins;
    for (const Index row : rows) {
      begins.push_back(nodes_.size());
      for_each_scaled(features, scaling, row, [&](int index, double value) {
        nodes_.push_back({.index = index, .value = value});
      });
      if (has_constant) {
        nodes_.push_back({.index = static_cast<int>(features.values.cols() + 1), .value = 1});
      }
      nodes_.push_back({.index = -1, .value = 0});
    }
    for (const std::size_t begin : begins) {
      pointers_.push_back(&nodes_[begin]);
    }
  }
  Node** pointers() { return pointers_.data(); }
  const Node* row(std::size_t i) const { return pointers_[i]; }

 private:
  std::vector<Node> nodes_;
  std::vector<Node*> pointers_;
};

#ifdef SPCA_HAVE_LIBLINEAR

struct ModelDeleter {
  void operator()(model* trained) const { free_and_destroy_model(&trained); }
};

std::vector<int> linear_predictions(const Features& features, const Machine& machine,
                                    const std::vector<int>& labels, const Split& split) {
  const Scaling scaling = fit_scaling(features, machine, split.training);
  Rows<feature_node> rows(features, scaling, split.training, true);
  std::vector<double> targets = targets_of(labels, split.training);
  ::problem problem{};
  problem.l = static_cast<int>(targets.size());
  problem.n = static_cast<int>(features.values.cols() + 1);
  problem.y = targets.data();
  problem.x = rows.pointers();
  problem.bias = 1;
  parameter parameters{};
  parameters.solver_type = L2R_L2LOSS_SVC;  // Newton steps; the dual solvers draw random numbers
  parameters.eps = features.tolerance;
  parameters.C = machine.cost;
  parameters.p = 0.1;
  ClassWeights weights = class_weights(machine, targets);
  parameters.nr_weight = static_cast<int>(weights.labels.size());
  parameters.weight_label = weights.labels.data();
  parameters.weight = weights.factors.data();
  set_print_string_function([](const char*) {});
  const std::unique_ptr<model, ModelDeleter> trained(train(&problem, &parameters));

  const Rows<feature_node> tested(features, scaling, split.held_out, true);
  std::vector<int> found;
  for (std::size_t i = 0; i < split.held_out.size(); ++i) {
    found.push_back(static_cast<int>(std::lround(predict(trained.get(), tested.row(i)))));
  }
  return found;
}

#else

/// Never called: can_be_classified() is false.
std::vector<int> linear_predictions(const Features&, const Machine&, const std::vector<int>&,
                                    const Split& split) {
  return std::vector<int>(split.held_out.size());
}

#endif

#ifdef SPCA_HAVE_LIBSVM

struct KernelModelDeleter {
  void operator()(svm_model* trained) const { svm_free_and_destroy_model(&trained); }
};

std::vector<int> kernel_predictions(const Features& features, const Machine& machine,
                                    const std::vector<int>& labels, const Split& split) {
  const Scaling scaling = fit_scaling(features, machine, split.training);
  Rows<svm_node> rows(features, scaling, split.training, false);
  std::vector<double> targets = targets_of(labels, split.training);
  ::svm_problem problem{};
  problem.l = static_cast<int>(targets.size());
  problem.y = targets.data();
  problem.x = rows.pointers();
  svm_parameter parameters{};
  parameters.svm_type = C_SVC;
  parameters.kernel_type = machine.kernel == Machine::Kernel::kGaussian ? RBF : LINEAR;
  parameters.gamma = 1 / (2 * machine.width * machine.width);
  parameters.cache_size = 200;  // MB
  parameters.eps = 1e-3;        // LIBSVM's default
  parameters.C = machine.cost;
  parameters.shrinking = 1;
  ClassWeights weights = class_weights(machine, targets);
  parameters.nr_weight = static_cast<int>(weights.labels.size());
  parameters.weight_label = weights.labels.data();
  parameters.weight = weights.factors.data();
  svm_set_print_string_function([](const char*) {});
  const std::unique_ptr<svm_model, KernelModelDeleter> trained(svm_train(&problem, &parameters));

  const Rows<svm_node> tested(features, scaling, split.held_out, false);
  std::vector<int> found;
  for (std::size_t i = 0; i < split.held_out.size(); ++i) {
    found.push_back(static_cast<int>(std::lround(svm_predict(trained.get(), tested.row(i)))));
  }
  return found;
}

#else

/// Never called: can_be_classified() is false.
std::vector<int> kernel_predictions(const Features&, const Machine&, const std::vector<int>&,
                                    const Split& split) {
  return std::vector<int>(split.held_out.size());
}

#endif

std::vector<int> predictions(const Features& features, const Machine& machine,
                             const std::vector<int>& labels, const Split& split) {
  return machine.kernel == Machine::Kernel::kLinear
             ? linear_predictions(features, machine, labels, split)
             : kernel_predictions(features, machine, labels, split);
}

/// Predicts the only class of the training samples for every sample.
std::vector<int> constant_predictions(const std::vector<int>& labels, const Split& split) {
  return std::vector<int>(split.held_out.size(),
                          labels[static_cast<std::size_t>(split.training.front())]);
}

HeldOutError cross_validate(const Features& features, const Machine& machine,
                            const std::vector<int>& labels, std::uint64_t seed) {
  const int count = std::min(kFolds, static_cast<int>(labels.size()));
  const std::vector<int> folds =
      stratified_folds(machine.stratified ? labels : std::vector<int>(labels.size()), count, seed);
  Vector errors(count);
  struct Class {
    double size = 0;
    double missed = 0;
  };
  std::map<int, Class> by_class;
  for (int fold = 0; fold < count; ++fold) {
    Split split;
    std::set<int> classes;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      (folds[i] == fold ? split.held_out : split.training).push_back(static_cast<Index>(i));
      if (folds[i] != fold) {
        classes.insert(labels[i]);
      }
    }
    const std::vector<int> found = classes.size() < 2
                                       ? constant_predictions(labels, split)
                                       : predictions(features, machine, labels, split);
    double wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const int label = labels[static_cast<std::size_t>(split.held_out[i])];
      Class& truth = by_class[label];
      ++truth.size;
      if (found[i] != label) {
        ++wrong;
        ++truth.missed;
      }
    }
    errors[fold] = wrong / static_cast<double>(found.size());
  }
  double balanced = 0;
  for (const auto& [label, each] : by_class) {
    balanced += each.missed / each.size / static_cast<double>(by_class.size());
  }
  const double mean = errors.mean();
  const double variance = (errors.array() - mean).square().sum() / (count - 1);
  return {.mean = mean, .standard_error = std::sqrt(variance / count), .balanced = balanced};
}

bool can_be_classified(const std::vector<int>& labels, const Machine& machine) {
  return has_classifier(machine.kernel) && std::set<int>(labels.begin(), labels.end()).size() >= 2;
}

/// Returns the value of more than half of the entries, or nothing.
std::optional<double> majority(const Vector& values) {
  double candidate = 0;
  Index lead = 0;
  for (const double value : values) {  // Boyer and Moore: pairs of different values cancel
    candidate = lead == 0 ? value : candidate;
    lead += value == candidate ? 1 : -1;
  }
  const Index count = (values.array() == candidate).count();
  return 2 * count > values.size() ? std::optional(candidate) : std::nullopt;
}

/// Returns the variables as features, or nothing if they have more than kLargestFeatures entries.
std::optional<Features> variables_as_features(const Covariance& covariance) {
  SparseColumns columns(covariance.samples(), covariance.variables());
  Features features{.values = {}, .centred = {}, .tolerance = kToleranceOfVariables};
  Component unit{.support = {0}, .values = Vector::Ones(1)};
  for (Index j = 0; j < covariance.variables(); ++j) {
    unit.support[0] = j;
    const Vector values = covariance.data_product(unit);
    const std::optional<double> zero = majority(values);
    features.centred.push_back(!zero);
    columns.startVec(j);
    for (Index i = 0; i < values.size(); ++i) {
      if (!zero || values[i] != *zero) {
        columns.insertBack(i, j) = values[i] - zero.value_or(0);
      }
    }
    if (columns.nonZeros() > kLargestFeatures) {
      return std::nullopt;
    }
  }
  columns.finalize();
  features.values = columns;
  return features;
}

}  // namespace

bool has_classifier(Machine::Kernel kernel) {
#ifdef SPCA_HAVE_LIBLINEAR
  constexpr bool kHasLinear = true;
#else
  constexpr bool kHasLinear = false;
#endif
#ifdef SPCA_HAVE_LIBSVM
  constexpr bool kHasKernels = true;
#else
  constexpr bool kHasKernels = false;
#endif
  return kernel == Machine::Kernel::kLinear ? kHasLinear : kHasKernels;
}

bool has_linear_classifier() { return has_classifier(Machine::Kernel::kLinear); }

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
                            std::uint64_t seed, const Machine& machine) {
  if (!can_be_classified(labels, machine)) {
    return {};
  }
  Features all{.values = SparseRows(features.rows(), features.cols()),
               .centred = std::vector<bool>(static_cast<std::size_t>(features.cols()), true)};
  for (Index i = 0; i < features.rows(); ++i) {
    all.values.startVec(i);
    for (Index j = 0; j < features.cols(); ++j) {
      all.values.insertBack(i, j) = features(i, j);
    }
  }
  all.values.finalize();
  return cross_validate(all, machine, labels, seed);
}

HeldOutError held_out_error(const Covariance& covariance, const std::vector<int>& labels,
                            std::uint64_t seed, const Machine& machine) {
  if (!can_be_classified(labels, machine)) {
    return {};
  }
  const std::optional<Features> features = variables_as_features(covariance);
  return features ? cross_validate(*features, machine, labels, seed) : HeldOutError();
}

}  // namespace spca
