#pragma once

/// Scores of samples on components: (x - m)'v over the variables of the support, each divided by its
/// deviation if the data were standardised. What a new sample's score needs (m and the deviations)
/// is kept with the answer.

#include <string>
#include <vector>

#include "harness/cli/data_arguments.h"

namespace spca::cli {

/// How the variables of a component's support were centred and scaled before S was made.
struct Preparation {
  Vector means;       // k; zeros if the data were not centred
  Vector deviations;  // k; ones unless the data were standardised
};

/// The same data, neither centred nor scaled: reads or draws them again. Throws InputError for data
/// that have no such form (S itself, genotypes).
Dataset load_raw(const DataArguments& arguments, const Settings& settings,
                 const GlobalOptions& global, std::uint64_t seed);

/// For each component. `raw` is what load_raw gives.
std::vector<Preparation> preparations(const Dataset& raw, const std::vector<Component>& components,
                                      bool centered, bool standardized);

/// n x r. `raw` is not centred and not scaled; supports are columns of it.
Matrix sample_scores(const Dataset& raw, const std::vector<Component>& components,
                     const std::vector<Preparation>& prepared);

/// A line for each sample: its name, or its number from 1, and a score for each component.
std::string scores_csv(const std::vector<std::string>& sample_names, const Matrix& scores);

}  // namespace spca::cli
