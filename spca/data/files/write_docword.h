#pragma once

#include <filesystem>

#include "spca/data/zipf_corpus.h"

namespace spca {

/// Writes the corpus as a UCI bag of words. `path` is docword.NAME.txt or docword.NAME.txt.gz; the
/// words go to vocab.NAME.txt beside it and the planted topics, one a line, to topics.NAME.txt.
/// Throws InputError for any other file name, or if a file cannot be written; then there is no new
/// file of counts, but the file of words may be new already.
void write_docword(ZipfCorpus& corpus, const std::filesystem::path& path);

}  // namespace spca
