#include "spca/methods/ascent/core.h"

#include <algorithm>

#include "spca/methods/ascent/support_ascent.h"

namespace spca {
namespace {

Support as_set(Support variables) {
  std::sort(variables.begin(), variables.end());
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

}  // namespace

void Core::set(Support variables) {
  variables_ = as_set(std::move(variables));
  matrix_ = covariance_.submatrix(variables_);
}

bool Core::add(const Support& variables) {
  Support all = variables_;
  all.insert(all.end(), variables.begin(), variables.end());
  all = as_set(std::move(all));
  if (all == variables_) {
    return false;
  }
  variables_ = std::move(all);
  matrix_ = covariance_.submatrix(variables_);
  return true;
}

std::vector<Support> Core::positions(std::vector<Support> supports) const {
  for (Support& support : supports) {
    support = positions_among(variables_, support);
  }
  return supports;
}

std::vector<Support> Core::at(std::vector<Support> positions) const {
  for (Support& support : positions) {
    support = members_at(variables_, support);
  }
  return positions;
}

}  // namespace spca
