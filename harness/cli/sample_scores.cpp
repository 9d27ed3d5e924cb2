#include "harness/cli/sample_scores.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/verdicts/csv_text.h"
#include "spca/base/error.h"

namespace spca::cli {
namespace {

/// x_j as the file has it.
Vector raw_column(const Covariance& covariance, Index variable) {
  return covariance.data_product({.support = {variable}, .values = Vector::Ones(1)});
}

}  // namespace

Dataset load_raw(const DataArguments& arguments, const Settings& settings,
                 const GlobalOptions& global, std::uint64_t seed) {
  DataArguments raw = arguments;
  raw.standardize = false;
  raw.center = false;
  raw.no_center = true;
  raw.scale = "none";
  return load_data(raw, settings, global, seed);
}

std::vector<Preparation> preparations(const Dataset& raw, const std::vector<Component>& components,
                                      bool centered, bool standardized) {
  std::vector<Preparation> prepared;
  for (const Component& component : components) {
    const Index k = component.cardinality();
    Preparation& one =
        prepared.emplace_back(Preparation{.means = Vector::Zero(k), .deviations = Vector::Ones(k)});
    for (Index i = 0; i < k && centered; ++i) {
      const Vector column =
          raw_column(*raw.covariance, component.support[static_cast<std::size_t>(i)]);
      one.means[i] = column.mean();
      const double deviation = std::sqrt((column.array() - one.means[i]).square().mean());
      one.deviations[i] = standardized && deviation > 0 ? deviation : 1;
    }
  }
  return prepared;
}

Matrix sample_scores(const Dataset& raw, const std::vector<Component>& components,
                     const std::vector<Preparation>& prepared) {
  Matrix scores = Matrix::Zero(raw.covariance->samples(), std::ssize(components));
  for (std::size_t j = 0; j < components.size(); ++j) {
    const Component& component = components[j];
    for (Index i = 0; i < component.cardinality(); ++i) {
      const Vector column =
          raw_column(*raw.covariance, component.support[static_cast<std::size_t>(i)]);
      scores.col(static_cast<Index>(j)).array() +=
          component.values[i] / prepared[j].deviations[i] * (column.array() - prepared[j].means[i]);
    }
  }
  return scores;
}

std::string scores_csv(const std::vector<std::string>& sample_names, const Matrix& scores) {
  std::string text = "sample";
  for (Index j = 0; j < scores.cols(); ++j) {
    text += fmt::format(",component{}", j + 1);
  }
  text += "\n";
  for (Index i = 0; i < scores.rows(); ++i) {
    text += sample_names.empty() ? std::to_string(i + 1)
                                 : csv_name(sample_names[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < scores.cols(); ++j) {
      text += fmt::format(",{}", scores(i, j));
    }
    text += "\n";
  }
  return text;
}

}  // namespace spca::cli
