#pragma once

/// The two searches of `branch-bound` in turns (search_by_turns.h), external bounds that limit
/// both, and the certificate of their bound.

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "spca/methods/bounds/greedy_bound.h"
#include "spca/methods/bounds/search_by_turns.h"
#include "spca/methods/bounds/variable_elimination.h"
#include "spca/solving/solver.h"

namespace spca {

/// The JSON pointer of the option that names the solvers whose bounds are used.
inline constexpr const char* kFeedsOption = "/options/feeds";

/// The usable answers of other solvers to the same problem.
struct OtherAnswers {
  std::vector<Solution> solutions;
  std::string note;  // "NAME was left out: WHY" of each solver that failed
};

/// Asks the solvers `names`, as far as the budget allows.
OtherAnswers ask_others(const Problem& problem, const std::vector<std::string>& names,
                        Budget& budget);

/// The bound that the certificate of a fed solution proves.
struct CheckedFeed {
  double bound = std::numeric_limits<double>::infinity();
  std::string note;  // the failure of the check; empty if there was none
};

/// Checks the certificate, as far as time permits. The bound is infinity if there is none, or if
/// its check fails.
CheckedFeed check_feed(const Problem& problem, const Solution& solution, Budget& budget);

/// Appends another note to `note`, if it is not empty.
void append_note(const std::string& other, std::string& note);

/// The certificate of the bound of a stopped search. Nothing in it is trusted: the value of the
/// support is computed from S, and so are the bounds that show how much better another support
/// might be.
class SearchCertificate final : public BoundCertificate {
 public:
  Support support;  // the best one of the search; empty if there was no search
  EliminationCertificate elimination = {};
  Index max_variables = kMostSearched;  // at most this number of variables for which S is formed
  /// The work to repeat in the search by squares, in multiplications; 0: none.
  double work = 0;
  GreedyBound dual = {};  // no vector: there is no dual bound
  std::shared_ptr<const RelaxationCertificate> relaxations = nullptr;  // may be null
  std::vector<std::shared_ptr<const BoundCertificate>> fed = {};  // certificates of other solvers
  /// The certificate of a search among all variables by products with the data (data_search.h); may
  /// be null.
  std::shared_ptr<const RelaxationCertificate> by_data = nullptr;
  /// If a pass over the columns of S (squares_bound.h) gave a better bound in the same search: the
  /// support that determined its c; otherwise empty.
  Support squares_on = {};

 protected:
  double do_check(const Covariance& covariance, Index k, Budget& budget) const override;

 private:
  double bound_by_squares(const Covariance& covariance, Index k, Budget& budget) const;
  double bound_by_data(const Covariance& covariance, Index k, Budget& budget) const;
  double searched_bound(const Covariance& covariance, Index k, Budget& budget) const;
};

/// Runs both searches among variables that are few enough for S to be formed, with the bounds of
/// other solvers and the dual bound of the best support.
class CertifiedSearch {
 public:
  /// `feeds`: solvers whose bounds are used; `variables`: those to search among, ascending;
  /// `matrix`: S of them; `start`: k positions among them, the best support known. All must outlive
  /// the search.
  CertifiedSearch(const Problem& problem, const std::vector<std::string>& feeds,
                  const Support& variables, const Matrix& matrix, const Support& start,
                  Budget& budget)
      : problem_(problem),
        feeds_(feeds),
        variables_(variables),
        matrix_(matrix),
        budget_(budget),
        search_(matrix, start, {}, [&budget] { return !budget.is_time_up(); }) {}

  /// Returns true if the best support is an optimum.
  bool is_finished() const { return search_.is_finished(); }
  /// Advances the search whose turn it is by one step.
  void advance();
  /// Lowers the bound to one that the elimination or another search proves.
  void limit(double bound) { search_.limit(bound); }
  /// Adds the certificate of another search to those that certificate() holds.
  void add_certificate(std::shared_ptr<const BoundCertificate> other) {
    fed_.push_back(std::move(other));
  }
  /// Number of multiplications so far, roughly.
  double work() const { return search_.work(); }

  /// The failures of feeds; empty if there were none.
  const std::string& note() const { return note_; }
  double value() const { return search_.value(); }
  /// An upper bound on the value of every support.
  double bound() const { return search_.bound(); }
  /// The best support, as variables of the problem.
  Support support() const;
  /// value, bound, gap, nodes, work, relaxation_nodes, relaxation_work and variables_left.
  std::vector<std::pair<std::string, double>> facts() const;
  /// The certificate of bound(), or of a slightly larger bound; null if the search is finished.
  /// `elimination`: the elimination that gave these variables, at most `max_variables` of them.
  std::shared_ptr<const BoundCertificate> certificate(const EliminationCertificate& elimination,
                                                      Index max_variables) const;

 private:
  /// Returns a check of the clock for long steps between two iterations. The check may be called
  /// from several threads.
  std::function<bool()> has_time() const {
    return [this] { return !budget_.is_time_up(); };
  }
  void add_dual_bound();
  void feed();

  const Problem& problem_;
  const std::vector<std::string>& feeds_;
  const Support& variables_;
  const Matrix& matrix_;
  Budget& budget_;
  SearchByTurns search_;
  GreedyBound dual_;
  std::vector<std::shared_ptr<const BoundCertificate>> fed_;
  bool is_fed_ = false;
  std::string note_;
};

}  // namespace spca
