#include "harness/instances/library_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/instances/same_data.h"
#include "spca/measure/contradiction.h"

namespace spca {
namespace {

/// The values of an answer in the metrics of the classes, each computed once.
class ValuesOfAnswer {
 public:
  explicit ValuesOfAnswer(const ComparedAnswer& answer)
      : answer_(answer), spectrum_(answer.covariance) {}

  double in(const InstanceClass& of) {
    const auto [found, is_new] = values_.try_emplace(of.metric, kNotMeasured);
    if (is_new) {
      found->second = instance_value(of, answer_.covariance, spectrum_, answer_.components);
    }
    return found->second;
  }

 private:
  const ComparedAnswer& answer_;
  Spectrum spectrum_;
  std::map<std::string, double> values_;
};

bool is_feasible(const KnownInstance& known, const std::vector<Component>& components) {
  const Instance& instance = *known.instance;
  return instance.r == std::ssize(components) &&
         known.of->find_fault(components, {.p = known.data->p, .r = instance.r, .k = instance.k})
             .empty();
}

/// Returns true if the components are also an answer of a class that has fewer of them.
bool is_of_narrower_class(const KnownInstance& known, const std::vector<Component>& components) {
  const InstanceSize size = {.p = known.data->p, .r = known.instance->r, .k = known.instance->k};
  const auto& classes = InstanceClasses::instance().entries();
  return std::any_of(classes.begin(), classes.end(), [&](const auto& entry) {
    const InstanceClass& of = entry.second;
    return of.generality < known.of->generality && of.direction() == known.of->direction() &&
           of.find_fault(components, size).empty();
  });
}

/// Returns the instances on a data set with this name, these options and this draw.
std::vector<KnownInstance> instances_named(const InstanceLibrary& library,
                                           const DataOrigin& origin) {
  std::vector<KnownInstance> known = library.instances_on(origin.dataset);
  std::erase_if(known, [&](const KnownInstance& one) {
    return one.data->draw != origin.draw || !same_options(one.data->options, origin.options);
  });
  return known;
}

/// Removes the instances whose data files had other bytes than those of `origin`.
void keep_same_files(const DataOrigin& origin, std::vector<KnownInstance>& known) {
  if (known.empty()) {
    return;
  }
  const std::string checksum = origin.checksum ? origin.checksum() : "";
  std::erase_if(known, [&](const KnownInstance& one) { return one.data->checksum != checksum; });
}

constexpr int kDigits = 6;

/// The standing of an answer on an instance with its r and k.
struct Candidate {
  const InstanceClass* of = nullptr;
  InstanceStanding standing;

  double shortfall() const { return standing.is_reached() ? 0 : standing.distance(); }
};

/// Returns the standing in the class with the fewest answers. Classes with different metrics
/// (variance, loss) ask different questions: one class is taken for each metric, and of these the
/// one in which the answer is nearest to the best known one. Empty without candidates.
std::optional<InstanceStanding> chosen_standing(const std::vector<Candidate>& candidates) {
  std::map<std::string, const Candidate*> by_metric;
  for (const Candidate& one : candidates) {
    const Candidate*& narrowest = by_metric[one.of->metric];
    if (narrowest == nullptr || one.of->generality < narrowest->of->generality) {
      narrowest = &one;
    }
  }
  const Candidate* chosen = nullptr;
  for (const auto& [metric, one] : by_metric) {
    if (chosen == nullptr || std::pair(one->shortfall(), one->of->generality) <
                                 std::pair(chosen->shortfall(), chosen->of->generality)) {
      chosen = one;
    }
  }
  if (chosen == nullptr) {
    return std::nullopt;
  }
  InstanceStanding standing = chosen->standing;
  for (const Candidate& one : candidates) {
    const bool is_further = &one != chosen && one.of->metric == chosen->of->metric;
    if (is_further && standing.is_reached() && one.standing.is_reached()) {
      standing.also_reached.push_back(one.standing.id);
    }
  }
  return standing;
}

}  // namespace

InstanceStanding standing_of(const KnownInstance& known, double value) {
  return {.id = known.instance->id,
          .instance_class = known.of->name,
          .direction = known.of->direction(),
          .value = value,
          .best = known.instance->best.value,
          .bound = known.instance->bound.value};
}

double InstanceStanding::distance() const {
  return best == 0 ? std::abs(value) : std::abs(value - best) / std::abs(best);
}

bool same_options(const Json& a, const Json& b) {
  if (!a.is_object() || !b.is_object() || a.size() != b.size()) {
    return false;
  }
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key) || b[key] != value) {
      return false;
    }
  }
  return true;
}

Index shared_cardinality(const std::vector<Index>& cardinality) {
  const bool is_shared =
      !cardinality.empty() && std::all_of(cardinality.begin(), cardinality.end(),
                                          [&](Index k) { return k == cardinality.front(); });
  return is_shared ? cardinality.front() : 0;
}

