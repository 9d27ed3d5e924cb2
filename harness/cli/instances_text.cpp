#include "harness/cli/instances_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/answers/variable_names.h"
#include "harness/cli/output.h"
#include "harness/instances/instance_data.h"
#include "harness/peers/peer_files.h"
#include "harness/tables/number_text.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/base/text.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/io/file_descriptor.h"
#include "spca/io/json_file.h"
#include "spca/io/temporary_folder.h"
#include "spca/solving/solver.h"

namespace spca::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kShownDigits = 6;

std::string value_text(double value) {
  return std::isfinite(value) ? significant_text(value, kShownDigits) : "-";
}

double gap_of(const KnownInstance& known) {
  return instance_gap(known.of->direction(), known.instance->best.value,
                      known.instance->bound.value);
}

std::string state_text(const KnownInstance& known) {
  const double gap = gap_of(known);
  return known.is_proved()    ? "proved"
         : std::isfinite(gap) ? fmt::format("open, gap {:.2g} %", 100 * gap)
         : std::isfinite(known.instance->bound.value)
             ? "wrong: the best value lies beyond the bound"
             : "open, no bound";
}

struct Counts {
  std::size_t all = 0, proved = 0;
};

std::map<std::string, Counts> counts_by_class(const std::vector<KnownInstance>& instances) {
  std::map<std::string, Counts> by_class;
  for (const KnownInstance& known : instances) {
    Counts& counts = by_class[known.of->name];
    ++counts.all;
    counts.proved += known.is_proved() ? 1 : 0;
  }
  return by_class;
}

/// Returns a line for each class, and the sum unless there is exactly one class.
std::string counts_text(const std::vector<KnownInstance>& instances) {
  const std::map<std::string, Counts> by_class = counts_by_class(instances);
  Counts sum;
  std::string text;
  const auto add = [&text](const std::string& name, const Counts& counts) {
    text += fmt::format("{}: {} instance{}, {} proved, {} open\n", name, counts.all,
                        counts.all == 1 ? "" : "s", counts.proved, counts.all - counts.proved);
  };
  for (const auto& [name, counts] : by_class) {
    add(name, counts);
    sum.all += counts.all;
    sum.proved += counts.proved;
  }
  if (by_class.size() != 1) {
    add("all", sum);
  }
  return text;
}

std::string source_text(const FoundBy& found_by) {
  return found_by.options.is_null() ? found_by.solver
                                    : fmt::format("{} of spca {} with {}", found_by.solver,
                                                  found_by.version, json_line(found_by.options));
}

/// Returns the arguments of `spca solve` that choose the solver of the best answer: its name, the
/// options that differ from their defaults, and the deflation if the solver needs one. If this
/// program has no such solver: those of the solver of the class.
std::string solver_words(const KnownInstance& known) {
  const FoundBy& found_by = known.instance->best.found_by;
  const SolverEntry* const solver = SolverRegistry::instance().find(found_by.solver);
  if (solver == nullptr) {
    return known.of->solver.empty() ? "" : fmt::format(" --solver {}", known.of->solver);
  }
  std::string words = fmt::format(" --solver {}", solver->name);
  const Json defaults = solver->complete_options(Json::object(), "options");
  for (const auto& [name, value] : found_by.options.items()) {
    if (defaults.contains(name) && defaults[name] != value) {
      words += fmt::format(" --set {}={}", name, json_line(value));
    }
  }
  const bool deflates = known.instance->r > 1 && !solver->traits.multiple_components;
  return deflates ? fmt::format("{} --deflation {}", words, known.of->deflation) : words;
}

/// Returns the command that solves the instance.
std::string solve_command(const KnownInstance& known) {
  const InstanceData& data = *known.data;
  std::string command = fmt::format("spca solve --dataset {}", data.dataset);
  for (const auto& [name, value] : data.options.items()) {
    command += fmt::format(" --set dataset.{}={}", name,
                           value.is_string() ? value.get<std::string>() : json_line(value));
  }
  if (data.draw) {
    command += fmt::format(" --draw {}", *data.draw);
  }
  command += fmt::format(" --cardinality {}", known.instance->k);
  if (known.instance->r > 1) {
    command += fmt::format(" --components {}", known.instance->r);
  }
  return command + solver_words(known);
}

std::string support_text(const Support& support, const Json& names) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < support.size(); ++i) {
    words.push_back(names.empty() ? std::to_string(support[i])
                                  : printable(names[i].get<std::string>()));
  }
  return join(words);
}

