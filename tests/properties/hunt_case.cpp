#include "tests/properties/hunt_case.h"

#include <algorithm>
#include <cmath>

#include "spca/base/error.h"
#include "spca/covariance/deflation.h"
#include "spca/solving/solver.h"
#include "tests/properties/answer_checks.h"
#include "tests/properties/draws.h"
#include "tests/properties/elsewhere.h"
#include "tests/properties/relations.h"

namespace spca::properties {
namespace {

// Shares of the cases, by the kind of the matrix, the options and the check.
constexpr double kLargeShare = 0.002;
// These shares are small because the start of a program takes as long as hundreds of cases (R: a
// few seconds).
constexpr double kCommandShare = 0.01, kPythonShare = 0.002, kRanksShare = 0.002, kRShare = 0.0005;
constexpr double kOptionShare = 0.2, kUntunedShare = 0.1;
constexpr double kRelatedShare = 0.4, kMetricsShare = 0.05, kLossesShare = 0.05,
                 kCertifyShare = 0.05, kSpectrumShare = 0.03;
// At most this number of variables, so that searches for bounds end before their time limit.
constexpr Index kMostForMetrics = 6;

bool is_large_kind(const std::string& kind) { return kind.starts_with("large-"); }

/// Draws a cardinality, most often from the extremes, where errors are likely: 1, p - 1, p, r k =
/// p.
Index draw_cardinality(Index p, Index r, Random& random) {
  switch (random.below(8)) {
    case 0:
      return 1;
    case 1:
      return std::max<Index>(1, p - 1);
    case 2:
      return p;
    case 3:
      return std::max<Index>(1, p / r);
    case 4:
      return std::min(p, p / r + 1);
    default:
      return whole(random, 1, std::min<Index>(p, 12));
  }
}

/// Draws a value of an option: the other boolean, one of the choices, or a small whole number. None
/// for other options, such as tolerances, which change little but the time.
std::optional<Json> draw_value(const Json& option, Random& random) {
  const std::string type = option["type"];
  if (type == "boolean") {
    return !option["default"].get<bool>();
  }
  if (type == "string" && option.contains("choices")) {
    const Json& choices = option["choices"];
    return choices[random.below(choices.size())];
  }
  if (type == "integer") {
    const auto least = static_cast<Index>(option.value("minimum", 0.0));
    const auto largest = static_cast<Index>(option.value("maximum", 5.0));
    return whole(random, least, std::min(largest, least + 4));
  }
  return std::nullopt;
}

/// Sets one random option to a random value, unless it is the penalty, which is tuned.
void draw_option(Question& question, Random& random) {
  const SolverEntry& solver = SolverRegistry::instance().get(question.solver, "solver");
  const Json options = solver.describe();
  if (options.empty()) {
    return;
  }
  const Json& option = options[random.below(options.size())];
  if (option["name"] == solver.traits.tuning.option) {
    return;
  }
  if (const std::optional<Json> value = draw_value(option, random)) {
    question.options[option["name"].get<std::string>()] = *value;
  }
}

void draw_request(Question& question, Random& random) {
  const Traits& traits = SolverRegistry::instance().get(question.solver, "solver").traits;
  const Index p = question.matrix.variables();
  const bool is_large = !question.matrix.blocks.empty() || question.matrix.correlation;
  const Index largest_r = is_large ? 8 : 3;  // many components meet repeated eigenvalues
  const Index r = std::min<Index>(p, random.uniform() < .4 ? 1 : whole(random, 2, largest_r));
  question.components = r;
  if (traits.rule != SparsityRule::kDense) {
    const Index k = is_large ? whole(random, 1, 6) : draw_cardinality(p, r, random);
    question.cardinality.assign(static_cast<std::size_t>(r), k);
    if (random.uniform() < .3) {
      for (Index& one : question.cardinality) {
        one = is_large ? whole(random, 1, 6) : draw_cardinality(p, r, random);
      }
    }
  }
  if (question.components > 1 && !traits.multiple_components) {
    question.deflation = any_of(DeflationRegistry::instance().names(), random);
  }
  if (traits.rule == SparsityRule::kPenalty && random.uniform() < kUntunedShare) {
    question.cardinality.clear();
  }
  if (random.uniform() < kOptionShare) {
    draw_option(question, random);
  }
  question.seed = 1 + random.below(1000);
}

std::string draw_check(Random& random) {
  double share = random.uniform();
  for (const auto& [name, of_all] : {std::pair{kAllMetrics, kMetricsShare},
                                     {kLosses, kLossesShare},
                                     {kCertify, kCertifyShare},
                                     {kSpectrum, kSpectrumShare},
                                     {kCommand, kCommandShare},
                                     {kPython, kPythonShare},
                                     {kRanks, kRanksShare},
                                     {kR, kRShare}}) {
    if ((share -= of_all) < 0) {
      return name;
    }
  }
  return share < kRelatedShare ? any_of(relations(), random) : kAnswerAlone;
}

/// Draws the related question, from a seed that is a function of the case alone.
std::optional<Related> related_to(const HuntCase& hunted) {
  const std::vector<std::string> names = relations();
  if (std::find(names.begin(), names.end(), hunted.check) == names.end()) {
    return std::nullopt;
  }
  Random random(hunted.question.seed);
  return related(hunted.question, hunted.check, random);
}

bool is_elsewhere(const std::string& check) {
  const std::vector<std::string> places = elsewhere();
  return std::find(places.begin(), places.end(), check) != places.end();
}

/// Returns the fields of an answer that the program, Python and R print with the same digits.
Json core_of(const Json& answer) {
  Json components = Json::array();
  for (const Json& component : answer["components"]) {
    components.push_back({component["indices"], component["values"]});
  }
  const double bound = number_in(answer["upper_bound"]);
  return {answer["status"], components, std::isfinite(bound) ? Json(bound) : Json()};
}

/// Compares with the answer of another program. On dense data and S the numbers must be equal. On
/// sparse data, and with several ranks, sums are formed in another order.
void check_elsewhere(const HuntCase& hunted, const Json& answer, CaseOutcome& outcome) {
  const Question& question = hunted.question;
  const ElsewhereAnswer there = answer_elsewhere(question, hunted.check);
  if (there.trouble == kNotBuilt || there.trouble == kRefused) {
    outcome.ending = there.trouble;
    return;
  }
  if (!there.answer) {
    outcome.contradictions.push_back(
        {.claim = "another program answers (" + hunted.check + ")", .detail = there.trouble});
    return;
  }
  const bool is_timed =
      answer["status"] == "time_limit" || (*there.answer)["status"] == "time_limit";
  const bool is_sparse = question.matrix.is_data() && question.storage != Storage::kDense;
  if (!is_sparse && hunted.check != kRanks && !is_timed &&
      core_of(answer) != core_of(*there.answer)) {
    outcome.contradictions.push_back(
        {.claim = "another program has the same numbers (" + hunted.check + ")",
         .detail = core_of(*there.answer).dump() + " and here " + core_of(answer).dump()});
  }
  check_related(
      question, answer, {.question = question}, *there.answer,
      2 * storage_rounding(question.matrix) * static_cast<double>(question.matrix.variables()),
      outcome.contradictions);
}

CaseOutcome run_checked(const HuntCase& hunted) {
  const Question& question = hunted.question;
  CaseOutcome outcome;
  const calls::Data data = data_of(question);
  const Json answer = answer_of(question, data);
  outcome.ending = answer["status"];
  const Matrix covariance = exact_covariance(question.matrix);
  const std::unique_ptr<const Truth> truth = truth_of(question.matrix, covariance);
  const Examined examined{.question = question,
                          .answer = answer,
                          .covariance = covariance,
                          .truth = *truth,
                          .rounding = storage_rounding(question.matrix)};
  check_answer(examined, outcome.contradictions);
  if (hunted.check == kAllMetrics) {
    check_metrics(examined, data, outcome.contradictions);
  } else if (hunted.check == kLosses) {
    check_losses(examined, data, outcome.contradictions);
  } else if (hunted.check == kCertify) {
    check_certify(examined, data, outcome.contradictions);
  } else if (hunted.check == kSpectrum) {
    check_spectrum(examined, data, outcome.contradictions);
  } else if (is_elsewhere(hunted.check)) {
    if (question.options.empty()) {
      check_elsewhere(hunted, answer, outcome);
    }
  } else if (const auto other = related_to(hunted)) {
    const Json other_answer = answer_of(other->question, data_of(other->question));
    const double rounding = storage_rounding(question.matrix) +
                            storage_rounding(other->question.matrix) / other->factor;
    check_related(question, answer, *other, other_answer,
                  rounding * static_cast<double>(question.matrix.variables()),
                  outcome.contradictions);
  }
  return outcome;
}

}  // namespace

std::vector<std::string> checks() {
  std::vector<std::string> names = {kAnswerAlone, kAllMetrics, kLosses, kCertify, kSpectrum};
  for (const std::vector<std::string>& more : {relations(), elsewhere()}) {
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

HuntPlan whole_plan() {
  HuntPlan plan{
      .solvers = SolverRegistry::instance().names(), .kinds = kinds_of_matrices(), .check = {}};
  for (const std::string& kind : large_kinds()) {
    plan.kinds.push_back(kind);
  }
  return plan;
}

HuntCase draw_case(const HuntPlan& plan, std::uint64_t seed, std::uint64_t number) {
  // An odd factor separates the streams of two seeds; the generator mixes the bits of its seed.
  Random random(seed * 0xd1342543de82ef95U + number);
  HuntCase hunted;
  Question& question = hunted.question;
  question.solver = plan.solvers[number % plan.solvers.size()];
  std::vector<std::string> kinds;
  const bool is_large = random.uniform() < kLargeShare;
  std::copy_if(plan.kinds.begin(), plan.kinds.end(), std::back_inserter(kinds),
               [&](const std::string& kind) { return is_large_kind(kind) == is_large; });
  const std::string& kind = any_of(kinds.empty() ? plan.kinds : kinds, random);
  if (is_large_kind(kind)) {
    question.matrix = draw_large_matrix(
        kind, random.uniform() < .7 ? whole(random, 301, 700) : whole(random, 700, 2100), random);
    if (question.matrix.is_data()) {
      question.storage = static_cast<Storage>(random.below(kStorages));
    }
    draw_request(question, random);
    const double share = random.uniform();
    hunted.check = share < kRelatedShare       ? any_of(relations(), random)
                   : share < 2 * kRelatedShare ? kSpectrum
                                               : kAnswerAlone;
    return hunted;
  }
  hunted.check = draw_check(random);
  if (!plan.check.empty()) {
    hunted.check = plan.check;
  }
  const bool searches =
      hunted.check == kAllMetrics || hunted.check == kLosses || hunted.check == kCertify;
  const Index largest_p = searches ? std::min(plan.largest_p, kMostForMetrics) : plan.largest_p;
  if (hunted.check == kRanks && !kind.starts_with("data")) {
    hunted.check = kCommand;  // S itself has no rows to distribute
  }
  question.matrix = draw_matrix(kind, whole(random, 2, largest_p), random);
  if (question.matrix.is_data()) {
    question.storage = static_cast<Storage>(random.below(kStorages));
  }
  draw_request(question, random);
  return hunted;
}

std::optional<Question> related_question(const HuntCase& hunted) {
  const std::optional<Related> other = related_to(hunted);
  return other ? std::optional(other->question) : std::nullopt;
}

CaseOutcome run_case(const HuntCase& hunted) {
  try {
    return run_checked(hunted);
  } catch (const InputError& error) {
    return {.ending = "refused", .note = error.what()};
  } catch (const NumericalError& error) {
    return {.ending = "numerical_failure", .note = error.what()};
  } catch (const std::exception& error) {
    return {.ending = "exception",
            .contradictions = {{.claim = "every exception is an InputError or a NumericalError",
                                .detail = error.what()}}};
  }
}

}  // namespace spca::properties
