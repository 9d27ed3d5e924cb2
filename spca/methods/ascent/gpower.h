#pragma once

/// The generalized power method for one component: the options and the method that gpower-l1 and
/// gpower-l0 share.
///
/// Source  Journee, Nesterov, Richtarik, Sepulchre, JMLR 2010, Algorithms 2 and 3

#include <string>

#include "spca/base/options.h"
#include "spca/methods/ascent/thresholded_power.h"

namespace spca {

struct GpowerOptions {
  double penalty = 0;
  double tolerance = kObjectiveTolerance;
  bool refit = true;
  std::string start = "longest-column";

 protected:
  /// Describes all options; `penalty_help` is the help of the penalty.
  void describe_all(OptionVisitor& visit, const char* penalty_help);
};

/// Runs the method from the start that the options name, and refits the answer if they say so.
/// `threshold` is soft for l1 and hard for l0; `level` is on the scale of |a_i'x|.
Component gpower(const Covariance& covariance, Threshold threshold, double level,
                 const GpowerOptions& options, Budget& budget);

}  // namespace spca
