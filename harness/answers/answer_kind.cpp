#include "harness/answers/answer_kind.h"

#include "spca/base/error.h"
#include "spca/solving/feasibility.h"
#include "spca/solving/solve.h"
#include "spca/spectrum/joint_loadings.h"

namespace spca {
namespace {

bool are_orthonormal(const std::vector<Component>& components) {
  const Matrix gram = loadings_gram(components);
  return (gram - Matrix::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff() <=
         kOrthogonalTolerance;
}

}  // namespace

AnswerKind kind_of(const std::vector<Component>& components, Index p) {
  if (components.size() == 1) {
    return AnswerKind::kOne;
  }
  if (find_infeasibility(components, p, {}, Supports::kDisjoint).empty()) {
    return AnswerKind::kDisjoint;
  }
  return are_orthonormal(components) ? AnswerKind::kOrthonormal : AnswerKind::kAny;
}

const char* kind_name(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::kAny:
      return "any loadings";
    case AnswerKind::kOrthonormal:
      return "orthogonal loadings";
    case AnswerKind::kDisjoint:
      return "disjoint supports";
    case AnswerKind::kOne:
      return "one component";
  }
  SPCA_CHECK(false, "a kind of answer without a name");
}

}  // namespace spca
