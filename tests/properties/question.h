#pragma once

/// One question to one solver, as `spca solve` would be asked.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/calls/data.h"
#include "tests/properties/hunted_matrix.h"

namespace spca::properties {

/// How the numbers are held. S itself is always dense.
enum class Storage { kDense, kSparseRows, kSparseColumns, kMappedRows, kFile };
inline constexpr int kStorages = 5;
const char* storage_name(Storage storage);

struct Question {
  HuntedMatrix matrix;
  Storage storage = Storage::kDense;
  std::string solver;
  Json options = Json::object();
  std::vector<Index> cardinality;  // one for each component; empty for a dense solver
  Index components = 1;
  std::string deflation;  // empty for a solver of several components, and for one component
  std::uint64_t seed = 1;
  int threads = 1;
};

/// S in the question's storage. Throws InputError if the library does not accept it.
calls::Data data_of(const Question& question);

/// What `spca solve --json` prints, from the same functions in this process. Throws what the
/// library throws.
Json answer_of(const Question& question, const calls::Data& data);
/// Seconds: far above what a small case needs alone, and what a large one may take. An answer that
/// met the limit is judged by what it claims.
double time_limit(const Question& question);

/// Whether it has components, and a status with which they may be used.
bool has_answer(const Json& answer);

/// Without what differs from call to call: times.
Json without_times(Json answer);

/// Writes the matrix as `stem`.csv or .mtx and returns the words of the shell that ask the question.
std::string write_command(const Question& question, const std::filesystem::path& stem);

/// NaN unless it is a number.
double number_in(const Json& value);
/// The components of an answer, p x r.
Matrix loadings_of(const Json& answer, Index p);

}  // namespace spca::properties
