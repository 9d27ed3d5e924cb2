#include "harness/experiments/experiment_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/experiments/experiment.h"
#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_match.h"
#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/io/json_node.h"
#include "spca/measure/metrics.h"

namespace spca {
namespace {

const std::vector<std::string> kRelationSigns = {">=", "<=", ">", "<"};

std::optional<Measurement> read_measurement(const JsonNode& owner) {
  const std::optional<JsonNode> node = owner.find("measured_by");
  if (!node) {
    return std::nullopt;
  }
  node->accept_keys(measurement_keys());
  return Measurement{.experiment = node->at("experiment").word(), .grid = node->at("grid").word()};
}

void read_range(const JsonNode& node, KnownDifference& difference) {
  node.accept_keys({"absolute", "relative"});
  const std::optional<JsonNode> absolute = node.find("absolute");
  const std::optional<JsonNode> relative = node.find("relative");
  if (absolute.has_value() == relative.has_value()) {
    node.fail("one of \"absolute\" and \"relative\": [least, most]");
  }
  difference.is_relative = relative.has_value();
  const JsonNode& range = absolute ? *absolute : *relative;
  const std::vector<JsonNode> ends = range.elements();
  if (ends.size() != 2) {
    range.fail("two numbers, [least, most]");
  }
  difference.least = ends[0].number(0);
  difference.most = ends[1].number(0);
  if (difference.least > difference.most || difference.most == 0) {
    range.fail("[least, most] with 0 <= least <= most and most > 0: a range of 0 explains nothing");
  }
}

bool names_any(const JsonNode& side, const std::vector<std::string>& keys) {
  return side.json().is_object() &&
         std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return side.json().contains(key); });
}

void read_sides(const JsonNode& node, Claim& claim) {
  const CellMatch common = match_or_all(node);
  const JsonNode left = node.at("left");
  const JsonNode right = node.at("right");
  claim.left = narrowed(common, left);
  if (right.json().is_number()) {
    claim.number = right.json().get<double>();
    return;
  }
  if (!right.json().is_object()) {
    right.fail("a match, or a number");
  }
  claim.right = narrowed(common, right);
  const auto either_names = [&](const std::vector<std::string>& keys) {
    return names_any(left, keys) || names_any(right, keys);
  };
  claim.names_grid = either_names({"grid"});
  claim.names_dataset = either_names({"dataset", "dataset_options"});
  claim.names_cardinality = either_names({"cardinality"});
}

void read_measured(const JsonNode& node, Claim& claim) {
  const std::optional<JsonNode> metric = node.find("metric");
  const std::optional<JsonNode> fact = node.find("fact");
  if (metric.has_value() == fact.has_value()) {
    node.source().fail(node.pointer(),
                       fmt::format("found {} of \"metric\" and \"fact\"; accepted: one of them",
                                   metric ? "both" : "none"));
  }
  claim.is_fact = fact.has_value();
  claim.metric = metric ? read_metric(*metric) : fact->word();
  if (const std::optional<JsonNode> component = node.find("component")) {
    const auto& metrics = MetricRegistry::instance();
    if (claim.is_fact || !metrics.get(claim.metric, "").traits.per_component) {
      component->source().fail(
          component->pointer(),
          fmt::format("found a component of {}; accepted: only of a metric that has one number a "
                      "component",
                      claim.metric));
    }
    claim.component = component->whole(1);
  }
}

void read_slack(const JsonNode& node, Claim& claim) {
  const std::optional<JsonNode> slack = node.find("slack");
  if (slack) {
    claim.slack_is_relative = slack->json().is_object();
    if (claim.slack_is_relative) {
      slack->accept_keys({"relative"});
    }
    claim.slack = (claim.slack_is_relative ? slack->at("relative") : *slack).number(0);
  }
  const bool is_time =
      !claim.is_fact && MetricRegistry::instance().get(claim.metric, "").traits.timing;
  if (is_time && !claim.right) {
    node.at("right").fail("a match: times are compared as ratios within one run");
  }
  if (is_time && slack && !claim.slack_is_relative) {
    slack->fail("{\"relative\": number}: times are compared as ratios within one run");
  }
}

void read_error_metric(const JsonNode& node, Claim& claim) {
  const std::optional<JsonNode> error = node.find("standard_error");
  if (!error) {
    return;
  }
  if (claim.is_fact || claim.component != 0 ||
      MetricRegistry::instance().get(claim.metric, "").traits.timing) {
    error->source().fail(error->pointer(),
                         "found a standard error of a fact, a component or a time; accepted: only "
                         "of another metric's total");
  }
  claim.error_metric = read_metric(*error);
}

