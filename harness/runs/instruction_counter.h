#pragma once

/// Counts what the processor does, by perf_event_open(2) of Linux. A count does not depend on what
/// else the machine does, as a time does.

#include <cstdint>
#include <string>

#include "spca/io/file_descriptor.h"

namespace spca {

/// Counts one kind of event of the calling thread, of the threads that it starts from now on, and of
/// the programs that they start. What the system does for them does not count.
class EventCounter {
 public:
  /// `type` and `event` are those of perf_event_attr. Begins to count. Throws nothing: if the system
  /// does not count, why() says so.
  EventCounter(std::uint32_t type, std::uint64_t event);
  /// The events so far. NaN if they were not counted all the time, because other programs used the
  /// processor's counters too.
  double count() const;
  /// Empty, or one line: why the system does not count.
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

/// Why this machine counts no instructions for this user, in a line; empty if it does.
std::string why_no_instructions();

}  // namespace spca
