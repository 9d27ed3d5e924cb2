#pragma once

/// The largest lambda_max(S_II) less the prices of I, leader by leader (leader_bound.h).
///
/// Each part is bounded by sums of squares, which leaves few partners. What is open then is searched
/// among these by search_by_turns.h, with S of them factored anew. The part of largest bound comes
/// first: the bound of all is that of this part. Nothing depends on the clock but the end.
///
/// Source  this project

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "spca/methods/bounds/open_nodes.h"
#include "spca/methods/bounds/relaxation_certificate.h"
#include "spca/methods/bounds/search_by_turns.h"
#include "spca/methods/packing/leader_bound.h"

namespace spca {

/// Points of the relaxations of parts, by leader, each among the leader and the partners that
/// LeaderBound left. Nothing in it is trusted.
using LeaderHints = std::map<Index, std::shared_ptr<const RelaxationCertificate>>;

class LeaderSearch {
 public:
  /// `matrix`: S, p x p; it must outlive the object. `pricing` has p prices and a target.
  /// `keep_going` is asked in long steps.
  LeaderSearch(const Matrix& matrix, SupportPricing pricing, Index k,
               std::function<bool()> keep_going);
  ~LeaderSearch();
  LeaderSearch(const LeaderSearch&) = delete;
  LeaderSearch& operator=(const LeaderSearch&) = delete;

  /// Bounds all parts by sums of squares; if `keep_going` says no meanwhile, there is no bound. A part
  /// that the points of `hints` close needs no search.
  void begin(const LeaderHints& hints);
  /// Whether no support exceeds the target, or the best one found is an optimum.
  bool is_finished() const { return !(bound() > std::max(value_, pricing_.target)); }
  /// Searches in the part of largest bound for a while. Only if begun and not finished.
  void advance();

  /// No support is worth more, or the target is larger.
  double bound() const;
  /// The best support found, k variables; empty: none is. And what it is worth.
  const Support& support() const { return support_; }
  double value() const { return value_; }
  /// Multiplications of the searches so far, roughly.
  double work() const { return work_; }
  /// What shows the bounds of the parts.
  LeaderHints hints() const;

 private:
  struct Part;
  void form(Part& part) const;
  void take_hint(Part& part, const RelaxationCertificate& hint) const;
  std::unique_ptr<Part> next_part();
  static void keep_hint(const Part& part, LeaderHints& hints, double& bytes);

  const Matrix& matrix_;
  SupportPricing pricing_;
  Index k_;
  std::function<bool()> keep_going_;
  LeaderBound bound_;
  bool has_begun_ = false;
  OpenNodes<Part> waiting_;  // open, not searched yet
  OpenNodes<Part> live_;     // open, their searches are under way
  double closed_bound_;      // of parts that are closed
  LeaderHints hints_;        // of parts that are closed
  double hint_bytes_ = 0;
  double work_ = 0;
  double value_ = -std::numeric_limits<double>::infinity();
  Support support_;
};

}  // namespace spca
