#pragma once

/// An instance of the library: data, a class of answers, r and k, with the best answer that is
/// known and a proved bound. results/instances/ has a file for each class (library_file.h).

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "spca/base/types.h"
#include "spca/measure/metrics.h"

namespace spca {

/// The data of one or more instances.
struct InstanceData {
  std::string label;    // names the data in ids: "pitprops"
  std::string dataset;  // registered name
  Json options;         // complete, with defaults
  /// DatasetRequest::seed of generated data.
  std::optional<std::uint64_t> draw = {};
  std::string checksum;         // over the files (data_files()); "" without files
  Index n = 0, p = 0;           // n is 0 if the data set is S itself
  double trace = kNotMeasured;  // tr S
  /// fingerprint() of S. NaN: these data are not recognised in a file of other bytes.
  double fingerprint = kNotMeasured;
};

/// Where an answer comes from.
struct FoundBy {
  std::string solver;   // registered name; for an answer from elsewhere the name of its source
  std::string version;  // of this program; "" for an answer from elsewhere
  Json options;         // complete; null for an answer from elsewhere
};

/// The best answer that is known. Its value follows from the data and its supports, or from the
/// data and its loadings.
struct BestAnswer {
  double value = kNotMeasured;  // in the metric of the class
  /// One support for each component, or one for all (InstanceClass::has_common_support).
  std::vector<Support> supports;
  /// Only for a class whose loadings do not follow from the supports; otherwise empty.
  std::vector<Component> loadings = {};
  FoundBy found_by;
};

/// A bound on the value of every answer, and how it was proved.
struct ProvedBound {
  double value = kNotMeasured;    // NaN: there is none
  std::string by;                 // a solver, a metric, or "spectrum"
  std::string version;            // of this program
  Json options;                   // of the solver, complete; null for a metric
  double seconds = kNotMeasured;  // wall time of the proof and of its check
  double limit = kNotMeasured;    // time limit of the proof in seconds
  std::string certificate;        // "checked" or "recomputed" (instance_proof.h)
  std::string machine;            // on which the seconds were measured: processor, cores, memory
};

struct Instance {
  std::string id;              // "pitprops-disjoint-r2-k5"
  std::string instance_class;  // registered name of its InstanceClass
  std::string data;            // label of its InstanceData
  Index r = 1, k = 1;          // components, and nonzeros of each (or common rows)
  BestAnswer best;
  ProvedBound bound;
  // The file states these; instance_status() and instance_gap() follow from value and bound.
  std::string stated_status = "";
  double stated_gap = kNotMeasured;
};

/// Returns the distance between value and bound as a share of the larger one. NaN without a bound,
/// or if the value is better than the bound by a share of more than kSameInstanceValue. 0 if they
/// differ by rounding of either sign.
double instance_gap(Direction direction, double value, double bound);

/// Returns whether the gap is at most kProvedGap.
bool is_proved(Direction direction, double value, double bound);

/// Returns whether `value` is better than `other` by more than kSameInstanceValue of the larger
/// one. False if either is NaN.
bool is_better(Direction direction, double value, double other);

/// Returns the bound, moved outward by the share kCarriedOutward. If the value of a feasible answer
/// lies beyond the bound by rounding, the result is the value, moved outward. A value that is
/// better by more leaves the bound unchanged, because then one of the two is wrong.
double carried_outward(Direction direction, double bound, double value);

/// Returns "proved" if is_proved() of the instance's value and bound, else "open".
const char* instance_status(Direction direction, const Instance& instance);

}  // namespace spca
