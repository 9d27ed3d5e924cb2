#pragma once

/// The clock by which decisions are taken. Several processes that solve one problem together, each
/// taking every step, must take the same ones. So they must not look at clocks of their own.

#include <ctime>

namespace spca {

/// A clock and a wish to stop that are the same in all processes of a group. Every process asks in
/// the same order.
class SharedTime {
 public:
  virtual ~SharedTime() = default;
  SharedTime() = default;
  SharedTime(const SharedTime&) = delete;
  SharedTime& operator=(const SharedTime&) = delete;

  /// The time since a moment that is the same in all processes.
  virtual std::timespec now() = 0;
  /// An answer of now() may be older than the last question. The next one is not. Called by every
  /// process at the same step.
  virtual void look_anew() = 0;
  /// Whether the process that decides was asked to stop. `own` is what this one was asked.
  virtual bool stop_requested(bool own) = 0;

  /// While an object of this class lives, this thread asks `time` instead of its own clock.
  class Use {
   public:
    explicit Use(SharedTime& time);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    SharedTime* before_;
  };

  /// Null if this thread decides alone.
  static SharedTime* of_this_thread();
};

/// A clock that never goes back, from a moment that does not change: the shared one, if there is
/// one.
std::timespec steady_now();
/// The same, and never an older answer: for a time that is reported.
std::timespec steady_now_exactly();
/// now - then, in seconds.
double seconds_between(const std::timespec& then, const std::timespec& now);

}  // namespace spca
