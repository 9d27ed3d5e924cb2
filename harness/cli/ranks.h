#pragma once

/// What a program does that is started several times, once for each rank, and solves one problem in
/// all of them: spca-mpi. In any other program there are no ranks.

#include <memory>
#include <string>

#include "harness/cli/data_arguments.h"
#include "spca/ranks/rank_group.h"
#include "spca/solving/solver.h"

namespace spca::cli {

/// The ranks of this job, of which this process is one.
class Ranks {
 public:
  virtual ~Ranks() = default;
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// As the launcher tells them, before the ranks have met.
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The ranks meet. From here on they share one clock (shared_time.h), and no process may be forked.
  virtual std::shared_ptr<RankGroup> meet() = 0;
  virtual bool have_met() const = 0;
  /// They part. To be called in all ranks, if they have met.
  virtual void part() = 0;
  /// Ends all ranks.
  [[noreturn]] virtual void abort(int code) = 0;
};

/// Null if there are none.
Ranks* ranks();
/// To be called once, before main() parses anything.
void set_ranks(Ranks& all);

/// Whether this process writes what all of them would: it is rank 0, or there are no ranks.
bool speaks_for_all();

/// Ends the job after an error. If all ranks have the same error, rank 0 tells it; if one alone has
/// it, this one does.
[[noreturn]] void fail_in_ranks(const std::string& line, int code);

/// Seconds that another rank than 0 leaves to rank 0 to say a line and to end the job.
inline constexpr unsigned kRankPatience = 3;

/// Throws InputError for what ranks cannot do.
void check_ranks(const SolverEntry& solver, int threads);

/// As load_data. Every rank reads its own rows of a file, before the ranks meet. What cannot be
/// read so, and data sets, rank 0 reads alone and spreads.
Dataset load_data_in_ranks(const DataArguments& arguments, const Settings& settings,
                           const GlobalOptions& global, std::uint64_t seed);
/// The same of anything that rank 0 loads.
Dataset load_in_ranks(const std::function<Dataset()>& load);

}  // namespace spca::cli
