#pragma once

/// Compares an answer with the library: no answer may exceed a proved bound, no bound may be below
/// the best known answer, and an answer to an instance is compared with the best known one.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/instances/instance_library.h"

namespace spca {

/// The data of an answer, which may be those of an instance.
struct DataOrigin {
  std::string dataset;
  Json options;                            // complete
  std::optional<std::uint64_t> draw = {};  // DatasetRequest::seed if the data are generated
  /// Returns the checksum over the files (data_files()). Called only if the library has data with
  /// this name and these options, because it reads the files.
  std::function<std::string()> checksum;
};

/// How an answer compares with the best one that is known.
struct InstanceStanding {
  std::string id, instance_class;
  Direction direction = Direction::kHigherIsBetter;
  double value = kNotMeasured;  // of the answer, in the metric of the class
  double best = kNotMeasured;   // of the library
  double bound = kNotMeasured;  // NaN: there is none

  /// The ids of further instances with its metric, r and k whose best known value is reached too.
  std::vector<std::string> also_reached = {};
  /// True if the data were recognised by their numbers, not by their name (same_data.h).
  bool is_recognised = false;

  bool is_proved() const { return spca::is_proved(direction, best, bound); }
  bool is_improvement() const { return is_better(direction, value, best); }
  bool is_reached() const { return !is_better(direction, best, value); }
  /// Returns |value - best| as a share of |best|; |value| if the best value is 0.
  double distance() const;
};

/// Returns the standing of an answer with this value.
InstanceStanding standing_of(const KnownInstance& known, double value);

/// The verdict of the library on an answer.
struct LibraryComparison {
  /// Empty, or one line that names the answer and the proved bound beyond which it lies, or the
  /// bound and the best known answer beyond it.
  std::string contradiction;
  /// Empty unless the library has the instance.
  std::optional<InstanceStanding> standing;
};

/// The answer of a solver.
struct ComparedAnswer {
  std::string solver;  // for messages
  const Covariance& covariance;
  const std::vector<Component>& components;  // feasible
  /// The cardinality that was asked of each component; 0 if none or several were.
  Index k = 0;
  /// A bound on every answer to the same problem (Judgement::upper_bound); NaN if there is none.
  double bound = kNotMeasured;
};

/// Compares an answer with every instance on the same data with as many components of which it is a
/// feasible answer. The standing is that on the instance with exactly its r and k, of the class
/// with the fewest answers (InstanceClass::generality); among classes with different metrics, that
/// in which it is nearest to the best known answer. Without an origin the data are recognised by
/// their numbers. Costs nothing if the library has no such data. Throws as read_library_file()
/// does.
LibraryComparison compare_with_library(const InstanceLibrary& library,
                                       const std::optional<DataOrigin>& origin,
                                       const ComparedAnswer& answer);

/// Returns the instances of the library on these data.
std::vector<KnownInstance> instances_on(const InstanceLibrary& library, const DataOrigin& origin);

/// Returns whether two objects have equal members in any order.
bool same_options(const Json& a, const Json& b);

/// Returns the cardinality that is asked of every component; 0 if none or several are.
Index shared_cardinality(const std::vector<Index>& cardinality);

/// Returns an empty string, or one line that says that the value lies beyond the bound of the
/// instance. `what` names the answer: "the variance that the answer of tpower explains".
std::string find_contradiction(const KnownInstance& known, double value, const std::string& what);

/// Returns an empty string, or one line that says that the bound is below the best known answer of
/// the instance. `what` names the bound: "the bound of tpower".
std::string find_low_bound(const KnownInstance& known, double bound, const std::string& what);

/// Returns the instance for which the bound of a solver holds that was asked for cardinality k: of
/// those on which its answer is feasible, the one with that k and the fewest other answers. Null if
/// there is none whose answers are measured by their variance, or if the answer is also one of a
/// narrower class, such as disjoint components: the bound may then hold for that class alone.
const KnownInstance* instance_of_bound(const std::vector<KnownInstance>& feasible, Index k,
                                       const std::vector<Component>& answer);

/// Returns "best known 3.40615 (proved): reached", "... (gap 0.2 %): 1.3 % below" or "...: improved
/// by 0.1 %".
std::string standing_text(const InstanceStanding& standing);
/// Returns "(pitprops-k5)", "(pitprops-k5, recognised by its numbers)", or for several instances
/// "(pitprops-disjoint-r2-k3); also that of pitprops-orthogonal-r2-k3".
std::string instance_text(const InstanceStanding& standing);
/// Returns the members id, class, also_reached, recognised, value, best, bound, proved and
/// standing: "reached", "worse" or "better".
Json standing_json(const InstanceStanding& standing);

}  // namespace spca