bool same_cells_but_for(const Claim& claim, const Variant& left, const Variant& right) {
  return (claim.names_cardinality || left.cardinality == right.cardinality) &&
         (claim.names_grid || left.grid == right.grid) &&
         (claim.names_dataset ||
          (left.dataset == right.dataset && left.dataset_options == right.dataset_options));
}

/// Returns the names of an experiment's grids, including those that only a profile has.
std::vector<std::string> grid_names(const Json& document) {
  std::set<std::string> grids;
  const auto collect = [&](const Json& owner) {
    const auto found = owner.find("grids");
    if (found != owner.end() && found->is_object()) {
      for (const auto& [name, grid] : found->items()) {
        grids.insert(name);
      }
    }
  };
  collect(document);
  if (document.contains("profiles")) {
    for (const auto& [name, profile] : document["profiles"].items()) {
      collect(profile);
    }
  }
  return {grids.begin(), grids.end()};
}

void check_measurement(const JsonNode& node, const Json& own) {
  const JsonNode experiment = node.at("experiment");
  const std::string name = experiment.word();
  const Json other =
      name == own.value("name", "") ? own : experiment.source().located(experiment.pointer(), [&] {
        try {
          return JsonText(read_json_file(find_experiment(name))).json();
        } catch (const InputError& error) {
          throw InputError(experiment.pointer() + ": " + error.what());
        }
      });
  node.at("grid").choice(grid_names(other));
}

}  // namespace

const char* relation_sign(Relation relation) {
  return kRelationSigns[static_cast<std::size_t>(relation)].c_str();
}

KnownDifference read_known_difference(const JsonNode& node) {
  node.accept_keys(known_difference_keys());
  KnownDifference difference;
  difference.match = read_match(node.at("match"));
  difference.metric = read_metric(node.at("metric"));
  difference.better = node.at("direction").choice({"better", "worse"}) == "better";
  read_range(node.at("range"), difference);
  difference.why = node.at("why").word();
  difference.measured_by = read_measurement(node);
  return difference;
}

Claim read_claim(const JsonNode& node) {
  node.accept_keys(claim_keys());
  Claim claim;
  claim.text = node.at("claim").word();
  claim.where = node.word_or("where", "");
  read_sides(node, claim);
  const std::string sign = node.at("is").choice(kRelationSigns);
  claim.is = static_cast<Relation>(std::find(kRelationSigns.begin(), kRelationSigns.end(), sign) -
                                   kRelationSigns.begin());
  read_measured(node, claim);
  if (const std::optional<JsonNode> factor = node.find("factor")) {
    claim.factor = factor->number(0, true);
    if (!claim.right) {
      factor->source().fail(factor->pointer(),
                            "found a factor of a number; accepted: only of a match");
    }
  }
  read_slack(node, claim);
  read_error_metric(node, claim);
  claim.why = node.word_or("why", "");
  claim.measured_by = read_measurement(node);
  if (claim.measured_by && claim.why.empty()) {
    node.at("why");
  }
  return claim;
}

std::vector<ClaimPair> claim_pairs(const Claim& claim, const std::vector<Variant>& variants) {
  std::vector<ClaimPair> pairs;
  for (const Variant& left : variants) {
    if (!claim.left.is_about(left)) {
      continue;
    }
    if (!claim.right) {
      pairs.push_back({.left = &left, .right = nullptr});
      continue;
    }
    for (const Variant& right : variants) {
      if (&left != &right && same_cells_but_for(claim, left, right) &&
          claim.right->is_about(right)) {
        pairs.push_back({.left = &left, .right = &right});
      }
    }
  }
  return pairs;
}

void check_measurements(const std::filesystem::path& path, const std::string& profile) {
  const auto text = std::make_shared<const JsonText>(read_json_file(path));
  const SelectedDocument selected = select_document(text, profile, {});
  const JsonNode document(selected.source, selected.json, "");
  for (const char* key : {"known_differences", "claims"}) {
    const std::optional<JsonNode> list = document.find(key);
    for (const JsonNode& node :
         list && !list->json().empty() ? list->elements() : std::vector<JsonNode>()) {
      if (const std::optional<JsonNode> measured_by = node.find("measured_by")) {
        check_measurement(*measured_by, text->json());
      }
    }
  }
}

}  // namespace spca
