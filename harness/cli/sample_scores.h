#pragma once

/// Scores of samples on components: (x - m)'v over the variables of the support, each divided by
/// its deviation if the data were standardised or are genotypes. The means m and the deviations,
/// which the score of a new sample needs, are stored with the answer.

#include <string>
#include <vector>

#include "harness/cli/data_arguments.h"
#include "spca/covariance/genotypes.h"

namespace spca::cli {

/// The means and deviations by which the variables of a support were centred and scaled before S
/// was computed. For genotypes with the frequency f of A1 they are 2f and sqrt(2f(1 - f)).
struct Preparation {
  Vector means;                           // k; zeros if the data were not centred
  Vector deviations;                      // k; ones unless standardised or genotypes
  std::vector<std::string> alleles = {};  // k: "A1/A2"; empty if there are none or not known
};

/// Returns the genotypes of which S is the covariance; null for other data.
const Genotypes* genotypes_of(const Dataset& dataset);

/// Components with the preparation of each.
struct PreparedComponents {
  std::vector<Component> components;
  std::vector<Preparation> prepared;
};

/// Returns the components for the alleles of other genotypes: where A1 and A2 are exchanged, g is
/// replaced by 2 - g. Throws InputError, which begins with `file`, if the alleles differ in any
/// other way, or if `raw` has no genotypes or no names of alleles.
PreparedComponents turned_to_alleles(PreparedComponents stored, const Dataset& raw,
                                     const std::string& file);

/// Reads or generates the same data again, neither centred nor scaled. Throws InputError for data
/// without such a form (S itself, and genotypes, whose S holds the copies of A1).
Dataset load_raw(const DataArguments& arguments, const Settings& settings,
                 const GlobalOptions& global, std::uint64_t seed);

/// How the data were prepared before a solve.
struct Prepared {
  bool centered = false;
  bool standardized = false;  // to unit variance; only if they were centred
};
/// Returns the preparation of each component. `raw` is the result of load_raw, or S of genotypes.
std::vector<Preparation> preparations(const Dataset& raw, const std::vector<Component>& components,
                                      const Prepared& how);

/// Returns the scores, n x r. `raw` is neither centred nor scaled, or S of genotypes; supports are
/// columns of it. A missing genotype counts as the mean.
Matrix sample_scores(const Dataset& raw, const std::vector<Component>& components,
                     const std::vector<Preparation>& prepared);

/// Returns a header line and a line for each sample: its name, or its number from 1, and a score
/// for each component.
std::string scores_csv(const std::vector<std::string>& sample_names, const Matrix& scores);

}  // namespace spca::cli
