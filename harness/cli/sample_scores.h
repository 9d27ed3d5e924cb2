#pragma once

/// Scores of samples on components: (x - m)'v over the variables of the support, each divided by its
/// deviation if the data were standardised. What a new sample's score needs (m and the deviations)
/// is kept with the answer.

#include <string>
#include <vector>

#include "harness/cli/data_arguments.h"
#include "spca/algebra/genotypes.h"

namespace spca::cli {

/// How the variables of a component's support were centred and scaled before S was made. Of
/// genotypes with the frequency f of A1, 2f and sqrt(2f(1 - f)).
struct Preparation {
  Vector means;                           // k; zeros if the data were not centred
  Vector deviations;                      // k; ones unless the data were standardised
  std::vector<std::string> alleles = {};  // k: "A1/A2"; empty if they are no genotypes
};

/// The genotypes that S is of; null if it is of other data.
const Genotypes* genotypes_of(const Dataset& dataset);

/// Turns the components and what was prepared for them to the alleles of other genotypes: where A1
/// and A2 have changed places, 2 - g copies are meant. Throws InputError, which begins with `file`,
/// for other alleles.
void turn_to_alleles(const Dataset& raw, const std::string& file,
                     std::vector<Component>& components, std::vector<Preparation>& prepared);

/// The same data, neither centred nor scaled: reads or draws them again. Throws InputError for data
/// that have no such form (S itself, genotypes, whose S has the copies of A1 at hand).
Dataset load_raw(const DataArguments& arguments, const Settings& settings,
                 const GlobalOptions& global, std::uint64_t seed);

/// For each component. `raw` is what load_raw gives, or S of genotypes.
std::vector<Preparation> preparations(const Dataset& raw, const std::vector<Component>& components,
                                      bool centered, bool standardized);

/// n x r. `raw` is not centred and not scaled, or S of genotypes; supports are columns of it. A
/// missing genotype is the mean.
Matrix sample_scores(const Dataset& raw, const std::vector<Component>& components,
                     const std::vector<Preparation>& prepared);

/// A line for each sample: its name, or its number from 1, and a score for each component.
std::string scores_csv(const std::vector<std::string>& sample_names, const Matrix& scores);

}  // namespace spca::cli