std::string supports_text(const KnownInstance& known, const LoadedInstanceData* loaded) {
  std::string text;
  std::size_t j = 0;
  for (const Support& support : known.instance->best.supports) {
    const Json names = loaded == nullptr ? Json::array() : names_of(loaded->dataset, support);
    text += fmt::format(
        "  {}: {}\n",
        known.of->has_common_support ? std::string("variables") : fmt::format("component {}", ++j),
        support_text(support, names));
  }
  return text;
}

std::string bound_text(const ProvedBound& bound) {
  return std::isfinite(bound.value)
             ? fmt::format("{:.17g}, by {} ({}) in {:.3g} s of {:.3g} s{}", bound.value, bound.by,
                           bound.certificate, bound.seconds, bound.limit,
                           bound.machine.empty() ? "" : " on " + bound.machine)
             : "none";
}

}  // namespace

std::string instances_text(const std::vector<KnownInstance>& instances) {
  std::vector<std::vector<std::string>> rows = {
      {"instance", "class", "p", "r", "k", "best", "bound", "state"}};
  for (const KnownInstance& known : instances) {
    const Instance& instance = *known.instance;
    rows.push_back({instance.id, known.of->name, std::to_string(known.data->p),
                    std::to_string(instance.r), std::to_string(instance.k),
                    value_text(instance.best.value), value_text(instance.bound.value),
                    state_text(known)});
  }
  return aligned(rows) + "\n" + counts_text(instances);
}

Json instances_json(const InstanceLibrary& library, const std::vector<KnownInstance>& instances) {
  Json list = Json::array();
  for (const KnownInstance& known : instances) {
    Json json = instance_json(*known.of, *known.instance);
    json["class"] = known.of->name;
    json["p"] = known.data->p;
    list.push_back(std::move(json));
  }
  Json counts = Json::object();
  for (const auto& [name, of_class] : counts_by_class(instances)) {
    counts[name] = {{"all", of_class.all},
                    {"proved", of_class.proved},
                    {"open", of_class.all - of_class.proved}};
  }
  return {{"library", library.folder().string()}, {"counts", counts}, {"instances", list}};
}

std::string shown_text(const KnownInstance& known, const fs::path& data_dir) {
  const Instance& instance = *known.instance;
  const InstanceData& data = *known.data;
  std::unique_ptr<LoadedInstanceData> loaded;
  const DataState state = state_of(data, data_dir);
  if (state.is_usable) {
    loaded = load_instance_data(data, data_dir);
  }
  std::vector<std::vector<std::string>> rows = {
      {"instance", instance.id},
      {"class", fmt::format("{}: {}", known.of->name, known.of->summary)},
      {"problem", known.of->problem},
      {"data",
       fmt::format("{} {}{}, {}p = {}, tr S = {:.17g}", data.dataset, json_line(data.options),
                   data.draw ? fmt::format(", draw {}", *data.draw) : "",
                   data.n > 0 ? fmt::format("n = {}, ", data.n) : "", data.p, data.trace)},
      {"files", data.checksum.empty() ? "none: built in" : "SHA-256 " + data.checksum},
      {"r", std::to_string(instance.r)},
      {"k", std::to_string(instance.k)},
      {"best", fmt::format("{:.17g} ({})", instance.best.value, known.of->metric)},
      {"found by", source_text(instance.best.found_by)},
      {"bound", bound_text(instance.bound)},
      {"state", state_text(known)}};
  if (!state.problem.empty()) {
    rows.push_back({"here", state.problem});
  }
  rows.push_back({"solve it", solve_command(known)});
  return aligned(rows) + "\n" + supports_text(known, loaded.get());
}

Json shown_json(const KnownInstance& known, const fs::path& data_dir) {
  Json json = instance_json(*known.of, *known.instance);
  json["class"] = known.of->name;
  json["problem"] = known.of->problem;
  json["metric"] = known.of->metric;
  json["data"] = data_json(*known.data);
  json["has_data"] = state_of(*known.data, data_dir).is_usable;
  return json;
}

