#pragma once

/// How a parent learns which metric its child measures, even after the child has crashed.

#include <string>

namespace spca {

/// A page of memory that a process shares with the children that it forks while the object lives.
/// A note there costs a child nothing, and needs no parent that reads it.
class MeasuringStage {
 public:
  /// Throws InputError if there is no memory.
  MeasuringStage();
  ~MeasuringStage();
  MeasuringStage(const MeasuringStage&) = delete;
  MeasuringStage& operator=(const MeasuringStage&) = delete;

  /// Notes that the metric of this cell is measured from now on. The first 255 bytes of its name are
  /// kept.
  void begin(std::size_t cell, const std::string& metric);

  /// The time of the last note, on monotonic_seconds(); 0 if there was none.
  double begun() const;
  /// The cell and the metric of the last note. The parent reads them once the child has ended.
  std::size_t cell() const;
  std::string metric() const;

 private:
  struct Page;
  Page* page_;
};

}  // namespace spca
