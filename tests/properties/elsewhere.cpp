#include "tests/properties/elsewhere.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "spca/base/json_text.h"
#include "spca/io/captured_program.h"
#include "spca/io/temporary_folder.h"

namespace spca::properties {
namespace {

const std::filesystem::path kBuild = SPCA_BUILD_FOLDER;
const std::filesystem::path kSources = std::filesystem::path(SPCA_SOURCE_DIR) / "tests/properties";

bool is_sparse(const Question& question) {
  return question.matrix.is_data() && question.storage != Storage::kDense;
}

std::vector<std::string> split(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    words.push_back(word);
  }
  return words;
}

/// Returns the arguments `solve ...` of the command of write_command(), with --json and the time
/// limit. Instead of a converted .spca file, they name the .mtx file.
std::vector<std::string> solve_words(Question question, const std::filesystem::path& folder) {
  if (question.storage == Storage::kFile) {
    question.storage = Storage::kSparseRows;
  }
  std::vector<std::string> words = split(write_command(question, folder / "x"));
  words.erase(words.begin());
  words.insert(words.end(), {"--json", "--time-limit", fmt::format("{}", time_limit(question))});
  return words;
}

/// Returns the arguments of ask.py and ask.R: a file of doubles, stored by columns, and the words
/// of the question.
std::vector<std::string> script_words(const Question& question,
                                      const std::filesystem::path& folder) {
  const HuntedMatrix& matrix = question.matrix;
  const Matrix& numbers = matrix.is_data() ? matrix.data : matrix.covariance;
  const std::filesystem::path path = folder / "x.bin";
  std::ofstream(path, std::ios::binary)
      .write(
          reinterpret_cast<const char*>(numbers.data()),
          static_cast<std::streamsize>(static_cast<std::size_t>(numbers.size()) * sizeof(double)));
  const auto yes_or_no = [](bool is) -> std::string { return is ? "yes" : "no"; };
  return {
      path.string(),
      fmt::format("{}", numbers.rows()),
      fmt::format("{}", numbers.cols()),
      matrix.is_data() ? (is_sparse(question) ? "sparse" : "dense") : "covariance",
      yes_or_no(matrix.centered),
      matrix.scale,
      question.solver,
      question.cardinality.empty() ? "-" : fmt::format("{}", fmt::join(question.cardinality, ",")),
      fmt::format("{}", question.components),
      question.deflation.empty() ? "-" : question.deflation,
      fmt::format("{}", question.seed),
      fmt::format("{}", question.threads),
      fmt::format("{}", time_limit(question))};
}

struct Asked {
  std::filesystem::path needed;      // exists if the program was built
  std::vector<std::string> command;  // prints JSON
};

Asked asked(const Question& question, const std::string& place,
            const std::filesystem::path& folder) {
  std::vector<std::string> command;
  std::filesystem::path needed = kBuild / "spca";
  if (place == kCommand) {
    command = {needed.string()};
  } else if (place == kRanks) {
    needed = kBuild / "spca-mpi";
    command = {"mpirun", "-q", "-n", question.seed % 2 == 0 ? "2" : "3", needed.string()};
  } else if (place == kPython) {
    needed = kBuild / "python/spca_bench/__init__.py";
    command = {SPCA_PYTHON_EXECUTABLE, "-B", (kSources / "ask.py").string()};
  } else {
    needed = kBuild / "r/spcabench";
    command = {"Rscript", "--vanilla", (kSources / "ask.R").string()};
  }
  const std::vector<std::string> words = place == kCommand || place == kRanks
                                             ? solve_words(question, folder)
                                             : script_words(question, folder);
  command.insert(command.end(), words.begin(), words.end());
  return {.needed = needed, .command = command};
}

/// Sets the folders of the packages, and lets OpenMPI run as root with more ranks than cores.
void set_environment() {
  const std::string python = (kBuild / "python").string(), r = (kBuild / "r").string();
  for (const auto& [name, value] : {std::pair{"PYTHONPATH", python.c_str()},
                                    {"R_LIBS", r.c_str()},
                                    {"R_LIBS_USER", "/nowhere"},
                                    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                    {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                    {"OMPI_MCA_mpi_yield_when_idle", "1"}}) {
    setenv(name, value, 1);
  }
}

}  // namespace

std::vector<std::string> elsewhere() { return {kCommand, kRanks, kPython, kR}; }

ElsewhereAnswer answer_elsewhere(const Question& question, const std::string& place) {
  set_environment();
  const std::filesystem::path folder = make_temporary_folder();
  const Asked there = asked(question, place, folder);
  if (!std::filesystem::exists(there.needed)) {
    std::filesystem::remove_all(folder);
    return {.answer = std::nullopt, .trouble = kNotBuilt};
  }
  const CapturedOutput output =
      capture_program(there.command, "", ProgramErrors::kKept, ProgramFate::kOurs);
  std::filesystem::remove_all(folder);
  if (place == kRanks && output.exit_code == 2) {
    return {.answer = std::nullopt, .trouble = kRefused};
  }
  const Json answer = parse_json(output.text);
  if (answer.is_discarded() || !answer.is_object()) {
    return {.answer = std::nullopt,
            .trouble = fmt::format("exit code {}: {}", output.exit_code, output.errors)};
  }
  return {.answer = answer};
}

}  // namespace spca::properties
