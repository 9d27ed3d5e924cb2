#include "spca/spectrum/eigen_patience.h"

#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

thread_local EigenPatience* latest_patience = nullptr;

}  // namespace

EigenPatience::EigenPatience(std::function<bool()> is_over)
    : is_over_(std::move(is_over)), outer_(latest_patience) {
  latest_patience = this;
}

EigenPatience::~EigenPatience() { latest_patience = outer_; }

std::function<bool()> EigenPatience::of_this_thread() {
  return latest_patience == nullptr ? std::function<bool()>{} : latest_patience->is_over_;
}

void EigenPatience::ask() {
  if (latest_patience != nullptr && latest_patience->is_over_ && latest_patience->is_over_()) {
    throw NumericalError("the time for eigenvalues ran out");
  }
}

}  // namespace spca
