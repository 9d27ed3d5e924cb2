#include "harness/cli/comparison_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cli/command.h"
#include "spca/base/error.h"

namespace spca::cli {

void Tally::add(const std::vector<PublishedComparison>& comparisons) {
  for (const PublishedComparison& comparison : comparisons) {
    ++count[comparison.verdict];
    worse_unexplained +=
        comparison.verdict == Verdict::kWorse && comparison.explanations.empty() ? 1 : 0;
  }
}

int Tally::exit_code() const {
  const auto total = [this](Verdict verdict) {
    return count.contains(verdict) ? count.at(verdict) : 0;
  };
  const std::size_t compared =
      total(Verdict::kMatch) + total(Verdict::kBetter) + total(Verdict::kWorse);
  // A difference with a known reason is no failure, so a worse number alone decides nothing.
  const Verdict verdict = has_failed              ? Verdict::kFailed
                          : worse_unexplained > 0 ? Verdict::kWorse
                          : compared == 0         ? Verdict::kNotComparable
                                                  : Verdict::kMatch;
  return interrupted ? kExitInterrupted : spca::exit_code(verdict);
}

Json Tally::json() const {
  Json json = Json::object();
  for (const Verdict verdict :
       {Verdict::kMatch, Verdict::kBetter, Verdict::kWorse, Verdict::kNotComparable}) {
    json[verdict_name(verdict)] = count.contains(verdict) ? count.at(verdict) : 0;
  }
  json["worse without a known reason"] = worse_unexplained;
  return json;
}

std::string Tally::text() const {
  std::vector<std::string> parts;
  const Json counts = json();  // items() holds a reference
  for (const auto& [name, number] : counts.items()) {
    parts.push_back(fmt::format("{} {}", number.get<std::size_t>(), name));
  }
  return join(parts);
}

Json comparison_json(const PublishedComparison& comparison) {
  const PublishedCell& published = *comparison.published;
  return {{"where", published.where},
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
          {"reason", comparison.reason},
          {"cardinality_missed", comparison.cardinality_missed},
          {"truncated", comparison.truncated},
          {"explanations", comparison.explanations}};
}

}  // namespace spca::cli
