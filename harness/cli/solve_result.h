#pragma once

/// The result of `spca solve` as other programs read it: the JSON whose schema `spca schema result`
/// prints, and tables in CSV.

#include <string>
#include <unordered_set>
#include <vector>

#include "harness/answers/solve_report.h"
#include "harness/cli/sample_scores.h"

namespace spca::cli {

/// Counted up if a reader of older results would go wrong. Members may be added without that.
inline constexpr int kResultVersion = 1;

/// Returns report_json() with the data and their form. `prepared_variables` is empty, or has one for
/// each component: the means and deviations that a projection needs. The result then records too
/// which names several variables share.
Json result_json(const PreparedSolve& prepared, const SolveReport& report,
                 const std::vector<Preparation>& prepared_variables);

/// A line for each variable that has a loading: its index from 0, its name, and a loading for each
/// component.
std::string loadings_csv(const Dataset& dataset, const std::vector<Component>& components);

/// What `spca project` needs of a result.
struct StoredResult {
  std::string file;
  Index variables = 0;  // p
  std::vector<Component> components;
  std::vector<std::vector<std::string>> names;  // of the support of each component; or empty ones
  /// The names that several variables of the data had.
  std::unordered_set<std::string> shared_names;
  /// False if an older program wrote the file: `shared_names` then has the names alone that two
  /// variables of the answer have.
  bool records_shared_names = false;
  std::vector<Preparation> prepared;
  Json data;  // as data_json() wrote it
};
/// Returns the name as a result has it: JSON keeps no byte that is not UTF-8.
std::string name_in_json(const std::string& name);

/// Throws InputError with file, line and pointer for what is no such result.
StoredResult read_result(const std::string& file);

}  // namespace spca::cli
