#pragma once

/// A class of instances defines which answers are feasible, and their value. A class is one file of
/// this folder with SPCA_INSTANCES. No other file names it.

#include <functional>
#include <string>
#include <vector>

#include "harness/instances/instance.h"
#include "spca/base/registry.h"
#include "spca/covariance/covariance.h"
#include "spca/spectrum/spectrum.h"

namespace spca {

/// The question that r components of cardinality k answer.
struct InstanceSize {
  Index p = 0, r = 1, k = 1;
};

/// A bound that was computed from S.
struct ComputedBound {
  double value = kNotMeasured;         // NaN: there is none
  std::vector<Support> supports = {};  // of the best answer found; empty if there is none
};

/// A bound on the value of every answer of a class.
struct ClassBound {
  std::string name;  // of a metric
  /// `context` has feasible components, from which a search may start, and k for each of them as
  /// its cardinality.
  std::function<ComputedBound(const MetricContext& context)> compute;
};

/// Returns a bound that is the value of a metric for the components and the cardinality of the
/// context.
ClassBound bound_by_metric(const std::string& metric);

struct InstanceClass {
  std::string name;     // "disjoint"; also the stem of its file in results/instances/
  std::string file;     // the source that registered it
  std::string tag;      // part of ids: "disjoint"; empty: ids have neither tag nor r
  std::string summary;  // one line
  std::string problem;  // the optimisation problem, as a formula
  /// The metric that measures an answer. Its direction says which answers are better.
  std::string metric;
  /// An answer may be feasible in several classes. It is compared in the one with the least number
  /// here: the class with the fewest answers.
  int generality = 0;
  bool has_common_support = false;      // BestAnswer::supports has one support for all components
  bool has_several_components = false;  // r >= 2
  /// Returns an empty string, or the reason why the components are not an answer. Components with
  /// fewer nonzeros than k are answers, too.
  std::function<std::string(const std::vector<Component>& components, const InstanceSize& size)>
      find_fault;
  /// Returns the best r components on the supports. Empty if the loadings do not follow from the
  /// supports: then an answer needs loadings.
  std::function<std::vector<Component>(const Covariance& covariance,
                                       const std::vector<Support>& supports, Index r)>
      settle = {};
  /// The deflation whose components are an answer of the class. Empty: a solver that finds one
  /// component at a time has no answer.
  std::string deflation = {};
  /// A solver of the class, for instances whose best answer was not found by a solver. Empty: the
  /// default solver of `spca solve`.
  std::string solver = {};
  /// The solver that proves a bound with a certificate; empty if there is none.
  std::string prover = {};
  /// Options of the prover that differ from its defaults.
  Json prover_options = Json::object();
  /// Bounds on the value of every answer, computed from S again each time: for a class without a
  /// prover, or if the prover gives no bound.
  std::vector<ClassBound> bounds = {};
  /// Returns a bound on the value of r components that holds for every S. Null if the class has
  /// none besides that of the spectrum (instance_proof.h).
  std::function<double()> plain_bound = {};
  static constexpr const char* kKind = "class of instances";

  Direction direction() const;
  bool needs_loadings() const { return !settle; }
};

using InstanceClasses = Registry<InstanceClass>;

/// Returns the id of an instance: "pitprops-k5", or with a tag "kos-disjoint-r8-k10".
std::string instance_id(const InstanceClass& of, const std::string& label, Index r, Index k);

/// Returns the supports of the components as a BestAnswer has them.
std::vector<Support> supports_of(const InstanceClass& of, const std::vector<Component>& components);

/// Returns an empty string, or why no answer has these supports: their number is wrong, one has no
/// variable or more than k, or a common support has fewer than r.
std::string find_wrong_supports(const InstanceClass& of, const std::vector<Support>& supports,
                                const InstanceSize& size);

/// Returns the components of an answer: its loadings, or the best ones on its supports. Throws
/// InputError if the class needs loadings and the answer has none.
std::vector<Component> components_of(const InstanceClass& of, const Covariance& covariance,
                                     const BestAnswer& answer, Index r);

/// Returns the class's metric of the components. `spectrum` is that of `covariance`. NaN if it
/// cannot be measured.
double instance_value(const InstanceClass& of, const Covariance& covariance,
                      const Spectrum& spectrum, const std::vector<Component>& components);

/// Faults that several classes look for.
///
/// Returns a fault if the components are not r unit vectors on p variables with at most k nonzeros
/// each.
std::string find_wrong_sizes(const std::vector<Component>& components, const InstanceSize& size);
/// Returns a fault if two components have a product beyond kOrthogonalTolerance. Lengths are not
/// checked here.
std::string find_oblique_loadings(const std::vector<Component>& components);
/// Returns a fault if all supports together have more than k variables.
std::string find_too_many_rows(const std::vector<Component>& components, const InstanceSize& size);

}  // namespace spca

/// Registers a class of instances: SPCA_INSTANCES(kDisjoint) at namespace scope of its file, with
/// kDisjoint an InstanceClass without its file.
#define SPCA_INSTANCES(entry)                                                              \
  [[maybe_unused]] static const bool SPCA_CONCATENATE(spca_instances_, __COUNTER__) = [] { \
    ::spca::InstanceClass registered = entry;                                              \
    registered.file = __FILE__;                                                            \
    return ::spca::InstanceClasses::instance().add(registered);                            \
  }()
