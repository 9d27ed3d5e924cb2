#include "harness/experiments/experiment_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "harness/experiments/experiment_document.h"
#include "harness/experiments/experiment_expand.h"
#include "harness/experiments/experiment_match.h"
#include "harness/experiments/option_grid.h"
#include "harness/peers/peer.h"
#include "spca/base/error.h"
#include "spca/base/json_text.h"
#include "spca/measure/solver_laws.h"

namespace spca {
namespace {

std::string name_of(const JsonNode& node) {
  if (node.json().is_string()) {
    return node.word();
  }
  node.accept_keys(entry_keys());
  return node.at("name").word();
}

std::optional<JsonNode> member_of(const JsonNode& node, const std::string& key) {
  return node.json().is_object() ? node.find(key) : std::nullopt;
}

std::string value_text(const Json& value) {
  if (value.is_array()) {
    std::vector<std::string> words;
    std::transform(value.begin(), value.end(), std::back_inserter(words), value_text);
    return join(words, "+");
  }
  return value.is_string()         ? value.get<std::string>()
         : value.is_number_float() ? fmt::format("{}", value.get<double>())
                                   : json_line(value);
}

/// Replaces "{name}" and "{option}" in a label by their values. Any other word of lower-case
/// letters and underscores in braces is an error; other braces stay.
std::string filled_in(const JsonNode& label, const std::string& name, const Json& options) {
  const std::string text = label.word();
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text.find('}', i);
    const std::string word = end == std::string::npos ? "" : text.substr(i + 1, end - i - 1);
    const bool is_word =
        !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char letter) {
          return std::islower(letter) != 0 || letter == '_';
        });
    if (text[i] != '{' || !is_word) {
      filled += text[i];
      continue;
    }
    if (word != "name" && !options.contains(word)) {
      std::vector<std::string> accepted = {"name"};
      for (const auto& [option, value] : options.items()) {
        accepted.push_back(option);
      }
      label.source().fail(label.pointer(),
                          fmt::format("found {{{}}}{}; accepted in braces: {}", word,
                                      did_you_mean(word, accepted), join(accepted)));
    }
    filled += word == "name" ? name : value_text(options[word]);
    i = end;
  }
  return filled;
}

/// Returns the label of one combination. A label in which nothing was replaced would be equal for
/// all combinations of the grid, so that the values of the options are appended to it.
std::string make_label(const JsonNode& node, const std::string& name, const Json& options,
                       const Json& chosen) {
  const std::optional<JsonNode> label = member_of(node, "label");
  std::string text = label ? filled_in(*label, name, options) : name;
  if (!label || text == label->word()) {
    for (const auto& [option, value] : chosen.items()) {
      text += fmt::format(" {}={}", option, value_text(options[option]));
    }
  }
  return text;
}

/// Reads the entries of one list, names and counts them.
template <class Entry>
class EntryReader {
 public:
  EntryReader(Index max_count, std::vector<JsonNode>& unused)
      : max_count_(max_count), unused_(unused) {}

  /// Reads the entries that the node's name selects, given as `entries`.
  void read(const JsonNode& node, const std::vector<const Entry*>& entries) {
    const std::optional<JsonNode> options = member_of(node, "options");
    const Json given = options ? options->json() : Json::object();
    const std::string pointer = options ? options->pointer() : node.pointer();
    // This must precede the grid, whose reader relies on an object.
    for (const Entry* entry : entries) {
      node.source().located(pointer, [&] { return entry->complete_options(given, pointer); });
    }
    if (const std::optional<JsonNode> grid_node = member_of(node, "grid")) {
      read_grid(node, *grid_node, given, entries);
      return;
    }
    for (const Entry* entry : entries) {
      add(node, *entry, given, Json::object(), entry->complete_options(given, pointer));
    }
  }

  std::vector<Named<Entry>> release() { return std::move(all_); }

