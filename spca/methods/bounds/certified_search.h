#pragma once

/// The two searches of `branch-bound` by turns, and what proves their bound: support_tree.h by sums
/// of squares, relaxation_tree.h by the relaxation for a given cardinality.

#include <optional>

#include "spca/methods/ascent/support_ascent.h"
#include "spca/methods/bounds/greedy_bound.h"
#include "spca/methods/bounds/relaxation_tree.h"
#include "spca/methods/bounds/relaxed_candidates.h"
#include "spca/methods/bounds/support_tree.h"
#include "spca/solving/solver.h"

namespace spca {

/// S is formed at once up to so many variables, and after an elimination at most of so many: its
/// tables take 16 bytes an entry and more.
inline constexpr Index kSearchedWhole = 1024;
inline constexpr Index kMostSearched = 3000;

/// The JSON pointer of the option that names solvers whose bounds are taken in.
inline constexpr const char* kFeedsOption = "/options/feeds";

/// Variables that may be in a support better than that of the elimination, and those of that one;
/// up to kSearchedWhole all that have variance, and no elimination is needed.
RelaxedCandidates variables_to_search(const Covariance& covariance, Index k,
                                      const RelaxedElimination& elimination,
                                      const std::function<bool()>& keep_going);

/// The answers of other solvers that can be used, while there is time.
std::vector<Solution> ask_others(const Problem& problem, const std::vector<std::string>& names,
                                 Budget& budget);

/// Nothing is trusted: the value of the support is computed from S, and so are the bounds that show
/// how much better another might be. The search by squares is made again, as far as `work` allows.
class SearchCertificate final : public BoundCertificate {
 public:
  Support support;  // the best one of the search; empty where there was none
  RelaxedElimination elimination = {};
  double work = 0;
  GreedyBound dual = {};                                          // no vector: none
  std::shared_ptr<const RelaxationProof> relaxations = nullptr;   // may be null
  std::vector<std::shared_ptr<const BoundCertificate>> fed = {};  // of other solvers

  double check(const Covariance& covariance, Index k) const override;

 private:
  double searched_bound(const Covariance& covariance, Index k) const;
};

/// All that can end the proof, among few enough variables that S is formed. What is given must
/// outlive the search; `matrix` is S of the variables, `start` k positions among them.
class CertifiedSearch {
 public:
  CertifiedSearch(const Problem& problem, const std::vector<std::string>& feeds,
                  const Support& variables, const Matrix& matrix, const Support& start,
                  Budget& budget)
      : problem_(problem),
        feeds_(feeds),
        variables_(variables),
        matrix_(matrix),
        budget_(budget),
        squares_(matrix, start) {}

  bool is_finished() const {
    return squares_.is_finished() || (relaxations_ && relaxations_->is_finished());
  }
  void advance();

  double value() const { return squares_.value(); }
  double bound() const {
    return is_finished() ? value()
                         : std::min(squares_.bound(),
                                    relaxations_ ? relaxations_->bound() : squares_.bound());
  }
  Support support() const { return take_from(variables_, squares_.support()); }
  std::vector<std::pair<std::string, double>> facts() const;
  std::shared_ptr<const BoundCertificate> certificate(const RelaxedElimination& elimination) const;

 private:
  void begin_relaxations();
  void feed();
  void share();

  const Problem& problem_;
  const std::vector<std::string>& feeds_;
  const Support& variables_;
  const Matrix& matrix_;
  Budget& budget_;
  SupportTree squares_;
  std::optional<RelaxationTree> relaxations_;
  GreedyBound dual_;
  std::vector<std::shared_ptr<const BoundCertificate>> fed_;
  bool is_fed_ = false;
};

}  // namespace spca
