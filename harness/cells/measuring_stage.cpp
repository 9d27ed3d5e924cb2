#include "harness/cells/measuring_stage.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>

#include "spca/base/error.h"
#include "spca/io/progress.h"  // monotonic_seconds()

namespace spca {
namespace {

constexpr std::size_t kLongestName = 255;

}  // namespace

struct MeasuringStage::Page {
  std::atomic<double> begun = 0;
  std::size_t cell = 0;
  char metric[kLongestName + 1] = "";
};

MeasuringStage::MeasuringStage() {
  static_assert(std::atomic<double>::is_always_lock_free, "two processes share no lock");
  void* const memory =
      mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw InputError(
        fmt::format("a page of shared memory cannot be had: {}", std::strerror(errno)));
  }
  page_ = new (memory) Page;
}

MeasuringStage::~MeasuringStage() { munmap(page_, sizeof(Page)); }

void MeasuringStage::begin(std::size_t cell, const std::string& metric) {
  const std::size_t length = std::min(metric.size(), kLongestName);
  page_->cell = cell;
  std::memcpy(page_->metric, metric.data(), length);
  page_->metric[length] = '\0';
  page_->begun = monotonic_seconds();
}

double MeasuringStage::begun() const { return page_->begun; }
std::size_t MeasuringStage::cell() const { return page_->cell; }
std::string MeasuringStage::metric() const { return page_->metric; }

}  // namespace spca
