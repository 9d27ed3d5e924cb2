#include <numeric>

#include "spca/solving/solver.h"
#include "spca/spectrum/eigenpairs.h"

namespace spca {
namespace {

struct FalseCertificateOptions {
  double share = 1;
  void describe(OptionVisitor& visit) {
    visit("share", share, "the certified bound, as a share of the value", between(0, 10));
  }
};

/// A certificate whose checks return a given bound, right or wrong.
class FalseCertificate final : public BoundCertificate {
 public:
  explicit FalseCertificate(double bound) : bound_(bound) {}

 protected:
  double do_check(const Covariance&, Index, Budget&) const override { return bound_; }
  double do_check_disjoint(const Covariance&, const std::vector<Index>&, Budget&) const override {
    return bound_;
  }

 private:
  double bound_;
};

/// Returns the best vectors on the first variables, with a bound that may be false.
Solution solve_misbehave_certificate(const Problem& problem, const FalseCertificateOptions& options,
                                     Budget& budget) {
  std::vector<Component> components;
  double value = 0;
  Index first = 0;
  for (const Index k : problem.cardinality) {
    Support support(static_cast<std::size_t>(k));
    std::iota(support.begin(), support.end(), first);
    first += k;
    components.push_back(best_on_support(problem.covariance, support).component);
    value += problem.covariance.quadratic_form(components.back());
  }
  Solution solution = make_solution(std::move(components), budget);
  solution.certificate = std::make_shared<FalseCertificate>(options.share * value);
  return solution;
}

SPCA_SOLVER("misbehave-certificate", solve_misbehave_certificate,
            (Traits{.summary = "hands in a false certificate",
                    .problem = "",
                    .source = "",
                    .multiple_components = true,
                    .disjoint = true}));

/// Returns the first variable alone as the optimum for any k.
Solution solve_misbehave_certificate_exact(const Problem&, const NoOptions&, Budget& budget) {
  return make_solution({{.support = {0}, .values = Vector::Ones(1)}}, budget);
}

SPCA_SOLVER("misbehave-certificate-exact", solve_misbehave_certificate_exact,
            (Traits{.summary = "calls an answer optimal that is not",
                    .problem = "",
                    .source = "",
                    .exact = true}));

}  // namespace
}  // namespace spca
