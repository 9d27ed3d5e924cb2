#include "spca/measure/sample_folds.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace spca {

std::vector<Index> shuffled(Index n, Random& random) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(i))]);
  }
  return order;
}

std::vector<SampleFold> sample_folds(Index n, Index count, std::uint64_t seed) {
  Random random(seed);
  const std::vector<Index> order = shuffled(n, random);
  std::vector<SampleFold> folds(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t f = 0; f < folds.size(); ++f) {
      (i % folds.size() == f ? folds[f].left_out : folds[f].kept).push_back(order[i]);
    }
  }
  for (SampleFold& fold : folds) {
    std::sort(fold.kept.begin(), fold.kept.end());
    std::sort(fold.left_out.begin(), fold.left_out.end());
  }
  return folds;
}

std::string reason_without_folds(const Covariance& covariance, Index count) {
  const bool has_samples = covariance.has_data_form() && covariance.samples() > 0;
  if (!has_samples || covariance.samples() < 2 * count) {
    return has_samples ? "fewer than 2 samples a fold" : "S is given, not the data";
  }
  return count < 2 ? "not asked for" : "";
}

MeanAndError mean_and_error(const std::vector<double>& numbers) {
  const auto count = static_cast<double>(numbers.size());
  double mean = 0, squares = 0;
  for (const double number : numbers) {
    mean += number / count;
  }
  for (const double number : numbers) {
    squares += (number - mean) * (number - mean);
  }
  return {.mean = mean, .standard_error = std::sqrt(squares / (count - 1) / count)};
}

std::optional<std::size_t> first_near_least(const std::vector<MeanAndError>& means) {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (!std::isnan(means[i].mean) && (!least || means[i].mean < means[*least].mean)) {
      least = i;
    }
  }
  for (std::size_t i = 0; least && i < *least; ++i) {
    if (means[i].mean <= means[*least].mean + means[*least].standard_error) {
      return i;
    }
  }
  return least;
}

}  // namespace spca
