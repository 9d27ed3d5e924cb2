#pragma once

/// The preparation of word counts before they become the data matrix.

#include <string>
#include <vector>

#include "spca/base/options.h"
#include "spca/base/types.h"

namespace spca {

struct BagOptions {
  std::string weights = "count";
  Index minimum_count = 1;
  Index minimum_letters = 1;
  std::string stop_words;

  void describe_weights(OptionVisitor& visit) {
    visit("weights", weights,
          "weight of a word in a document: its number of occurrences (count), 0 or 1 (binary), or "
          "count times log(documents / documents with the word) (tf-idf)",
          {"count", "binary", "tf-idf"});
  }
  void describe(OptionVisitor& visit) {
    describe_weights(visit);
    visit("minimum_count", minimum_count,
          "leave out words with fewer occurrences in all documents together", at_least(1));
    visit("minimum_letters", minimum_letters, "leave out words of fewer letters", at_least(1));
    visit("stop_words", stop_words, "words to leave out, with blanks between them");
  }

  bool is_default() const { return weights == "count" && minimum_count == 1 && !needs_names(); }
  bool needs_names() const { return minimum_letters > 1 || !stop_words.empty(); }
};

/// Leaves out columns of `counts` (D documents x W words) and their `names` (W, or none) as the
/// options say, then weights the other columns. Works in place. Empty documents stay.
/// Throws InputError if no word is left, or if an option needs the names and there are none.
void prepare_counts(const BagOptions& options, SparseRows& counts, std::vector<std::string>& names);

}  // namespace spca
