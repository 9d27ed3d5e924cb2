#include "spca/methods/pricing/subset_row.h"

namespace spca {

Index SubsetRow::count(const Support& support) const {
  Index common = 0;
  auto one = support.begin();
  auto other = variables.begin();
  while (one != support.end() && other != variables.end()) {
    if (*one == *other) {
      ++common;
      ++one;
      ++other;
    } else if (*one < *other) {
      ++one;
    } else {
      ++other;
    }
  }
  return common / divisor;
}

double charge_for(const std::vector<SubsetCharge>& charges, const Support& support) {
  double sum = 0;
  for (const SubsetCharge& one : charges) {
    sum += one.charge * static_cast<double>(one.row.count(support));
  }
  return sum;
}

double most_charged(const std::vector<SubsetCharge>& charges) {
  double sum = 0;
  for (const SubsetCharge& one : charges) {
    sum += one.charge * static_cast<double>(one.row.right_side());
  }
  return sum;
}

}  // namespace spca
