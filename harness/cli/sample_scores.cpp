#include "harness/cli/sample_scores.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/tables/csv_text.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/data_view.h"

namespace spca::cli {
namespace {

/// Returns x_j as in the file; for genotypes the copies of A1, NaN if missing.
Vector raw_column(const Dataset& raw, Index variable) {
  const Genotypes* const genotypes = genotypes_of(raw);
  return genotypes != nullptr
             ? copies_of_a1(*genotypes, variable)
             : raw.covariance->data_product({.support = {variable}, .values = Vector::Ones(1)});
}

Preparation preparation_of(const Genotypes& genotypes, const Support& support) {
  const Index k = std::ssize(support);
  Preparation prepared{.means = Vector(k), .deviations = Vector(k)};
  for (Index i = 0; i < k; ++i) {
    const auto variant = static_cast<std::size_t>(support[static_cast<std::size_t>(i)]);
    const double frequency = frequency_of_a1(genotypes.counts[variant]);
    const double variance = 2 * frequency * (1 - frequency);
    prepared.means[i] = 2 * frequency;
    prepared.deviations[i] = variance > 0 ? std::sqrt(variance) : 1;
    if (genotypes.alleles != nullptr) {
      prepared.alleles.push_back((*genotypes.alleles)[variant]);
    }
  }
  return prepared;
}

/// Returns the root mean square of column - mean, also if the squares overflow or vanish.
double deviation_about(const Vector& column, double mean) {
  const double variance = (column.array() - mean).square().mean();
  return std::isnormal(variance) ? std::sqrt(variance)
                                 : (column.array() - mean).matrix().stableNorm() /
                                       std::sqrt(static_cast<double>(column.size()));
}

enum class Orientation { kSame, kTurned, kOther };

/// Compares two pairs of alleles. "0" is an allele that no sample has and that PLINK therefore does
/// not name.
Orientation compare_alleles(std::string_view known, std::string_view found) {
  const std::size_t known_slash = known.find('/');
  const std::size_t found_slash = found.find('/');
  if (known_slash == std::string_view::npos || found_slash == std::string_view::npos) {
    return Orientation::kOther;
  }
  const auto is_one = [](std::string_view a, std::string_view b) {
    return a == b || a == "0" || b == "0";
  };
  const std::string_view first = known.substr(0, known_slash);
  const std::string_view second = known.substr(known_slash + 1);
  const std::string_view found_first = found.substr(0, found_slash);
  const std::string_view found_second = found.substr(found_slash + 1);
  if (is_one(first, found_first) && is_one(second, found_second)) {
    return Orientation::kSame;
  }
  return is_one(first, found_second) && is_one(second, found_first) ? Orientation::kTurned
                                                                    : Orientation::kOther;
}

}  // namespace

const Genotypes* genotypes_of(const Dataset& dataset) {
  const auto* const held = dynamic_cast<const HoldsData*>(dataset.covariance.get());
  return held == nullptr ? nullptr : held->data().genotypes;
}

PreparedComponents turned_to_alleles(PreparedComponents stored, const Dataset& raw,
                                     const std::string& file) {
  auto& [components, prepared] = stored;
  const Genotypes* const genotypes = genotypes_of(raw);
  if (genotypes == nullptr || genotypes->alleles == nullptr) {
    throw InputError(fmt::format(
        "{}: has no {}; accepted for a result of genotypes: PLINK FILE.bed with FILE.bim", file,
        genotypes == nullptr ? "genotypes" : "names of alleles, which .spca does not keep"));
  }
  for (std::size_t j = 0; j < components.size(); ++j) {
    for (std::size_t i = 0; i < components[j].support.size(); ++i) {
      const auto variant = static_cast<std::size_t>(components[j].support[i]);
      const std::string& found = (*genotypes->alleles)[variant];
      const auto at = static_cast<Index>(i);
      switch (compare_alleles(prepared[j].alleles[i], found)) {
        case Orientation::kSame:
          break;
        case Orientation::kTurned:
          components[j].values[at] *= -1;
          prepared[j].means[at] = 2 - prepared[j].means[at];
          break;
        case Orientation::kOther:
          throw InputError(fmt::format(
              "{}: variant {} has the alleles {}; accepted: {}, as the result has, in either order",
              file, raw.variable_names[variant], in_quotes(found),
              in_quotes(prepared[j].alleles[i])));
      }
    }
  }
  return stored;
}

Dataset load_raw(const DataArguments& arguments, const Settings& settings,
                 const GlobalOptions& global, std::uint64_t seed) {
  DataArguments raw = arguments;
  raw.standardize = false;
  raw.center = false;
  raw.no_center = true;
  raw.scale = "none";
  raw.samples_only = true;
  return load_data(raw, settings, global, seed);
}

std::vector<Preparation> preparations(const Dataset& raw, const std::vector<Component>& components,
                                      const Prepared& how) {
  std::vector<Preparation> prepared;
  const Genotypes* const genotypes = genotypes_of(raw);
  for (const Component& component : components) {
    if (genotypes != nullptr) {
      prepared.push_back(preparation_of(*genotypes, component.support));
      continue;
    }
    const Index k = component.cardinality();
    Preparation& one =
        prepared.emplace_back(Preparation{.means = Vector::Zero(k), .deviations = Vector::Ones(k)});
    for (Index i = 0; i < k && how.centered; ++i) {
      const Vector column = raw_column(raw, component.support[static_cast<std::size_t>(i)]);
      one.means[i] = column.mean();
      const double deviation = deviation_about(column, one.means[i]);
      one.deviations[i] = how.standardized && deviation > 0 ? deviation : 1;
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
      const double mean = prepared[j].means[i];
      const Vector column = raw_column(raw, component.support[static_cast<std::size_t>(i)]);
      // Only genotypes can have missing numbers.
      const auto known = column.array().isNaN().select(mean, column.array());
      // For a column of numbers near 1e308 or 1e-308, the factor loses digits or is infinite.
      const double factor = component.values[i] / prepared[j].deviations[i];
      auto scores_of_component = scores.col(static_cast<Index>(j)).array();
      if (std::isnormal(factor)) {
        scores_of_component += factor * (known - mean);
      } else {
        scores_of_component += component.values[i] * ((known - mean) / prepared[j].deviations[i]);
      }
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
