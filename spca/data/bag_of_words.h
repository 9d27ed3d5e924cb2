#pragma once

/// What is done to counts of words in documents before they are the data matrix.

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
    visit(
        "weights", weights,
        "of a word in a document: how often it occurs (count), whether it does (binary), or count "
        "times log(documents / documents with the word) (tf-idf)",
        {"count", "binary", "tf-idf"});
  }
  void describe(OptionVisitor& visit) {
    describe_weights(visit);
    visit("minimum_count", minimum_count,
          "words that occur less often in all documents together are left out", at_least(1));
    visit("minimum_letters", minimum_letters, "words of fewer letters are left out", at_least(1));
    visit("stop_words", stop_words, "words to leave out, with blanks between them");
  }

  bool is_default() const { return weights == "count" && minimum_count == 1 && !needs_names(); }
  bool needs_names() const { return minimum_letters > 1 || !stop_words.empty(); }
};

/// Leaves out columns of `counts` (D documents x W words) and their `names` (W, or none) as the
/// options say, then weights what stays. Works in place. Documents stay, even if they become empty.
/// Throws InputError if no word is left, or if an option needs the names and there are none.
void prepare_counts(const BagOptions& options, SparseRows& counts, std::vector<std::string>& names);

}  // namespace spca
