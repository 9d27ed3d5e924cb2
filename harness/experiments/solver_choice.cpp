#include "harness/experiments/solver_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

#include "harness/experiments/experiment_match.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/options_json.h"
#include "spca/base/text.h"

namespace spca {
namespace {

/// The parts of "tpower[starts=8,seed=3]".
struct Word {
  std::string solver;                    // a name or a pattern
  std::vector<std::string> assignments;  // "starts=8", "seed=3"
};

/// Splits at the commas that a name and an equals sign follow: others are in the value of an
/// option, such as "[1,2]".
std::vector<std::string> split_assignments(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < list.size();) {
    std::size_t end = list.find(',', begin);
    while (end != std::string_view::npos) {
      const std::size_t next = list.find_first_of(",=[", end + 1);
      if (next != std::string_view::npos && list[next] == '=') {
        break;
      }
      end = list.find(',', end + 1);
    }
    end = std::min(end, list.size());
    parts.emplace_back(trim(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

Word parts_of(const std::string& word) {
  const std::size_t open = word.find('[');
  if (open == std::string::npos || !word.ends_with(']')) {
    return {.solver = word, .assignments = {}};
  }
  return {.solver = word.substr(0, open),
          .assignments =
              split_assignments(std::string_view(word).substr(open + 1, word.size() - open - 2))};
}

Json options_of(const Word& parts, const std::string& word, const std::string& where) {
  Json options = Json::object();
  for (const std::string& assignment : parts.assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || options.contains(assignment.substr(0, equals))) {
      throw InputError(
          fmt::format("{}: found \"{}\"; accepted in brackets: OPTION=VALUE, with "
                      "commas between them, each option once",
                      where, word));
    }
    set_option(options, assignment);
  }
  return options;
}

/// Returns the names of solvers that the word means: the word itself, or those that match a
/// pattern, among the peers if it begins with "peers/".
std::vector<std::string> names_matching(const std::string& word, const std::string& where) {
  if (!is_glob(word)) {
    return {word};
  }
  const std::vector<std::string> names =
      word.starts_with(kPeerPrefix) ? peer_names() : SolverRegistry::instance().names();
  std::vector<std::string> matching;
  std::copy_if(names.begin(), names.end(), std::back_inserter(matching),
               [&](const std::string& name) { return glob_matches(word, name); });
  if (matching.empty()) {
    throw InputError(fmt::format("{}: found \"{}\", which is not a solver; accepted: {}", where,
                                 word, join(names)));
  }
  return matching;
}

}  // namespace

std::vector<SolverChoice> chosen_solvers(const std::vector<std::string>& words,
                                         const std::string& where) {
  std::vector<SolverChoice> solvers;
  std::vector<std::pair<const SolverEntry*, Json>> used;  // with complete options
  for (const std::string& word : words) {
    const Word parts = parts_of(word);
    const Json options = options_of(parts, word, where);
    const std::size_t count = solvers.size();
    for (const std::string& name : names_matching(parts.solver, where)) {
      const SolverEntry& entry = find_solver(name, where);
      std::pair<const SolverEntry*, Json> content = {
          &entry, entry.complete_options(options, where + ": " + word)};
      if (std::find(used.begin(), used.end(), content) != used.end()) {
        continue;
      }
      used.push_back(std::move(content));
      std::string label = solver_label(name);
      for (const std::string& assignment : parts.assignments) {
        label += " " + assignment;
      }
      solvers.push_back(
          {.name = name, .label = std::move(label), .entry = &entry, .options = options});
    }
    // Only a row that was asked for by its options would be missed.
    if (!options.empty() && solvers.size() == count) {
      throw InputError(
          fmt::format("{}: found \"{}\", whose options are those of a solver that is "
                      "named before it; accepted: each choice of options once",
                      where, word));
    }
  }
  return solvers;
}

std::vector<std::string> solver_words(const std::string& list) {
  std::vector<std::string> words(1);
  int depth = 0;
  for (const char letter : list) {
    depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
    if (letter == ',' && depth <= 0) {
      words.emplace_back();
    } else {
      words.back() += letter;
    }
  }
  std::for_each(words.begin(), words.end(),
                [](std::string& word) { word = std::string(trim(word)); });
  return words;
}

std::string with_absolute_path(const std::string& word) {
  const std::string name = parts_of(word).solver;
  return is_peer_file(name) ? std::filesystem::absolute(name).lexically_normal().string() +
                                  word.substr(name.size())
                            : word;
}

Json solver_entry(const SolverChoice& solver) {
  if (solver.label == solver.name && solver.options.empty()) {
    return solver.name;
  }
  Json entry = {{"name", solver.name}, {"label", solver.label}};
  if (!solver.options.empty()) {
    entry["options"] = solver.options;
  }
  return entry;
}

}  // namespace spca
