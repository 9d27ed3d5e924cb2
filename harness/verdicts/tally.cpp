#include "harness/verdicts/tally.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "spca/base/error.h"

namespace spca {
namespace {

const std::vector<ClaimVerdict> kClaimVerdicts = {ClaimVerdict::kHolds, ClaimVerdict::kUndecided,
                                                  ClaimVerdict::kFails, ClaimVerdict::kNotRun};

template <class Key>
std::size_t at_or_zero(const std::map<Key, std::size_t>& counts, Key key) {
  const auto position = counts.find(key);
  return position == counts.end() ? 0 : position->second;
}

Json claims_json(const std::map<ClaimVerdict, std::size_t>& counts) {
  Json json = Json::object();
  for (const ClaimVerdict verdict : kClaimVerdicts) {
    json[claim_verdict_name(verdict)] = at_or_zero(counts, verdict);
  }
  return json;
}

template <class Key>
void add_counts(std::map<Key, std::size_t>& sum, const std::map<Key, std::size_t>& other) {
  for (const auto& [key, count] : other) {
    sum[key] += count;
  }
}

}  // namespace

const char* json_name(Count count) {
  switch (count) {
    case Count::kOwn:
      return "own";
    case Count::kBaseline:
      return "baseline";
    case Count::kOther:
      return "other";
    case Count::kCheck:
      return "check";
    case Count::kByHand:
      return "by_hand";
    case Count::kProgram:
      return "program";
    case Count::kCertified:
      break;
  }
  return "certified";
}

const std::vector<NumberVerdict>& number_verdicts() {
  static const std::vector<NumberVerdict> verdicts = {
      NumberVerdict::kReproduced,   NumberVerdict::kHigher,   NumberVerdict::kLower,
      NumberVerdict::kDiffers,      NumberVerdict::kTooNoisy, NumberVerdict::kNotComparable,
      NumberVerdict::kNoPublicData, NumberVerdict::kNotRun};
  return verdicts;
}

const std::vector<Count>& all_counts() {
  static const std::vector<Count> counts = {Count::kOwn,      Count::kBaseline, Count::kOther,
                                            Count::kCheck,    Count::kByHand,   Count::kProgram,
                                            Count::kCertified};
  return counts;
}

void Tally::add(const Experiment& experiment, const std::vector<PublishedComparison>& comparisons,
                const std::vector<JudgedClaim>& claims) {
  for (const PublishedComparison& comparison : comparisons) {
    ++numbers[count_of(*comparison.published)][comparison.verdict];
    worse_unexplained += comparison.on_wrong_side && !comparison.is_explained() ? 1 : 0;
    worse_unknown += comparison.on_wrong_side && comparison.known.empty() ? 1 : 0;
  }
  for (const JudgedClaim& judged : claims) {
    ++(judged.claim->where.empty() ? claims_of_ours : claims_of_papers)[judged.verdict];
    failed_unknown += judged.verdict == ClaimVerdict::kFails && judged.claim->why.empty() ? 1 : 0;
  }
  stale += stale_differences(experiment, comparisons).size();
}

void Tally::add(const Tally& other) {
  for (const auto& [count, verdicts] : other.numbers) {
    add_counts(numbers[count], verdicts);
  }
  add_counts(claims_of_papers, other.claims_of_papers);
  add_counts(claims_of_ours, other.claims_of_ours);
  worse_unexplained += other.worse_unexplained;
  worse_unknown += other.worse_unknown;
  failed_unknown += other.failed_unknown;
  stale += other.stale;
  has_failed = has_failed || other.has_failed;
  interrupted = interrupted || other.interrupted;
}

Verdict Tally::verdict() const {
  std::size_t judged = 0;
  for (const auto& [count, verdicts] : numbers) {
    for (const auto& [verdict, times] : verdicts) {
      judged += is_judged(verdict) ? times : 0;
    }
  }
  for (const auto* claims : {&claims_of_papers, &claims_of_ours}) {
    for (const auto& [verdict, count] : *claims) {
      judged += verdict == ClaimVerdict::kNotRun ? 0 : count;
    }
  }
  // A difference with a known reason is not a failure, so a number on the wrong side alone decides
  // nothing.
  return has_failed                                   ? Verdict::kFailed
         : worse_unknown + failed_unknown + stale > 0 ? Verdict::kWorse
         : judged == 0                                ? Verdict::kNotComparable
                                                      : Verdict::kMatch;
}

Json Tally::json() const {
  Json json = Json::object();
  for (const Count count : all_counts()) {
    Json& verdicts = json[json_name(count)];
    const auto position = numbers.find(count);
    for (const NumberVerdict verdict : number_verdicts()) {
      verdicts[verdict_name(verdict)] =
          position == numbers.end() ? 0 : at_or_zero(position->second, verdict);
    }
  }
  json["claims"] = claims_json(claims_of_papers);
  json["our_claims"] = claims_json(claims_of_ours);
  json["worse_unexplained"] = worse_unexplained;
  json["worse_unknown"] = worse_unknown;
  json["claims_unknown"] = failed_unknown;
  json["stale_differences"] = stale;
  return json;
}

std::string Tally::text() const {
  std::vector<std::string> parts;
  for (const Count count : all_counts()) {
    const auto position = numbers.find(count);
    if (position == numbers.end()) {
      continue;
    }
    std::vector<std::string> verdicts;
    for (const NumberVerdict verdict : number_verdicts()) {
      const std::size_t times = at_or_zero(position->second, verdict);
      if (times > 0) {
        verdicts.push_back(fmt::format("{} {}", times, verdict_name(verdict)));
      }
    }
    parts.push_back(fmt::format("{}: {}", count_name(count), join(verdicts)));
  }
  if (!claims_of_papers.empty()) {
    parts.push_back("claims of the paper: " + claim_counts(claims_of_papers));
  }
  if (!claims_of_ours.empty()) {
    parts.push_back("claims of ours: " + claim_counts(claims_of_ours));
  }
  if (parts.empty()) {
    return "no number and no claim";
  }
  if (worse_unexplained > 0) {
    parts.push_back(fmt::format("{} unexplained", worse_unexplained));
  }
  if (stale > 0) {
    parts.push_back(fmt::format("{} known difference{} anything", stale,
                                stale == 1 ? " no longer explains" : "s no longer explain"));
  }
  return join(parts, "; ");
}

RunVerdicts verdicts_on(const Experiment& experiment, const std::vector<Record>& records) {
  RunVerdicts verdicts{.comparisons = compare_with_published(experiment, records),
                       .claims = judge_claims(experiment, records),
                       .tally = {}};
  verdicts.tally.add(experiment, verdicts.comparisons, verdicts.claims);
  return verdicts;
}

}  // namespace spca
