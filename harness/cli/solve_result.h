#pragma once

/// The result of `spca solve` as other programs read it: tables in CSV, and the JSON whose schema
/// `spca schema result` prints.

#include <string>
#include <unordered_set>
#include <vector>

#include "harness/answers/solve_report.h"
#include "harness/cli/sample_scores.h"

namespace spca::cli {

/// Version of the format. It increases if a reader of older results would misread new ones. Added
/// members do not change it.
inline constexpr int kResultVersion = 1;

/// Returns report_json() with kResultVersion and Request::data. `prepared_variables` is empty or
/// has an entry for each component: the means, deviations and alleles that a projection needs. In
/// the second case the result also records which names several variables share.
Json result_json(const Request& request, const SolveReport& report,
                 const std::vector<Preparation>& prepared_variables);

/// Returns a header line, and a line for each variable with a loading: its index from 0, its name,
/// and a loading for each component.
std::string loadings_csv(const Dataset& dataset, const std::vector<Component>& components);

/// The part of a result that `spca project` needs.
struct StoredResult {
  std::string file;
  Index variables = 0;  // p
  std::vector<Component> components;
  std::vector<std::vector<std::string>> names;  // of the support of each component; may be empty
  /// The names that several variables of the data share.
  std::unordered_set<std::string> shared_names;
  /// False if an older program wrote the file. `shared_names` then has only the names that two
  /// variables of the answer share.
  bool records_shared_names = false;
  std::vector<Preparation> prepared;
  Json data;  // written by data_json()
};
/// Returns the name as a result stores it: JSON keeps no byte that is not UTF-8.
std::string name_in_json(const std::string& name);

/// Reads a result. Throws InputError that begins with the file's name if the file is not one.
StoredResult read_result(const std::string& file);

}  // namespace spca::cli
