#pragma once

/// The problems that the records of many runs answer, and their answers. Two cells ask the same
/// problem if nothing that decides which answers are possible differs. Values of different problems
/// are never compared.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// What the answers to a problem are held to beside their cardinalities.
enum class Constraint {
  kOne,       // one component
  kDisjoint,  // supports share no variable: promised by the solver, or enforced by the deflation
  kOrthogonalLoadings,         // V'V = I
  kUncorrelatedScores,         // V'SV is diagonal
  kOrthogonalAndUncorrelated,  // both of these
  kDeflation,                  // components one after the other, which may overlap
  kJoint,                      // components together, held to none of these
};

/// "one component", "disjoint supports", "orthogonal loadings", "uncorrelated scores", "orthogonal
/// loadings, uncorrelated scores", "deflation", "components together".
const char* constraint_name(Constraint constraint);
/// What the answers of the variant are held to.
Constraint constraint_of(const Variant& variant);

/// What tells problems apart.
struct ProblemIdentity {
  std::string dataset;        // as registered
  Json dataset_options;       // complete
  std::string data_checksum;  // of the files that were read; "" if none was, or if not known
  std::optional<std::uint64_t> draw;  // data_seed() if the data are drawn
  Constraint constraint = Constraint::kOne;
  std::string deflation;           // its name, of kDeflation alone
  std::vector<Index> cardinality;  // r numbers
};

/// Different for different problems. Problems of one data set and preparation stand together.
std::string identity_text(const ProblemIdentity& identity);

/// What one cell answered.
struct ProblemAnswer {
  std::string solver;      // as registered
  Json options;            // complete, as asked for: without a penalty that was tuned
  std::string experiment;  // where the cell stands first
  Status status = Status::kFailed;
  std::string message;
  bool has_answer = false;        // whole: of all components
  double value = kNotMeasured;    // of PosedProblem::measure
  double seconds = kNotMeasured;  // of the solve; NaN unless it ran alone on the machine of its run
  std::string machine;            // times of two machines are never compared
};

/// How the value of an answer is measured. Each problem has one, the first of which it has most
/// answers.
enum class ValueMeasure {
  kVariance,      // tr(V'SV), or of overlapping loadings the variance of their span
  kShareOfTotal,  // the same over tr S
  kShareOfPca,    // the same over lambda_1 + ... + lambda_r
  kNone,          // no variance was measured
};
/// "variance", "share of the total variance", "share of PCA's variance", "no variance".
const char* value_measure_name(ValueMeasure measure);

struct PosedProblem {
  ProblemIdentity identity;
  Index n = 0, p = 0;  // 0: no record says
  ValueMeasure measure = ValueMeasure::kNone;
  std::vector<ProblemAnswer> answers;  // one a cell, in the order of runs and records
  double best = kNotMeasured;          // the largest value of any answer
  /// The least checked upper bound of any record. NaN if there is none that holds for every answer
  /// to the problem, or if the values are shares.
  double bound = kNotMeasured;
  /// The solvers in whose records it stands. Empty if no record has a larger one, of two solvers or
  /// more: then it is what S alone gives, and no solver's doing.
  std::vector<std::string> bound_by;
  /// The best value is above the bound by more than kSameValue: one of the two is wrong, or the data
  /// are not the same. Nothing is certified then.
  bool is_contradicted = false;
  double pca_variance = kNotMeasured;    // lambda_1 + ... + lambda_r, from a record with its share
  double total_variance = kNotMeasured;  // tr S, likewise

  /// Whether the best value is an optimum: kSameValue or less below the bound.
  bool is_certified() const;
  /// (bound - best) / bound; 0 if certified; NaN without a bound, or if it is contradicted.
  double gap() const;
  /// Whether an answer's value is the best that is known.
  bool holds_best(const ProblemAnswer& answer) const;
  /// How many solvers answered with a value.
  std::size_t solvers_with_value() const;
};

/// Two values are the same if they differ by at most this share: far above what another processor's
/// rounding does to a variance, far below what a user would notice.
inline constexpr double kSameValue = 1e-6;

/// A run whose records take part. All that it refers to outlives the calls that take it.
struct ProblemSource {
  const Experiment* experiment = nullptr;
  const std::vector<Record>* records = nullptr;
  /// Last kIdentityDigits digits of a key -> checksum over the files of the data set.
  std::map<std::string, std::string> data_checksums = {};
  std::string machine;  // equal if the times of two runs can be compared
};

/// Groups the records by problem, in the order of their identities. A cell that stands in several
/// runs counts once. Left out are answers that no cardinality binds.
///
/// A bound is taken from a record only where it holds for all answers to the problem: for one
/// component and for disjoint supports the record's own; for disjoint supports and orthogonal
/// loadings also the metrics upper_bound_disjoint and upper_bound_orthogonal. The bound in the record
/// of other components may rest on what that one answer happens to be.
std::vector<PosedProblem> problems_of(const std::vector<ProblemSource>& runs);

}  // namespace spca
