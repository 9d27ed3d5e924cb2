#include "spca/covariance/sparse_arrays.h"

namespace spca {

ColumnFacts column_facts(const SparseArrays& columns, Index n) {
  const Index p = columns.lines;
  ColumnFacts facts = {
      .sums = Vector::Zero(p), .squares = Vector::Zero(p), .centered_squares = Vector::Zero(p)};
  const auto samples = static_cast<double>(n);
  for (Index j = 0; j < p; ++j) {
    const double* const begin = columns.values + columns.starts[j];
    const double* const end = columns.values + columns.end(j);
    for (const double* value = begin; value != end; ++value) {
      facts.sums[j] += *value;
      facts.squares[j] += *value * *value;
    }
    // In two passes: (x - m)^2 for each nonzero and m^2 for each zero. The one-pass formula would
    // cancel if the mean is large against the deviation.
    const double mean = facts.sums[j] / samples;
    double squares = 0;
    for (const double* value = begin; value != end; ++value) {
      squares += (*value - mean) * (*value - mean);
    }
    facts.centered_squares[j] =
        squares + (samples - static_cast<double>(end - begin)) * mean * mean;
  }
  return facts;
}

}  // namespace spca
