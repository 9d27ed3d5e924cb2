#pragma once

/// The clock that decisions depend on. Several processes that solve one problem together, each
/// taking every step, must take the same decisions. So they must not read clocks of their own.

#include <ctime>

namespace spca {

/// A clock and a stop request that are the same in all processes of a group. All processes call its
/// functions in the same order.
class SharedTime {
 public:
  virtual ~SharedTime() = default;
  SharedTime() = default;
  SharedTime(const SharedTime&) = delete;
  SharedTime& operator=(const SharedTime&) = delete;

  /// The time since an origin that is the same in all processes.
  virtual std::timespec now() = 0;
  /// Makes the next now() read the clock; now() may otherwise return an older time. Called by every
  /// process at the same step.
  virtual void look_anew() = 0;
  /// Returns true if the deciding process was asked to stop. `own` is true if this process was.
  virtual bool stop_requested(bool own) = 0;

  /// While an object of this class lives, this thread uses `time` instead of its own clock.
  class Use {
   public:
    explicit Use(SharedTime& time);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SharedTime* before_;
  };

  /// The shared time of this thread; null if this thread decides alone.
  static SharedTime* of_this_thread();
};

/// The time of a monotonic clock with a fixed origin: the shared clock, if there is one.
std::timespec steady_now();
/// The same as steady_now(), but never an older time: for a time that is reported.
std::timespec steady_now_exactly();
/// now - then, in seconds.
double seconds_between(const std::timespec& then, const std::timespec& now);

}  // namespace spca
