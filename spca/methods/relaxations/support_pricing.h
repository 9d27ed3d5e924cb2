#pragma once

/// The pricing problem: maximise lambda_max(S_II) less the prices of the variables of I, over |I| =
/// k. It is the subproblem of the column generation of spca/methods/packing.

#include <limits>
#include <utility>
#include <vector>

#include "spca/base/types.h"

namespace spca {

/// Rules on supports: pairs of variables (D. Ryan and B. Foster, 1981), required variables, and
/// barred variables.
struct PairRules {
  using Pair = std::pair<Index, Index>;
  std::vector<Pair> together;        // a support holds both or neither
  std::vector<Pair> apart;           // a support holds at most one of them
  std::vector<Index> required = {};  // a support holds all of them
  std::vector<Index> barred = {};    // a support holds none of them

  bool empty() const {
    return together.empty() && apart.empty() && required.empty() && barred.empty();
  }
  /// `support` ascends.
  bool allow(const Support& support) const;
  /// The same rules for positions among `variables` (ascending). Other variables are in no support,
  /// so a variable that must be together with one of them is barred. If one of the other variables
  /// is required, no support is allowed.
  PairRules among(const Support& variables) const;
  /// Applies the rules to the supports that hold `chosen` and otherwise `candidates` only: moves
  /// variables from the candidates to the chosen, or drops them. Returns false if no support is
  /// left.
  bool apply(std::vector<int>& chosen, std::vector<int>& candidates) const;
};

struct SupportPricing {
  Vector prices = {};  // p, >= 0; empty: all are 0
  /// Supports that are worth at most this are irrelevant. No support needs to be worth as much.
  double target = -std::numeric_limits<double>::infinity();
  PairRules rules = {};

  /// Returns true if there are neither prices nor rules.
  bool is_plain() const { return prices.size() == 0 && rules.empty(); }
  /// Returns the sum of the prices of the support's variables.
  double price_of(const Support& support) const {
    return prices.size() > 0 ? prices(support).sum() : 0;
  }
};

}  // namespace spca