std::string find_contradiction(const KnownInstance& known, double value, const std::string& what) {
  const ProvedBound& bound = known.instance->bound;
  const Direction direction = known.of->direction();
  if (!is_better(direction, value, bound.value)) {
    return "";
  }
  const std::string source =
      fmt::format("the bound of instance {}, by {}", known.instance->id, bound.by);
  if (direction == Direction::kHigherIsBetter) {
    return spca::find_contradiction(SourcedNumber{value, what}, SourcedNumber{bound.value, source});
  }
  return fmt::format(
      "contradiction: {:.12g} ({}) is below the lower bound {:.12g} ({}): one of the two is wrong; "
      "it is not known which",
      value, what, bound.value, source);
}

std::string find_low_bound(const KnownInstance& known, double bound, const std::string& what) {
  const Instance& instance = *known.instance;
  return spca::find_contradiction(
      SourcedNumber{instance.best.value, fmt::format("the best known answer of instance {}, by {}",
                                                     instance.id, instance.best.found_by.solver)},
      SourcedNumber{bound, what});
}

const KnownInstance* instance_of_bound(const std::vector<KnownInstance>& feasible, Index k,
                                       const std::vector<Component>& answer) {
  const KnownInstance* narrowest = nullptr;
  for (const KnownInstance& one : feasible) {
    const bool is_narrower = narrowest == nullptr || one.of->generality < narrowest->of->generality;
    if (one.instance->k == k && one.of->direction() == Direction::kHigherIsBetter && is_narrower) {
      narrowest = &one;
    }
  }
  return narrowest != nullptr && is_of_narrower_class(*narrowest, answer) ? nullptr : narrowest;
}

std::vector<KnownInstance> instances_on(const InstanceLibrary& library, const DataOrigin& origin) {
  std::vector<KnownInstance> known = instances_named(library, origin);
  keep_same_files(origin, known);
  return known;
}

LibraryComparison compare_with_library(const InstanceLibrary& library,
                                       const std::optional<DataOrigin>& given,
                                       const ComparedAnswer& answer) {
  LibraryComparison comparison;
  const std::optional<DataOrigin> found =
      given ? given : origin_of_same_data(library, answer.covariance);
  if (!found) {
    return comparison;
  }
  const DataOrigin& origin = *found;
  std::vector<KnownInstance> known = instances_named(library, origin);
  std::erase_if(known, [&](const KnownInstance& one) {
    return one.data->p != answer.covariance.variables() || !is_feasible(one, answer.components);
  });
  keep_same_files(origin, known);
  ValuesOfAnswer values(answer);
  std::vector<Candidate> candidates;
  for (const KnownInstance& one : known) {
    const double value = values.in(*one.of);
    comparison.contradiction =
        find_contradiction(one, value, fmt::format("the value of the answer of {}", answer.solver));
    if (!comparison.contradiction.empty()) {
      comparison.standing.reset();
      return comparison;
    }
    if (one.instance->k == answer.k) {
      candidates.push_back({one.of, standing_of(one, value)});
    }
  }
  if (const KnownInstance* bounded = instance_of_bound(known, answer.k, answer.components)) {
    comparison.contradiction =
        find_low_bound(*bounded, answer.bound, fmt::format("the bound of {}", answer.solver));
  }
  if (comparison.contradiction.empty()) {
    comparison.standing = chosen_standing(candidates);
  }
  if (comparison.standing) {
    comparison.standing->is_recognised = !given;
  }
  return comparison;
}

std::string standing_text(const InstanceStanding& standing) {
  const double gap = instance_gap(standing.direction, standing.best, standing.bound);
  const std::string known = standing.is_proved()            ? "proved"
                            : std::isfinite(gap)            ? fmt::format("gap {:.2g} %", 100 * gap)
                            : std::isfinite(standing.bound) ? "wrong: beyond its bound"
                                                            : "no bound";
  const std::string outcome =
      standing.is_improvement() ? fmt::format("improved by {:.3g} %", 100 * standing.distance())
      : standing.is_reached()
          ? "reached"
          : fmt::format("{:.3g} % {}", 100 * standing.distance(),
                        standing.direction == Direction::kLowerIsBetter ? "above" : "below");
  return fmt::format("best known {:.{}g} ({}): {}", standing.best, kDigits, known, outcome);
}

std::string instance_text(const InstanceStanding& standing) {
  const std::string also =
      standing.also_reached.empty()
          ? ""
          : fmt::format("; also that of {}", join(standing.also_reached, " and "));
  return fmt::format("({}{}){}", standing.id,
                     standing.is_recognised ? ", recognised by its numbers" : "", also);
}

Json standing_json(const InstanceStanding& standing) {
  return {{"id", standing.id},
          {"class", standing.instance_class},
          {"also_reached", standing.also_reached},
          {"recognised", standing.is_recognised},
          {"value", standing.value},
          {"best", standing.best},
          {"bound", standing.bound},
          {"proved", standing.is_proved()},
          {"standing", standing.is_improvement() ? "better"
                       : standing.is_reached()   ? "reached"
                                                 : "worse"}};
}

}  // namespace spca
