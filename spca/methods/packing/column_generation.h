#pragma once

/// Solves the linear program of packing_program.h over all supports that satisfy the given rules on
/// pairs, by column generation; disjoint_bound.h describes the method.

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "spca/methods/ascent/priced_supports.h"
#include "spca/methods/joint/joint_search.h"
#include "spca/methods/packing/disjoint_proof.h"
#include "spca/methods/packing/packing_program.h"
#include "spca/solving/budget.h"

namespace spca {

/// The data that all programs of one problem share: S divided by (nearly) its largest eigenvalue,
/// the columns found, and the best disjoint supports.
class DisjointProblem {
 public:
  /// The arguments are those of disjoint_optimum() in disjoint_bound.h.
  DisjointProblem(const Matrix& matrix, const std::vector<Index>& cardinality, double accuracy,
                  const OutsideVariables& outside);
  DisjointProblem(const DisjointProblem&) = delete;
  DisjointProblem& operator=(const DisjointProblem&) = delete;

  const Matrix& matrix() const { return matrix_; }  // scaled
  double scale() const { return scale_; }           // the factor from matrix() to S
  const std::vector<Index>& cardinality() const { return cardinality_; }
  const std::map<Index, Index>& counts() const { return counts_; }
  SupportPricer& pricer() { return pricer_; }

  struct Column {
    Support support;
    double worth = 0;
  };
  const std::vector<Column>& columns() const { return columns_; }
  /// Stores a support. Returns false if it is known.
  bool add(const Support& support, double worth);

  /// Stores a support, whose number of variables must be one of the cardinalities.
  void store(const Support& support);
  /// All supports stored.
  std::vector<Support> stored() const;

  /// Improves r disjoint supports, |I_j| = k_j, and stores them.
  void improve(const std::vector<Support>& supports);
  /// The same as improve(), for disjoint supports taken in order from those that a program takes in
  /// part. Unused variables complete them.
  void round_off(const std::vector<PackingProgram::Taken>& taken);
  const std::vector<Support>& supports() const { return best_.supports; }  // empty: none known
  double value() const { return best_.supports.empty() ? 0 : best_.total(); }

  /// The amount by which the worth of a support may exceed its prices while the bound is still
  /// within the accuracy of the value.
  double slack() const;
  /// Returns true if the bound is within the accuracy of the value.
  bool is_closed(double bound) const;

 private:
  std::vector<Index> cardinality_;
  std::map<Index, Index> counts_;
  double accuracy_;
  double scale_;
  Matrix matrix_;
  JointSearch search_;
  SupportPricer pricer_;
  JointSupports best_;
  std::vector<Column> columns_;
  std::set<Support> known_;
};

class ColumnGeneration {
 public:
  /// Starts with the columns of the problem and with these rows, which cut off fractional optima.
  /// The problem must outlive the object.
  ColumnGeneration(DisjointProblem& problem, PairRules rules, const std::vector<SubsetRow>& rows,
                   Budget& budget);

  /// Runs until the bound is within the accuracy of the value, until the program is solved over all
  /// supports and no row is known that cuts off its optimum, or until the budget is over.
  void run();
  /// Runs until the ascents find no support that is worth more than the program's prices. Proves no
  /// bound.
  void find_prices();

  const PackingProgram& program() const { return program_; }
  /// An upper bound on the worth of disjoint supports that satisfy the rules.
  double bound() const { return bound_; }
  /// The proof of bound(). Its prices are empty if nothing is proved yet.
  const DisjointProof::Node& proof() const { return proof_; }
  /// Returns true if no support that the rules allow is worth more than its prices in the program.
  bool is_complete() const { return is_complete_; }
  /// The same as PackingProgram::divided_pair().
  PairRules::Pair divided_pair() const { return program_.divided_pair(); }

  /// The rows given to the constructor and those added since.
  std::vector<SubsetRow> rows() const;

  Index programs() const { return programs_; }
  Index proofs() const { return proofs_; }

 private:
  using Found = std::map<Index, std::vector<PricedSupport>>;

  bool is_closed() const { return problem_.is_closed(bound_); }
  bool has_time() const { return !budget_.is_time_up(); }
  enum class Effort { kQuick, kThorough };
  Found seek(const Vector& prices, Effort effort = Effort::kQuick) const;
  std::vector<Support> dearest(const Vector& prices) const;
  bool join(const Found& found);
  bool join(const Support& support, double worth);
  void update_centre(const Vector& prices, const Found& found);
  Support start_of(const Found& found, Index k) const;
  bool add_supports(Index k, const std::vector<Support>& found);
  bool cut_off();
  bool enumerate();
  EnumeratedProblem enumerate(double depth);
  void add_supports(const EnumeratedOptimum& optimum);
  void update_bound(double bound, DisjointProof::Node proof);
  std::optional<Found> step(Effort effort);
  enum class Proof { kGrown, kProven, kUnfinished };
  Proof prove(const Found& found);
  void bound_at_centre();

  DisjointProblem& problem_;
  PairRules rules_;
  Budget& budget_;
  PackingProgram program_;
  std::size_t entered_ = 0;  // number of columns of the problem already entered
  Vector centre_;            // the best prices so far, by the ascents' estimate of L
  double centre_value_ = std::numeric_limits<double>::infinity();
  std::map<Index, PricedSupport> centre_found_;  // the best supports at these prices
  Index next_bound_;                             // number of programs before the centre is bounded
  double value_at_cut_ =
      // the value of the program when rows were last added
      std::numeric_limits<double>::infinity();
  double depth_;    // depth of the next enumeration, relative to the gap of the program
  int stalls_ = 0;  // number of times rows were added since the value fell
  double bound_ = std::numeric_limits<double>::infinity();
  DisjointProof::Node proof_;
  bool is_complete_ = false;
  Index programs_ = 0;
  Index proofs_ = 0;
};

}  // namespace spca