 private:
  void read_grid(const JsonNode& node, const JsonNode& grid_node, const Json& given,
                 const std::vector<const Entry*>& entries) {
    OptionGrid grid(grid_node, max_count_);
    check_count(grid_node, grid, std::ssize(entries));
    check_exclusions(grid, entries);
    const std::size_t before = all_.size();
    for (const Entry* entry : entries) {
      check_values(grid, given, *entry);
      grid.for_each([&](const Json& chosen) {
        Json together = given;
        together.update(chosen);
        // Exclusions are compared with complete options, so that an exclusion can name an option
        // that has its default.
        const Json complete = entry->complete_options(together, grid_node.pointer());
        bool excluded = false;
        for (OptionGrid::Exclusion& exclusion : grid.exclusions()) {
          const bool matches = options_match(exclusion.node.json(), complete);
          exclusion.is_used = exclusion.is_used || matches;
          excluded = excluded || matches;
        }
        if (!excluded) {
          add(node, *entry, together, chosen, complete);
        }
        return true;
      });
    }
    if (all_.size() == before) {
      grid_node.at("exclude").fail("exclusions that leave at least one combination");
    }
    for (const OptionGrid::Exclusion& exclusion : grid.exclusions()) {
      if (!exclusion.is_used) {
        unused_.push_back(exclusion.node);
      }
    }
  }

  void check_count(const JsonNode& node, const OptionGrid& grid, Index entries) const {
    const Index looked_at =
        grid.has_exclusions() ? saturated_product(max_count_, kCombinationsPerCell) : max_count_;
    const Index count = saturated_product(grid.count(), entries);
    if (saturated_sum(count, std::ssize(all_)) > looked_at) {
      node.source().fail(
          node.pointer(),
          fmt::format("found {} combinations ({}{}); accepted: at most {}{}, {}", count_text(count),
                      grid.factors(),
                      entries > 1 ? fmt::format(" x {} {}s", entries, Entry::kKind) : "", looked_at,
                      grid.has_exclusions() ? " before exclusions" : "", kHowToRaiseTheLimit));
    }
  }

  void check_exclusions(OptionGrid& grid, const std::vector<const Entry*>& entries) const {
    std::set<std::string> names;
    for (const Entry* entry : entries) {
      const Json options = entry->complete_options(Json::object(), "");
      for (const auto& [option, value] : options.items()) {
        names.insert(option);
      }
    }
    for (const OptionGrid::Exclusion& exclusion : grid.exclusions()) {
      exclusion.node.accept_keys({names.begin(), names.end()});
    }
  }

  /// Checks each value by itself, so that an error names the place of the value. An error in a
  /// combination of values would name the whole grid.
  void check_values(const OptionGrid& grid, const Json& given, const Entry& entry) const {
    for (const OptionGrid::Axis& axis : grid.axes()) {
      const JsonSource& source = axis.node.source();
      if (given.contains(axis.option)) {
        source.fail(axis.node.pointer(),
                    "found in \"options\" and in \"grid\"; accepted: each option in one");
      }
      std::set<std::string> seen;
      for (const OptionGrid::Value& value : axis.values) {
        const JsonNode& element = axis.elements[value.element];
        const std::string option = fmt::format("/{}", pointer_step(axis.option));
        Json complete;
        try {
          complete = entry.complete_options({{axis.option, value.value}}, "");
        } catch (const InputError& error) {
          fail_at(element, option, error.what());
        }
        // Values are compared in completed form: 1 and 1.0 are one value. In a zip a value may
        // repeat with different values of other options.
        if (!axis.is_zipped && !seen.insert(json_line(complete[axis.option])).second) {
          source.fail(element.pointer(), fmt::format("found {} a second time; accepted: each value "
                                                     "once",
                                                     json_line(value.value)));
        }
      }
    }
  }

  /// Reports an error of one option at the element of the grid that holds the value. `message`
  /// begins with the pointer of the option among the options.
  [[noreturn]] static void fail_at(const JsonNode& element, const std::string& option,
                                   std::string message) {
    message.erase(0, option.size());
    const std::size_t end = std::min(message.find(": "), message.size() - 1);
    const std::string inside = element.json().is_object() ? "" : message.substr(0, end);
    message.erase(0, end + 2);
    element.source().fail(element.pointer() + inside, message);
  }

