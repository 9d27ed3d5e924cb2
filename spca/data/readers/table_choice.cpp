#include "spca/data/readers/table_choice.h"

#include <fmt/format.h>

#include <algorithm>

#include "spca/base/error.h"
#include "spca/base/text.h"
#include "spca/dense/dense_selections.h"

namespace spca {
namespace {

Index columns_of(const FileContent& content) {
  if (content.genotypes != nullptr) {
    return content.genotypes->variants;
  }
  return content.sparse != nullptr ? content.sparse->cols() : content.dense.cols();
}

/// Returns the first and last position of "first-last", or a single position twice; nothing if the
/// word is neither. Does not check the range.
std::optional<std::pair<Index, Index>> positions_of(const std::string& word) {
  const std::size_t dash = word.find('-');
  const std::optional<std::int64_t> first = parse_integer(word.substr(0, dash));
  const std::optional<std::int64_t> last =
      dash == std::string::npos ? first : parse_integer(word.substr(dash + 1));
  return first && last ? std::optional(std::pair<Index, Index>(*first, *last)) : std::nullopt;
}

/// Marks the columns that a word selects. Names have precedence over positions.
void mark(const std::string& word, const std::vector<std::string>& names,
          std::vector<char>& marked) {
  const auto named = std::count(names.begin(), names.end(), word);
  if (named > 1) {
    throw InputError(fmt::format("{} columns are called {}; accepted: their places, from 1", named,
                                 in_quotes(word)));
  }
  if (named == 1) {
    const auto at = std::find(names.begin(), names.end(), word) - names.begin();
    marked[static_cast<std::size_t>(at)] = 1;
    return;
  }
  const auto positions = positions_of(word);
  if (!positions) {
    throw InputError(fmt::format("no column is called {}{}; accepted: {}", in_quotes(word),
                                 did_you_mean(word, names),
                                 names.empty() ? "places from 1, because there are no names"
                                               : "a name of a column, or a place from 1"));
  }
  const Index p = std::ssize(marked);
  if (positions->first < 1 || positions->second > p || positions->first > positions->second) {
    throw InputError(
        fmt::format("no columns {}; accepted: places from 1 to {}", in_quotes(word), p));
  }
  std::fill(marked.begin() + positions->first - 1, marked.begin() + positions->second, 1);
}

Support chosen_columns(const TableChoice& choice, const FileContent& content) {
  const std::vector<char> marks =
      chosen_marks(choice.columns, choice.drop, content.variable_names, columns_of(content));
  Support chosen;
  for (std::size_t j = 0; j < marks.size(); ++j) {
    if (marks[j] != 0) {
      chosen.push_back(static_cast<Index>(j));
    }
  }
  return chosen;
}

/// Returns the chosen columns of sparse rows, in one pass over the entries.
SparseRows selected(const SparseRows& rows, const Support& columns) {
  std::vector<int> position(static_cast<std::size_t>(rows.cols()), -1);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    position[static_cast<std::size_t>(columns[j])] = static_cast<int>(j);
  }
  SparseRows result(rows.rows(), std::ssize(columns));
  for (Index i = 0; i < rows.rows(); ++i) {
    result.startVec(i);
    for (SparseRows::InnerIterator entry(rows, i); entry; ++entry) {
      if (const int j = position[static_cast<std::size_t>(entry.col())]; j >= 0) {
        result.insertBack(i, j) = entry.value();
      }
    }
  }
  result.finalize();
  return result;
}

void transpose(FileContent& content) {
  if (content.is_bag_of_words) {
    throw InputError("holds counts of words; accepted: to take documents as samples");
  }
  if (content.sparse != nullptr) {
    SparseRows turned = content.sparse->transpose();
    content.sparse = std::make_unique<SparseRows>(turned.markAsRValue());
  } else {
    content.dense.transposeInPlace();
  }
  std::swap(content.variable_names, content.sample_names);
}

}  // namespace

std::vector<char> chosen_marks(const std::vector<std::string>& columns,
                               const std::vector<std::string>& drop,
                               const std::vector<std::string>& names, Index count) {
  const auto p = static_cast<std::size_t>(count);
  std::vector<char> taken(p, columns.empty() ? 1 : 0);
  for (const std::string& word : columns) {
    mark(word, names, taken);
  }
  std::vector<char> dropped(p, 0);
  for (const std::string& word : drop) {
    mark(word, names, dropped);
  }
  for (std::size_t j = 0; j < p; ++j) {
    taken[j] = taken[j] != 0 && dropped[j] == 0 ? 1 : 0;
  }
  if (std::count(taken.begin(), taken.end(), 1) == 0) {
    throw InputError("no column is left; accepted: `columns` and `drop` that leave some");
  }
  return taken;
}

void select_names(const std::vector<Index>& kept, std::vector<std::string>& names) {
  std::vector<std::string> selected;
  for (const Index j : names.empty() ? std::vector<Index>() : kept) {
    selected.push_back(std::move(names[static_cast<std::size_t>(j)]));
  }
  names = std::move(selected);
}

void choose_table(const TableChoice& choice, TableKind kind, FileContent& content) {
  if (choice.is_default()) {
    return;
  }
  if (content.genotypes != nullptr && !choice.transpose) {
    const Genotypes& all = *content.genotypes;
    const Support variants = chosen_columns(choice, content);
    content.genotypes = std::make_shared<const Genotypes>(
        chosen_genotypes(all, all_variables(all.samples), variants));
    select_names(variants, content.variable_names);
    return;
  }
  if (content.genotypes != nullptr) {
    throw InputError("holds genotypes, whose rows are the samples; accepted: without `transpose`");
  }
  if (content.mapped != nullptr) {
    throw InputError(
        "is mapped, and used as stored; accepted for `transpose`, `columns` and `drop`: data that "
        "are read into memory, such as the file that it was converted from");
  }
  if (choice.transpose) {
    transpose(content);
  }
  if (choice.columns.empty() && choice.drop.empty()) {
    return;
  }
  const bool is_covariance = kind == TableKind::kCovariance;
  const Support columns = chosen_columns(choice, content);
  if (content.variable_names.empty()) {
    // Otherwise the first chosen column would always be called "place 1" in answers.
    for (Index j = 1; j <= columns_of(content); ++j) {
      content.variable_names.push_back(std::to_string(j));
    }
  }
  if (content.sparse != nullptr) {
    if (is_covariance) {
      throw InputError("is sparse; accepted for `columns` and `drop` of a covariance: a dense one");
    }
    SparseRows part = selected(*content.sparse, columns);
    content.sparse = std::make_unique<SparseRows>(part.markAsRValue());
  } else if (is_covariance && content.dense.rows() == content.dense.cols()) {
    content.dense = content.dense(columns, columns).eval();
    select_names(columns, content.sample_names);
  } else {
    content.dense = content.dense(Eigen::all, columns).eval();
  }
  select_names(columns, content.variable_names);
}

}  // namespace spca
