#include "harness/cells/instruction_counter.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "spca/base/types.h"

namespace spca {
namespace {

/// The data of read(2): the number of events, and the nanoseconds for which counting was enabled
/// and for which it was active.
struct Reading {
  std::uint64_t value, enabled, running;
};

std::string reason_of(int error) {
  switch (error) {
    case ENOENT:
    case EOPNOTSUPP:
      return "this machine has no such counter, or its virtual machine hides it";
    case EACCES:
    case EPERM:
      return "not allowed here (/proc/sys/kernel/perf_event_paranoid, or the container's rules)";
    case ENOSYS:
      return "this system has no perf_event_open";
    default:
      return fmt::format("perf_event_open: {}", std::strerror(error));
  }
}

}  // namespace

EventCounter::EventCounter(std::uint32_t type, std::uint64_t event) {
  perf_event_attr attributes{};
  attributes.type = type;
  attributes.size = sizeof attributes;
  attributes.config = event;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  constexpr int kThisThread = 0;
  constexpr int kAnyProcessor = -1;
  constexpr int kNoGroup = -1;
  file_ = FileDescriptor(static_cast<int>(syscall(SYS_perf_event_open, &attributes, kThisThread,
                                                  kAnyProcessor, kNoGroup, PERF_FLAG_FD_CLOEXEC)));
  if (!file_.is_open()) {
    why_ = reason_of(errno);
  }
}

double EventCounter::count() const {
  Reading reading{};
  if (!file_.is_open() || ::read(file_.get(), &reading, sizeof reading) != sizeof reading ||
      reading.running < reading.enabled || reading.enabled == 0) {
    return kNotMeasured;
  }
  return static_cast<double>(reading.value);
}

InstructionCounter::InstructionCounter()
    : EventCounter(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS) {}

std::string why_no_instructions() { return InstructionCounter().why(); }

}  // namespace spca
