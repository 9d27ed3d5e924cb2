#include "spca/covariance/deflation.h"

#include <utility>

#include "spca/covariance/deflated_covariance.h"

namespace spca {

template class Registry<DeflationEntry>;
namespace {

using Step = void (DeflatedCovariance::*)(const Component& v);

/// Each deflation extends a copy. `previous` stays unchanged, because the caller may still measure
/// with it. A copy costs O(n + p) for each direction or removed variable, never a p x p matrix.
template <Step step>
std::shared_ptr<const Covariance> deflate(std::shared_ptr<const Covariance> previous,
                                          const Component& v) {
  std::shared_ptr<DeflatedCovariance> deflated = DeflatedCovariance::extend(std::move(previous));
  ((*deflated).*step)(v);
  return deflated;
}

std::shared_ptr<const Covariance> remove_support(std::shared_ptr<const Covariance> previous,
                                                 const Component& v) {
  std::shared_ptr<DeflatedCovariance> deflated = DeflatedCovariance::extend(std::move(previous));
  deflated->remove(v.support);
  return deflated;
}

[[maybe_unused]] const bool registered[] = {
    DeflationRegistry::instance().add(
        {.name = "remove-support",
         .file = __FILE__,
         .summary = "removes the variables of v; supports are disjoint",
         .formula = "S_ij = 0 where i or j is in the support of v",
         .deflate = remove_support,
         .disjoint = true}),
    DeflationRegistry::instance().add({.name = "projection",
                                       .file = __FILE__,
                                       .summary = "S on the orthogonal complement of v",
                                       .formula = "(I - vv') S (I - vv')",
                                       .deflate = deflate<&DeflatedCovariance::project>}),
    DeflationRegistry::instance().add(
        {.name = "orthogonalised-projection",
         .file = __FILE__,
         .summary =
             "projection with v made orthonormal to the earlier q, so that S loses all of them",
         .formula = "(I - qq') S (I - qq'), q = (I - QQ')v / ||(I - QQ')v||",
         .deflate = deflate<&DeflatedCovariance::project_orthogonalized>}),
    DeflationRegistry::instance().add(
        {.name = "schur",
         .file = __FILE__,
         .summary = "leaves the part of S that is uncorrelated with the scores of v",
         .formula = "S - S v v'S / v'Sv",
         .deflate = deflate<&DeflatedCovariance::subtract_schur>}),
    DeflationRegistry::instance().add(
        {.name = "hotelling",
         .file = __FILE__,
         .summary =
             "subtracts v with its variance; S may become indefinite if v is not an eigenvector",
         .formula = "S - (v'Sv) v v'",
         .deflate = deflate<&DeflatedCovariance::subtract_hotelling>,
         .keeps_data = false}),
};

}  // namespace
}  // namespace spca
