#include "harness/instances/instance_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/experiments/printed_number.h"
#include "harness/instances/instance_tolerances.h"
#include "harness/instances/library_comparison.h"
#include "spca/base/error.h"
#include "spca/dense/sparsify.h"
#include "spca/io/json_file.h"

namespace spca {
namespace {

/// Two digits, or all before the point.
std::string percentage(double percent) {
  return percent < 99.5 ? fmt::format("{:.2g}", percent) : fmt::format("{:.0f}", percent);
}

/// Returns the distance of two values, absolute and as a share of the second.
std::string distance_text(double value, double best) {
  const double distance = std::abs(value - best);
  return best == 0
             ? fmt::format("{:.3g}", distance)
             : fmt::format("{:.3g} ({} %)", distance, percentage(100 * distance / std::abs(best)));
}

AnswerOutcome outcome_of(const KnownInstance& known, double value) {
  const Direction direction = known.of->direction();
  const double best = known.instance->best.value;
  return is_better(direction, value, best)   ? AnswerOutcome::kImproves
         : is_better(direction, best, value) ? AnswerOutcome::kWorse
                                             : AnswerOutcome::kReaches;
}

/// Returns whether loadings differ, up to the sign and the length of each component.
bool has_other_loadings(const std::vector<Component>& given, const std::vector<Component>& best,
                        Index p) {
  constexpr double kSameLoading = 1e-6;
  return !std::equal(given.begin(), given.end(), best.begin(), best.end(),
                     [p](const Component& a, const Component& b) {
                       const Vector u = to_dense(normalized(a), p);
                       const Vector v = to_dense(normalized(b), p);
                       const double sign = u.dot(v) < 0 ? -1 : 1;
                       return (u - sign * v).cwiseAbs().maxCoeff() <= kSameLoading;
                     });
}

/// Returns whether a claimed value is the value to the digits that it has, but at least to a
/// hundredth: "3" is no claim of 2.6.
bool is_claim_of(double claimed, double value) {
  constexpr double kCoarsest = 1e-2;
  const PrintedNumber printed = printed_number(fmt::format("{}", claimed));
  const double half_of_last_digit = 0.5 * std::pow(10.0, printed.power - printed.decimals);
  const double size = std::abs(value);
  return std::abs(claimed - value) <= std::clamp(half_of_last_digit * (1 + kSameInstanceValue),
                                                 kSameInstanceValue * size, kCoarsest * size);
}

/// Returns an empty string, or that the claimed value is another one.
std::string find_misclaim(const InstanceClass& of, double claimed, double value) {
  if (std::isnan(claimed) || is_claim_of(claimed, value)) {
    return "";
  }
  const char* const whose = of.needs_loadings() ? "its loadings have"
                            : of.has_several_components && !of.has_common_support
                                ? "its supports have"
                                : "its support has";
  return fmt::format("claims {:.9g}, {} {:.9g}", claimed, whose, value);
}

void judge_answer(const LoadedInstanceData& data, const SubmittedAnswer& given,
                  AnswerVerdict& verdict) {
  const InstanceClass& of = *verdict.known.of;
  const Instance& instance = *verdict.known.instance;
  const ResolvedAnswer resolved = resolve_answer(given, of, data.dataset);
  verdict.answer = resolved.answer;
  const InstanceSize size = {.p = verdict.known.data->p, .r = instance.r, .k = instance.k};
  verdict.message = find_wrong_supports(of, verdict.answer.supports, size);
  std::vector<Component> components;
  if (verdict.message.empty()) {
    components = components_of(of, *data.dataset.covariance, verdict.answer, instance.r);
    verdict.message = of.find_fault(components, size);
  }
  if (!verdict.message.empty()) {
    verdict.outcome = AnswerOutcome::kInfeasible;
    return;
  }
  verdict.replaces_loadings = !of.needs_loadings() && !resolved.given_loadings.empty() &&
                              has_other_loadings(resolved.given_loadings, components, size.p);
  verdict.value = instance_value(of, *data.dataset.covariance, data.spectrum, components);
  verdict.answer.value = verdict.value;
  verdict.gap = instance_gap(of.direction(), verdict.value, instance.bound.value);
  verdict.message = find_contradiction(verdict.known, verdict.value, "the value of the answer");
  if (!verdict.message.empty()) {
    verdict.outcome = AnswerOutcome::kContradicts;
    return;
  }
  verdict.message = find_misclaim(of, given.value, verdict.value);
  verdict.outcome = verdict.message.empty() ? outcome_of(verdict.known, verdict.value)
                                            : AnswerOutcome::kMisclaims;
}

}  // namespace

const char* outcome_name(AnswerOutcome outcome) {
  switch (outcome) {
    case AnswerOutcome::kImproves:
      return "improves";
    case AnswerOutcome::kReaches:
      return "reaches";
    case AnswerOutcome::kWorse:
      return "worse";
    case AnswerOutcome::kInfeasible:
      return "infeasible";
    case AnswerOutcome::kContradicts:
      return "contradiction";
    case AnswerOutcome::kMisclaims:
      return "other value";
    case AnswerOutcome::kNoData:
      return "no data";
  }
  SPCA_CHECK(false, "an outcome without a name");
}

AnswerVerdict verify_answer(const InstanceLibrary& library, const SubmittedAnswer& given,
                            InstanceDataInTurn& data) {
  AnswerVerdict verdict;
  verdict.known = library.instance(given.id, given.place);
  if (const LoadedInstanceData* loaded = data.get(*verdict.known.data, verdict.message)) {
    judge_answer(*loaded, given, verdict);
  }
  return verdict;
}

std::string verdict_text(const AnswerVerdict& verdict) {
  const Instance& instance = *verdict.known.instance;
  const double best = instance.best.value;
  const std::string known = verdict.known.is_proved() ? "the optimum" : "the best known";
  std::string text = fmt::format("{}: ", instance.id);
  switch (verdict.outcome) {
    case AnswerOutcome::kInfeasible:
      return text + "not feasible: " + verdict.message;
    case AnswerOutcome::kContradicts:
    case AnswerOutcome::kMisclaims:
    case AnswerOutcome::kNoData:
      return text + verdict.message;
    case AnswerOutcome::kImproves:
      text += fmt::format("feasible, {:.9g}, improves the best known by {}", verdict.value,
                          distance_text(verdict.value, best));
      break;
    case AnswerOutcome::kReaches:
      text += fmt::format("feasible, {:.9g}, reaches {}", verdict.value, known);
      break;
    case AnswerOutcome::kWorse:
      text += fmt::format("feasible, {:.9g}, {} from {}", verdict.value,
                          distance_text(verdict.value, best), known);
      break;
  }
  text +=
      std::isfinite(verdict.gap)
          ? fmt::format("; {} from the bound {:.9g}",
                        distance_text(verdict.value, instance.bound.value), instance.bound.value)
          : "; no bound";
  return verdict.replaces_loadings ? text + "; loadings replaced by the best ones on the support"
                                   : text;
}

Json verdict_json(const AnswerVerdict& verdict) {
  return {{"id", verdict.known.instance->id},
          {"verdict", outcome_name(verdict.outcome)},
          {"feasible", verdict.outcome != AnswerOutcome::kInfeasible &&
                           verdict.outcome != AnswerOutcome::kNoData},
          {"value", number_to_json(verdict.value)},
          {"best", verdict.known.instance->best.value},
          {"bound", number_to_json(verdict.known.instance->bound.value)},
          {"gap", number_to_json(verdict.gap)},
          {"proved", verdict.known.is_proved()},
          {"loadings_replaced", verdict.replaces_loadings},
          {"message", verdict.message}};
}

}  // namespace spca
