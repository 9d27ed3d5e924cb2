#pragma once

/// The entries of a UCI bag of words one by one, for files that need not fit in memory.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "spca/data/content/sparse_entries.h"

namespace spca {

/// The three lines at the beginning of the file.
struct DocwordSizes {
  Index documents = 0;
  Index words = 0;
  std::int64_t entries = 0;
};

/// Reads the sizes. Throws InputError for a file that does not begin with them.
DocwordSizes docword_sizes(const std::filesystem::path& path);

/// Calls on_entry(document, word, count) for the entries in the order of the file until on_entry
/// returns false. Documents and words are counted from 0. Throws InputError for a line that is not
/// an entry, and for fewer or more entries than the file announces.
using OnWordCount = std::function<bool(int document, int word, double count)>;
void scan_docword(const std::filesystem::path& path, const OnWordCount& on_entry);

/// Throws InputError with the line in which the document and word of `position` occur a second
/// time. Scans the file again for this line: line numbers of entries are not stored, because hardly
/// any file has this mistake.
[[noreturn]] void reject_repeated_word(const std::filesystem::path& path, EntryPosition position);

/// Returns the words of the vocab file beside the docword file; none if there is no such file.
/// Throws InputError unless the file has `words` lines.
std::vector<std::string> read_vocabulary(const std::filesystem::path& path, Index words);

}  // namespace spca
