#pragma once

/// Collects the problems that the records of many runs answer, and their answers. Two cells have
/// the same problem if they agree in everything that determines which answers are possible. Values
/// of different problems are never compared.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/record.h"

namespace spca {

/// The constraint on the answers to a problem in addition to their cardinalities.
enum class Constraint {
  kOne,       // one component
  kDisjoint,  // supports share no variable: the solver promises it, or the deflation enforces it
  kOrthogonalLoadings,         // V'V = I
  kUncorrelatedScores,         // V'SV is diagonal
  kOrthogonalAndUncorrelated,  // both of the preceding
  kDeflation,                  // components one after the other, which may overlap
  kJoint,                      // components together, with none of these constraints
};

/// Returns "one component", "disjoint supports", "orthogonal loadings", "uncorrelated scores",
/// "orthogonal loadings, uncorrelated scores", "deflation" or "components together".
const char* constraint_name(Constraint constraint);
/// Returns the constraint on the answers of the variant.
Constraint constraint_of(const Variant& variant);

/// The properties that distinguish problems.
struct ProblemIdentity {
  std::string dataset;   // registered name
  Json dataset_options;  // complete, with defaults
  /// The checksum over the files that were read; "" if there are none or it is unknown.
  std::string data_checksum;
  std::optional<std::uint64_t> draw;  // data_seed() if the data are drawn
  Constraint constraint = Constraint::kOne;
  std::string deflation;           // its name if the constraint is kDeflation, otherwise ""
  std::vector<Index> cardinality;  // r numbers
};

/// Returns a text that differs between problems. Problems of one data set and preparation sort
/// together.
std::string identity_text(const ProblemIdentity& identity);

/// The answer of one cell.
struct ProblemAnswer {
  std::string solver;      // registered name
  Json options;            // complete, as requested: without a tuned penalty
  std::string experiment;  // the first experiment that has the cell
  Status status = Status::kFailed;
  std::string message;
  bool has_answer = false;        // true for an answer with all components
  double value = kNotMeasured;    // in the unit of PosedProblem::measure
  double seconds = kNotMeasured;  // of the solve; NaN unless it ran alone on its run's machine
  std::string machine;            // times of two machines are never compared
};

/// The measure of an answer's value. A problem uses the measure that most of its answers have, the
/// first one among equals.
enum class ValueMeasure {
  kVariance,      // tr(V'SV), or for overlapping loadings the variance of their span
  kShareOfTotal,  // that variance divided by tr S
  kShareOfPca,    // that variance divided by lambda_1 + ... + lambda_r
  kNone,          // no variance was measured
};
/// Returns "variance", "share of the total variance", "share of PCA's variance" or "no variance".
const char* value_measure_name(ValueMeasure measure);

struct PosedProblem {
  ProblemIdentity identity;
  Index n = 0, p = 0;  // 0: unknown
  ValueMeasure measure = ValueMeasure::kNone;
  std::vector<ProblemAnswer> answers;  // one for each cell, in the order of runs and records
  double best = kNotMeasured;          // the largest value of any answer
  /// The least checked upper bound of any record. NaN if no bound holds for every answer to the
  /// problem, or if the values are shares.
  double bound = kNotMeasured;
  /// The solvers whose records have the bound. Empty if there are at least two solvers and no
  /// record has a larger bound: then the bound comes from S alone and not from a solver.
  std::vector<std::string> bound_by;
  /// True if the best value exceeds the bound by more than kSameValue: one of the two is wrong, or
  /// the data differ. Nothing is certified then.
  bool is_contradicted = false;
  /// The sum lambda_1 + ... + lambda_r, from a record that has its share.
  double pca_variance = kNotMeasured;
  double total_variance = kNotMeasured;  // tr S, likewise

  /// Returns whether the best value is an optimum: at most kSameValue below the bound.
  bool is_certified() const;
  /// Returns (bound - best) / bound; 0 if certified; NaN without a bound, or if it is contradicted.
  double gap() const;
  /// Returns whether an answer's value is the best known value.
  bool holds_best(const ProblemAnswer& answer) const;
  /// Returns the number of solvers with a value.
  std::size_t solvers_with_value() const;
};

/// At most this relative difference between equal values: far above the effect of another
/// processor's rounding on a variance, and far below a difference that matters to a user.
inline constexpr double kSameValue = 1e-6;

/// A run whose records take part. The objects that it refers to must outlive the calls that use it.
struct ProblemSource {
  const Experiment* experiment = nullptr;
  const std::vector<Record>* records = nullptr;
  /// Maps the last kIdentityDigits digits of a key to the checksum over the files of the data set.
  std::map<std::string, std::string> data_checksums = {};
  std::string machine;  // equal if the times of two runs can be compared
};

/// Returns the problem that a record answers: one of variant `index` of the run. Empty if no
/// cardinality binds the answer.
std::optional<ProblemIdentity> problem_of(const ProblemSource& run, std::size_t index,
                                          const Record& record);

/// Groups the records by problem, in the order of their identities. A cell that occurs in several
/// runs counts once. Answers that no cardinality binds are omitted.
///
/// A record's bound is used only if it holds for all answers to the problem. For one component and
/// for disjoint supports, that is the record's own bound; for disjoint supports and orthogonal
/// loadings also the metrics upper_bound_disjoint and upper_bound_orthogonal. The bound in a record
/// of other components may depend on that one answer.
std::vector<PosedProblem> problems_of(const std::vector<ProblemSource>& runs);

}  // namespace spca
