#include "spca/methods/ascent/gpower.h"

namespace spca {

void GpowerOptions::describe_all(OptionVisitor& visit, const char* penalty_help) {
  visit("penalty", penalty, penalty_help, between(0, 1));
  visit("tolerance", tolerance, "relative growth of the objective below which the iteration stops",
        at_least(0));
  visit("refit", refit,
        "replace the loadings by the leading eigenvector on their support; otherwise the "
        "thresholded X'x itself");
  visit("start", start,
        "x before the first step; if gamma cuts everything at the eigenvector, the longest column",
        {"longest-column", "leading-eigenvector"});
}

Component gpower(const Covariance& covariance, Threshold threshold, double level,
                 const GpowerOptions& options, Budget& budget) {
  const ThresholdedPower rule{
      .threshold = threshold, .level = level, .tolerance = options.tolerance};
  Component component = thresholded_power(covariance, rule,
                                          options.start == "longest-column"
                                              ? start_at_longest_column(covariance)
                                              : start_at_leading_eigenvector(covariance, level),
                                          budget);
  return options.refit ? refitted(covariance, component) : component;
}

}  // namespace spca