void write_matrix(const fs::path& file, const KnownInstance& known, WrittenVariables variables,
                  const fs::path& data_dir) {
  const bool is_all = variables == WrittenVariables::kAll;
  // This is checked before the data are read or generated, which may take long.
  if (const Index p = known.data->p; is_all && p > kLargestPeerMatrix / p) {
    throw InputError(
        fmt::format("--matrix: S of {} has {} x {} entries; accepted: at most {} in a file, or "
                    "--answer-matrix",
                    known.instance->id, p, p, kLargestPeerMatrix));
  }
  const DataState state = state_of(*known.data, data_dir);
  if (!state.is_usable) {
    throw InputError(fmt::format("{}: {}", known.instance->id, state.problem));
  }
  const auto loaded = load_instance_data(*known.data, data_dir);
  const Covariance& covariance = *loaded->dataset.covariance;
  const TemporaryFolder folder;
  const auto write = [&](const Covariance& written) {
    const fs::path made =
        write_peer_matrix(written, PeerMatrix::kCovariance, PeerFormat::kNpy, folder.path()).file;
    std::ifstream content(made, std::ios::binary);
    write_file_atomically(file, std::string(std::istreambuf_iterator<char>(content), {}));
  };
  if (is_all) {
    write(covariance);
    return;
  }
  std::set<Index> of_answer;
  for (const Support& support : known.instance->best.supports) {
    of_answer.insert(support.begin(), support.end());
  }
  write(*make_explicit_covariance(covariance.submatrix({of_answer.begin(), of_answer.end()})));
}

std::string check_line(const InstanceCheck& check) {
  std::string text = fmt::format("{}: {}", check.known.instance->id, outcome_name(check.outcome));
  if (std::isfinite(check.value)) {
    text += fmt::format(", {:.9g}", check.value);
  }
  if (std::isfinite(check.bound)) {
    text += fmt::format(", bound {:.9g} in {:.3g} s", check.bound, check.seconds);
  }
  return check.message.empty() ? text : fmt::format("{}: {}", text, check.message);
}

std::string checks_text(const std::vector<InstanceCheck>& checks) {
  std::string text;
  std::map<std::string, std::size_t> missing;  // by message
  std::map<CheckOutcome, std::size_t> counts;
  for (const InstanceCheck& check : checks) {
    ++counts[check.outcome];
    if (check.outcome == CheckOutcome::kNoData) {
      ++missing[fmt::format("{}: {}", check.known.data->label, check.message)];
    } else if (check.outcome != CheckOutcome::kRight) {
      text += check_line(check) + "\n";
    }
  }
  for (const auto& [message, count] : missing) {
    text += fmt::format("{} ({} instance{})\n", message, count, count == 1 ? "" : "s");
  }
  std::vector<std::string> sums;
  for (const auto& [outcome, count] : counts) {
    sums.push_back(fmt::format("{} {}", count, outcome_name(outcome)));
  }
  return text + fmt::format("{} instance{}: {}\n", checks.size(), checks.size() == 1 ? "" : "s",
                            sums.empty() ? "nothing to check" : join(sums));
}

Json checks_json(const std::vector<InstanceCheck>& checks) {
  Json list = Json::array();
  for (const InstanceCheck& check : checks) {
    list.push_back({{"id", check.known.instance->id},
                    {"outcome", outcome_name(check.outcome)},
                    {"value", check.value},
                    {"bound", check.bound},
                    {"seconds", check.seconds},
                    {"message", check.message}});
  }
  return {{"instances", list}};
}

std::string updates_text(const InstanceLibrary& library, const std::vector<InstanceUpdate>& updates,
                         const std::string& source) {
  std::string text;
  std::size_t added = 0;
  std::size_t values = 0;
  std::size_t bounds = 0;
  std::size_t problems = 0;
  for (const InstanceUpdate& update : updates) {
    if (!update.problem.empty()) {
      ++problems;
      text += update_text(update) + "\n";
    } else if (update.is_new) {
      ++added;
    } else {
      values += update.has_better_value ? 1 : 0;
      bounds += update.has_better_bound ? 1 : 0;
    }
  }
  return text + fmt::format(
                    "{}: {} instance{} of the {}: {} new, {} with a better value, {} with "
                    "a better bound, {} not updated\n",
                    library.folder().string(), updates.size(), updates.size() == 1 ? "" : "s",
                    source, added, values, bounds, problems);
}

Json updates_json(const InstanceLibrary& library, const std::vector<InstanceUpdate>& updates) {
  Json list = Json::array();
  for (const InstanceUpdate& update : updates) {
    list.push_back(update_json(update));
  }
  return {{"library", library.folder().string()}, {"instances", list}};
}

std::string class_alternatives() {
  std::vector<std::string> names = InstanceClasses::instance().names();
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} or {}", join(names), last);
}

}  // namespace spca::cli
