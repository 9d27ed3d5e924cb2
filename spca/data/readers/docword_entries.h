#pragma once

/// The entries of a UCI bag of words one by one, for files that are not to be in memory as a whole.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "spca/data/readers/sparse_entries.h"

namespace spca {

/// The three lines at the beginning of the file.
struct DocwordSizes {
  Index documents = 0;
  Index words = 0;
  std::int64_t entries = 0;
};

/// Throws InputError for a file that does not begin with them.
DocwordSizes docword_sizes(const std::filesystem::path& path);

/// Calls on_entry(document, word, count), from 0, in the order of the file until it returns false.
/// Throws InputError for a line that is no entry, and unless all entries that are announced come.
using OnWordCount = std::function<bool(int document, int word, double count)>;
void scan_docword(const std::filesystem::path& path, const OnWordCount& on_entry);

/// Throws InputError with the line in which document and word of `position` come a second time.
/// Scans the file again for it: no line numbers are kept for the entries, since hardly any file has
/// this mistake.
[[noreturn]] void reject_repeated_word(const std::filesystem::path& path, EntryPosition position);

/// The words of the vocab file beside the docword file; none if there is no such file. Throws
/// InputError unless it has `words` lines.
std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words);

}  // namespace spca
