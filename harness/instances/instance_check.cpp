#include "harness/instances/instance_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/instances/instance_data.h"
#include "harness/instances/instance_proof.h"
#include "harness/instances/instance_tolerances.h"
#include "spca/base/error.h"
#include "spca/base/interrupt.h"

namespace spca {
namespace {

void refuse(InstanceCheck& check, std::string message) {
  check.outcome = CheckOutcome::kWrong;
  check.message = std::move(message);
}

void check_value(const LoadedInstanceData& data, const std::vector<Component>& components,
                 InstanceCheck& check) {
  const InstanceClass& of = *check.known.of;
  const Instance& instance = *check.known.instance;
  const std::string fault =
      of.find_fault(components, {.p = check.known.data->p, .r = instance.r, .k = instance.k});
  if (!fault.empty()) {
    refuse(check, fmt::format("not feasible: {}", fault));
    return;
  }
  check.value = instance_value(of, *data.dataset.covariance, data.spectrum, components);
  if (!is_same_value(check.value, instance.best.value)) {
    refuse(check, fmt::format("the value is {:.17g}, and the library has {:.17g}", check.value,
                              instance.best.value));
    return;
  }
  if (std::string found = find_contradiction(check.known, check.value, "the best known answer");
      !found.empty()) {
    refuse(check, std::move(found));
  }
}

void check_bound(const LoadedInstanceData& data, std::vector<Component> components,
                 const CheckRequest& request, InstanceCheck& check) {
  const Instance& instance = *check.known.instance;
  if (!std::isfinite(instance.bound.value)) {
    return;
  }
  const InstanceProof proof =
      prove_instance(data, {.of = check.known.of,
                            .r = instance.r,
                            .k = instance.k,
                            .components = std::move(components),
                            .value = check.value,
                            .seconds = request.seconds > 0 ? request.seconds : instance.bound.limit,
                            .threads = request.threads});
  check.bound = proof.bound.value;
  check.seconds = proof.bound.seconds;
  const Direction direction = check.known.of->direction();
  std::string contradiction = proof.contradiction;
  if (contradiction.empty() && !proof.found.empty()) {
    contradiction = find_contradiction(
        check.known,
        instance_value(*check.known.of, *data.dataset.covariance, data.spectrum, proof.found),
        fmt::format("the answer of {}", proof.found_by));
  }
  if (!contradiction.empty()) {
    refuse(check, std::move(contradiction));
  } else if (is_better(direction, proof.bound.value, instance.bound.value) &&
             !is_proved(direction, check.value, proof.bound.value)) {
    check.outcome = CheckOutcome::kWeaker;
    check.message =
        fmt::format("{} gave the bound {:.9g} within {:.3g} s, and the library has {:.9g}",
                    proof.bound.by, proof.bound.value, proof.bound.limit, instance.bound.value);
  }
}

/// Compares what the library states about value and bound with these numbers.
void check_statements(InstanceCheck& check) {
  const Instance& instance = *check.known.instance;
  const Direction direction = check.known.of->direction();
  if (const char* status = instance_status(direction, instance); instance.stated_status != status) {
    refuse(check, fmt::format("the library calls it {}, and by its value and bound it is {}",
                              instance.stated_status, status));
    return;
  }
  const double gap = instance_gap(direction, instance.best.value, instance.bound.value);
  const bool is_stated = std::isnan(gap)
                             ? std::isnan(instance.stated_gap)
                             : std::abs(instance.stated_gap - gap) <= kSameInstanceValue;
  if (!is_stated) {
    const auto text = [](double share) {
      return std::isnan(share) ? std::string("none") : fmt::format("{}", share);
    };
    refuse(check, fmt::format("the library states the gap {}, and by its value and bound it is {}",
                              text(instance.stated_gap), text(gap)));
  }
}

void check_one(const LoadedInstanceData& data, const CheckRequest& request, InstanceCheck& check) {
  const Instance& instance = *check.known.instance;
  const std::vector<Component> components =
      components_of(*check.known.of, *data.dataset.covariance, instance.best, instance.r);
  check_value(data, components, check);
  if (request.proves && check.outcome == CheckOutcome::kRight) {
    check_bound(data, components, request, check);
  }
  if (check.outcome != CheckOutcome::kWrong) {
    check_statements(check);
  }
}

}  // namespace

const char* outcome_name(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::kRight:
      return "ok";
    case CheckOutcome::kNoData:
      return "no data";
    case CheckOutcome::kWeaker:
      return "weaker";
    case CheckOutcome::kWrong:
      return "wrong";
  }
  SPCA_CHECK(false, "an outcome without a name");
}

std::vector<InstanceCheck> check_instances(const std::vector<KnownInstance>& instances,
                                           const CheckRequest& request) {
  InstanceDataInTurn data(request.data_dir);
  std::vector<InstanceCheck> checks;
  for (const KnownInstance& known : instances) {
    if (stop_requested()) {
      break;
    }
    InstanceCheck& check = checks.emplace_back(InstanceCheck{.known = known, .message = ""});
    try {
      if (const LoadedInstanceData* loaded = data.get(*known.data, check.message)) {
        check_one(*loaded, request, check);
      } else {
        check.outcome = CheckOutcome::kNoData;
      }
    } catch (const InputError& error) {
      refuse(check, error.what());
    } catch (const NumericalError& error) {
      refuse(check, error.what());
    }
    if (request.proves && stop_requested()) {
      checks.pop_back();  // its proof had less than its time
      break;
    }
    if (request.on_check) {
      request.on_check(check);
    }
  }
  return checks;
}

}  // namespace spca
