#pragma once

/// Tells a parent which metric its child measures, even after the child has crashed.

#include <string>

namespace spca {

/// A page of memory that a process shares with the children that it forks during the lifetime of
/// the object. Writing a note there is cheap for a child, and does not depend on the parent's
/// reading it.
class MeasuringStage {
 public:
  /// Throws InputError if no memory is available.
  MeasuringStage();
  ~MeasuringStage();
  MeasuringStage(const MeasuringStage&) = delete;
  MeasuringStage& operator=(const MeasuringStage&) = delete;

  /// Notes that measuring this metric of the cell begins now. Stores the first 255 bytes of the
  /// name.
  void begin(std::size_t cell, const std::string& metric);

  /// Returns the time of the last note on the clock of monotonic_seconds(), or 0 if there was none.
  double begun() const;
  /// Return the cell and the metric of the last note. The parent reads them once the child has
  /// ended.
  std::size_t cell() const;
  std::string metric() const;

 private:
  struct Page;
  Page* page_;
};

}  // namespace spca
