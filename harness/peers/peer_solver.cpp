#include "harness/peers/peer_solver.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/peers/peer_answer.h"
#include "harness/peers/peer_files.h"
#include "harness/peers/peer_placeholders.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/options_json.h"
#include "spca/io/external_program.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

namespace fs = std::filesystem;

/// The inputs of one call of a peer.
struct Call {
  const Peer& peer;
  const Problem& problem;
  Json options;
  std::uint64_t seed;  // below 2^31: R has no larger integers
};

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : json_line(value);
}

fs::path matrix_file(const Call& call, const fs::path& folder) {
  return folder / (call.peer.format == PeerFormat::kNpy ? "matrix.npy" : "matrix.mtx");
}

Placeholders placeholders(const Call& call, const fs::path& folder) {
  const Problem& problem = call.problem;
  Placeholders values = {
      {"here", call.peer.file.parent_path().string()},
      {"folder", folder.string()},
      {"problem", (folder / "problem.json").string()},
      {"matrix", matrix_file(call, folder).string()},
      {"answer", (folder / call.peer.answer).string()},
      {"components", std::to_string(problem.components)},
      {"cardinality", problem.cardinality.empty()
                          ? "none"
                          : fmt::format("{}", fmt::join(problem.cardinality, ","))},
      {"seed", std::to_string(call.seed)},
      {"threads", std::to_string(problem.threads)}};
  for (const auto& [name, value] : call.options.items()) {
    values["options." + name] = text_of(value);
  }
  return values;
}

/// Returns the size limit of each file that the peer writes: 64 bytes of text for each loading, and
/// 64 MiB. A faulty peer must not fill the disk that holds the run's records.
std::uint64_t largest_file(const Problem& problem) {
  constexpr std::uint64_t kRoom = 1 << 26;
  constexpr std::uint64_t kBytesOfALoading = 64;
  return kRoom + kBytesOfALoading * static_cast<std::uint64_t>(problem.components) *
                     static_cast<std::uint64_t>(problem.covariance.variables());
}

void write_problem(const Call& call, const WrittenMatrix& matrix, const fs::path& folder) {
  const Problem& problem = call.problem;
  const Json cardinality = problem.cardinality.empty() ? Json(nullptr) : Json(problem.cardinality);
  write_json_file(folder / "problem.json",
                  {{"components", problem.components},
                   {"cardinality", cardinality},
                   {"seed", call.seed},
                   {"threads", problem.threads},
                   {"options", call.options},
                   {"matrix",
                    {{"file", matrix.file.string()},
                     {"kind", call.peer.matrix == PeerMatrix::kData ? "data" : "covariance"},
                     {"rows", matrix.rows},
                     {"columns", matrix.columns}}},
                   {"answer", (folder / call.peer.answer).string()}});
}

Solution failed(std::string message) {
  Solution solution;
  solution.message = std::move(message);
  return solution;
}

Solution run(const Call& call, ExternalProgram& program, Budget& budget) {
  const Problem& problem = call.problem;
  const WrittenMatrix matrix =
      write_peer_matrix(problem.covariance, call.peer.matrix, call.peer.format, program.folder());
  if (!matrix.too_large.empty()) {
    return skipped(matrix.too_large);
  }
  write_problem(call, matrix, program.folder());
  program.start();
  budget.mark_external();
  std::optional<ProgramEnd> end;
  while (!end) {
    budget.begin_loop();  // waiting is not an iteration: only the time is limited
    if (!budget.next()) {
      return make_solution({}, budget);
    }
    end = program.wait_a_little();
  }
  const std::string last_words = end->last_line.empty() ? "" : ": " + end->last_line;
  if (end->state != 0) {
    return failed(describe_program_end(end->state) + last_words);
  }
  try {
    return make_solution(read_peer_answer(program.folder() / call.peer.answer,
                                          problem.covariance.variables(), problem.components),
                         budget);
  } catch (const InputError& error) {
    return failed(error.what() + (last_words.empty() ? "" : "; its last words" + last_words));
  }
}

}  // namespace

Solution solve_with_peer(const Peer& peer, const PeerState& state, const Problem& problem,
                         const PeerOptions& options, Budget& budget) {
  if (!state.missing.empty()) {
    return skipped(state.missing);
  }
  PeerOptions described = options;
  OptionWriter writer;
  described.describe(writer);
  constexpr std::uint64_t kSeeds = std::uint64_t{1} << 31;
  const Call call{
      .peer = peer, .problem = problem, .options = writer.values(), .seed = problem.seed % kSeeds};
  ExternalProgram program([&](const fs::path& folder) {
    const Placeholders values = placeholders(call, folder);
    ProgramCall started;
    started.threads = problem.threads;
    started.largest_file = largest_file(problem);
    for (const std::string& word : peer.command) {
      started.command.push_back(replace_placeholders(word, values));
    }
    // The program was found when the peer was probed. If it was removed since, starting it reports
    // that.
    if (const std::optional<fs::path> found = find_program(started.command.front())) {
      started.command.front() = found->string();
    }
    return started;
  });
  return run(call, program, budget);
}

}  // namespace spca
