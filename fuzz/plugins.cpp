/// The plugins that an experiment's document may name: one of each kind, with an option of every
/// type, instead of the real ones, whose numerics would be most of the build. None of them is ever
/// run.

#include "spca/covariance/deflation.h"
#include "spca/data/dataset.h"
#include "spca/measure/metrics.h"
#include "spca/methods/orthogonal/common_support_bound.h"
#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/solving/solver.h"

namespace spca {
namespace {

struct EveryOption {
  bool flag = false;
  Index count = 3;
  double penalty = 0.5;
  std::vector<double> weights = {1};
  std::string choice = "a";
  std::vector<std::string> starts = {"x"};

  void describe(OptionVisitor& visit) {
    visit("flag", flag, "a flag");
    visit("count", count, "a whole number", between(1, 100));
    visit("penalty", penalty, "a number", above(0));
    visit("weights", weights, "numbers", at_least(0));
    visit("choice", choice, "a choice", {"a", "b"});
    visit("starts", starts, "choices", {"x", "y"});
  }
};

Solution solve_nothing(const Problem&, const EveryOption&, Budget&) { return {}; }
Dataset load_nothing(const EveryOption&, const DatasetRequest&) { return {}; }
std::vector<double> measure_nothing(const MetricContext&) { return {}; }
std::shared_ptr<const Covariance> deflate_nothing(std::shared_ptr<const Covariance> covariance,
                                                  const Component&) {
  return covariance;
}

SPCA_SOLVER("sparse", solve_nothing, (Traits{.summary = "takes k"}));
SPCA_SOLVER("block", solve_nothing, (Traits{.summary = "takes r", .multiple_components = true}));
SPCA_SOLVER("dense", solve_nothing, (Traits{.summary = "ceiling", .rule = SparsityRule::kDense}));
SPCA_SOLVER("penalised", solve_nothing,
            (Traits{.summary = "tuned",
                    .rule = SparsityRule::kPenalty,
                    .tuning = {.option = "penalty", .minimum = 0.001, .logarithmic = true}}));
SPCA_DATASET("drawn", load_nothing, (DatasetTraits{.summary = "drawn", .generated = true}));
SPCA_DATASET("fixed", load_nothing, (DatasetTraits{.summary = "built in"}));
SPCA_METRIC("value", measure_nothing, (MetricTraits{.formula = "v'Sv"}));
SPCA_METRIC("values", measure_nothing, (MetricTraits{.formula = "v'Sv", .per_component = true}));
SPCA_METRIC("seconds", measure_nothing, (MetricTraits{.unit = "s", .formula = "", .timing = true}));

[[maybe_unused]] const bool kHasDeflation =
    DeflationRegistry::instance().add({"none", __FILE__, "S stays", "S", deflate_nothing, false});

}  // namespace

/// Instances of several components ask for these bounds when they are checked, which no target
/// does.
CommonSupportBound common_support_bound(const Covariance&, Index, Index, const Support&, double) {
  return {};
}
OrthogonalBound orthogonal_bound(const Matrix&, const std::vector<Index>&,
                                 const std::vector<Support>&, double, Budget&, double, int) {
  return {};
}

}  // namespace spca
