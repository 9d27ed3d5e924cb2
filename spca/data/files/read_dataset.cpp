
#include "spca/data/files/read_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/covariance/covariance_dense.h"
#include "spca/covariance/covariance_explicit.h"
#include "spca/covariance/covariance_sparse.h"
#include "spca/data/content/file_content.h"
#include "spca/data/content/rows_of_file.h"
#include "spca/data/files/column_notes.h"
#include "spca/data/readers/csv.h"
#include "spca/data/readers/csv_questions.h"
#include "spca/data/readers/read_file.h"

namespace spca {
namespace {

// Solvers multiply up to four entries of S: within these limits the product neither overflows nor
// underflows.
constexpr double kLargestVariance = 1e60;
constexpr double kSmallestVariance = 1e-60;
constexpr const char* kGenotypesAreCentred =
    "holds genotypes, which are standardised; accepted: `center` yes, and a result of genotypes to "
    "project them";

/// Returns S of data without copying them.
std::shared_ptr<const Covariance> covariance_in_place(const FileContent& content, DataForm form,
                                                      const FileRequest& request) {
  if (!request.bag.is_default()) {
    throw InputError("is not a docword file; accepted for the options of words: a docword file");
  }
  if (form.standardized) {
    throw InputError(content.mapped != nullptr
                         ? "is used as stored; accepted: to standardise the file that it was "
                           "converted from"
                         : "holds genotypes, which are standardised already");
  }
  if (content.mapped != nullptr) {
    return make_covariance(*content.mapped, form);
  }
  if (!form.centered) {
    throw InputError(kGenotypesAreCentred);
  }
  return make_covariance(*content.genotypes, form.scale);
}

std::shared_ptr<const Covariance> covariance_of(FileContent& content, const FileRequest& request,
                                                bool is_covariance) {
  const bool is_in_place = content.mapped != nullptr || content.genotypes != nullptr;
  if (is_covariance && is_in_place) {
    throw InputError(
        "holds data that are not read into memory; accepted for kind covariance: a square matrix "
        "in another format");
  }
  if (!is_covariance) {
    const DataForm form = {
        .centered = request.centered.value_or(!content.is_bag_of_words || request.standardized),
        .scale = request.scale,
        .standardized = request.standardized,
        .samples_only = request.samples_only};
    if (is_in_place) {
      return covariance_in_place(content, form, request);
    }
    if (!content.is_bag_of_words && !request.bag.is_default()) {
      throw InputError(
          "holds no counts of words; accepted for the options of words: a docword file");
    }
    if (content.is_bag_of_words) {
      prepare_counts(request.bag, *content.sparse, content.variable_names);
    }
    // Eigen 3.4 moves a sparse matrix only if it is marked, and copies it otherwise.
    return content.sparse != nullptr ? make_covariance(content.sparse->markAsRValue(), form)
                                     : make_covariance(std::move(content.dense), form);
  }
  if (content.is_bag_of_words) {
    throw InputError("holds counts of words; accepted for kind covariance: a square matrix");
  }
  Matrix matrix = content.sparse != nullptr ? Matrix(*content.sparse) : std::move(content.dense);
  if (matrix.rows() != matrix.cols()) {
    throw InputError(
        fmt::format("found {} rows and {} columns; accepted for kind covariance: a "
                    "square matrix",
                    matrix.rows(), matrix.cols()));
  }
  std::shared_ptr<const Covariance> covariance = make_explicit_covariance(std::move(matrix));
  return request.standardized ? covariance->in_form({.standardized = true}) : covariance;
}

/// Returns whether the file holds S. Adds a note if this follows from the file alone.
bool is_covariance(FileContent& content, const FileRequest& request) {
  // A request that says how to centre or scale is for data.
  const bool is_told =
      request.is_covariance || request.centered || request.scale != Scale::kSamples;
  if (!is_told && content.is_symmetric) {
    content.notes.push_back(
        "is symmetric, and so taken as a covariance matrix; `kind` data takes it as data");
  }
  return request.is_covariance.value_or(!is_told && content.is_symmetric);
}

/// Returns whether dense data look like a covariance or correlation matrix: square and symmetric.
bool looks_like_covariance(const Matrix& dense) {
  return dense.rows() > 1 && dense.rows() == dense.cols() && dense == dense.transpose();
}

bool looks_like_covariance(const SparseRows& sparse) {
  if (sparse.rows() < 2 || sparse.rows() != sparse.cols()) {
    return false;
  }
  const SparseRows turned = sparse.transpose();
  return turned.nonZeros() == sparse.nonZeros() && (turned - sparse).norm() == 0;
}

/// Throws InputError if rows and columns of S have names in different orders.
void check_names_of_covariance(const FileContent& content) {
  const std::vector<std::string>& rows = content.sample_names;
  const std::vector<std::string>& columns = content.variable_names;
  if (rows.size() != columns.size()) {
    return;
  }
  const auto [row, column] = std::mismatch(rows.begin(), rows.end(), columns.begin());
  if (row != rows.end()) {
    throw InputError(fmt::format(
        "row {} is called {}, and column {} {}; accepted for kind covariance: rows and columns in "
        "one order",
        row - rows.begin() + 1, in_quotes(*row), column - columns.begin() + 1, in_quotes(*column)));
  }
}

/// Returns whether two names have the same hash. This is a fast test: only if it holds does
/// equal_names_note() count the names.
bool share_a_hash(const std::vector<std::string>& names) {
  std::vector<std::size_t> table(std::bit_ceil(2 * names.size() + 1), 0);
  const std::size_t mask = table.size() - 1;
  for (const std::string& name : names) {
    const std::size_t hash = std::hash<std::string_view>()(name) | 1;  // 0 is a free place
    std::size_t at = (hash >> 1) & mask;
    while (table[at] != 0) {
      if (table[at] == hash) {
        return true;
      }
      at = (at + 1) & mask;
    }
    table[at] = hash;
  }
  return false;
}

/// Returns the message of an error in a matrix that was taken as S because its file declares it
/// symmetric.
std::string taken_as_covariance(const InputError& error) {
  return fmt::format(
      "{}; it is symmetric, and so was taken as a covariance matrix: `kind` data takes it as data",
      error.what());
}

constexpr std::size_t kNamedVariables = 5;
// A variable with a larger share of the variance is probably an identifier of the sample, a year or
// a sum, and the first component is then this variable alone.
constexpr double kDominant = 0.999;
// Two variables with a larger share are probably in other units than the rest. Among fewer than
// kLeastBesidePair variables, two may well have most of the variance.
constexpr double kDominantPair = 0.98;
constexpr Index kLeastBesidePair = 5;
constexpr const char* kLeaveOut =
    "if it is not a measurement, leave it out (`drop`), and `standardize` puts all variables on "
    "one scale";
constexpr const char* kStandardize = "`standardize` puts all variables on one scale";
// The columns of a mapped file cannot be left out or standardised when it is read.
constexpr const char* kConvertAgain =
    "if it is not a measurement, leave it out where the file is made: `spca convert --drop`";

std::string name_or_place(const Dataset& dataset, Index variable) {
  const auto at = static_cast<std::size_t>(variable);
  return at < dataset.variable_names.size() ? in_quotes(dataset.variable_names[at])
                                            : fmt::format("place {}", variable + 1);
}

/// Returns the share of `count` variables as a percentage. It is 100 only if no other variable
/// varies.
std::string variance_percentage(const Vector& variances, double share, Index count) {
  const bool others_vary = (variances.array() > 0).count() > count;
  return others_vary && share > 0.9999 ? "more than 99.99 %" : fmt::format("{:.2f} %", 100 * share);
}

/// Adds the notes on columns that may be no measurements or have missing values. `row_names`
/// decides about the first column, and the reader has a note on one that is called "id".
void add_column_notes(const FileRequest& request, FileContent& content) {
  const bool is_whole = request.choice.columns.empty() && request.choice.drop.empty();
  const bool has_reader_note = !request.csv.row_names && !content.variable_names.empty() &&
                               may_be_corner(content.variable_names[0]);
  const bool is_decided = is_whole && (has_reader_note || request.csv.row_names == false);
  if (const std::string note = counting_note(content, is_decided ? 1 : 0); !note.empty()) {
    content.notes.push_back(note);
  }
  for (std::string& note : missing_number_notes(content)) {
    content.notes.push_back(std::move(note));
  }
}

}  // namespace

std::string dominant_variable_note(const Dataset& dataset, const std::string& remedy) {
  const Vector& variances = dataset.covariance->diagonal();
  Index largest = 0;
  if (variances.size() < 2 || !(variances.maxCoeff(&largest) > kDominant * variances.sum())) {
    return "";
  }
  const std::string percentage =
      variance_percentage(variances, variances[largest] / variances.sum(), 1);
  return fmt::format("{} has {} of the variance; {}", name_or_place(dataset, largest), percentage,
                     remedy);
}

std::string dominant_pair_note(const Dataset& dataset, const std::string& remedy) {
  const Vector& variances = dataset.covariance->diagonal();
  if (variances.size() < kLeastBesidePair) {
    return "";
  }
  Index first = 0, second = 0;
  const double largest = variances.maxCoeff(&first);
  second = first == 0 ? 1 : 0;
  for (Index j = 0; j < variances.size(); ++j) {
    if (j != first && variances[j] > variances[second]) {
      second = j;
    }
  }
  const double total = variances.sum();
  const double both = largest + variances[second];
  if (largest > kDominant * total || !(both > kDominantPair * total)) {
    return "";
  }
  return fmt::format("{} and {} have {} of the variance; {}", name_or_place(dataset, first),
                     name_or_place(dataset, second),
                     variance_percentage(variances, both / total, 2), remedy);
}

void check_variances(const Covariance& covariance) {
  const Vector& variances = covariance.diagonal();
  if (std::isfinite(variances.sum())) {
    const double largest = variances.maxCoeff();
    if (largest > kLargestVariance || (largest > 0 && largest < kSmallestVariance)) {
      throw InputError(fmt::format(
          "the largest variance is {:g}; accepted: 0, or {:g} to {:g}: data on another scale",
          largest, kSmallestVariance, kLargestVariance));
    }
    return;
  }
  const auto is_infinite = [](double variance) { return !std::isfinite(variance); };
  const auto first = std::find_if(variances.begin(), variances.end(), is_infinite);
  throw InputError(fmt::format(
      "the variance of {} is beyond the largest number; accepted: data on a smaller scale",
      first == variances.end() ? "all variables together"
                               : fmt::format("column {}", first - variances.begin() + 1)));
}

std::string constant_variables_note(const Dataset& dataset) {
  const Vector& variances = dataset.covariance->diagonal();
  std::vector<std::string> names;
  Index count = 0;
  for (Index j = 0; j < variances.size(); ++j) {
    if (variances[j] > 0) {
      continue;
    }
    if (++count <= static_cast<Index>(kNamedVariables)) {
      const auto at = static_cast<std::size_t>(j);
      names.push_back(at < dataset.variable_names.size() ? dataset.variable_names[at]
                                                         : fmt::format("place {}", j + 1));
    }
  }
  return count == 0
             ? ""
             : fmt::format("{} constant variable{} set aside: {}{}", count, count == 1 ? "" : "s",
                           join(names), count > static_cast<Index>(kNamedVariables) ? ", ..." : "");
}

std::string equal_names_note(const std::vector<std::string>& names) {
  if (!share_a_hash(names)) {
    return "";
  }
  std::unordered_map<std::string_view, Index> counts;
  for (const std::string& name : names) {
    ++counts[name];
  }
  std::vector<std::string> equal;  // in the order of the variables
  for (const std::string& name : names) {
    if (Index& count = counts[name]; count > 1) {
      equal.push_back(fmt::format("{} {} times", in_quotes(name), count));
      count = 1;  // listed once
    }
  }
  if (equal.empty()) {
    return "";
  }
  const bool is_cut = equal.size() > kNamedVariables;
  equal.resize(std::min(equal.size(), kNamedVariables));
  return fmt::format("variables share a name: {}{}", join(equal), is_cut ? ", ..." : "");
}

Dataset read_dataset(const FileRequest& request) {
  const std::string name = request.path.string();
  try {
    CsvForm form = request.csv;
    // The missing entries of an S may be those of one triangle.
    form.keeps_missing = keeps_missing(request.missing) || request.is_covariance.value_or(false);
    FileContent content = read_file(request.path, form);
    // Errors of the reader name the file and the line; errors from here on name neither.
    Dataset dataset;
    try {
      const bool holds_covariance = is_covariance(content, request);
      choose_table(request.choice, holds_covariance ? TableKind::kCovariance : TableKind::kData,
                   content);
      if (holds_covariance) {
        check_names_of_covariance(content);
        complete_covariance(request.triangle, content);
        if (request.nearest) {
          replace_by_nearest_semidefinite(content);
        }
      } else {
        if (!request.samples_only) {
          add_column_notes(request, content);
        }
        settle_missing(request.missing, content, request.missing_rank);
        const bool is_square = content.sparse != nullptr && !content.is_bag_of_words
                                   ? looks_like_covariance(*content.sparse)
                                   : looks_like_covariance(content.dense);
        if (is_square && !content.is_symmetric) {
          content.notes.push_back(
              "is square and symmetric, and taken as data; `kind` covariance takes it as S");
        }
      }
      try {
        dataset.covariance = covariance_of(content, request, holds_covariance);
      } catch (const IndefiniteCovariance& error) {
        if (!request.is_covariance) {
          throw InputError(taken_as_covariance(error));
        }
        throw InputError(
            fmt::format("{}; or `nearest`, which makes negative eigenvalues zero", error.what()));
      } catch (const InputError& error) {
        if (!holds_covariance || request.is_covariance) {
          throw;
        }
        throw InputError(taken_as_covariance(error));
      }
      dataset.variable_names = std::move(content.variable_names);
      if (!holds_covariance) {
        dataset.sample_names = std::move(content.sample_names);
      }
      if (!request.samples_only) {
        check_variances(*dataset.covariance);
      }
      // Raw samples serve a result that is there already: their scale is not a choice any more.
      const bool is_in_one_scale = holds_covariance || request.standardized || request.samples_only;
      const char* const remedy = content.mapped != nullptr ? kConvertAgain : kLeaveOut;
      for (const std::string& note :
           {equal_names_note(dataset.variable_names),
            is_in_one_scale ? std::string() : dominant_variable_note(dataset, remedy),
            is_in_one_scale ? std::string() : dominant_pair_note(dataset, kStandardize)}) {
        if (!note.empty()) {
          content.notes.push_back(note);
        }
      }
      if (request.standardized) {
        if (const std::string note = constant_variables_note(dataset); !note.empty()) {
          content.notes.push_back(note);
        }
      }
      for (const std::string& note : content.notes) {
        dataset.notes.push_back(fmt::format("{}: {}", name, note));
      }
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", name, error.what()));
    }
    return dataset;
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: does not fit into memory", name));
  }
}

std::optional<RowsOfDataset> read_dataset_rows(const FileRequest& request, const RowShare& share) {
  if (!request.bag.is_default() || !request.choice.is_default() || request.standardized ||
      keeps_missing(request.missing)) {
    return std::nullopt;
  }
  const std::string name = request.path.string();
  try {
    std::optional<RowsOfFile> rows = read_rows(request.path, share, request.csv);
    if (!rows) {
      return std::nullopt;
    }
    if (rows->content.genotypes != nullptr && request.missing == Missing::kError) {
      return std::nullopt;  // one rank must check for missing genotypes
    }
    if (is_covariance(rows->content, request)) {
      throw InputError(
          fmt::format("{}: is symmetric, and so taken as a covariance matrix, which has no rows to "
                      "spread over ranks; accepted: with `kind` data",
                      name));
    }
    const bool centered = request.centered.value_or(!rows->content.is_bag_of_words);
    if (rows->content.genotypes != nullptr && !centered) {
      throw InputError(fmt::format("{}: {}", name, kGenotypesAreCentred));
    }
    return RowsOfDataset{.file = *std::move(rows),
                         .form = {.centered = centered, .scale = request.scale}};
  } catch (const std::bad_alloc&) {
    throw InputError(fmt::format("{}: does not fit into memory", name));
  }
}

}  // namespace spca
