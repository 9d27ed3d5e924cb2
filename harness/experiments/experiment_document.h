#pragma once

/// The keys of an experiment's JSON, its profiles, and the settings of --set. Everything except
/// parse_setting() is internal to experiment*.cpp and schema.cpp.

#include <memory>
#include <string>
#include <vector>

#include "spca/io/json_node.h"

namespace spca {

/// Return the keys of each kind of object, for the reader and for the JSON Schema.
const std::vector<std::string>& document_keys();
const std::vector<std::string>& grid_keys();
const std::vector<std::string>& entry_keys();
const std::vector<std::string>& match_keys();
const std::vector<std::string>& published_table_keys();
const std::vector<std::string>& published_column_keys();
const std::vector<std::string>& published_row_keys();
const std::vector<std::string>& known_difference_keys();
const std::vector<std::string>& claim_keys();
const std::vector<std::string>& measurement_keys();
const std::vector<std::string>& table_keys();
const std::vector<std::string>& bound_table_keys();
/// Returns the keys that a profile may hold: the keys of the document except its name, its schema
/// and its profiles.
std::vector<std::string> profile_keys();

/// The name of the default profile, which every document has: undeclared, it changes nothing.
inline const std::string kFullProfile = "full";

/// The document with one profile and the settings of --set applied.
struct SelectedDocument {
  JsonSource source;
  Json json;  // without "profiles"
};
std::vector<std::string> profile_names(const Json& document);
SelectedDocument select_document(const std::shared_ptr<const JsonText>& text,
                                 const std::string& profile,
                                 const std::vector<std::string>& settings);

/// One "/json/pointer=value" of --set.
struct Setting {
  std::string pointer;
  Json value;  // JSON if the text is JSON, otherwise the text as a string
};
/// Parses an assignment. Throws InputError with a message that begins with "--set".
Setting parse_setting(const std::string& assignment);

}  // namespace spca
