/// Ranks by MPI. The rest of the program uses only harness/cli/ranks.h.

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/ranks.h"
#include "spca/base/error.h"
#include "spca/base/shared_time.h"

namespace spca::cli {
namespace {

/// At most this number of bytes are sent at once, because MPI counts with an int.
constexpr std::size_t kBytesTogether = std::size_t{1} << 30;

std::vector<int> offsets(const std::vector<int>& counts) {
  std::vector<int> offsets;
  int next = 0;
  for (const int count : counts) {
    offsets.push_back(next);
    next += count;
  }
  return offsets;
}

/// The clock of rank 0. A solver reads the time millions of times. So rank 0 also sends the number
/// of further calls that get the same answer. The number grows while calls come fast.
class TimeOfRankZero final : public SharedTime {
 public:
  void set_size(int size) { size_ = size; }
  std::timespec now() override {
    ask(told_.stop);
    return told_.now;
  }
  bool stop_requested(bool own) override {
    ask(own);
    return told_.stop;
  }
  /// Makes the next call read the clock: called after longer steps.
  void look_anew() override { free_ = 0; }

 private:
  struct Told {
    std::timespec now;
    bool stop;
    int free;  // number of further calls that get the same answer
  };

  void ask(bool own) {
    if (free_ > 0) {
      --free_;
      return;
    }
    // While less than kFastSeconds pass between two readings of the clock, the number of further
    // calls that get the same answer doubles, up to kMostCallsOfAnswer: a solver that suddenly
    // takes long steps must not run far beyond its limit. A single rank reads its clock at each
    // call.
    constexpr double kFastSeconds = 1e-4;
    constexpr int kMostCallsOfAnswer = 32;
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const bool is_fast = seconds_between(told_.now, now) < kFastSeconds;
    told_ = {.now = now,
             .stop = own,
             .free = is_fast && size_ > 1 ? std::min(2 * told_.free + 1, kMostCallsOfAnswer) : 0};
    if (size_ > 1) {
      MPI_Bcast(&told_, sizeof told_, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    free_ = told_.free;
  }

  int size_ = 1;
  Told told_{};
  int free_ = 0;
};

class MpiGroup final : public RankGroup {
 public:
  explicit MpiGroup(TimeOfRankZero& time) : time_(time) {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void exchange(const double* out, const std::vector<int>& out_counts, double* in,
                const std::vector<int>& in_counts) override {
    MPI_Alltoallv(out, out_counts.data(), offsets(out_counts).data(), MPI_DOUBLE, in,
                  in_counts.data(), offsets(in_counts).data(), MPI_DOUBLE, MPI_COMM_WORLD);
    time_.look_anew();
  }

  void gather_all(const double* own, double* all, const std::vector<int>& counts) override {
    MPI_Allgatherv(own, counts[static_cast<std::size_t>(rank_)], MPI_DOUBLE, all, counts.data(),
                   offsets(counts).data(), MPI_DOUBLE, MPI_COMM_WORLD);
    time_.look_anew();
  }

  void broadcast(void* bytes, std::size_t size, int root) override {
    in_parts(static_cast<char*>(bytes), size, [root](char* part, int count) {
      MPI_Bcast(part, count, MPI_BYTE, root, MPI_COMM_WORLD);
    });
    time_.look_anew();
  }

  void send(int to, const void* bytes, std::size_t size) override {
    in_parts(static_cast<const char*>(bytes), size, [to](const char* part, int count) {
      MPI_Send(part, count, MPI_BYTE, to, 0, MPI_COMM_WORLD);
    });
  }

  void receive(int from, void* bytes, std::size_t size) override {
    in_parts(static_cast<char*>(bytes), size, [from](char* part, int count) {
      MPI_Recv(part, count, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
  }

 private:
  template <class Byte, class Move>
  static void in_parts(Byte* bytes, std::size_t size, const Move& move) {
    for (std::size_t begin = 0; begin < size; begin += kBytesTogether) {
      move(bytes + begin, static_cast<int>(std::min(kBytesTogether, size - begin)));
    }
  }

  TimeOfRankZero& time_;
  int rank_ = 0;
  int size_ = 1;
};

std::optional<int> number_in(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? std::nullopt : std::optional(std::atoi(text));
}

class MpiRanks final : public Ranks {
 public:
  MpiRanks() {
    set_ranks(*this);
    // The variables of OpenMPI, of MPICH and Slurm's PMI-2, and of Slurm's PMIx.
    constexpr const char* kLaunchers[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                             {"PMI_RANK", "PMI_SIZE"},
                                             {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"}};
    for (const auto& [rank, size] : kLaunchers) {
      const std::optional<int> own = number_in(rank);
      const std::optional<int> all = number_in(size);
      if (own && all && *all >= 1 && *own >= 0 && *own < *all) {
        rank_ = *own;
        size_ = *all;
        return;
      }
    }
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool is_connected() const override { return is_connected_; }

  std::shared_ptr<RankGroup> connect() override {
    SPCA_CHECK(!is_connected_, "ranks are connected once");
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    is_connected_ = true;
    const auto group = std::make_shared<MpiGroup>(time_);
    if (group->rank() != rank_ || group->size() != size_) {
      rank_ = group->rank();
      size_ = group->size();
      throw InputError(
          "the launcher does not say in the environment which rank this is; accepted: mpirun or "
          "mpiexec of OpenMPI or MPICH, or srun with --mpi=pmix or pmi2");
    }
    time_.set_size(size_);
    use_.emplace(time_);
    return group;
  }

  void disconnect() override {
    use_.reset();
    MPI_Finalize();
  }

  void abort(int code) override {
    if (is_connected_) {
      MPI_Abort(MPI_COMM_WORLD, code);
    }
    std::_Exit(code);
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  bool is_connected_ = false;
  TimeOfRankZero time_;
  std::optional<SharedTime::Use> use_;
};

MpiRanks mpi_ranks;

}  // namespace
}  // namespace spca::cli
