#pragma once

/// The linear program of packing_program.h over all supports that some rules on pairs allow, by
/// column generation: disjoint_bound.h says how.

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

/// What all programs of one problem share: S over (nearly) its largest eigenvalue, the supports met, and the
/// best disjoint ones.
class DisjointProblem {
 public:
  /// As for disjoint_optimum() in disjoint_bound.h.
  DisjointProblem(const Matrix& matrix, const std::vector<Index>& cardinality, double accuracy,
                  const OutsideVariables& outside);
  DisjointProblem(const DisjointProblem&) = delete;
  DisjointProblem& operator=(const DisjointProblem&) = delete;

  const Matrix& matrix() const { return matrix_; }  // scaled
  double scale() const { return scale_; }           // what it is to be multiplied by
  const std::vector<Index>& cardinality() const { return cardinality_; }
  const std::map<Index, Index>& counts() const { return counts_; }
  SupportPricer& pricer() { return pricer_; }

  struct Column {
    Support support;
    double worth = 0;
  };
  const std::vector<Column>& columns() const { return columns_; }
  /// Keeps a support. Returns false if it is known.
  bool add(const Support& support, double worth);

  /// Keeps a support of one of the cardinalities.
  void meet(const Support& support);
  /// All that were kept.
  std::vector<Support> met() const;

  /// Takes r disjoint supports, |I_j| = k_j, improves them, and keeps them.
  void offer(const std::vector<Support>& supports);
  /// The same for parts of supports, the first ones that fit.
  void round_off(const std::vector<PackingProgram::Taken>& taken);
  const std::vector<Support>& supports() const { return best_.supports; }  // empty: none known
  double value() const { return best_.supports.empty() ? 0 : best_.total(); }

  /// A support may be worth so much more than its prices, and the bound be as good as the value.
  double slack() const;
  /// Whether a bound is as good as the value.
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
  /// The problem must outlive the object. Begins with its columns and these rows, which cut off
  /// fractional optima.
  ColumnGeneration(DisjointProblem& problem, PairRules rules, const std::vector<SubsetRow>& rows,
                   Budget& budget);

  /// Until the bound is as good as the value, the program is solved over all supports and no row is known
  /// that cuts off its optimum, or the budget is over.
  void run();
  /// Until the ascents know no support that is worth more than the program's prices. It bounds nothing.
  void find_prices();

  const PackingProgram& program() const { return program_; }
  /// No disjoint supports that follow the rules are worth more.
  double bound() const { return bound_; }
  /// What shows it; no prices: nothing does.
  const DisjointProof::Node& proof() const { return proof_; }
  /// Whether no support that is allowed is worth more than the program pays.
  bool is_complete() const { return is_complete_; }
  /// As PackingProgram::divided_pair().
  PairRules::Pair divided_pair() const { return program_.divided_pair(); }

  /// Those it began with, and those that cut off what it met.
  std::vector<SubsetRow> rows() const;

  Index programs() const { return programs_; }
  Index proofs() const { return proofs_; }

 private:
  using Found = std::map<Index, std::vector<PricedSupport>>;

  bool is_closed() const { return problem_.is_closed(bound_); }
  bool has_time() const { return !budget_.is_time_up(); }
  enum class Pains { kSmall, kGreat };
  Found seek(const Vector& prices, Pains pains = Pains::kSmall) const;
  std::vector<Support> dearest(const Vector& prices) const;
  bool join(const Found& found);
  bool join(const Support& support, double worth);
  void take_centre(const Vector& prices, const Found& found);
  Support start_of(const Found& found, Index k) const;
  bool take(Index k, const std::vector<Support>& found);
  bool cut_off();
  bool enumerate();
  EnumeratedProblem enumerate(double depth);
  void take_supports(const EnumeratedOptimum& optimum);
  void take_bound(double bound, DisjointProof::Node proof);
  std::optional<Found> step(Pains pains);
  enum class Proof { kGrown, kProven, kUnfinished };
  Proof prove(const Found& found);
  void bound_at_centre();

  DisjointProblem& problem_;
  PairRules rules_;
  Budget& budget_;
  PackingProgram program_;
  std::size_t entered_ = 0;  // columns of the problem that were looked at
  Vector centre_;            // the best prices so far, by what the ascents know of L
  double centre_value_ = std::numeric_limits<double>::infinity();
  std::map<Index, PricedSupport> centre_found_;  // the best supports at these prices
  Index next_bound_;                             // programs until the centre is bounded
  double value_at_cut_ =
      std::numeric_limits<double>::infinity();  // of the program, when rows joined
  double depth_;    // of the next enumeration, over the gap of the program
  int stalls_ = 0;  // how often rows joined since it fell
  double bound_ = std::numeric_limits<double>::infinity();
  DisjointProof::Node proof_;
  bool is_complete_ = false;
  Index programs_ = 0;
  Index proofs_ = 0;
};

}  // namespace spca
