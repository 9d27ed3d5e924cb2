#include "spca/data/bag_of_words.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>
#include <string_view>
#include <unordered_set>

#include "spca/base/error.h"
#include "spca/base/unicode.h"

namespace spca {
namespace {

/// Returns the new column of each word: numbered from 0 for the words that stay, -1 for the others.
std::vector<int> select_columns(const BagOptions& options, const SparseRows& counts,
                                const std::vector<std::string>& names) {
  std::vector<double> totals(static_cast<std::size_t>(counts.cols()), 0.0);
  for (Index e = 0; e < counts.nonZeros(); ++e) {
    totals[static_cast<std::size_t>(counts.innerIndexPtr()[e])] += counts.valuePtr()[e];
  }
  std::istringstream blanks(options.stop_words);
  std::unordered_set<std::string> stop_words;
  for (std::string word; blanks >> word;) {
    stop_words.insert(word);
  }
  std::vector<int> column(totals.size(), -1);
  int next = 0;
  for (std::size_t j = 0; j < totals.size(); ++j) {
    const bool is_wanted =
        names.empty() || (static_cast<Index>(count_letters(names[j])) >= options.minimum_letters &&
                          !stop_words.contains(names[j]));
    if (is_wanted && totals[j] >= static_cast<double>(options.minimum_count)) {
      column[j] = next++;
    }
  }
  return column;
}

/// Moves the remaining entries to the front. In place: a copy of nytimes would take another 0.8 GB.
/// Entries only move to the front, so none is overwritten before it is read.
void drop_columns(const std::vector<int>& column, Index kept, SparseRows& counts) {
  int* const starts = counts.outerIndexPtr();
  int* const columns = counts.innerIndexPtr();
  double* const values = counts.valuePtr();
  int next = 0;
  int begin = 0;
  for (Index i = 0; i < counts.rows(); ++i) {
    const int end = starts[i + 1];
    for (int e = begin; e < end; ++e) {
      const int to = column[static_cast<std::size_t>(columns[e])];
      if (to >= 0) {
        columns[next] = to;
        values[next++] = values[e];
      }
    }
    begin = end;
    starts[i + 1] = next;
  }
  counts.conservativeResize(counts.rows(), kept);
  counts.makeCompressed();
}

void weight(const std::string& weights, SparseRows& counts) {
  const std::span<double> values(counts.valuePtr(), static_cast<std::size_t>(counts.nonZeros()));
  if (weights == "binary") {
    std::fill(values.begin(), values.end(), 1.0);
    return;
  }
  std::vector<double> documents(static_cast<std::size_t>(counts.cols()), 0.0);
  const int* const columns = counts.innerIndexPtr();
  for (std::size_t e = 0; e < values.size(); ++e) {
    documents[static_cast<std::size_t>(columns[e])] += 1;
  }
  const double all = static_cast<double>(counts.rows());
  for (std::size_t e = 0; e < values.size(); ++e) {
    values[e] *= std::log(all / documents[static_cast<std::size_t>(columns[e])]);
  }
}

}  // namespace

void prepare_counts(const BagOptions& options, SparseRows& counts,
                    std::vector<std::string>& names) {
  if (options.needs_names() && names.empty()) {
    throw InputError(
        "stop_words and minimum_letters need the words; accepted: a vocab file beside the docword "
        "file");
  }
  if (options.minimum_count > 1 || options.needs_names()) {
    const std::vector<int> column = select_columns(options, counts, names);
    const Index kept = std::count_if(column.begin(), column.end(), [](int to) { return to >= 0; });
    if (kept == 0) {
      throw InputError("no word is left; accepted: a smaller minimum_count or minimum_letters");
    }
    drop_columns(column, kept, counts);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (column[j] >= 0 && column[j] != static_cast<int>(j)) {  // a self-move would empty the name
        names[static_cast<std::size_t>(column[j])] = std::move(names[j]);
      }
    }
    names.resize(names.empty() ? 0 : static_cast<std::size_t>(kept));
  }
  if (options.weights != "count") {
    weight(options.weights, counts);
  }
}

}  // namespace spca
