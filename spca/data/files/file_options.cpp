#include "spca/data/files/file_options.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/readers/csv_field.h"

namespace spca {
namespace {

std::optional<bool> answer(const std::string& word) {
  return word == "auto" ? std::nullopt : std::optional(word == "yes");
}

/// Returns the words between commas.
std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream rest(list);
  for (std::string word; std::getline(rest, word, ',');) {
    words.emplace_back(trim(word));
  }
  return words;
}

CsvForm csv_form(const FileOptions& options) {
  static const std::map<std::string, char> kSeparators = {
      {"auto", 0}, {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"bar", '|'}, {"blank", ' '}};
  static const std::map<std::string, char> kDecimals = {
      {"auto", 0}, {"point", '.'}, {"comma", ','}};
  return {.separator = kSeparators.at(options.separator),
          .decimal = kDecimals.at(options.decimal),
          .header = answer(options.header),
          .row_names = answer(options.row_names),
          .missing_words = words_of(options.missing_words),
          // After a transposition the rows of the file are chosen.
          .columns = words_of(options.transpose ? "" : options.columns),
          .drop = words_of(options.transpose ? "" : options.drop),
          .asks = true};
}

}  // namespace

FileRequest file_request(const FileOptions& options, const std::filesystem::path& base_dir) {
  if (options.path.empty()) {
    throw InputError("data set file: path: found none; accepted: the file to be read");
  }
  const bool is_covariance = options.kind == "covariance";
  if (is_covariance && (options.center != "auto" || options.scale != "n")) {
    throw InputError(fmt::format(
        "{}: {}: not with kind covariance, which is used unchanged; accepted: with kind data",
        options.path, options.center != "auto" ? "center" : "scale"));
  }
  if (is_covariance && options.missing != "auto") {
    throw InputError(fmt::format(
        "{}: missing: not with kind covariance, of which no entry can be guessed; accepted: a "
        "matrix without missing values, or one triangle of it",
        options.path));
  }
  if (!is_covariance && (options.nearest || options.triangle != "auto")) {
    throw InputError(fmt::format("{}: `{}`: not with data; accepted: with `kind` covariance",
                                 options.path, options.nearest ? "nearest" : "triangle"));
  }
  if (options.standardize && (options.center == "no" || options.scale != "n")) {
    throw InputError(fmt::format(
        "{}: standardize: not with {}; accepted: standardised data are centred, and have no scale",
        options.path, options.center == "no" ? "center no" : "a scale"));
  }
  return {.path = base_dir / options.path,  // an absolute path replaces the folder
          .is_covariance = options.kind == "auto" ? std::nullopt : std::optional(is_covariance),
          .centered = answer(options.center),
          .scale = scale_from_name(options.scale),
          .standardized = options.standardize,
          .missing = missing_from_name(options.missing),
          .missing_rank = options.missing_rank,
          .choice = {.transpose = options.transpose,
                     .columns = words_of(options.columns),
                     .drop = words_of(options.drop)},
          .triangle = triangle_from_name(options.triangle),
          .nearest = options.nearest,
          .csv = csv_form(options),
          .bag = options.bag};
}

void read_variable_names(const std::filesystem::path& path, Dataset& dataset) {
  std::vector<std::string> names;
  bool is_recoded = false;
  for (const CsvRow& row : read_csv_rows(path)) {
    names.push_back(in_utf8(row.fields.front(), is_recoded));
  }
  if (std::ssize(names) != dataset.covariance->variables()) {
    throw InputError(fmt::format("{}: found {} names; accepted: {}, one for each variable",
                                 path.string(), names.size(), dataset.covariance->variables()));
  }
  if (is_recoded) {
    dataset.notes.push_back(fmt::format("{}: {}", path.string(), kNamesRecoded));
  }
  if (const std::string note = equal_names_note(names); !note.empty()) {
    dataset.notes.push_back(fmt::format("{}: {}", path.string(), note));
  }
  dataset.variable_names = std::move(names);
}

}  // namespace spca
