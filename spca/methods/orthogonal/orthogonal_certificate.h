#pragma once

/// The certificate of a bound on several orthogonal components.

#include <memory>

#include "spca/methods/orthogonal/orthogonal_bound.h"
#include "spca/solving/certificate.h"

namespace spca {

/// The check forms S and recomputes the bound (check_orthogonal_proof()).
std::shared_ptr<const BoundCertificate> orthogonal_certificate(OrthogonalProof proof);

}  // namespace spca
