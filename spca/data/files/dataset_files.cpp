
#include "spca/data/files/dataset_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/data/data_folder.h"
#include "spca/data/files/read_dataset.h"
#include "spca/data/readers/csv.h"

namespace spca {

Dataset load_data_file(const DatasetRequest& request, const std::string& file,
                       Centering centering) {
  return read_dataset({.path = find_data_file(request.data_dir, file),
                       .centered = centering == Centering::kColumns});
}

Dataset load_bag_of_words(const DatasetRequest& request, const std::string& file,
                          const BagOptions& bag) {
  return read_dataset({.path = find_data_file(request.data_dir, file), .bag = bag});
}

Dataset load_covariance_file(const DatasetRequest& request, const std::string& file) {
  return read_dataset({.path = find_data_file(request.data_dir, file),
                       .is_covariance = true,
                       .centered = std::nullopt});
}

NamedTable load_named_table(const DatasetRequest& request, const std::string& file) {
  const std::filesystem::path path = find_data_file(request.data_dir, file);
  const std::vector<CsvRow> rows = read_csv_rows(path);
  if (rows.size() < 2 || rows[0].fields.size() < 2) {
    throw InputError(
        fmt::format("{}: found {} lines; accepted: a line of names and lines of numbers",
                    path.string(), rows.size()));
  }
  NamedTable table;
  table.names.assign(rows[0].fields.begin() + 1, rows[0].fields.end());
  table.numbers.resize(std::ssize(rows) - 1, std::ssize(table.names));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::vector<std::string>& fields = rows[i].fields;
    if (fields.size() != rows[0].fields.size()) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}", path.string(),
                                   rows[i].line, fields.size(), rows[0].fields.size()));
    }
    for (std::size_t j = 1; j < fields.size(); ++j) {
      const std::optional<double> number = parse_number(fields[j]);
      if (!number || !std::isfinite(*number)) {
        throw InputError(fmt::format("{}:{}: column {}: found {}; accepted: a number",
                                     path.string(), rows[i].line, j + 1, in_quotes(fields[j])));
      }
      table.numbers(static_cast<Index>(i) - 1, static_cast<Index>(j) - 1) = *number;
    }
  }
  return table;
}

namespace {

/// Returns the path of `file`; nothing if the data folder has no such file.
std::optional<std::filesystem::path> find_if_there(const DatasetRequest& request,
                                                   const std::string& file) {
  try {
    return find_data_file(request.data_dir, file);
  } catch (const MissingData&) {
    return std::nullopt;
  }
}

/// Returns field j, counted from 0, of all rows from `first` on.
std::vector<std::string> column_of(const std::vector<CsvRow>& rows, std::size_t first,
                                   std::size_t j, const std::filesystem::path& path) {
  std::vector<std::string> column;
  for (std::size_t i = first; i < rows.size(); ++i) {
    const std::vector<std::string>& fields = rows[i].fields;
    if (fields.size() != rows[0].fields.size()) {
      throw InputError(fmt::format("{}:{}: found {} fields; accepted: {}", path.string(),
                                   rows[i].line, fields.size(), rows[0].fields.size()));
    }
    column.push_back(fields[j]);
  }
  return column;
}

/// Returns the fields below the header `column`.
std::vector<std::string> named_column(const std::vector<CsvRow>& rows, const std::string& column,
                                      const std::filesystem::path& path) {
  const std::vector<std::string> header =
      rows.empty() ? std::vector<std::string>() : rows[0].fields;
  const auto position = std::find(header.begin(), header.end(), column);
  if (position == header.end()) {
    throw InputError(fmt::format("{}:1: found columns {}; accepted: one that is called {}",
                                 path.string(), join(header), column));
  }
  return column_of(rows, 1, static_cast<std::size_t>(position - header.begin()), path);
}

/// Returns the classes as numbers. If all are whole numbers that fit an int, they are used
/// directly; otherwise all are numbered as words, from 0 in alphabetical order.
std::vector<int> class_numbers(const std::vector<std::string>& words) {
  constexpr std::int64_t kLargest = std::numeric_limits<int>::max();
  std::vector<int> numbers;
  for (const std::string& word : words) {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number || *number > kLargest || *number < -kLargest) {
      break;
    }
    numbers.push_back(static_cast<int>(*number));
  }
  if (numbers.size() == words.size()) {
    return numbers;
  }
  const std::set<std::string> alphabet(words.begin(), words.end());
  numbers.clear();
  for (const std::string& word : words) {
    numbers.push_back(static_cast<int>(std::distance(alphabet.begin(), alphabet.find(word))));
  }
  return numbers;
}

}  // namespace

std::vector<std::string> load_column(const DatasetRequest& request, const std::string& file,
                                     const std::string& column) {
  const std::optional<std::filesystem::path> path = find_if_there(request, file);
  return path ? named_column(read_csv_rows(*path), column, *path) : std::vector<std::string>();
}

Dataset with_labels(Dataset dataset, const DatasetRequest& request, const std::string& file,
                    const std::string& column) {
  const std::optional<std::filesystem::path> path = find_if_there(request, file);
  if (!path) {
    return dataset;
  }
  const std::vector<CsvRow> rows = read_csv_rows(*path);
  const bool has_header =
      !rows.empty() && (rows[0].fields.size() > 1 || rows[0].fields[0] == column);
  const std::vector<std::string> classes =
      has_header ? named_column(rows, column, *path) : column_of(rows, 0, 0, *path);
  const Index samples = dataset.covariance->samples();
  if (static_cast<Index>(classes.size()) != samples) {
    throw InputError(fmt::format("{}: found {} classes; accepted: {}, one for each sample",
                                 path->string(), classes.size(), samples));
  }
  dataset.labels = class_numbers(classes);
  if (std::set<int>(dataset.labels.begin(), dataset.labels.end()).size() < 2) {
    throw InputError(fmt::format("{}: found the class {} only; accepted: two classes or more",
                                 path->string(), classes[0]));
  }
  return dataset;
}

}  // namespace spca
