#pragma once

#include <string>
#include <vector>

namespace spca {

/// Footnotes a, b, ..., z, aa, ab, ..., each text once.
class LetteredNotes {
 public:
  /// Returns the letter of the footnote with this text, which is added if it is new.
  std::string mark(const std::string& text);
  /// Returns the footnotes as "a. Text."
  std::vector<std::string> lines() const;

 private:
  std::vector<std::string> texts_;
};

}  // namespace spca
