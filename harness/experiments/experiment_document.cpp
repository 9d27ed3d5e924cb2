#include "harness/experiments/experiment_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "spca/base/error.h"
#include "spca/base/text.h"

namespace spca {
namespace {

using Keys = std::vector<std::string>;

/// Returns the keys that neither a profile nor the command line may change.
const Keys& fixed_keys() {
  static const Keys keys = {"$schema", "name", "profiles"};
  return keys;
}

bool is_pointer(const std::string& key) { return key.starts_with("/"); }

/// Calls set_at, but refuses a pointer to the fixed keys.
std::string set_in_document(Json& document, const std::string& pointer, const Json& value) {
  const Keys keys = pointer_keys(pointer);
  if (!keys.empty() &&
      std::find(fixed_keys().begin(), fixed_keys().end(), keys.front()) != fixed_keys().end()) {
    throw InputError(
        fmt::format("{}: found a pointer to a key that cannot be changed; accepted: {}", pointer,
                    join(profile_keys())));
  }
  return set_at(document, pointer, value);
}

/// Applies a profile. Its keys are merged over the document (RFC 7396). Then its JSON pointers are
/// set: a merge can only replace a whole list, but a pointer reaches one element of a list.
void apply_profile(const std::string& name, const Json& profile, SelectedDocument& selected) {
  const std::string written = fmt::format("/profiles/{}", pointer_step(name));
  Json patch = profile;
  for (const auto& [key, value] : profile.items()) {
    if (is_pointer(key)) {
      patch.erase(key);
    }
  }
  selected.json.merge_patch(patch);
  // From here on, an error in an element that the profile changed is reported at the profile's
  // place in the file.
  selected.source.merged_from(written);
  for (const auto& [key, value] : profile.items()) {
    if (is_pointer(key)) {
      const std::string member = written + "/" + pointer_step(key);
      try {
        selected.source.set_from(set_in_document(selected.json, key, value), member);
      } catch (const InputError& error) {
        selected.source.text().fail(member, error.what());
      }
    }
  }
}

void apply_setting(const std::string& assignment, SelectedDocument& selected) {
  const Setting setting = parse_setting(assignment);
  const std::string option = "--set " + assignment;
  try {
    selected.source.set_by(set_in_document(selected.json, setting.pointer, setting.value), option);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", printable(option), printable(error.what())));
  }
}

}  // namespace

const Keys& document_keys() {
  static const Keys keys = {"name",          "title",
                            "source",        "claim",
                            "remarks",       "seed",
                            "time_limit",    "memory_limit",
                            "maximum_cells", "grids",
                            "exclude",       "profiles",
                            "published",     "known_differences",
                            "claims",        "tables",
                            "figures",       "$schema"};
  return keys;
}

const Keys& grid_keys() {
  static const Keys keys = {
      "title",      "datasets", "solvers", "exclude_solvers", "components", "cardinality",
      "deflations", "zip",      "exclude", "repeats",         "metrics",    "penalty",
      "trace",      "ranks",    "alone",   "may_time_out",    "time_limit"};
  return keys;
}

const Keys& entry_keys() {
  static const Keys keys = {"name", "label", "options", "grid"};
  return keys;
}

const Keys& match_keys() {
  static const Keys keys = {"grid",        "dataset",         "solver",        "deflation",
                            "cardinality", "dataset_options", "solver_options"};
  return keys;
}

const Keys& published_table_keys() {
  static const Keys keys = {"name",   "title",     "where",   "origin", "method",
                            "metric", "tolerance", "repeats", "select", "not_comparable",
                            "match",  "columns",   "rows"};
  return keys;
}

const Keys& published_column_keys() {
  static const Keys keys = {"label",   "where",  "method",         "metric", "tolerance",
                            "repeats", "select", "not_comparable", "match"};
  return keys;
}

const Keys& published_row_keys() {
  static const Keys keys = {"label",  "where",          "method", "metric",  "tolerance", "repeats",
                            "select", "not_comparable", "match",  "printed", "curve"};
  return keys;
}

const Keys& known_difference_keys() {
  static const Keys keys = {"match", "metric", "direction", "range", "why", "measured_by"};
  return keys;
}

const Keys& claim_keys() {
  static const Keys keys = {"claim", "where",          "match", "left",       "is",
                            "right", "metric",         "fact",  "component",  "factor",
                            "slack", "standard_error", "why",   "measured_by"};
  return keys;
}

const Keys& measurement_keys() {
  static const Keys keys = {"experiment", "grid"};
  return keys;
}

const Keys& table_keys() {
  static const Keys keys = {"kind", "title", "metric", "rows", "columns", "where"};
  return keys;
}

const Keys& bound_table_keys() {
  static const Keys keys = {"kind", "title", "where"};
  return keys;
}

Keys profile_keys() {
  Keys keys = document_keys();
  std::erase_if(keys, [](const std::string& key) {
    return std::find(fixed_keys().begin(), fixed_keys().end(), key) != fixed_keys().end();
  });
  return keys;
}

Keys profile_names(const Json& document) {
  Keys names;
  if (document.contains("profiles")) {
    for (const auto& [name, patch] : document["profiles"].items()) {
      names.push_back(name);
    }
  }
  // Every document has the profile "full", whether it declares it or not.
  if (std::find(names.begin(), names.end(), kFullProfile) == names.end()) {
    names.push_back(kFullProfile);
  }
  return names;
}

Setting parse_setting(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || !assignment.starts_with("/")) {
    throw InputError(fmt::format(
        "--set {}: found no {}; accepted: /json/pointer=value, such as /grids/spiked/repeats=10",
        printable(assignment),
        equals == std::string::npos ? "\"=\"" : "\"/\" at the beginning of the pointer"));
  }
  const std::string text = assignment.substr(equals + 1);
  Setting setting{.pointer = assignment.substr(0, equals), .value = text};
  // The shell strips quotes, so that a word need not be valid JSON.
  if (Json::accept(text)) {
    setting.value = JsonText(text, "--set " + setting.pointer).json();
  }
  return setting;
}

SelectedDocument select_document(const std::shared_ptr<const JsonText>& text,
                                 const std::string& profile,
                                 const std::vector<std::string>& settings) {
  SelectedDocument selected{.source = JsonSource(text), .json = text->json()};
  selected.json.erase("profiles");
  const Json& written = text->json();
  if (written.contains("profiles") && written["profiles"].contains(profile)) {
    apply_profile(profile, written["profiles"][profile], selected);
  }
  std::set<std::string> pointers;
  for (const std::string& setting : settings) {
    const std::string pointer = setting.substr(0, setting.find('='));
    // "/-" appends to a list and may be repeated. Any other pointer may be given once: the last of
    // two would win silently.
    if (!pointer.ends_with("/-") && !pointers.insert(pointer).second) {
      throw InputError(fmt::format("--set {}: given twice; accepted: once", printable(pointer)));
    }
    apply_setting(setting, selected);
  }
  return selected;
}

}  // namespace spca
