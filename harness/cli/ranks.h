#pragma once

/// Ranks: the processes of spca-mpi, which is started once for each rank, and which solve one
/// problem together. Any other program has no ranks.

#include <memory>
#include <string>

#include "harness/cli/data_arguments.h"
#include "spca/ranks/rank_group.h"
#include "spca/solving/solver.h"

namespace spca::cli {

/// The ranks of this job. This process is one of them.
class Ranks {
 public:
  virtual ~Ranks() = default;
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// Returns the number of this rank as the launcher assigns it, before the ranks have met.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Connects the ranks. From here on they share one clock (shared_time.h), and no process may be
  /// forked.
  virtual std::shared_ptr<RankGroup> connect() = 0;
  virtual bool is_connected() const = 0;
  /// Disconnects the ranks. All ranks call this if they have met.
  virtual void disconnect() = 0;
  /// Ends all ranks.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// Returns null if there are no ranks.
Ranks* ranks();
/// Sets the ranks. spca-mpi calls it once, before main() parses anything; other programs do not.
void set_ranks(Ranks& all);

/// Returns true if this process writes the output of the job: it is rank 0, or there are no ranks.
bool speaks_for_all();

/// Ends the job after an error. If all ranks have the same error, rank 0 reports it; if only one
/// rank has it, that rank reports it.
[[noreturn]] void fail_in_ranks(const std::string& line, int code);

/// Number of seconds that any other rank waits for rank 0 to print a line and to end the job.
inline constexpr unsigned kRankPatience = 3;

/// Throws InputError if the solver or the threads are not possible in ranks.
void check_ranks(const SolverEntry& solver, int threads);

/// The same as load_data(), but every rank reads its own rows of a file, before the ranks meet.
/// Data sets, and files that cannot be read by rows, are read by rank 0 and sent to the others.
Dataset load_data_in_ranks(const DataArguments& arguments, const Settings& settings,
                           const GlobalOptions& global, std::uint64_t seed);
/// Returns the data that `load`, which only rank 0 calls, returns there, spread over all ranks.
Dataset load_in_ranks(const std::function<Dataset()>& load);

}  // namespace spca::cli
