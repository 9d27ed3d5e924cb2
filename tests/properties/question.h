#pragma once

/// One request to one solver, with the arguments of `spca solve`.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/calls/data.h"
#include "tests/properties/hunted_matrix.h"

namespace spca::properties {

/// The storage of the data. S itself is always dense.
enum class Storage { kDense, kSparseRows, kSparseColumns, kMappedRows, kFile };
inline constexpr int kStorages = 5;
const char* storage_name(Storage storage);

struct Question {
  HuntedMatrix matrix;
  Storage storage = Storage::kDense;
  std::string solver;
  Json options = Json::object();
  std::vector<Index> cardinality;  // one for each component; empty: dense, or penalty not tuned
  Index components = 1;
  std::string deflation;  // empty for a solver of several components, and for one component
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Returns S, or the data in the question's storage. Throws InputError if the library does not
/// accept them.
calls::Data data_of(const Question& question);

/// Returns the document that `spca solve --json` prints, without its fields schema and data, from
/// the same functions in this process. Passes on the exceptions of the library.
Json answer_of(const Question& question, const calls::Data& data);
/// Returns the time limit in seconds: far above the time of a small case; large cases may reach it.
/// The checks then apply to the claims of the unfinished answer.
double time_limit(const Question& question);

/// Returns true if the answer has components and a status that makes them usable.
bool has_answer(const Json& answer);

/// Returns the answer without the times, which differ from call to call, and without the metrics
/// of Gate::kNone.
Json without_times(Json answer);

/// Writes the matrix as `stem`.csv or .mtx and returns the shell command that asks the question.
std::string write_command(const Question& question, const std::filesystem::path& stem);

/// Returns the number, or NaN if the value is not a number.
double number_in(const Json& value);
/// Returns the components of an answer as a p x r matrix.
Matrix loadings_of(const Json& answer, Index p);

}  // namespace spca::properties
