#pragma once

#include <map>
#include <string>

#include "spca/base/types.h"

namespace spca {

/// The cost of a solve, as the harness measured it.
struct SolveCost {
  double solve_seconds = kNotMeasured;        // wall time, a tuned solver's search included
  double cpu_seconds = kNotMeasured;          // processor time of all threads
  double peak_bytes = kNotMeasured;           // resident memory that the solve adds at its highest
  double instructions = kNotMeasured;         // retired in user mode, all threads
  double iterations = kNotMeasured;           // Budget::iterations() over all components
  double products = kNotMeasured;             // with S
  double reading_seconds = kNotMeasured;      // wall time of reading or generating S
  double check_seconds = kNotMeasured;        // wall time of the check of the certificate, if any
  std::map<std::string, double> phases = {};  // wall time of the solver's phases (budget.h)
};

}  // namespace spca
