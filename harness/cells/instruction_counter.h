#pragma once

/// Counts events of the processor by perf_event_open(2) of Linux. Unlike a time, a count does not
/// depend on the other load of the machine.

#include <cstdint>
#include <string>

#include "spca/io/file_descriptor.h"

namespace spca {

/// Counts one kind of event of the calling thread, of the threads that it starts from now on, and
/// of the programs that they start. Work of the system for them is not counted.
class EventCounter {
 public:
  /// Begins to count; `type` and `event` are fields of perf_event_attr. Does not throw: if the
  /// system does not count, why() returns the reason.
  EventCounter(std::uint32_t type, std::uint64_t event);
  /// Returns the number of events so far. NaN if the system does not count, or if counting was
  /// interrupted because other programs used the processor's counters too.
  double count() const;
  /// Returns the reason why the system does not count, in one line; empty if it counts.
  const std::string& why() const { return why_; }

 private:
  FileDescriptor file_;
  std::string why_;
};

/// Counts the instructions that the processor retires.
class InstructionCounter : public EventCounter {
 public:
  InstructionCounter();
};

/// Returns the reason why this machine counts no instructions for this user, in one line; empty if
/// it counts them.
std::string why_no_instructions();

}  // namespace spca
