#pragma once

/// The time that each part of a solve takes.

#include <ctime>
#include <map>
#include <string>

namespace spca {

/// Divides the wall time since its construction among named phases, for the record of a solve.
class PhaseTimer {
 public:
  PhaseTimer();

  /// Assigns the time since the last call, or since the start, to the phase `name` ("eigenpairs").
  /// Times of one name add up. Does nothing while a Nested lives.
  void finish(const std::string& name);
  /// The time of each phase that was finished.
  const std::map<std::string, double>& seconds() const { return seconds_; }
  /// Returns true while a Nested lives.
  bool is_nested() const { return nested_ > 0; }

  /// While an object of this class lives, another solver works within a phase. Its phases are not
  /// recorded separately: their time belongs to the phase of the solver that called it.
  class Nested {
   public:
    /// `timer` outlives the object.
    explicit Nested(PhaseTimer& timer) : timer_(timer) { ++timer_.nested_; }
    ~Nested() { --timer_.nested_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    PhaseTimer& timer_;
  };

 private:
  std::timespec begin_;  // the start of the current phase
  std::map<std::string, double> seconds_;
  int nested_ = 0;  // number of living Nested
};

}  // namespace spca
