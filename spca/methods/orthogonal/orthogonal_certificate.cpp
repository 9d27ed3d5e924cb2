#include "spca/methods/orthogonal/orthogonal_certificate.h"

#include <utility>

#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

class OrthogonalCertificate final : public BoundCertificate {
 public:
  explicit OrthogonalCertificate(OrthogonalProof proof) : proof_(std::move(proof)) {}

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override {
    return do_check_orthogonal(covariance, {k}, budget);
  }
  double do_check_orthogonal(const Covariance& covariance, const std::vector<Index>& cardinality,
                             Budget& budget) const override {
    return check_orthogonal_proof(covariance.submatrix(all_variables(covariance.variables())),
                                  cardinality, proof_, budget);
  }

 private:
  OrthogonalProof proof_;
};

}  // namespace

std::shared_ptr<const BoundCertificate> orthogonal_certificate(OrthogonalProof proof) {
  return std::make_shared<OrthogonalCertificate>(std::move(proof));
}

}  // namespace spca