  void add(const JsonNode& node, const Entry& entry, const Json& given, const Json& chosen,
           Json complete) {
    std::string label = make_label(node, entry.name, complete, chosen);
    Named<Entry> named{.entry = &entry,
                       .label = std::move(label),
                       .options = std::move(complete),
                       .tune = is_tuned(entry, given)};
    if (std::ssize(all_) >= max_count_) {
      node.source().fail(node.pointer(),
                         fmt::format("found more than {} {}s; accepted: at most as many, {}",
                                     max_count_, Entry::kKind, kHowToRaiseTheLimit));
    }
    if (!labels_.insert(named.label).second) {
      node.source().fail(node.pointer(),
                         fmt::format("found the label \"{}\" twice; accepted: a label for each {}, "
                                     "unique within its grid",
                                     named.label, Entry::kKind));
    }
    // Two entries of equal content would solve the same cells twice under two labels.
    const auto [first, is_new] = contents_.emplace(
        fmt::format("{} {} {}", entry.name, named.tune, json_line(named.options)), named.label);
    if (!is_new) {
      node.source().fail(node.pointer(),
                         fmt::format("found \"{}\", which is \"{}\" with the same options again; "
                                     "accepted: each combination once",
                                     named.label, first->second));
    }
    all_.push_back(std::move(named));
  }

  static bool is_tuned(const DatasetEntry&, const Json&) { return true; }
  static bool is_tuned(const SolverEntry& entry, const Json& given) {
    // An entry that states the penalty uses that penalty; otherwise the cardinality determines it.
    return entry.traits.rule != SparsityRule::kPenalty ||
           !given.contains(entry.traits.tuning.option);
  }

  Index max_count_;
  std::vector<JsonNode>& unused_;
  std::vector<Named<Entry>> all_;
  std::set<std::string> labels_;
  std::map<std::string, std::string> contents_;  // content of an entry -> its label
};

/// Returns a registered solver or a peer.
const SolverEntry& solver_of(const JsonNode& node, const std::string& name) {
  const SolverEntry& solver = node.source().located(
      node.pointer(), [&]() -> const SolverEntry& { return find_solver(name, node.pointer()); });
  require_known_laws(solver);
  return solver;
}

/// Returns the registered solvers that a word or a glob selects. Exclusions apply to globs only: a
/// solver named in full stays.
std::vector<const SolverEntry*> solvers_behind(const JsonNode& node, const std::string& name,
                                               const std::vector<std::string>& excluded) {
  if (!is_glob(name)) {
    return {&solver_of(node, name)};
  }
  const auto is_excluded = [&](const std::string& solver) {
    return std::any_of(excluded.begin(), excluded.end(),
                       [&](const std::string& glob) { return glob_matches(glob, solver); });
  };
  std::vector<const SolverEntry*> solvers;
  for (const auto& [solver, entry] : SolverRegistry::instance().entries()) {
    if (glob_matches(name, solver) && !is_excluded(solver)) {
      solvers.push_back(&entry);
    }
  }
  if (solvers.empty()) {
    node.fail("a pattern that leaves at least one of " + join(SolverRegistry::instance().names()));
  }
  return solvers;
}

std::vector<std::string> read_excluded_solvers(const JsonNode& grid) {
  const std::optional<JsonNode> node = grid.find("exclude_solvers");
  std::vector<std::string> excluded = grid.words_or_none("exclude_solvers");
  for (const std::string& word : excluded) {
    // An excluded name must exist, so that a misspelt name is found.
    if (!is_glob(word)) {
      solver_of(*node, word);
    }
  }
  return excluded;
}

}  // namespace

std::vector<Named<DatasetEntry>> read_datasets(const JsonNode& grid, Index max_count,
                                               std::vector<JsonNode>& unused) {
  EntryReader<DatasetEntry> reader(max_count, unused);
  const JsonNode list = grid.at("datasets");
  for (const JsonNode& node : list.elements()) {
    reader.read(node, {&registered<DatasetEntry>(node, name_of(node))});
  }
  return reader.release();
}

std::vector<Named<SolverEntry>> read_solvers(const JsonNode& grid, Index max_count,
                                             std::vector<JsonNode>& unused) {
  EntryReader<SolverEntry> reader(max_count, unused);
  const std::vector<std::string> excluded = read_excluded_solvers(grid);
  const JsonNode list = grid.at("solvers");
  for (const JsonNode& node : list.elements()) {
    reader.read(node, solvers_behind(node, name_of(node), excluded));
  }
  return reader.release();
}

}  // namespace spca
