#include "harness/verdicts/comparison_json.h"

#include <nlohmann/json.hpp>

#include "harness/experiments/experiment_published.h"
#include "harness/verdicts/comparison_tables.h"
#include "spca/base/interrupt.h"
#include "spca/io/json_file.h"

namespace spca {

namespace {

Json measurement_json(const std::optional<Measurement>& measured_by) {
  return measured_by ? Json{{"experiment", measured_by->experiment}, {"grid", measured_by->grid}}
                     : Json(nullptr);
}

Json interval_json(const std::optional<Interval>& interval) {
  return interval ? Json{interval->low, interval->high} : Json(nullptr);
}

Json known_json(const PublishedComparison& comparison) {
  Json list = Json::array();
  for (const KnownDifference* difference : comparison.known) {
    list.push_back(
        {{"why", difference->why}, {"measured_by", measurement_json(difference->measured_by)}});
  }
  return list;
}

Json case_json(const ClaimCase& one) {
  const auto cell = [](const Variant* variant) {
    return variant == nullptr ? Json(nullptr)
                              : Json{{"grid", variant->grid},
                                     {"dataset", variant->dataset_label},
                                     {"solver", variant->solver_label},
                                     {"deflation", deflation_name(*variant)},
                                     {"cardinality", variant->cardinality}};
  };
  return {{"left_cell", cell(one.cells.left)},
          {"right_cell", cell(one.cells.right)},
          {"component", one.component},
          {"left", number_to_json(one.left)},
          {"right", number_to_json(one.right)},
          {"difference", number_to_json(one.difference)},
          {"standard_error", number_to_json(one.standard_error)},
          {"slack", one.slack},
          {"repeats", one.repeats},
          {"verdict", claim_verdict_name(one.verdict)},
          {"reason", one.reason}};
}

}  // namespace

int exit_code(const Tally& tally) {
  return tally.interrupted ? kInterruptedExitCode : spca::exit_code(tally.verdict());
}

Json comparison_json(const Experiment& experiment, const PublishedComparison& comparison) {
  const PublishedCell& published = *comparison.published;
  const PublishedTable& table = experiment.published_tables.at(published.table);
  return {{"table", table.name},
          {"table_title", table.title},
          {"row", published.row},
          {"column", published.column},
          {"where", published.where},
          {"origin", origin_name(published.origin)},
          {"method", published.origin == Origin::kPaper ? Json(method_name(published.method))
                                                        : Json(nullptr)},
          {"count", count_name(count_of(published))},
          {"grid", comparison.grid},
          {"dataset", comparison.dataset},
          {"solver", comparison.solver},
          {"deflation", comparison.deflation},
          {"cardinality", comparison.cardinality},
          {"metric", published.metric},
          {"printed", published.printed},
          {"published", published.value},
          {"ours", comparison.ours},
          {"standard_error", comparison.standard_error},
          {"repeats", comparison.repeats},
          {"tolerance", comparison.tolerance},
          {"tolerance_rule", published.tolerance_rule},
          {"verdict", verdict_name(comparison.verdict)},
          {"on_wrong_side", comparison.on_wrong_side},
          {"interval", interval_json(comparison.interval)},
          {"reason", comparison.reason},
          {"cardinality_missed", comparison.cardinality_missed},
          {"truncated", comparison.truncated},
          {"explanations", explanation_texts(comparison)},
          {"known_differences", known_json(comparison)},
          {"explained", comparison.is_explained()}};
}

Json claim_json(const JudgedClaim& judged) {
  const Claim& claim = *judged.claim;
  Json cases = Json::array();
  for (const ClaimCase& one : judged.cases) {
    cases.push_back(case_json(one));
  }
  return {{"claim", claim.text},
          {"where", claim.where},
          {"of", claim.where.empty() ? "ours" : "paper"},
          {"formula", claim_text(claim)},
          {"verdict", claim_verdict_name(judged.verdict)},
          {"why", claim.why},
          {"measured_by", measurement_json(claim.measured_by)},
          {"cases", cases}};
}

Json verdicts_json(const Experiment& experiment, const RunVerdicts& verdicts) {
  Json comparisons = Json::array();
  for (const PublishedComparison& comparison : verdicts.comparisons) {
    comparisons.push_back(comparison_json(experiment, comparison));
  }
  Json claims = Json::array();
  for (const JudgedClaim& claim : verdicts.claims) {
    claims.push_back(claim_json(claim));
  }
  return {{"verdicts", verdicts.tally.json()},
          {"comparisons", comparisons},
          {"claims", claims},
          {"stale_differences", stale_lines(experiment, verdicts.comparisons)}};
}

}  // namespace spca
