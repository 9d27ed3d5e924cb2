#include "spca/solving/status.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "spca/base/error.h"

namespace spca {
namespace {

constexpr std::array<std::pair<Status, const char*>, 8> kStatusNames = {{
    {Status::kConverged, "converged"},
    {Status::kIterationLimit, "iteration_limit"},
    {Status::kIncomplete, "incomplete"},
    {Status::kTimeLimit, "time_limit"},
    {Status::kNumericalFailure, "numerical_failure"},
    {Status::kSkipped, "skipped"},
    {Status::kFailed, "failed"},
    {Status::kInvalid, "invalid"},
}};

}  // namespace

const char* status_name(Status status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) {
      return name;
    }
  }
  SPCA_CHECK(false, "a status without a name");
}

Status status_from_name(const std::string& name) {
  for (const auto& [value, known] : kStatusNames) {
    if (name == known) {
      return value;
    }
  }
  throw InputError(fmt::format("unknown status \"{}\"", name));
}

bool is_usable(Status status) {
  return status == Status::kConverged || status == Status::kIterationLimit ||
         status == Status::kIncomplete || status == Status::kTimeLimit;
}

bool may_lack_components(Status status) {
  return status == Status::kIncomplete || status == Status::kTimeLimit;
}

bool is_answer(Status status, bool has_loadings) { return is_usable(status) && has_loadings; }

bool is_final(Status status) { return status != Status::kFailed && status != Status::kSkipped; }

bool is_repeatable(Status status) { return is_final(status) && status != Status::kTimeLimit; }

bool owes_answer(Status status) {
  return status != Status::kSkipped && status != Status::kIncomplete;
}

bool is_failure(Status status, bool has_loadings) {
  return status == Status::kFailed || status == Status::kInvalid ||
         status == Status::kNumericalFailure || (status == Status::kTimeLimit && !has_loadings);
}

}  // namespace spca
