#include "spca/methods/packing/charged_pricing.h"

#include <algorithm>
#include <limits>

#include "spca/methods/ascent/priced_supports.h"

namespace spca {
namespace {

// Bounds that exceed the target by less are not divided. The search of the pricer, too, treats
// supports that exceed the target by less as supports of the program.
constexpr double kWorthDividing = 2e-9;

/// The least charge of a support that holds the required variables.
double charge_for_required(const std::vector<SubsetCharge>& charges, const PairRules& rules) {
  Support required = rules.required;
  std::sort(required.begin(), required.end());
  return charge_for(charges, required);
}

bool contains(const std::vector<Index>& variables, Index i) {
  return std::find(variables.begin(), variables.end(), i) != variables.end();
}

class ChargedSearch {
 public:
  ChargedSearch(SupportPricer& pricer, const Matrix& matrix, const SupportPricing& pricing,
                const std::vector<SubsetCharge>& charges, const Support& start, Index count,
                Budget& budget)
      : pricer_(pricer),
        matrix_(matrix),
        pricing_(pricing),
        charges_(charges),
        start_(start),
        count_(charges.empty() ? count : 1),  // a mean does not bound the parts
        budget_(budget) {
    optimum_.bound = pricing.target;
    optimum_.is_proven = true;
  }

  ChargedOptimum run() {
    add_part(pricing_.rules);
    return std::move(optimum_);
  }

 private:
  /// Adds a part. Returns its index.
  Index add_part(const PairRules& rules) {
    const Index position = std::ssize(optimum_.division.parts);
    optimum_.division.parts.emplace_back();
    if (std::ssize(rules.required) > std::ssize(start_)) {
      return position;  // no support holds all of them
    }
    const double charged = charge_for_required(charges_, rules);
    PricedOptimum answer = pricer_.maximise(
        {.prices = pricing_.prices, .target = pricing_.target + charged, .rules = rules}, start_,
        count_, budget_);
    const double bound = answer.bound - charged;
    add(answer);
    const Index variable =
        bound > pricing_.target + kWorthDividing ? divided(answer.support, rules) : -1;
    if (variable >= 0) {
      divide(position, variable, rules);
      return position;
    }
    optimum_.bound = std::max(optimum_.bound, bound);
    optimum_.is_proven = optimum_.is_proven && answer.is_proven;
    optimum_.division.parts[static_cast<std::size_t>(position)].proof = std::move(answer.proof);
    return position;
  }

  void divide(Index position, Index variable, const PairRules& rules) {
    PairRules with = rules;
    with.required.push_back(variable);
    PairRules without = rules;
    without.barred.push_back(variable);
    const Index first = add_part(with);
    const Index second = add_part(without);
    PricingDivision::Part& part = optimum_.division.parts[static_cast<std::size_t>(position)];
    part.variable = variable;
    part.with = first;
    part.without = second;
  }

  void add(const PricedOptimum& answer) {
    std::vector<Support> found = answer.others;
    found.push_back(answer.support);
    for (const Support& support : found) {
      if (pricing_.rules.allow(support)) {
        has_found_ = has_found_ || net(support) > pricing_.target + kWorthDividing;
        optimum_.found.push_back(support);
      }
    }
  }

  double net(const Support& support) const {
    return priced_support(matrix_, pricing_.prices, support).net - charge_for(charges_, support);
  }

  /// A variable of the support that changes its charges; -1 if there is none, if a support that
  /// exceeds the target was found, if the time is over, or if the rules do not allow the support.
  Index divided(const Support& support, const PairRules& rules) const {
    if (has_found_ || budget_.is_time_up() || !rules.allow(support)) {
      return -1;
    }
    Support required = rules.required;
    std::sort(required.begin(), required.end());
    for (const SubsetCharge& one : charges_) {
      if (one.charge > 0 && one.row.count(support) > one.row.count(required)) {
        for (const Index i : one.row.variables) {
          if (std::binary_search(support.begin(), support.end(), i) && !contains(required, i)) {
            return i;
          }
        }
      }
    }
    return -1;
  }

  SupportPricer& pricer_;
  const Matrix& matrix_;
  const SupportPricing& pricing_;
  const std::vector<SubsetCharge>& charges_;
  const Support& start_;
  Index count_;
  Budget& budget_;
  ChargedOptimum optimum_;
  bool has_found_ = false;  // found a support that exceeds the target with all its charges
};

class ChargedCheck {
 public:
  ChargedCheck(SupportPricer& pricer, Index p, const Vector& prices,
               const std::vector<SubsetCharge>& charges, const PricingDivision& division, Index k,
               Index count, Budget& budget)
      : pricer_(pricer),
        p_(p),
        prices_(prices),
        charges_(charges),
        parts_(division.parts),
        k_(k),
        count_(charges.empty() && division.parts.size() == 1 ? count : 1),
        budget_(budget) {}

  double bound(Index position, const PairRules& rules) {
    if (std::ssize(rules.required) > k_) {
      return -std::numeric_limits<double>::infinity();
    }
    // In a tree no part has two parents. Without this a proof could have more paths than parts.
    if (++visited_ > parts_.size()) {
      return std::numeric_limits<double>::infinity();
    }
    const PricingDivision::Part& part = parts_[static_cast<std::size_t>(position)];
    if (part.variable < 0) {
      return pricer_.check({.prices = prices_, .rules = rules}, part.proof, k_, count_, budget_) -
             charge_for_required(charges_, rules);
    }
    // A part comes after the part from which it was divided, so there is no cycle.
    const auto is_part = [&](Index other) {
      return other > position && other < std::ssize(parts_);
    };
    if (part.variable >= p_ || contains(rules.required, part.variable) || !is_part(part.with) ||
        !is_part(part.without)) {
      return std::numeric_limits<double>::infinity();
    }
    PairRules with = rules;
    with.required.push_back(part.variable);
    PairRules without = rules;
    without.barred.push_back(part.variable);
    return std::max(bound(part.with, with), bound(part.without, without));
  }

 private:
  SupportPricer& pricer_;
  Index p_;
  const Vector& prices_;
  const std::vector<SubsetCharge>& charges_;
  const std::vector<PricingDivision::Part>& parts_;
  Index k_;
  Index count_;
  Budget& budget_;
  std::size_t visited_ = 0;  // number of parts
};

}  // namespace

ChargedOptimum maximise_charged(SupportPricer& pricer, const Matrix& matrix,
                                const SupportPricing& pricing,
                                const std::vector<SubsetCharge>& charges, const Support& start,
                                Index count, Budget& budget) {
  return ChargedSearch(pricer, matrix, pricing, charges, start, count, budget).run();
}

double check_charged(SupportPricer& pricer, Index p, const SupportPricing& pricing,
                     const std::vector<SubsetCharge>& charges, const PricingDivision& division,
                     Index k, Index count, Budget& budget) {
  return division.parts.empty()
             ? std::numeric_limits<double>::infinity()
             : ChargedCheck(pricer, p, pricing.prices, charges, division, k, count, budget)
                   .bound(0, pricing.rules);
}

}  // namespace spca
