/// The subcommand `hunt`, which the program of scripts/hunt has in addition to those of `spca`.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "spca/base/error.h"
#include "tests/properties/hunt.h"

namespace spca::cli {
namespace {

struct HuntWords {
  std::string minutes, seed, cases, first, check;
  std::vector<std::string> solvers, kinds;
  std::string folder = ".";
};

/// Returns the given names, or all if none is given.
std::vector<std::string> chosen(const std::string& option, const std::vector<std::string>& given,
                                const std::vector<std::string>& accepted) {
  for (const std::string& name : given) {
    if (std::find(accepted.begin(), accepted.end(), name) == accepted.end()) {
      throw InputError(fmt::format("{}: found {}{}; accepted: {}", option, name,
                                   did_you_mean(name, accepted), join(accepted)));
    }
  }
  return given.empty() ? accepted : given;
}

int run_hunt(const HuntWords& words) {
  properties::HuntRequest request{.plan = properties::whole_plan(),
                                  .seed = parse_seed("SEED", words.seed),
                                  .cases = std::numeric_limits<std::uint32_t>::max(),
                                  .minutes = parse_positive("MINUTES", words.minutes),
                                  .folder = words.folder,
                                  .shows_progress = true};
  if (!words.cases.empty()) {
    request.cases = static_cast<std::uint64_t>(parse_whole("--cases", words.cases, 1));
  }
  if (!words.first.empty()) {
    request.first = static_cast<std::uint64_t>(parse_whole("--first", words.first, 0));
  }
  request.plan.solvers = chosen("--solver", words.solvers, request.plan.solvers);
  request.plan.kinds = chosen("--kind", words.kinds, request.plan.kinds);
  if (!words.check.empty()) {
    request.plan.check = chosen("--check", {words.check}, properties::checks()).front();
  }
  std::filesystem::create_directories(request.folder);
  return properties::hunt(request).contradictions == 0 ? kExitOk : kExitFailed;
}

std::function<int()> declare_hunt(Declarations& declare, const GlobalOptions&) {
  const auto words = std::make_shared<HuntWords>();
  declare.positional("MINUTES", words->minutes, "Time after which no case starts.");
  declare.positional("SEED", words->seed, "Seed of all cases.");
  declare.option("--cases N", words->cases, "Largest number of cases (default: no limit).");
  declare.option("--first N", words->first, "Number of the first case (default 0).");
  declare.repeatable("--solver NAME", words->solvers, "Solver to test (default: all).");
  declare.repeatable("--kind NAME", words->kinds, "Kind of matrices (default: all).");
  declare.option("--check NAME", words->check,
                 "Check of answers on small matrices (default: any).");
  declare.option("--folder FOLDER", words->folder, "Folder for the files of minimal cases.");
  return [words] { return run_hunt(*words); };
}

SPCA_COMMAND("hunt", CommandGroup::kProgram,
             "Search for answers that contradict the truth or each other",
             "  spca_hunt hunt 10 1\n  spca_hunt hunt 10 1 --solver search", declare_hunt);

}  // namespace
}  // namespace spca::cli
